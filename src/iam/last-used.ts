import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { Transaction } from '../storage/schema.ts';

const FLUSH_INTERVAL_MS = 5_000;
const WRITE_INTERVAL_MS = 60_000;
// When that many are in use, the map of the last writes starts anew: an extra write is harmless.
const MAX_TRACKED = 100_000;
// One transaction each: on the embedded database, a millisecond or two of the main thread.
const CHUNK_ROWS = 200;
const MOST_AHEAD_MS = 3_600_000;
// Longer than any time is ahead of another.
const FOR_EVER_MS = 4_000_000_000_000_000;

/** Where uses are kept. */
export interface UseStore {
  table: 'api_tokens' | 'sessions' | 'oauth_grants';
  column: string;
  /** As it is called in answers, for reports of trouble. */
  field: string;
}

/**
 * Keeps when something was last used without a write per request: uses are gathered in memory and
 * written in one statement every few seconds, each thing at most once a minute.
 */
export class LastUsed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  readonly #store: UseStore;
  readonly #writtenAtMs = new Map<string, number>();
  #pending = new Map<string, number>();
  /** Taken from `#pending`, and not yet on disk. */
  #inWriting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, clock: Clock, report: ReportTrouble, store: UseStore) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
    this.#store = store;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  /** Notes that something was used now; never waits. */
  record(id: string): void {
    const nowMs = this.#clock.now();
    const writtenAtMs = this.#writtenAtMs.get(id) ?? 0;
    const sinceMs = nowMs - writtenAtMs;
    const isAhead = mayGoBack(this.#store) && sinceMs <= -WRITE_INTERVAL_MS;
    if (isAhead || sinceMs >= WRITE_INTERVAL_MS) this.#pending.set(id, nowMs);
  }

  /** When something was last used on this node, to the minute; undefined when nothing is known of it. */
  latest(id: string): number | undefined {
    return this.#pending.get(id) ?? this.#inWriting.get(id) ?? this.#writtenAtMs.get(id);
  }

  /** Writes what is due. Failure is reported and the uses are dropped: the next use writes again. */
  flush(): Promise<void> {
    // One after the other, so that the last one ends last.
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const uses = [...this.#pending];
    this.#inWriting = this.#pending;
    this.#pending = new Map();
    if (this.#writtenAtMs.size > MAX_TRACKED) this.#writtenAtMs.clear();
    try {
      for (let start = 0; start < uses.length; start += CHUNK_ROWS) {
        // The embedded database works on this thread: let others have their turn.
        if (start > 0) await nextTurn();
        const chunk = uses.slice(start, start + CHUNK_ROWS);
        await this.#database.transaction((tx) => writeUses(tx, this.#store, chunk));
        for (const [id, usedAtMs] of chunk) this.#writtenAtMs.set(id, usedAtMs);
      }
    } catch (error) {
      this.#report(error as Error, `${this.#store.field} could not be written`);
    } finally {
      this.#inWriting = new Map();
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}

/**
 * Notes the latest uses in one statement. A use that is older than the one on record is ignored, unless
 * it is so by an hour: then the clock was ahead.
 * @param uses by id; few enough for the parameters of one statement
 */
async function writeUses(
  tx: Transaction,
  store: UseStore,
  uses: readonly (readonly [id: string, usedAtMs: number])[],
): Promise<void> {
  const { table, column } = store;
  const mostAheadMs = mayGoBack(store) ? MOST_AHEAD_MS : FOR_EVER_MS;
  // PostgreSQL takes parameters in VALUES for text unless it is told.
  const rows = uses.map(
    ([id, usedAtMs]) => sql`(cast(${id} as text), cast(${usedAtMs} as bigint))`,
  );
  const recorded = sql.ref(`${table}.${column}`);
  await sql`
    with uses (id, used_at) as (values ${sql.join(rows)})
    update ${sql.table(table)} set ${sql.ref(column)} = uses.used_at from uses
    where ${sql.ref(`${table}.id`)} = uses.id and (${recorded} is null
      or ${recorded} < uses.used_at or ${recorded} > uses.used_at + ${sql.lit(mostAheadMs)})
  `.execute(tx);
}

/**
 * Whether a time on record that lies ahead is put right once the clock is. Not that of a session: with a
 * clock that was behind for a while, its person would be taken for idle.
 */
function mayGoBack({ table }: UseStore): boolean {
  return table !== 'sessions';
}
