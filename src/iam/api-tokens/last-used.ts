import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { updateLastUsed } from './token-store.ts';

const FLUSH_INTERVAL_MS = 5_000;
const WRITE_INTERVAL_MS = 60_000;
// When that many tokens are in use, the map of the last writes starts anew: an extra write is harmless.
const MAX_TRACKED_TOKENS = 100_000;
// One transaction each: on the embedded database, a millisecond or two of the main thread.
const CHUNK_TOKENS = 200;

/**
 * Keeps `last_used_on` without a write per request: uses are gathered in memory and written in one
 * statement every few seconds, each token at most once a minute.
 */
export class LastUsed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  readonly #writtenAtMs = new Map<string, number>();
  #pending = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, clock: Clock, report: ReportTrouble) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  /** Notes that a token was used now; never waits. */
  record(tokenId: string): void {
    const nowMs = this.#clock.now();
    const writtenAtMs = this.#writtenAtMs.get(tokenId) ?? 0;
    if (nowMs - writtenAtMs >= WRITE_INTERVAL_MS) this.#pending.set(tokenId, nowMs);
  }

  /** Writes what is due. Failure is reported and the uses are dropped: the next use writes again. */
  flush(): Promise<void> {
    // One after the other, so that the last one ends last.
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const uses = [...this.#pending];
    this.#pending = new Map();
    if (this.#writtenAtMs.size > MAX_TRACKED_TOKENS) this.#writtenAtMs.clear();
    try {
      for (let start = 0; start < uses.length; start += CHUNK_TOKENS) {
        // The embedded database works on this thread: let others have their turn.
        if (start > 0) await nextTurn();
        const chunk = uses.slice(start, start + CHUNK_TOKENS);
        await this.#database.transaction((tx) => updateLastUsed(tx, chunk));
        for (const [tokenId, usedAtMs] of chunk) this.#writtenAtMs.set(tokenId, usedAtMs);
      }
    } catch (error) {
      this.#report(error as Error, 'last_used_on could not be written');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
