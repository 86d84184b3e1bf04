import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { revokeOneTimeSecrets } from '../one-time-secrets.ts';
import { defineSessionRoute } from '../route.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { csrfTokenOf } from '../sessions/session-cookie.ts';
import { findSession } from '../sessions/session-store.ts';
import { forgiveAttempt } from '../sessions/sign-in-limits.ts';
import {
  type AuthenticationMethod,
  sessionCookies,
  startSession,
} from '../sessions/start-session.ts';
import { hashPassword } from '../users/password.ts';
import { findUser, lockUser, updateUser } from '../users/user-store.ts';
import { checkNewPassword } from './check-new-password.ts';
import { checkOwnPassword } from './check-own-password.ts';
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
      'Ends all your other sessions and replaces this one: the answer sets new cookies. Whoever has no password yet asks for a link instead.',
    access: 'session',
    body: Type.Object(
      { current_password: Type.String({ maxLength: 1_024 }), new_password: NewPassword },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: Type.Object({ csrf_token: Type.String({ description: 'Of the new session' }) }),
    errors: [
      iamErrors.wrongPassword,
      iamErrors.noPassword,
      iamErrors.unsuitablePassword,
      iamErrors.tooManyAttempts,
    ],
    async handler({ principal, body, request }) {
      const { id: userId, email } = principal.user;
      const current = await checkOwnPassword(services, principal, body.current_password, request);
      checkNewPassword(body.new_password, { email, brand: services.brand });
      const passwordHash = await hashPassword(body.new_password);
      const answer = await services.changes.make({ principal, request }, async (tools) => {
        const { tx } = tools;
        await lockUser(tx, userId);
        const now = await findUser(tx, userId);
        // Changed while it was checked: then it was the old one.
        if (now?.passwordHash !== current.passwordHash) throw apiError(iamErrors.wrongPassword);
        const nowMs = services.clock.now();
        const session = await findSession(tx, userId, principal.session.id, nowMs);
        const methods = JSON.parse(session?.methods ?? '["password"]') as AuthenticationMethod[];
        await updateUser(tx, userId, { passwordHash });
        await endSessions(tools, userId);
        await revokeOneTimeSecrets(tx, 'password_reset', userId);
        await forgiveAttempt(tx, current.admission);
        await queuePasswordNotice(tx, services, email);
        const secret = await startSession(tx, services, userId, methods, request, true);
        tools.audit({
          chain: { userId },
          type: 'change_password',
          description: 'Changed the password and ended all other sessions',
          resource: { type: 'user', id: userId, product: 'user' },
        });
        return {
          result: { csrf_token: csrfTokenOf(secret) },
          headers: { 'set-cookie': sessionCookies(services.cookies, secret) },
        };
      });
      services.mail.kick();
      return answer;
    },
  });
