import { unavailable } from '../../http/errors.ts';
import type {
  Answer,
  AuditedChange,
  ChangeContext,
  Changes,
  SharedOutcome,
} from '../../iam/changes.ts';
import { whileMoreArrive } from '../../lib/gathering.ts';
import type { Database } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { MAX_SHORT_TAGS_BYTES, findSetSizes, resourceKey } from '../store/tag-store.ts';
import { announceWrites } from './announce-writes.ts';
import { LongSets, type MadeWrite, type TagWrite, type TagWriteOutcome } from './tag-write.ts';

// The longer a transaction, the longer whoever came first waits, and the next one.
const MAX_WRITES = 64;
const MAX_TAGS = 5_000;
// Of the tags that are given, and of the long sets that they replace, whose tags nobody counts before.
const MAX_CHARACTERS = 512 * 1_024;
// Half a second of ordinary writes, some ten seconds of the largest: whoever came after them would
// hardly wait for so long.
const MAX_WAITING_WRITES = 1_000;
const MAX_WAITING_TAGS = 500_000;
// In memory they take four to eight times as much.
const MAX_WAITING_CHARACTERS = 32 * 1_024 * 1_024;

/** What to answer and what to log; asked within the transaction, and maybe several times. */
export type Conclude<T extends Answer> = (made: MadeWrite) => {
  answer: T;
  change: AuditedChange | 'unchanged';
};

/** How much there is to write. */
interface Size {
  tagCount: number;
  /** Of the tags, in UTF-16 units. */
  characters: number;
}

interface Waiting extends Size {
  context: ChangeContext;
  write: TagWrite;
  conclude: Conclude<Answer>;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Queue extends Size {
  waiting: Waiting[];
  /** Resolves when nothing waits any more. */
  drained: Promise<void>;
}

/**
 * Makes writes as part of a transaction, see apply-writes.ts.
 * @throws LongSets when there are several, and the long sets that they replace have more bytes together
 */
export type ApplyWrites = (
  tx: Transaction,
  accountId: string,
  writes: readonly TagWrite[],
  maxLongBytes: number,
) => Promise<TagWriteOutcome[]>;

/**
 * Makes the writes of single requests. Those of one account come one after the other anyway: while a
 * transaction of the account runs, the next ones gather here and share the one after it, its locks, its
 * statements and its wait for the disk.
 */
export class TagWriter {
  readonly #database: Pick<Database, 'read' | 'isUnavailable'>;
  readonly #changes: Changes;
  readonly #apply: ApplyWrites;
  /** By account; only those that have something to do. */
  readonly #queues = new Map<string, Queue>();

  constructor(
    database: Pick<Database, 'read' | 'isUnavailable'>,
    changes: Changes,
    apply: ApplyWrites,
  ) {
    this.#database = database;
    this.#changes = changes;
    this.#apply = apply;
  }

  /**
   * Makes one write; when it resolves, the write and its row of the audit log are on disk.
   * @throws ApiError what the write was refused with; 503 when too many wait already
   */
  write<T extends Answer>(
    context: ChangeContext,
    write: TagWrite,
    conclude: Conclude<T>,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // The answer that comes back is the one that the request concluded with.
    const settle = { resolve: resolve as (answer: Answer) => void, reject };
    this.#add({ context, write, conclude, ...sizeOf(write), ...settle });
    return promise;
  }

