import { LRUCache } from 'lru-cache';
import { upToEntries } from '../../lib/cache-bound.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { SECRET_USE_GAP_MS, noteSecretUse } from './client-secret-store.ts';

// Some 200 bytes each; one that is forgotten costs a statement that finds nothing to write.
const MAX_SECRETS = 20_000;

/** Keeps when the secrets of clients were last used, without holding up who uses them. */
export class SecretUses {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  readonly #notedAtMs = new LRUCache<string, number>(upToEntries(MAX_SECRETS));
  readonly #writing = new Set<Promise<void>>();

  constructor(database: Database, clock: Clock, report: ReportTrouble) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
  }

  /**
   * Notes that a secret was used now, at most once a minute; never waits. Failure is reported: the
   * next minute's use writes again.
   * @param digest as `matchSecret` has answered
   */
  note(clientId: string, digest: string): void {
    const nowMs = this.#clock.now();
    const elapsedMs = nowMs - (this.#notedAtMs.get(digest) ?? -Infinity);
    // A clock that was set back makes the time negative.
    if (elapsedMs >= 0 && elapsedMs < SECRET_USE_GAP_MS) return;
    this.#notedAtMs.set(digest, nowMs);
    const writing = this.#database
      .transaction((tx) => noteSecretUse(tx, { clientId, digest }, nowMs))
      .then(
        () => {},
        (error: unknown) =>
          this.#report(error as Error, 'the use of a client secret could not be recorded'),
      )
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Waits for what is being written. */
  async stop(): Promise<void> {
    await Promise.all(this.#writing);
  }
}
