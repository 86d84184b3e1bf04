import { ApiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { PageReply } from '../../iam/pages/page.ts';
import type { SessionPrincipal } from '../../iam/principal.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { mayAuthorize, mayRedirectTo } from '../tokens/access-tokens.ts';
import { insertFamily } from '../tokens/family-store.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import {
  type AuthorizationResponse,
  type ResponseTarget,
  sendResponse,
  toResponse,
} from './authorization-response.ts';
import type { ConsentDecision } from './consent-decision.ts';
import { type OpenConsent, endConsent } from './consent-transaction.ts';
import { createCode } from './issue-code.ts';
import { takePushedRequest } from './pushed-request.ts';
import { recheckClient, recheckRequest } from './recheck.ts';
import { strangerPage, unanswerablePage, usedUpPage } from './refusal-page.ts';
import { type RepeatedDecision, repeatDecision, storeDecision } from './store-decision.ts';

/** A request that a person has said yes to, now or before. */
export interface Approval {
  request: AuthorizationRequest;
  client: RegisteredClient;
  session: { principal: SessionPrincipal; secret: string };
  /** Of now, or of a grant that is there. */
  decision: ConsentDecision | RepeatedDecision;
  facts: RequestFacts;
  /** The transaction that the decision ends, if the user has just decided, and the response if it has ended. */
  consent?: OpenConsent & { repeat: () => Promise<PageReply> };
}

/**
 * Gives the client a code for what the person has allowed. The client is asked once more whether it
 * is as it was: from the question to the answer an hour may pass.
 * @returns the response with the code (RFC 6749 section 4.1.2), or a page
 */
export async function approve(services: OAuthServices, approval: Approval): Promise<PageReply> {
  const { request, session, consent } = approval;
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
    if (typeof outcome === 'object') return sendResponse(outcome);
    return outcome === 'decided' && consent !== undefined ? consent.repeat() : usedUpPage(client);
  });
}

/** Tells the client that it gets nothing, and why (RFC 6749 section 4.1.2.1). */
export function refuse(
  services: Pick<OAuthServices, 'issuer'>,
  request: ResponseTarget,
  error: ProtocolError,
): PageReply {
  return sendResponse(errorResponse(services, request, error));
}

/** The response of {@link refuse}. */
export function errorResponse(
  services: Pick<OAuthServices, 'issuer'>,
  request: ResponseTarget,
  { code, message }: ProtocolError,
): AuthorizationResponse {
  return toResponse(services, request, { error: code, error_description: message });
}

/**
 * Reports an error to the client by a redirect, or to the person by a page. A private client gets errors
 * only of members of its account: for anybody else, its redirect URI would be an open redirect (RFC 9700
 * section 4.11.2).
 * @param principal of the signed-in person; undefined: nobody is signed in, or it is not known
 */
export function reportError(
  services: Pick<OAuthServices, 'issuer'>,
  request: ResponseTarget,
  client: RegisteredClient,
  principal: SessionPrincipal | undefined,
  error: ProtocolError,
): PageReply {
  return mayRedirectTo(client, principal?.user)
    ? refuse(services, request, error)
    : unanswerablePage(error, client);
}

/**
 * Does what ends with a redirect: whatever goes wrong is told to the client, which otherwise would
 * wait for ever.
 * @param tell answers with an error
 */
export async function tellTrouble(
  services: Pick<OAuthServices, 'issuer' | 'database' | 'report'>,
  request: ResponseTarget,
  work: () => Promise<PageReply>,
  tell = (error: ProtocolError): PageReply => refuse(services, request, error),
): Promise<PageReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) return tell(error);
    // Such as too many look-ups from the person's address: the client cannot mend that.
    if (error instanceof ApiError && error.status < 500) throw error;
    services.report(error as Error, 'an authorization failed');
    const trouble = services.database.troubleOf(error);
    const told =
      trouble === undefined
        ? new ProtocolError('server_error', 'the server had an unexpected error')
        : new ProtocolError('temporarily_unavailable', trouble.reason);
    return tell(told);
  }
}

type Outcome = AuthorizationResponse | 'used up' | 'decided';

async function storeAnswer(
  services: OAuthServices,
  { request, client, session, decision, facts, consent }: Approval,
): Promise<Outcome> {
  const { changes, clock } = services;
  const { principal } = session;
  const { user } = principal;
  const context = { principal, request: facts, isNeverRepeated: true };
  const { result } = await changes.make(context, async (tools) => {
    const { tx, announce } = tools;
    const nowMs = clock.now();
    const code = createCode();
    const response = toResponse(services, request, { code });
    const decided = { response, code, clientName: client.name };
    if (consent !== undefined && !(await endConsent(tx, consent, user.id, decided, nowMs))) {
      tools.unchanged();
      return { result: 'decided' as const };
    }
    if (!(await takePushedRequest(tx, request, nowMs))) {
      tools.unchanged();
      return { result: 'used up' as const };
    }
    const grantId =
      'grantId' in decision
        ? await repeatDecision(tools, user.id, decision, request.redirectUri)
        : await storeDecision(tools, { user, client }, request, decision, nowMs);
    const authorization = {
      grantId,
      scopes: decision.scopes,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      authenticatedAtMs: principal.session.authenticatedAtMs,
      sid: principal.session.sid,
    };
    await insertFamily(tx, announce, authorization, code, nowMs);
    return { result: response };
  });
  return result;
}
