import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { type Page, type PageReply, goTo } from '../pages/page.ts';
import { SECOND_FACTOR_PATH } from '../pages/login-page.ts';
import { withReturnTo } from '../pages/return-to.ts';
import { ANONYMOUS } from '../principal.ts';
import { hasSecondFactor } from '../second-factor/second-factors.ts';
import { beginSession } from '../sessions/complete-sign-in.ts';
import { findPresentedSession } from '../sessions/presented-session.ts';
import { UNKNOWN_TIME } from '../sessions/start-session.ts';
import {
  type Submission,
  awaitResult,
  claimSubmission,
  keepResult,
  releaseSubmission,
} from '../short-lived-state.ts';
import { lockUser } from '../users/user-store.ts';
import { CALLBACK_PATH, type ExternalSignIn } from './external-sign-in.ts';
import { adoptName, findExternalPerson } from './find-person.ts';
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
import {
  type Remembered,
  completedCookies,
  forgottenCookie,
  recallSignIn,
} from './sign-in-under-way.ts';

// The clock of the provider may be behind, and it states whole seconds.
const CLOCK_SKEW_MS = 10_000;

/** The end of an attempt, as a repeated request of the same browser gets it again. */
type Outcome =
  | { kind: 'signed_in'; location: string; cookies: string[] }
  | { kind: 'other'; email: string }
  | { kind: 'unverified' | 'unknown'; external: ExternalPerson };

/** `/login/external/callback`: where the OpenID provider sends the browser back to. */
export function completeExternalSignInPage(
  services: IamServices,
  externalSignIn: ExternalSignIn,
): Page {
  return {
    path: CALLBACK_PATH,
    async show({ request, query }) {
      const attempt = recallSignIn(services, request, query.get('state'));
      if (attempt === undefined) return expiredReply();
      if (attempt.isComplete) return continueReply(services, request, attempt);
      const { database, clock } = services;
      const submission = submissionOf(attempt, query);
      const isFirst = await database.transaction((tx) =>
        claimSubmission(tx, submission, clock.now()),
      );
      if (!isFirst) {
        const outcome = (await awaitResult(database, clock, submission)) as Outcome | undefined;
        if (outcome === undefined) return expiredReply();
        return toReply(services, externalSignIn, { attempt, request }, outcome);
      }
      try {
        return await complete(services, externalSignIn, { attempt, request, query, submission });
      } finally {
        // Without effect if there is a result.
        await database.transaction((tx) => releaseSubmission(tx, submission));
      }
    },
  };
}

function submissionOf({ state, codeVerifier }: Remembered, query: URLSearchParams): Submission {
  const value = `${state} ${query.get('code') ?? ''}`;
  return { action: 'external_sign_in', browser: codeVerifier, value };
}

/** For a browser that loads the callback of a complete attempt again. */
async function continueReply(
  services: IamServices,
  request: RequestFacts,
  { returnTo }: Remembered,
): Promise<PageReply> {
  const session = await findPresentedSession(services, request);
  // Without a session, that page asks for the second factor or for a new sign-in.
  return goTo(session === undefined ? withReturnTo(SECOND_FACTOR_PATH, returnTo) : returnTo);
}

interface Callback {
  attempt: Remembered;
  request: RequestFacts;
  query: URLSearchParams;
  submission: Submission;
}

async function complete(
  services: IamServices,
  externalSignIn: ExternalSignIn,
  { attempt, request, query, submission }: Callback,
): Promise<PageReply> {
  const { name, provider: loadProvider } = externalSignIn;
  const { returnTo, prompt } = attempt;
  const callbackUrl = new URL(services.origin() + CALLBACK_PATH);
  callbackUrl.search = query.toString();
  let external: ExternalPerson;
  try {
    const provider = await loadProvider();
    external = await provider.complete(callbackUrl, attempt);
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error;
    return forget(services, attempt, providerTroubleReply(services, name, returnTo, error));
  }
  const authenticatedAtMs = timeOfProof(attempt, external, services.clock.now());
  if (authenticatedAtMs === undefined) {
    const reason = 'it does not confirm a new sign-in of the user';
    services.report(new ProviderTrouble('unusable', reason), 'an external sign-in failed');
    return forget(services, attempt, noNewProofReply(name));
  }
  const present = (await findPresentedSession(services, request))?.principal.user;
  const staying = prompt === undefined ? present : undefined;
  const proof = { external, authenticatedAtMs };
  const callback = { attempt, request, submission };
  const outcome = await signIn(services, callback, proof, staying);
  return toReply(services, externalSignIn, { attempt, request }, outcome);
}

function toReply(
  services: IamServices,
  { name }: ExternalSignIn,
  { attempt, request }: Pick<Callback, 'attempt' | 'request'>,
  outcome: Outcome,
): PageReply {
  if (outcome.kind === 'signed_in') {
    return goTo(outcome.location, [
      ...outcome.cookies,
      ...completedCookies(services, request, attempt),
    ]);
  }
  if (outcome.kind === 'other') {
    return forget(services, attempt, otherSessionReply(name, outcome.email));
  }
  const refuse = outcome.kind === 'unverified' ? unverifiedReply : unknownPersonReply;
  return forget(services, attempt, refuse(services, name, outcome.external));
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
 * Signs in the user of an identity. The provider is one factor, so the server still asks for a second factor that the
 * user has set up here. A page of another site can send the browser this way, so an incomplete sign-in does not replace
 * a session.
 * @param staying the user who is signed in, unless the attempt asked for a new sign-in
 */
async function signIn(
  services: IamServices,
  { attempt, request, submission }: Omit<Callback, 'query'>,
  { external, authenticatedAtMs }: { external: ExternalPerson; authenticatedAtMs: number },
  staying: { id: string; email: string } | undefined,
): Promise<Outcome> {
  const { changes, clock } = services;
  const { returnTo } = attempt;
  const { result } = await changes.make({ principal: ANONYMOUS, request }, async (tools) => {
    const keep = async (userId: string | null, outcome: Outcome): Promise<{ result: Outcome }> => {
      await keepResult(tools.tx, submission, userId, outcome, clock.now());
      return { result: outcome };
    };
    const found = await findExternalPerson(tools, external, clock.now());
    if (typeof found === 'string') {
      tools.unchanged();
      return keep(null, { kind: found, external });
    }
    const { userId } = found;
    await lockUser(tools.tx, userId);
    if (staying !== undefined && (await hasSecondFactor(tools.tx, userId))) {
      tools.unchanged();
      return staying.id === userId
        ? keep(userId, { kind: 'signed_in', location: returnTo, cookies: [] })
        : keep(userId, { kind: 'other', email: staying.email });
    }
    await adoptName(tools, userId, external);
    const proof = { userId, methods: ['external'] as const, request, authenticatedAtMs };
    const { isComplete, cookies } = await beginSession(tools, services, proof);
    const location = isComplete ? returnTo : withReturnTo(SECOND_FACTOR_PATH, returnTo);
    return keep(userId, { kind: 'signed_in', location, cookies });
  });
  return result;
}

function forget(services: IamServices, attempt: Remembered, reply: PageReply): PageReply {
  const headers = { ...reply.headers, 'set-cookie': [forgottenCookie(services, attempt)] };
  return { ...reply, headers };
}
