import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { unauthenticated } from '../credentials.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { deleteStates } from '../short-lived-state.ts';
import type { SessionPrincipal } from '../principal.ts';
import { defineSessionRoute } from '../route.ts';
import { hasSecondFactor } from '../second-factor/second-factors.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { setAuthenticatedAt } from '../sessions/recent-authentication.ts';
import { csrfTokenOf } from '../sessions/session-cookie.ts';
import { findMethods } from '../sessions/session-store.ts';
import { countUnlessTrouble, forgiveAttempt } from '../sessions/sign-in-limits.ts';
import { sessionCookies, startSession } from '../sessions/start-session.ts';
import { findUser, lockUser, updateUser } from '../users/user-store.ts';
import { checkNewPassword } from './check-new-password.ts';
import { type CheckedPassword, checkOwnPassword } from './check-own-password.ts';
import { queuePasswordNotice } from './password-mails.ts';
import { NewPassword } from './password-schemas.ts';

export const changePasswordRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'PUT',
    path: '/user/password',
    operationId: 'change-password',
    section: 'Passwords',
    summary: 'Change your password',
    description:
      'Ends all your other sessions and replaces this one: the response sets new cookies. If you have no password yet, request a password reset link instead.',
    access: 'session',
    body: Type.Object(
      { current_password: Type.String({ maxLength: 1_024 }), new_password: NewPassword },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: Type.Object({
      csrf_token: Type.String({ description: 'CSRF token of the new session' }),
    }),
    errors: [
      iamErrors.wrongPassword,
      iamErrors.noPassword,
      iamErrors.passwordsOff,
      iamErrors.unsuitablePassword,
      iamErrors.tooManyAttempts,
    ],
    async handler({ principal, body, request }) {
      const { email } = principal.user;
      // First, since to look at the current one is an attempt that counts.
      checkNewPassword(body.new_password, { email, brand: services.brand });
      const current = await checkOwnPassword(services, principal, body.current_password, request);
      const answer = await countUnlessTrouble(services, current.admission, () =>
        changePassword(services, principal, { current, next: body.new_password, request }),
      );
      services.mail.kick();
      return answer;
    },
  });

async function changePassword(
  services: IamServices,
  principal: SessionPrincipal,
  { current, next, request }: { current: CheckedPassword; next: string; request: RequestFacts },
) {
  const { id: userId, email } = principal.user;
  const passwordHash = await services.passwords.hash(next, current.admission.requester);
  return services.changes.make({ principal, request }, async (tools) => {
    const { tx } = tools;
    await lockUser(tx, userId);
    const methods = await findMethods(tx, userId, principal.session.id);
    // It has ended meanwhile: its person must not get another one for it.
    if (methods === undefined) throw unauthenticated();
    const now = await findUser(tx, userId);
    // Changed while it was checked: then it was the old one.
    if (now?.passwordHash !== current.passwordHash) throw apiError(iamErrors.wrongPassword);
    await updateUser(tx, userId, { passwordHash });
    const { sid } = principal.session;
    await endSessions(tools, userId, { continuedSid: sid });
    await deleteStates(tx, 'password_reset', userId);
    await forgiveAttempt(tx, current.admission);
    await queuePasswordNotice(tx, services, email);
    const secret = await startSession(tx, services, {
      userId,
      methods,
      request,
      isComplete: true,
      sid,
    });
    // The password alone is no new proof of who has shown more than that.
    if (await hasSecondFactor(tx, userId)) {
      await setAuthenticatedAt(tx, secret, principal.session.authenticatedAtMs);
    }
    tools.audit({
      chain: { userId },
      type: 'change_password',
      description: 'Changed the password and ended all other sessions',
      resource: { type: 'user', id: userId, product: 'user' },
      shows: {},
    });
    return {
      result: { csrf_token: csrfTokenOf(secret) },
      headers: { 'set-cookie': sessionCookies(services.cookies, secret) },
    };
  });
}
