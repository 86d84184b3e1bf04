import { sql } from 'kysely';
import { ApiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { AuditChain, AuditResource } from '../../iam/audit/audit-entry.ts';
import type { ChangeTools } from '../../iam/changes.ts';
import { type PageReply, goTo } from '../../iam/pages/page.ts';
import type { SessionPrincipal } from '../../iam/principal.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { type Decision, storeGrant } from '../grants/grant-store.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { mayAuthorize } from '../tokens/access-tokens.ts';
import { insertFamily } from '../tokens/family-store.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { createCode } from './issue-code.ts';
import { takePushedRequest } from './pushed-request.ts';
import { redirectLocation } from './redirect-location.ts';
import { recheckClient, recheckRequest } from './recheck.ts';
import { strangerPage, unanswerablePage, usedUpPage } from './refusal-page.ts';

/** A request that a person has said yes to, now or before. */
export interface Approval {
  request: AuthorizationRequest;
  client: RegisteredClient;
  session: { principal: SessionPrincipal; secret: string };
  decision: Pick<Decision, 'accountIds' | 'scopes' | 'declinedScopes'>;
  facts: RequestFacts;
  /** Whether the person has decided now; otherwise the decision is that of a grant that is there. */
  isNew: boolean;
}

/**
 * Gives the client a code for what the person has allowed. The client is asked once more whether it
 * is as it was: from the question to the answer an hour may pass.
 * @returns the redirect with the code (RFC 6749 section 4.1.2), or what came between
 */
export async function approve(services: OAuthServices, approval: Approval): Promise<PageReply> {
  const { request, session } = approval;
  let client: RegisteredClient;
  try {
    client = await recheckClient(services, request);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return unanswerablePage(error, approval.client);
  }
  const { user } = session.principal;
  if (!mayAuthorize(client, user)) return strangerPage(services, request, client, user.email);
  return tellTrouble(services, request, async () => {
    recheckRequest(request, client);
    const outcome = await storeAnswer(services, { ...approval, client });
    if (outcome === 'used up') return usedUpPage(client);
    return redirect(services, request, { code: outcome.code });
  });
}

/** Tells the client that it gets nothing, and why (RFC 6749 section 4.1.2.1). */
export function refuse(
  services: Pick<OAuthServices, 'issuer'>,
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  { code, message }: ProtocolError,
): PageReply {
  return redirect(services, request, { error: code, error_description: message });
}

/**
 * Does what ends with a redirect: whatever goes wrong is told to the client, which otherwise would
 * wait for ever.
 */
export async function tellTrouble(
  services: Pick<OAuthServices, 'issuer' | 'database' | 'report'>,
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  work: () => Promise<PageReply>,
): Promise<PageReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(services, request, error);
    // Such as too many look-ups from the person's address: the client cannot mend that.
    if (error instanceof ApiError && error.status < 500) throw error;
    services.report(error as Error, 'an authorization failed');
    const trouble = services.database.isUnavailable(error)
      ? new ProtocolError('temporarily_unavailable', 'storage cannot be reached')
      : new ProtocolError('server_error', 'something went wrong here');
    return refuse(services, request, trouble);
  }
}

function redirect(
  { issuer }: Pick<OAuthServices, 'issuer'>,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  parameters: Record<string, string>,
): PageReply {
  const answer = { ...parameters, ...(state !== undefined && { state }), iss: issuer() };
  const reply = goTo(redirectLocation(redirectUri, answer));
  return { ...reply, headers: { 'cache-control': 'no-store' } };
}

type Outcome = { code: string } | 'used up';

async function storeAnswer(services: OAuthServices, approval: Approval): Promise<Outcome> {
  const { request, session, facts } = approval;
  const { principal } = session;
  const context = { principal, request: facts, isNeverRepeated: true };
  const { result } = await services.changes.make(context, async (tools) => {
    if (!(await takePushedRequest(tools.tx, request, services.clock.now()))) {
      tools.unchanged();
      return { result: 'used up' as const };
    }
    const grantId = await storeDecision(services, tools, approval);
    const code = createCode();
    const authorization = {
      grantId,
      scopes: approval.decision.scopes.filter((scope) => request.scopes.includes(scope)),
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      authenticatedAtMs: principal.session.authenticatedAtMs,
    };
    await insertFamily(tools.tx, tools.announce, authorization, code, services.clock.now());
    return { result: { code } };
  });
  return result;
}

/** @returns the id of the grant that the code belongs to */
async function storeDecision(
  services: Pick<OAuthServices, 'clock'>,
  tools: ChangeTools,
  { client, session, decision, isNew }: Approval,
): Promise<string> {
  const { tx, announce } = tools;
  const whole = { userId: session.principal.user.id, clientId: client.id, ...decision };
  if (!isNew) {
    tools.unchanged();
    return lockGrant(tx, whole);
  }
  const { id } = await storeGrant(tx, announce, whole, services.clock.now());
  auditDecision(tools, id, client, whole);
  return id;
}

/**
 * The grant of a decision from before; it cannot be taken back until the transaction has ended. An
 * update of nothing is the lock that both databases have. Uses `oauth_grants_key`.
 * @throws ProtocolError consent_required when it was taken back meanwhile
 */
async function lockGrant(
  tx: Transaction,
  { userId, clientId, accountIds }: Decision,
): Promise<string> {
  const row = await tx
    .updateTable('oauth_grants')
    .set({ updated_at: sql.ref('updated_at') })
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .where('accounts', '=', JSON.stringify(accountIds))
    .returning('id')
    .executeTakeFirst();
  if (row !== undefined) return row.id;
  throw new ProtocolError('consent_required', 'the person has just taken the consent back');
}

/** The person's own log tells of it, and that of each account in which the client may act now. */
function auditDecision(
  { audit }: ChangeTools,
  grantId: string,
  { id, name }: RegisteredClient,
  { userId, accountIds, scopes, declinedScopes }: Decision,
): void {
  const resource: AuditResource = { type: 'oauth_grant', id: grantId, product: 'oauth_clients' };
  const request = {
    client_id: id,
    client_name: name,
    accounts: accountIds,
    scopes,
    declined_scopes: declinedScopes,
  };
  const chains: AuditChain[] = [{ userId }, ...accountIds.map((accountId) => ({ accountId }))];
  for (const chain of chains) {
    audit({
      chain,
      type: 'authorize',
      description: 'Let an OAuth client act for the person',
      resource,
      request,
      // Never the code.
      response: undefined,
    });
  }
}
