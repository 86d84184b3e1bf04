import type { ChangeTools } from '../../iam/changes.ts';
import type { UserAccess } from '../../iam/users/user-access.ts';
import { lockUser } from '../../iam/users/user-store.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { auditGrant } from '../grants/audit-grant.ts';
import {
  type Grant,
  deleteGrant,
  findGrant,
  listGrantsForClient,
  lockGrant,
  storeGrant,
} from '../grants/grant-store.ts';
import { scopesOfOrigin, withOrigin } from '../grants/redirect-origin.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { type ConsentDecision, keepEarlierScopes } from './consent-decision.ts';

// Sets of accounts in which one person has let one client act; there are very many of them.
const MAX_GRANTS_PER_CLIENT = 50;

/** A decision from before that covers a request. */
export interface RepeatedDecision {
  grantId: string;
  /** What of the request it allows. */
  scopes: string[];
}

/** Who decides, and about what. */
interface Deciding {
  user: UserAccess;
  client: RegisteredClient;
}

/**
 * Makes sure of a decision from before: it cannot be taken back until the transaction has ended.
 * @returns the id of the grant
 * @throws ProtocolError consent_required when it was taken back meanwhile, or a part of it
 */
export async function repeatDecision(
  { tx, unchanged }: ChangeTools,
  userId: string,
  { grantId, scopes }: RepeatedDecision,
  redirectUri: string,
): Promise<string> {
  unchanged();
  const grant = await findLocked(tx, userId, grantId);
  if (grant !== undefined) {
    const ofOrigin = scopesOfOrigin(grant.scopesByOrigin, redirectUri);
    const isAllowed = (scope: string): boolean =>
      grant.scopes.includes(scope) && ofOrigin.includes(scope);
    if (scopes.every(isAllowed)) return grant.id;
  }
  throw new ProtocolError('consent_required', 'the user has just revoked the consent');
}

/**
 * Stores what a person has decided now, together with what they have allowed before for the same
 * accounts and still do. The oldest decisions for other accounts end when there are too many.
 * @param asked the scopes and the redirect URI of the request
 * @returns the id of the grant
 */
export async function storeDecision(
  tools: ChangeTools,
  { user, client }: Deciding,
  asked: Pick<AuthorizationRequest, 'scopes' | 'redirectUri'>,
  decided: ConsentDecision,
  nowMs: number,
): Promise<string> {
  const { tx, announce } = tools;
  // Of decisions in two tabs, the second finds what the first has left, also when that is the first.
  await lockUser(tx, user.id);
  // The end of a membership ends its grants, and must not miss this one.
  await tools.recheckAccess();
  const grants = await listGrantsForClient(tx, user.id, client.id);
  const key = decided.accountIds.toSorted().join();
  const known = grants.find(({ accountIds }) => accountIds.join() === key);
  // It cannot be taken back from here on.
  const earlier = known && (await findLocked(tx, user.id, known.id));
  const others = grants.filter(({ id }) => id !== known?.id);
  for (const { id } of others.slice(MAX_GRANTS_PER_CLIENT - 1)) {
    const ended = await deleteGrant(tx, announce, user.id, id);
    const why = 'Revoked the oldest grant of an OAuth client, because the limit was reached';
    if (ended !== undefined) auditGrant(tools, ended, { user, client }, 'revoke', why);
  }
  const decision = {
    userId: user.id,
    clientId: client.id,
    ...(earlier === undefined ? decided : keepEarlierScopes(asked.scopes, decided, earlier)),
    scopesByOrigin: withOrigin(
      earlier?.scopesByOrigin ?? {},
      asked.redirectUri,
      decided.scopes,
      asked.scopes,
    ),
  };
  const grant = await storeGrant(tx, announce, decision, nowMs);
  auditGrant(tools, grant, { user, client }, 'authorize', 'Authorized an OAuth client');
  return grant.id;
}

async function findLocked(
  tx: Transaction,
  userId: string,
  grantId: string,
): Promise<Grant | undefined> {
  return (await lockGrant(tx, userId, grantId)) ? findGrant(tx, userId, grantId) : undefined;
}
