import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import { whileMoreArrive } from '../lib/gathering.ts';
import type { Schema, Transaction } from './schema.ts';

// Whoever came first waits for the last one of the group, and so does everything else on this thread.
const MAX_GROUP = 64;
const MAX_GROUP_MS = 5;

// Another process holds the lock: how often to look whether it still does, and until when.
const HELD_UP_MS = 10;
const MAX_HELD_UP_MS = 5_000;

// Whatever makes one transaction fail is likely to make others fail, and each would cost its group another run.
const GUARDED_MS = 1_000;

type Work<T> = (tx: Transaction) => Promise<T>;

interface Waiting {
  /** Runs the work; what comes back tells its caller the outcome, once that is on disk. */
  run(tx: Transaction, isGuarded: boolean): Promise<() => void>;
  fail(error: unknown): void;
  /** Whether it was undone with its group once already: after that, each of its group has a savepoint. */
  wasSpoilt: boolean;
  /** Whether a group that it was part of was lost once already. */
  isSecondTry: boolean;
  sinceMs: number;
}

const begin = CompiledQuery.raw('savepoint of_one');
const release = CompiledQuery.raw('release of_one');
const undo = CompiledQuery.raw('rollback to of_one');

/**
 * Runs transactions that wait for the one writer of an embedded database as a group: all share one
 * commit, and so one wait for the disk. A failure undoes its own work alone: the group is undone and
 * runs again, each with a savepoint of its own, as do the groups of the next second. They all run
 * without while nothing fails, because SQLite copies each page that is changed under a savepoint.
 * Nobody is told of success before the commit.
 */
export class GroupCommit {
  readonly #writer: Kysely<Schema>;
  readonly #isBusy: (error: unknown) => boolean;
  readonly #queue: Waiting[] = [];
  #isRunning = false;
  #guardedUntilMs = -Infinity;

  /** @param isBusy whether an error says that another process held the lock for too long */
  constructor(writer: Kysely<Schema>, isBusy: (error: unknown) => boolean) {
    this.#writer = writer;
    this.#isBusy = isBusy;
  }

  /** Runs one transaction, in the order of the calls. */
  transact<T>(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#queue.push({
      async run(tx, isGuarded) {
        try {
          const result = await (isGuarded ? withSavepoint(tx, work) : unguarded(tx, work));
          return () => resolve(result);
        } catch (error) {
          if (error instanceof GroupLost || error instanceof GroupSpoilt) throw error;
          return () => reject(error);
        }
      },
      fail: reject,
      wasSpoilt: false,
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
    const [first, second] = this.#queue;
    // One that comes alone takes nobody along.
    const isRisky = second !== undefined && performance.now() < this.#guardedUntilMs;
    const isGuarded = isRisky || first?.wasSpoilt === true;
    try {
      const outcomes = await this.#writer.transaction().execute(async (tx) => {
        const told: (() => void)[] = [];
        const startMs = performance.now();
        do {
          const next = this.#queue.shift();
          if (next === undefined) break;
          group.push(next);
          told.push(await next.run(tx, isGuarded));
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
    if (error instanceof GroupSpoilt) {
      const [first, ...others] = group;
      if (others.length === 0) {
        first?.fail(error.cause);
        return;
      }
      this.#guardedUntilMs = performance.now() + GUARDED_MS;
      for (const waiting of group) waiting.wasSpoilt = true;
      this.#queue.unshift(...group);
      return;
    }
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

/** One of a group failed that has no savepoints: what the others have done is undone with it. */
class GroupSpoilt extends Error {}

async function unguarded<T>(tx: Transaction, work: Work<T>): Promise<T> {
  try {
    return await work(tx);
  } catch (error) {
    throw new GroupSpoilt('the group has to run again', { cause: error });
  }
}

/** The database has given up the whole transaction: a full disk does that, for one. */
class GroupLost extends Error {}

async function withSavepoint<T>(tx: Transaction, work: Work<T>): Promise<T> {
  await tx.executeQuery(begin);
  try {
    const result = await work(tx);
    await tx.executeQuery(release);
    return result;
  } catch (error) {
    try {
      await tx.executeQuery(undo);
      await tx.executeQuery(release);
    } catch {
      throw new GroupLost('the transaction is gone', { cause: error });
    }
    throw error;
  }
}
