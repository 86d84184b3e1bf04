import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { type Page, type PageReply, goTo } from '../pages/page.ts';
import { SECOND_FACTOR_PATH } from '../pages/login-page.ts';
import { withReturnTo } from '../pages/return-to.ts';
import { ANONYMOUS } from '../principal.ts';
import { hasSecondFactor } from '../second-factor/second-factors.ts';
import { type BegunSession, beginSession } from '../sessions/complete-sign-in.ts';
import { findPresentedSession } from '../sessions/presented-session.ts';
import { UNKNOWN_TIME } from '../sessions/start-session.ts';
import { lockUser } from '../users/user-store.ts';
import { CALLBACK_PATH, type ExternalSignIn } from './external-sign-in.ts';
import { type FoundPerson, adoptName, findExternalPerson } from './find-person.ts';
import type { ExternalPerson } from './openid-provider.ts';
import { ProviderTrouble } from './provider-trouble.ts';
import {
  expiredReply,
  noNewProofReply,
  otherSessionReply,
  providerTroubleReply,
  unknownPersonReply,
  unverifiedReply,
} from './refusal-pages.ts';
import { type Remembered, forgottenCookie, recallSignIn } from './sign-in-under-way.ts';

// The clock of the provider may be behind, and it states whole seconds.
const CLOCK_SKEW_MS = 10_000;

/** `/login/external/callback`: where the OpenID provider sends the browser back to. */
export function completeExternalSignInPage(
  services: IamServices,
  { name, provider: loadProvider }: ExternalSignIn,
): Page {
  return {
    path: CALLBACK_PATH,
    async show({ request, query }) {
      const underWay = recallSignIn(services, request, query.get('state'));
      if (underWay === undefined) return expiredReply();
      const { returnTo, prompt } = underWay;
      const callbackUrl = new URL(services.origin() + CALLBACK_PATH);
      callbackUrl.search = query.toString();
      let external: ExternalPerson;
      try {
        const provider = await loadProvider();
        external = await provider.complete(callbackUrl, underWay);
      } catch (error) {
        if (!(error instanceof ProviderTrouble)) throw error;
        return forget(services, providerTroubleReply(services, name, returnTo, error));
      }
      const authenticatedAtMs = timeOfProof(underWay, external, services.clock.now());
      if (authenticatedAtMs === undefined) {
        const reason = 'it does not confirm a new sign-in of the user';
        services.report(new ProviderTrouble('unusable', reason), 'an external sign-in failed');
        return forget(services, noNewProofReply(name));
      }
      const present = (await findPresentedSession(services, request))?.principal.user;
      const stayingId = prompt === undefined ? present?.id : undefined;
      const proof = { external, authenticatedAtMs };
      const signedIn = await signIn(services, proof, stayingId, request);
      if (signedIn === 'unverified')
        return forget(services, unverifiedReply(services, name, external));
      if (signedIn === 'unknown')
        return forget(services, unknownPersonReply(services, name, external));
      if (signedIn === 'present') return forget(services, goTo(returnTo));
      if (signedIn === 'other') {
        return forget(services, otherSessionReply(name, present?.email ?? ''));
      }
      const next = signedIn.isComplete ? returnTo : withReturnTo(SECOND_FACTOR_PATH, returnTo);
      return goTo(next, [...signedIn.cookies, forgottenCookie(services)]);
    },
  };
}

/**
 * The time at which the person proved their identity. After a request to authenticate now, the provider
 * must state a time that is not before the request (OpenID Connect Core section 3.1.2.1).
 * @returns undefined when it does not
 */
function timeOfProof(
  { prompt, startedAtMs }: Remembered,
  { authTimeMs }: ExternalPerson,
  nowMs: number,
): number | undefined {
  const toldMs = authTimeMs === undefined ? UNKNOWN_TIME : Math.min(authTimeMs, nowMs);
  if (prompt !== 'login') return toldMs;
  return toldMs >= startedAtMs - CLOCK_SKEW_MS ? Math.max(toldMs, startedAtMs) : undefined;
}

/**
 * The provider is one factor: a second one that the person has set up here is still asked for. Another
 * site's page can send the browser this way, so half a sign-in does not take the place of a whole one.
 * @param stayingId who is signed in, unless the person was asked to sign in again
 * @returns `present` for who is signed in and stays so, `other` when somebody else is
 */
async function signIn(
  services: IamServices,
  { external, authenticatedAtMs }: { external: ExternalPerson; authenticatedAtMs: number },
  stayingId: string | undefined,
  request: RequestFacts,
): Promise<BegunSession | Exclude<FoundPerson, object> | 'present' | 'other'> {
  const { changes, clock } = services;
  const { result } = await changes.make({ principal: ANONYMOUS, request }, async (tools) => {
    const found = await findExternalPerson(tools, external, clock.now());
    if (typeof found === 'string') {
      tools.unchanged();
      return { result: found };
    }
    const { userId } = found;
    await lockUser(tools.tx, userId);
    if (stayingId !== undefined && (await hasSecondFactor(tools.tx, userId))) {
      tools.unchanged();
      return { result: stayingId === userId ? ('present' as const) : ('other' as const) };
    }
    await adoptName(tools, userId, external);
    const methods = ['external'] as const;
    const proof = { userId, methods, request, authenticatedAtMs };
    return { result: await beginSession(tools, services, proof) };
  });
  return result;
}

function forget(services: IamServices, reply: PageReply): PageReply {
  const headers = { ...reply.headers, 'set-cookie': [forgottenCookie(services)] };
  return { ...reply, headers };
}
