import type { RequestFacts } from '../../http/route.ts';
import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import { isIgnoredScope } from '../authorize/check-scope.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { EndpointReply, EndpointRequest } from '../endpoints/endpoint.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { type Parameters, readList } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';
import { checkAuthorization } from './check-authorization.ts';
import { endFamily } from './end-family.ts';
import { endOldestTokens } from './end-oldest-tokens.ts';
import { type Family, findFamily, lockFamily } from './family-store.ts';
import { lookUp } from './look-up.ts';
import { findEarlierAnswer, sealAnswer } from './refresh-answer.ts';
import {
  type TokenPair,
  createIdTokenFor,
  createPair,
  familyKeptUntilMs,
  presentPair,
} from './token-answer.ts';
import { type RefreshToken, findRefreshToken, insertPair, useRefreshToken } from './token-store.ts';

/** A refresh token that its client presents, and what it belongs to. */
interface Presented {
  token: string;
  stored: RefreshToken;
  family: Family;
}

/**
 * New tokens for a refresh token, which is used up by it (RFC 6749 section 6, RFC 9700 section 4.14.2).
 * Whoever presents it again within the grace of lifetimes.ts gets the same answer, as long as nobody has
 * used what was answered; after that the authorization ends.
 * @param client authenticated
 * @throws ProtocolError unauthorized_client, invalid_request, invalid_scope, invalid_grant
 */
export async function refreshTokens(
  services: OAuthServices,
  client: RegisteredClient,
  { parameters, facts }: EndpointRequest,
): Promise<EndpointReply> {
  checkMayRefresh(client);
  const presented = await findPresented(services, client, parameters, facts);
  const { family } = presented;
  const nowMs = services.clock.now();
  const earlier = await repeat(services, client, presented, facts);
  if (earlier === undefined) checkAge(presented.stored, nowMs);
  const allowed = await checkAuthorization(services, client, family);
  const scopes = narrow(client, family, allowed, parameters.get('scope'));
  const pair = earlier ?? createPair(client, family, scopes, nowMs);
  const idToken = await createIdTokenFor(services, client, family, pair, true);
  services.lastUsedGrants.record(family.grantId);
  if (earlier !== undefined || (await rotate(services, presented, pair, nowMs))) {
    return presentPair(pair, idToken, nowMs);
  }
  return answerLost(services, client, presented, facts);
}

function checkMayRefresh({ grantTypes }: RegisteredClient): void {
  if (grantTypes.includes('refresh_token')) return;
  throw new ProtocolError('unauthorized_client', 'the client does not list refresh_token');
}

/** One answer for all that is none of this client's tokens; another client's is left alone. */
async function findPresented(
  services: Pick<OAuthServices, 'database' | 'failedClients'>,
  client: RegisteredClient,
  parameters: Parameters,
  { ip }: RequestFacts,
): Promise<Presented> {
  const token = parameters.require('refresh_token');
  const { read } = services.database;
  const stored = isWellFormedSecret(token, 'lkort_')
    ? await lookUp(services, client, ip, () => findRefreshToken(read, digestSecret(token)))
    : undefined;
  const family = stored && (await findFamily(read, stored.familyId));
  if (stored === undefined || family?.clientId !== client.id) {
    throw refused('the refresh token does not belong to this client');
  }
  return { token, stored, family };
}

/**
 * What a token that was used is answered with again; undefined for one that was not used.
 * @throws ProtocolError invalid_grant for reuse, which has ended the authorization
 */
async function repeat(
  services: OAuthServices,
  client: RegisteredClient,
  { token, stored, family }: Presented,
  facts: RequestFacts,
): Promise<TokenPair | undefined> {
  if (stored.usedAtMs === undefined) return undefined;
  const answer = await findEarlierAnswer(services, stored, token);
  if (answer !== undefined) return answer;
  await endFamily(services, client, family, 'refresh_token_reuse', facts);
  throw refused('the refresh token was already used');
}

function checkAge({ expiresAtMs }: RefreshToken, nowMs: number): void {
  if (expiresAtMs <= nowMs) throw refused('the refresh token has expired');
}

/**
 * RFC 6749 section 6: a refresh cannot add a scope. Clients repeat the scope of their authorization request, so the
 * scopes that were ignored there are ignored here too.
 */
function narrow(
  client: RegisteredClient,
  family: Family,
  allowed: string[],
  scope: string | undefined,
): string[] {
  if (scope === undefined) return allowed;
  const named = readList(scope);
  const wanted = named.filter(
    (name) => family.scopes.includes(name) || !isIgnoredScope(name, client),
  );
  const added = wanted.find((name) => !family.scopes.includes(name));
  if (added !== undefined) {
    throw new ProtocolError('invalid_scope', `${added.slice(0, 100)} was not authorized`);
  }
  const narrowed = allowed.filter((name) => wanted.includes(name));
  if (narrowed.length > 0) return narrowed;
  throw new ProtocolError('invalid_scope', 'the grant no longer includes any of these scopes');
}

/** Uses the token up and stores its successors, or finds that somebody else was faster. */
function rotate(
  { database }: Pick<OAuthServices, 'database'>,
  { token, stored, family }: Presented,
  pair: TokenPair,
  nowMs: number,
): Promise<boolean> {
  const { refreshToken: successor } = pair;
  if (successor === undefined) throw new Error('a client that may refresh gets a refresh token');
  const sealedResponse = sealAnswer(pair, token);
  const use = { usedAtMs: nowMs, successor, sealedResponse };
  return database.transaction(async (tx, announce) => {
    // The family first, as everybody does: no two wait in a ring.
    const refreshes = await lockFamily(tx, family.id, familyKeptUntilMs(pair, nowMs));
    if (refreshes === undefined) return false;
    await endOldestTokens(tx, announce, family.id, refreshes);
    if (!(await useRefreshToken(tx, stored.digest, use))) return false;
    await insertPair(tx, family, pair, nowMs);
    return true;
  });
}

/** Between the checks and the transaction the token was used, or the authorization has ended. */
async function answerLost(
  services: OAuthServices,
  client: RegisteredClient,
  { token, family }: Presented,
  facts: RequestFacts,
): Promise<EndpointReply> {
  const stored = await findRefreshToken(services.database.read, digestSecret(token));
  const pair = stored && (await repeat(services, client, { token, stored, family }, facts));
  if (pair === undefined) throw refused('the refresh token was revoked');
  const idToken = await createIdTokenFor(services, client, family, pair, true);
  return presentPair(pair, idToken, services.clock.now());
}

function refused(reason: string): ProtocolError {
  return new ProtocolError('invalid_grant', reason);
}
