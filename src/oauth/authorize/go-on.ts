import type { RequestFacts } from '../../http/route.ts';
import { type PageReply, goTo } from '../../iam/pages/page.ts';
import { signInPath } from '../../iam/pages/sign-in-wishes.ts';
import type { SessionPrincipal } from '../../iam/principal.ts';
import { listGrantsForClient } from '../grants/grant-store.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { approve, reportError } from './answer.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { askForConsent } from './consent-page.ts';
import { nextStep } from './next-step.ts';
import { strangerPage } from './refusal-page.ts';
import { resumePath } from './sealed-request.ts';

/** A request on its way to an answer. */
export interface Underway {
  request: AuthorizationRequest;
  client: RegisteredClient;
  session: { principal: SessionPrincipal; secret: string } | undefined;
  facts: RequestFacts;
}

/** Takes the next step of a request: to the sign-in, to the consent page, or back to the client. */
export async function goOn(services: OAuthServices, underway: Underway): Promise<PageReply> {
  const { request, client, session, facts } = underway;
  const principal = session?.principal;
  const grants =
    principal && (await listGrantsForClient(services.database.read, principal.user.id, client.id));
  const step = nextStep(request, client, principal, grants ?? []);
  if (step.kind === 'refuse') {
    return reportError(services, request, client, principal, step.error);
  }
  if (session === undefined || step.kind === 'sign_in') {
    const prompt = step.kind === 'sign_in' ? step.prompt : undefined;
    return goTo(signInPath({ ...wishesOf(services, request), prompt }));
  }
  const { email } = session.principal.user;
  if (step.kind === 'stranger') return strangerPage(services, request, client, email);
  if (step.kind === 'ask') {
    const { remembered } = step;
    return askForConsent(services, { request, client, session, facts, remembered });
  }
  const decision = { grantId: step.grant.id, scopes: step.scopes };
  return approve(services, { request, client, session, decision, facts });
}

function wishesOf(services: OAuthServices, request: AuthorizationRequest) {
  return { returnTo: resumePath(services, request), loginHint: request.loginHint ?? '' };
}