  /** Resolves when every write that was begun has ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ drained }) => drained));
  }

  #add(added: Waiting): void {
    const { accountId } = added.write.resource;
    const queue = this.#queues.get(accountId);
    if (queue === undefined) {
      const { tagCount, characters } = added;
      const begun = { waiting: [added], tagCount, characters, drained: Promise.resolve() };
      this.#queues.set(accountId, begun);
      begun.drained = this.#drain(accountId, begun);
      return;
    }
    const { length } = queue.waiting;
    const isTooMuch =
      queue.tagCount + added.tagCount > MAX_WAITING_TAGS ||
      queue.characters + added.characters > MAX_WAITING_CHARACTERS;
    if ((length > 0 && isTooMuch) || length >= MAX_WAITING_WRITES) {
      added.reject(unavailable('the queue of tag writes is full'));
      return;
    }
    queue.waiting.push(added);
    queue.tagCount += added.tagCount;
    queue.characters += added.characters;
  }

  async #drain(accountId: string, queue: Queue): Promise<void> {
    const gather = () => whileMoreArrive(() => queue.waiting.length, MAX_WRITES);
    await gather();
    while (queue.waiting.length > 0) {
      await this.#makeNext(accountId, queue);
      await gather();
    }
    this.#queues.delete(accountId);
  }

  async #makeNext(accountId: string, queue: Queue): Promise<void> {
    const batch = takeFrom(queue, batchOf(queue.waiting.slice(0, MAX_WRITES)));
    try {
      await this.#make(accountId, batch, MAX_CHARACTERS);
    } catch (error) {
      // The others would wait for the same, one transaction after the other.
      const others = takeFrom(queue, [...queue.waiting]);
      for (const { reject } of [...batch, ...others]) reject(error);
    }
  }

  /**
   * @param maxCharacters of what is given and of the long sets that it replaces, for more than one write
   * @throws what is no fault of the writes: some of them have no answer then
   */
  async #make(accountId: string, batch: readonly Waiting[], maxCharacters: number): Promise<void> {
    try {
      await this.#makeTogether(accountId, batch, maxCharacters);
    } catch (error) {
      if (this.#database.isUnavailable(error)) throw error;
      if (batch.length === 1) batch[0]?.reject(error);
      else if (error instanceof LongSets) await this.#makeInParts(accountId, batch);
      // One of them is at fault, and nobody knows which: each has a try of its own.
      else for (const one of batch) await this.#make(accountId, [one], maxCharacters);
    }
  }

  /** Writes that replace long sets, which is seldom: how long they are is asked only then. */
  async #makeInParts(accountId: string, batch: readonly Waiting[]): Promise<void> {
    const resources = batch.map(({ write }) => write.resource);
    const { read } = this.#database;
    const longSets = await findSetSizes(read, accountId, resources, MAX_SHORT_TAGS_BYTES);
    for (let rest = batch; rest.length > 0;) {
      const part = batchOf(rest, longSets);
      rest = rest.slice(part.length);
      // Another node may have made them longer meanwhile: there is no third count.
      await this.#make(accountId, part, Infinity);
    }
  }

  async #makeTogether(
    accountId: string,
    batch: readonly Waiting[],
    maxCharacters: number,
  ): Promise<void> {
    const contexts = batch.map(({ context }) => context);
    const given = batch.reduce((sum, { characters }) => sum + characters, 0);
    const outcomes = await this.#changes.makeTogether(contexts, async (tx, announce) => {
      const writes = batch.map(({ write }) => write);
      announceWrites(writes, announce);
      const made = await this.#apply(tx, accountId, writes, maxCharacters - given);
      return batch.map(({ conclude }, index) => concluded(conclude, made[index]));
    });
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || 'refusal' in outcome) reject(outcome?.refusal);
      else resolve(outcome.answer);
    }
  }
}

function concluded(
  conclude: Conclude<Answer>,
  outcome: TagWriteOutcome | undefined,
): SharedOutcome<Answer> {
  if (outcome === undefined) throw new Error('a write has no outcome');
  return 'refusal' in outcome ? outcome : conclude(outcome);
}

/**
 * The first of the writes, as many as may share a transaction: one in any case, however large.
 * @param longSets how long those are that they replace, as far as that is known
 */
function batchOf(
  candidates: readonly Waiting[],
  longSets: ReadonlyMap<string, number> = new Map(),
): readonly Waiting[] {
  let tagCount = 0;
  let characters = 0;
  const end = candidates.findIndex((one, index) => {
    tagCount += one.tagCount;
    characters += one.characters + (longSets.get(resourceKey(one.write.resource)) ?? 0);
    return index > 0 && (tagCount > MAX_TAGS || characters > MAX_CHARACTERS);
  });
  return end === -1 ? candidates : candidates.slice(0, end);
}

/** @param first the first that wait */
function takeFrom(queue: Queue, first: readonly Waiting[]): readonly Waiting[] {
  queue.waiting.splice(0, first.length);
  for (const { tagCount, characters } of first) {
    queue.tagCount -= tagCount;
    queue.characters -= characters;
  }
  return first;
}

function sizeOf(write: TagWrite): Size {
  switch (write.operation) {
    case 'put':
      return { tagCount: write.tagSet.byKey.size, characters: write.tagSet.canonical.length };
    case 'patch': {
      let characters = 0;
      for (const [key, value] of write.patch) characters += key.length + (value?.length ?? 0);
      return { tagCount: write.patch.size, characters };
    }
    case 'delete':
      return { tagCount: 0, characters: 0 };
  }
}
