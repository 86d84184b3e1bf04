import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import { digestSecret, isWellFormedSecret } from '../lib/secrets.ts';
import type { Database } from '../storage/database.ts';
import { findTokenByDigest } from './api-tokens/token-store.ts';
import type { Principal } from './principal.ts';

/** Announced with a token's digest as key whenever the token changes. */
export const API_TOKEN_TOPIC = 'api_token';

const CACHE_ENTRIES = 50_000;

interface Entry {
  principal: Principal | undefined;
  loadedAtMs: number;
}

/**
 * Resolves what a caller presents to a principal. Answers come from memory while they may be
 * trusted; a change on any node drops them (see storage/invalidation.ts for the bounds).
 */
export class Credentials {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #cache = new LRUCache<string, Entry>({ max: CACHE_ENTRIES });
  // Counts announcements: a row read before one may be stale when it arrives after it.
  #generation = 0;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    database.invalidation.subscribe({
      onAnnouncement: ({ topic, key }) => {
        if (topic !== API_TOKEN_TOPIC) return;
        this.#generation++;
        this.#cache.delete(key);
      },
      onGap: () => {
        this.#generation++;
        this.#cache.clear();
      },
    });
  }

  /**
   * The principal of an API token, or undefined for one that is unknown. Whether the token is valid
   * now is for {@link isUsable} to say. Known tokens are answered without a promise, so that the
   * gateway's request path does not wait.
   */
  resolve(token: string): Principal | undefined | Promise<Principal | undefined> {
    if (!isWellFormedSecret(token, 'lkat_')) return undefined;
    const digest = digestSecret(token);
    const entry = this.#cache.get(digest);
    const oldestMs = this.#clock.now() - this.#database.invalidation.cacheLifetimeMs();
    if (entry !== undefined && entry.loadedAtMs > oldestMs) return entry.principal;
    return this.#load(digest);
  }

  async #load(digest: string): Promise<Principal | undefined> {
    const loadedAtMs = this.#clock.now();
    const generation = this.#generation;
    const principal = await findTokenByDigest(this.#database.read, digest);
    if (generation === this.#generation) this.#cache.set(digest, { principal, loadedAtMs });
    return principal;
  }
}

/** Whether a credential is valid at this moment: not disabled, not expired, not too early. */
export function isUsable(principal: Principal, nowMs: number): boolean {
  return (
    principal.status === 'active' &&
    (principal.notBeforeMs === undefined || principal.notBeforeMs <= nowMs) &&
    (principal.expiresAtMs === undefined || principal.expiresAtMs > nowMs)
  );
}
