import type { Clock } from '../lib/clock.ts';
import { digestSecret, isWellFormedSecret } from '../lib/secrets.ts';
import type { Database } from '../storage/database.ts';
import { InvalidatedCache } from '../storage/invalidated-cache.ts';
import { findTokenByDigest } from './api-tokens/token-store.ts';
import type { Principal } from './principal.ts';

/** Announced with a token's digest as key whenever the token changes. */
export const API_TOKEN_TOPIC = 'api_token';

const CACHE_ENTRIES = 50_000;

/** Resolves what a caller presents to a principal, from memory where that may be trusted. */
export class Credentials {
  readonly #database: Database;
  readonly #cache: InvalidatedCache<Principal>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#cache = new InvalidatedCache(
      database.invalidation,
      clock,
      API_TOKEN_TOPIC,
      CACHE_ENTRIES,
    );
  }

  /**
   * The principal of an API token, or undefined for one that is unknown. Whether the token is valid
   * now is for {@link isUsable} to say. Known tokens are answered without a promise, so that the
   * gateway's request path does not wait.
   */
  resolve(token: string): Principal | undefined | Promise<Principal | undefined> {
    if (!isWellFormedSecret(token, 'lkat_')) return undefined;
    const digest = digestSecret(token);
    return this.#cache.get(digest, () => findTokenByDigest(this.#database.read, digest));
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
