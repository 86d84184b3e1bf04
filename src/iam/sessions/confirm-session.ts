import { Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { defineSessionRoute } from '../route.ts';
import { renewAuthentication } from './recent-authentication.ts';
import { forgiveAttempt } from './sign-in-limits.ts';

export const confirmSessionRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'POST',
    path: '/user/sessions/current/confirmation',
    operationId: 'confirm-session',
    section: 'Sessions',
    summary: 'Prove again who you are',
    description:
      'For a quarter of an hour, the operations that answer 3045 are allowed. Whoever has no password signs in again.',
    access: 'session',
    body: Type.Object(
      { password: Type.String({ maxLength: 1_024 }) },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: Type.Object({ authenticated_on: Type.String() }),
    errors: [iamErrors.wrongPassword, iamErrors.noPassword, iamErrors.tooManyAttempts],
    async handler({ principal, body, request }) {
      const { admission } = await checkOwnPassword(services, principal, body.password, request);
      return services.changes.make({ principal, request }, async (tools) => {
        const nowMs = services.clock.now();
        await forgiveAttempt(tools.tx, admission);
        await renewAuthentication(tools, principal.session, nowMs);
        tools.audit({
          chain: { userId: principal.user.id },
          type: 'confirm',
          description: 'Proved again who they are, with the password',
          resource: { type: 'session', id: principal.session.id, product: 'sessions' },
        });
        return { result: { authenticated_on: formatTime(nowMs) } };
      });
    },
  });
