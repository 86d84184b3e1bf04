import type { RequestFacts } from '../../http/route.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { EndpointReply, EndpointRequest } from '../endpoints/endpoint.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { checkAuthorization } from './check-authorization.ts';
import { checkCodeAge, findAuthorization } from './check-code.ts';
import { endFamily } from './end-family.ts';
import { type Family, consumeCode, findFamily } from './family-store.ts';
import {
  type TokenPair,
  createIdTokenFor,
  createPair,
  familyKeptUntilMs,
  presentPair,
} from './token-answer.ts';
import { insertPair } from './token-store.ts';

/**
 * Tokens for an authorization code (RFC 6749 section 4.1.3). All is checked and made before the code is
 * consumed, so that nothing but its use burns it.
 * @param client authenticated
 * @throws ProtocolError invalid_request, invalid_grant
 */
export async function redeemCode(
  services: OAuthServices,
  client: RegisteredClient,
  { parameters, facts }: EndpointRequest,
): Promise<EndpointReply> {
  const { clock, lastUsedGrants } = services;
  const family = await findAuthorization(services, client, parameters, facts);
  if (family.codeUsedAtMs !== undefined) {
    await endFamily(services, client, family, 'code_reuse', facts);
    throw usedUp();
  }
  const nowMs = clock.now();
  checkCodeAge(family, nowMs);
  const scopes = await checkAuthorization(services, client, family);
  const pair = createPair(client, family, scopes, nowMs);
  const idToken = await createIdTokenFor(services, client, family, pair, false);
  const isMine = await storePair(services, family, pair, nowMs);
  if (!isMine) throw await lost(services, client, family.id, facts);
  lastUsedGrants.record(family.grantId);
  return presentPair(pair, idToken, nowMs);
}

/** Consumes the code and stores what came out of it, or finds that somebody else was faster. */
function storePair(
  { database }: Pick<OAuthServices, 'database'>,
  family: Family,
  pair: TokenPair,
  nowMs: number,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // It locks the family too: whoever ends the family now, or its grant, finds these tokens in it.
    const keptUntilMs = familyKeptUntilMs(pair, nowMs);
    if (!(await consumeCode(tx, family.id, nowMs, keptUntilMs))) return false;
    await insertPair(tx, family, pair, nowMs);
    return true;
  });
}

/** Between the checks and the transaction the code was used, or the authorization has ended. */
async function lost(
  services: OAuthServices,
  client: RegisteredClient,
  familyId: string,
  facts: RequestFacts,
): Promise<ProtocolError> {
  const family = await findFamily(services.database.read, familyId);
  if (family?.codeUsedAtMs !== undefined) {
    await endFamily(services, client, family, 'code_reuse', facts);
  }
  return usedUp();
}

function usedUp(): ProtocolError {
  return new ProtocolError('invalid_grant', 'the code was already used or revoked');
}
