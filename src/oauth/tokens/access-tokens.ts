import { FAMILY_TOPIC } from '../../iam/authorizations.ts';
import type { AccessTokenResolver } from '../../iam/credentials.ts';
import type { OAuthAuthorization, OAuthPrincipal } from '../../iam/principal.ts';
import type { Policy } from '../../iam/policy.ts';
import type { UserAccess } from '../../iam/users/user-access.ts';
import type { UserDirectory } from '../../iam/users/user-directory.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatedCache } from '../../storage/invalidated-cache.ts';
import type { ClientDirectory, RegisteredClient } from '../clients/client-directory.ts';
import { ACCESS_TOKEN_TOPIC } from './announcements.ts';
import { type Family, findFamily } from './family-store.ts';
import { scopePolicies } from './scope-policies.ts';
import { type AccessToken, findAccessToken } from './token-store.ts';

// About 1 KB each.
const CACHE_ENTRIES = 50_000;

interface AccessTokenParts {
  database: Database;
  clock: Clock;
  users: UserDirectory;
  clients: ClientDirectory;
}

/** The last evaluation of a token. Valid while its family and its client are unchanged. */
interface Memo {
  family: Family;
  client: RegisteredClient;
  authorization: OAuthAuthorization;
  policies: readonly Policy[];
}

/**
 * Says what the bearers of OAuth access tokens may do. A token is good for its scopes as far as the
 * grant and the client still have them, in the accounts that the person has picked, and within what
 * the person may do now. All of it comes from memory, which announcements keep true.
 */
export class AccessTokens implements AccessTokenResolver {
  readonly #parts: AccessTokenParts;
  readonly #tokens: InvalidatedCache<AccessToken>;
  readonly #families: InvalidatedCache<Family>;
  readonly #memos = new WeakMap<AccessToken, Memo>();

  constructor(parts: AccessTokenParts) {
    this.#parts = parts;
    const { clock, database } = parts;
    const { invalidation } = database;
    this.#tokens = new InvalidatedCache(invalidation, clock, ACCESS_TOKEN_TOPIC, CACHE_ENTRIES);
    this.#families = new InvalidatedCache(invalidation, clock, FAMILY_TOPIC, CACHE_ENTRIES);
  }

  isKnown(digest: string): boolean {
    return this.#tokens.isKnown(digest);
  }

  async resolve(digest: string): Promise<OAuthPrincipal | undefined> {
    const { users, clients } = this.#parts;
    const token = await this.#findToken(digest);
    if (token === undefined) return undefined;
    const family = await this.#findFamily(token.familyId);
    if (family === undefined) return undefined;
    const client = await clients.find(family.clientId);
    if (client === undefined) return undefined;
    const user = await users.find(family.userId);
    return user && this.#toPrincipal(token, family, client, user);
  }

  #findToken(digest: string): Awaitable<AccessToken | undefined> {
    return this.#tokens.get(digest, () => findAccessToken(this.#parts.database.read, digest));
  }

  #findFamily(familyId: string): Awaitable<Family | undefined> {
    return this.#families.get(familyId, () => findFamily(this.#parts.database.read, familyId));
  }

  #toPrincipal(
    token: AccessToken,
    family: Family,
    client: RegisteredClient,
    user: UserAccess,
  ): OAuthPrincipal | undefined {
    if (!mayAuthorize(client, user)) return undefined;
    let memo = this.#memos.get(token);
    if (memo?.family !== family || memo.client !== client) {
      memo = { family, client, ...evaluate(token, family, client) };
      this.#memos.set(token, memo);
    }
    const { authorization, policies } = memo;
    return { type: 'oauth', authorization, user, layers: [policies, user.policies] };
  }
}

/** Returns true if a user may use a client. Private clients are for members of their account. */
export function mayAuthorize(
  client: Pick<RegisteredClient, 'visibility' | 'accountId'>,
  user: Pick<UserAccess, 'memberships'>,
): boolean {
  if (client.visibility === 'public') return true;
  return user.memberships.some(({ accountId }) => accountId === client.accountId);
}

/**
 * Decides if the server may redirect a browser to a client without a decision of the person. Anybody can
 * register a private client, so the server redirects only members of its account.
 * @param user who is signed in, if somebody is
 */
export function mayRedirectTo(
  client: Pick<RegisteredClient, 'visibility' | 'accountId'>,
  user: Pick<UserAccess, 'memberships'> | undefined,
): boolean {
  return client.visibility === 'public' || (user !== undefined && mayAuthorize(client, user));
}

function evaluate(
  token: AccessToken,
  family: Family,
  client: RegisteredClient,
): Pick<Memo, 'authorization' | 'policies'> {
  const { userId, accountIds, grantedScopes } = family;
  const scopes = token.scopes.filter(
    (scope) => grantedScopes.includes(scope) && client.scopes.includes(scope),
  );
  const authorization: OAuthAuthorization = {
    familyId: family.id,
    grantId: family.grantId,
    clientId: client.id,
    clientName: client.name,
    corsOrigins: client.allowedCorsOrigins ?? [],
    scopes,
    accountIds,
    expiresAtMs: token.expiresAtMs,
  };
  return { authorization, policies: scopePolicies(scopes, accountIds, userId) };
}
