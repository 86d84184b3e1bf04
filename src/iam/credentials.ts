import { type ApiError, apiError, httpErrors } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { digestSecret, isWellFormedSecret } from '../lib/secrets.ts';
import type { Database } from '../storage/database.ts';
import { InvalidatedCache } from '../storage/invalidated-cache.ts';
import type { Announcement } from '../storage/invalidation.ts';
import {
  type PresentedToken,
  findTokenByDigest,
  sizeOfPresented,
} from './api-tokens/token-store.ts';
import type {
  CredentialPrincipal,
  OAuthPrincipal,
  SessionFacts,
  SessionPrincipal,
} from './principal.ts';
import { findSessionByDigest } from './sessions/session-store.ts';
import type { UserAccess } from './users/user-access.ts';
import type { UserDirectory } from './users/user-directory.ts';
import { AddressBackoff } from './address-backoff.ts';

const API_TOKEN_TOPIC = 'api_token';
/** Topic of announcements about sessions. */
export const SESSION_TOPIC = 'session';
const CACHE_ENTRIES = 50_000;
// An ordinary token takes 1 KB, the largest 60 KB, so the number of entries alone does not limit the memory.
const MAX_TOKEN_CACHE_BYTES = 64 * 1024 * 1024;

/** The announcement of a change of a token, with the digest of its value. */
export function tokenAnnouncement(digest: string): Announcement {
  return { topic: API_TOKEN_TOPIC, key: digest };
}

/** The announcement of a change or the end of a session, with the digest of its secret. */
export function sessionAnnouncement(digest: string): Announcement {
  return { topic: SESSION_TOPIC, key: digest };
}

/** Resolves OAuth access tokens, for {@link Credentials}. */
export interface AccessTokenResolver {
  /** Returns true if the token with this digest is in memory. */
  isKnown(digest: string): boolean;
  /** Returns the principal of a token; undefined for an unknown token. */
  resolve(digest: string): Promise<OAuthPrincipal | undefined>;
}

/** Resolves credentials to principals, from memory as long as invalidation works. */
export class Credentials {
  readonly #database: Database;
  readonly #users: UserDirectory;
  readonly #tokens: InvalidatedCache<PresentedToken>;
  readonly #sessions: InvalidatedCache<SessionFacts>;
  readonly #accessTokens: AccessTokenResolver;
  readonly #wrong: AddressBackoff;

  constructor(
    database: Database,
    clock: Clock,
    users: UserDirectory,
    accessTokens: AccessTokenResolver,
  ) {
    this.#database = database;
    this.#accessTokens = accessTokens;
    this.#users = users;
    this.#wrong = new AddressBackoff(clock);
    const { invalidation } = database;
    this.#tokens = new InvalidatedCache(invalidation, clock, API_TOKEN_TOPIC, CACHE_ENTRIES, {
      maxBytes: MAX_TOKEN_CACHE_BYTES,
      bytesOf: sizeOfPresented,
    });
    this.#sessions = new InvalidatedCache(invalidation, clock, SESSION_TOPIC, CACHE_ENTRIES);
  }

  /**
   * Returns the principal of an API token or an OAuth access token; undefined for an unknown token. {@link isUsable}
   * decides if the token is valid now.
   * @param ip address of the client, which must wait after many wrong tokens: see {@link AddressBackoff.checkLookUp}
   * @throws ApiError 971 if the token is not in memory and its address must wait
   */
  async resolve(token: string, ip: string): Promise<CredentialPrincipal | undefined> {
    if (isWellFormedSecret(token, 'lkoat_')) return this.#resolveAccessToken(token, ip);
    if (!mayBeApiToken(token)) return undefined;
    const digest = digestSecret(token);
    if (!this.#tokens.isKnown(digest)) {
      // The check of the format costs less than a lookup.
      if (!isWellFormedSecret(token, 'lkat_') && !isWellFormedSecret(token, 'lkut_')) {
        return undefined;
      }
      this.#wrong.checkLookUp(ip);
    }
    const presented = await this.#tokens.get(digest, () =>
      findTokenByDigest(this.#database.read, digest),
    );
    if (presented === undefined) return undefined;
    const { owner, facts, policies } = presented;
    if ('accountId' in owner) {
      const { accountId } = owner;
      return { type: 'account_token', token: facts, accountId, layers: [policies] };
    }
    const user = await this.#users.find(owner.userId);
    if (user === undefined) return undefined;
    return { type: 'user_token', token: facts, user, layers: [policies, user.policies] };
  }

  #resolveAccessToken(token: string, ip: string): Promise<OAuthPrincipal | undefined> {
    const digest = digestSecret(token);
    if (!this.#accessTokens.isKnown(digest)) this.#wrong.checkLookUp(ip);
    return this.#accessTokens.resolve(digest);
  }

  /**
   * Returns the principal of a session secret, or undefined. {@link isUsable} decides if the session has ended.
   * @throws ApiError 971 as {@link resolve} does
   */
  async resolveSession(secret: string, ip: string): Promise<SessionPrincipal | undefined> {
    if (!isWellFormedSecret(secret, 'lkss_')) return undefined;
    const digest = digestSecret(secret);
    if (!this.#sessions.isKnown(digest)) this.#wrong.checkLookUp(ip);
    const session = await this.#sessions.get(digest, () =>
      findSessionByDigest(this.#database.read, digest),
    );
    if (session === undefined) return undefined;
    return toSession(session, await this.#users.find(session.userId));
  }

  /**
   * Counts a wrong credential against the address.
   * @returns error 971 if the address has presented too many
   */
  countWrong(ip: string): ApiError | undefined {
    return this.#wrong.admit(ip, 'wrong credentials');
  }
}

// Slightly longer than any token.
const MAX_TOKEN_LENGTH = 64;

function mayBeApiToken(token: string): boolean {
  const isShort = token.length <= MAX_TOKEN_LENGTH;
  return isShort && (token.startsWith('lkat_') || token.startsWith('lkut_'));
}

function toSession(
  session: SessionFacts,
  user: UserAccess | undefined,
): SessionPrincipal | undefined {
  return user && { type: 'user', session, user, layers: [user.policies] };
}

/**
 * Returns the error for a missing, unknown, expired, disabled or revoked credential.
 * @param token the presented bearer token. Undefined: the request has none
 */
export function unauthenticated(token?: string): ApiError {
  const headers = { 'www-authenticate': challengeOf(token) };
  return apiError(httpErrors.unauthenticated, { headers });
}

/**
 * Returns the value of `WWW-Authenticate` for a 401. A client refreshes its access token after `invalid_token` (RFC 6750
 * section 3.1).
 * @param token the presented bearer token. Undefined: the request has none
 */
export function challengeOf(token: string | undefined): string {
  return token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
}

/** Returns true if a credential is valid now: enabled, not expired and not before its start. */
export function isUsable(principal: CredentialPrincipal, nowMs: number): boolean {
  if (principal.type === 'user') return principal.session.expiresAtMs > nowMs;
  if (principal.type === 'oauth') return principal.authorization.expiresAtMs > nowMs;
  const { token } = principal;
  return (
    token.status === 'active' &&
    (token.notBeforeMs === undefined || token.notBeforeMs <= nowMs) &&
    (token.expiresAtMs === undefined || token.expiresAtMs > nowMs)
  );
}
