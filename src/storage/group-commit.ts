import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { whileMoreArrive } from '../lib/gathering.ts';
import type { Schema, Transaction } from './schema.ts';

// Whoever came first waits for the last one of the group, and so does everything else on this thread.
const MAX_GROUP = 64;
const MAX_GROUP_MS = 5;

// Another process holds the lock: how often to look whether it still does, and until when.
const HELD_UP_MS = 10;
const MAX_HELD_UP_MS = 5_000;

type Work<T> = (tx: Transaction) => Promise<T>;

interface Waiting {
  /** Runs the work; what comes back tells its caller the outcome, once that is on disk. */
  run(tx: Transaction): Promise<() => void>;
  fail(error: unknown): void;
  /** Whether a group that it was part of was lost once already. */
  isSecondTry: boolean;
  sinceMs: number;
}

const begin = sql`savepoint of_one`;
const release = sql`release of_one`;
const undo = sql`rollback to of_one`;

/**
 * Runs transactions that wait for the one writer of an embedded database as a group: each has a
 * savepoint of its own and all share one commit, and so one wait for the disk. A failure undoes its
 * own work alone. Nobody is told of success before the commit.
 */
export class GroupCommit {
  readonly #writer: Kysely<Schema>;
  readonly #isBusy: (error: unknown) => boolean;
  readonly #queue: Waiting[] = [];
  #isRunning = false;

  /** @param isBusy whether an error says that another process held the lock for too long */
  constructor(writer: Kysely<Schema>, isBusy: (error: unknown) => boolean) {
    this.#writer = writer;
    this.#isBusy = isBusy;
  }

  /** Runs one transaction, in the order of the calls. */
  transact<T>(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#queue.push({
      async run(tx) {
        try {
          const result = await withSavepoint(tx, work);
          return () => resolve(result);
        } catch (error) {
          if (error instanceof GroupLost) throw error;
          return () => reject(error);
        }
      },
      fail: reject,
      isSecondTry: false,
      sinceMs: performance.now(),
    });
    if (!this.#isRunning) void this.#drain();
    return promise;
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    const gather = () => whileMoreArrive(() => this.#queue.length, MAX_GROUP);
    await gather();
    while (this.#queue.length > 0) {
      const isHeldUp = await this.#runGroup();
      await (isHeldUp ? delay(HELD_UP_MS) : gather());
    }
    this.#isRunning = false;
  }

  /** Answers whether another process holds the lock. */
  async #runGroup(): Promise<boolean> {
    const group: Waiting[] = [];
    try {
      const outcomes = await this.#writer.transaction().execute(async (tx) => {
        const told: (() => void)[] = [];
        const startMs = performance.now();
        do {
          const next = this.#queue.shift();
          if (next === undefined) break;
          group.push(next);
          told.push(await next.run(tx));
        } while (group.length < MAX_GROUP && performance.now() - startMs < MAX_GROUP_MS);
        return told;
      });
      for (const tell of outcomes) tell();
    } catch (error) {
      if (group.length === 0 && this.#isBusy(error)) {
        this.#refuseLate(error);
        return true;
      }
      this.#settleLost(group, error);
    }
    return false;
  }

  /** All wait for the same lock, so one looks for it; who has waited for too long is told. */
  #refuseLate(error: unknown): void {
    const beforeMs = performance.now() - MAX_HELD_UP_MS;
    const late = this.#queue.filter(({ sinceMs }) => sinceMs <= beforeMs);
    for (const waiting of late) {
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      waiting.fail(error);
    }
  }

  /** The group could not begin or commit, or was lost on the way: nothing of it has happened. */
  #settleLost(group: Waiting[], error: unknown): void {
    if (error instanceof GroupLost) {
      group.pop()?.fail(error.cause);
      // The others are not at fault: they have another try, without the one that was.
      for (const waiting of group.toReversed()) {
        if (waiting.isSecondTry) waiting.fail(error.cause);
        else this.#queue.unshift({ ...waiting, isSecondTry: true });
      }
      return;
    }
    if (group.length === 0) group.push(...this.#queue.splice(0, MAX_GROUP));
    for (const waiting of group) waiting.fail(error);
  }
}

/** The database has given up the whole transaction: a full disk does that, for one. */
class GroupLost extends Error {}

async function withSavepoint<T>(tx: Transaction, work: Work<T>): Promise<T> {
  await begin.execute(tx);
  try {
    const result = await work(tx);
    await release.execute(tx);
    return result;
  } catch (error) {
    try {
      await undo.execute(tx);
      await release.execute(tx);
    } catch {
      throw new GroupLost('the transaction is gone', { cause: error });
    }
    throw error;
  }
}
