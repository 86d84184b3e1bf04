import { Type } from 'typebox';
import type { RequestFacts } from '../../http/route.ts';
import type { ChangeTools } from '../changes.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { definePublicRoute } from '../route.ts';
import { checkCsrf } from '../second-factor/pending-session.ts';
import { type BegunSession, beginSession, completeSession } from '../sessions/complete-sign-in.ts';
import { readCookie } from '../sessions/session-cookie.ts';
import { findPendingSession } from '../sessions/session-store.ts';
import { SignInResultSchema, signInReply } from '../sessions/sign-in-result.ts';
import { AuthenticationResponseSchema } from './passkey-schemas.ts';
import {
  type VerifiedPasskey,
  refusePasskey,
  usePasskey,
  verifyPasskey,
} from './verify-passkey.ts';

export const signInWithPasskeyRoute = (services: IamServices) =>
  definePublicRoute({
    method: 'POST',
    path: '/user/sessions/passkey',
    operationId: 'sign-in-with-passkey',
    section: 'Sessions',
    summary: 'Sign in with a passkey',
    description:
      'A passkey counts as two factors, so the session is complete. With the cookie and CSRF token of an incomplete session, the request completes this session, or ends it if it belongs to another user.',
    access: 'public',
    body: Type.Object(
      { state: Type.String(), response: AuthenticationResponseSchema },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: SignInResultSchema,
    errors: [iamErrors.passkeyStateExpired, iamErrors.passkeyRefused],
    async handler({ principal, body, request }) {
      const { clock, changes } = services;
      const pending = await findPresentedPending(services, request);
      const verified = await verifyPasskey(services, body, request);
      const { result } = await changes.make({ principal, request }, async (tools) => {
        if (!(await usePasskey(tools.tx, verified, clock.now()))) {
          tools.unchanged();
          return { result: null };
        }
        return { result: await signIn(tools, services, verified, pending, request) };
      });
      if (result === null) {
        const cause = 'it was deleted or used at the same time';
        throw refusePasskey(services, request, cause);
      }
      return signInReply(result);
    },
  });

interface PresentedPending {
  userId: string;
  secret: string;
}

/**
 * The incomplete session that a request carries, if it does; a cookie of any other is of no interest.
 * @throws ApiError 403 when another site's page may have sent it
 */
async function findPresentedPending(
  { database, clock, cookies }: IamServices,
  request: RequestFacts,
): Promise<PresentedPending | undefined> {
  const secret = readCookie(request.headers.cookie, cookies.session);
  const pending = secret && (await findPendingSession(database.read, secret, clock.now()));
  if (!pending) return undefined;
  checkCsrf(request, secret);
  return { userId: pending.userId, secret };
}

async function signIn(
  tools: ChangeTools,
  services: IamServices,
  { passkey: { userId } }: VerifiedPasskey,
  pending: PresentedPending | undefined,
  request: RequestFacts,
): Promise<BegunSession> {
  // Another person's passkey is proof enough of that person: the session that waited just ends.
  if (pending?.userId !== userId) {
    return beginSession(tools, services, { userId, methods: ['passkey'], request });
  }
  const completed = await completeSession(tools, services, pending.secret, 'passkey', request);
  return { ...completed, isComplete: true, missing: [] };
}
