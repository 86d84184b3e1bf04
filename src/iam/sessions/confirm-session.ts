import { Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { defineSessionRoute } from '../route.ts';
import { admitOwnCode, useOwnCode } from '../second-factor/check-own-second-factor.ts';
import { RecoveryCode, TotpCode } from '../second-factor/second-factor-schemas.ts';
import type { SecondFactorCode } from '../second-factor/verify-second-factor.ts';
import { lockUser } from '../users/user-store.ts';
import { renewAuthentication } from './recent-authentication.ts';
import { countUnlessTrouble, forgiveAttempt } from './sign-in-limits.ts';

export const confirmSessionRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'POST',
    path: '/user/sessions/current/confirmation',
    operationId: 'confirm-session',
    section: 'Sessions',
    summary: 'Confirm your identity again',
    description:
      'Allows operations that respond with 3045 for 15 minutes. Users with a second factor also send a code. Users without a password, or whose second factors are passkeys, sign in again instead.',
    access: 'session',
    body: Type.Object(
      {
        password: Type.String({ maxLength: 1_024 }),
        totp_code: Type.Optional(TotpCode),
        recovery_code: Type.Optional(RecoveryCode),
      },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: Type.Object({ authenticated_on: Type.String() }),
    errors: [
      iamErrors.wrongPassword,
      iamErrors.noPassword,
      iamErrors.passwordsOff,
      iamErrors.tooManyAttempts,
      iamErrors.codeNeeded,
    ],
    async handler({ principal, body, request }) {
      const { admission } = await checkOwnPassword(services, principal, body.password, request);
      const ownCode = await admitOwnCode(services, principal, codeOf(body), request);
      // To answer with an earlier confirmation would confirm nothing.
      const context = { principal, request, isNeverRepeated: true };
      const { user, session } = principal;
      return countUnlessTrouble(services, admission, () =>
        services.changes.make(context, async (tools) => {
          const nowMs = services.clock.now();
          await lockUser(tools.tx, user.id);
          if (ownCode !== undefined) await useOwnCode(tools.tx, services, user.id, ownCode);
          await forgiveAttempt(tools.tx, admission);
          await renewAuthentication(tools, session, nowMs);
          tools.audit({
            chain: { userId: user.id },
            type: 'confirm',
            description: `Confirmed their identity with the password${ownCode ? ' and a code' : ''}`,
            resource: { type: 'session', id: session.id, product: 'sessions' },
            shows: { response: { authenticated_on: true } },
          });
          return { result: { authenticated_on: formatTime(nowMs) } };
        }),
      );
    },
  });

function codeOf(body: {
  totp_code?: string;
  recovery_code?: string;
}): SecondFactorCode | undefined {
  if (body.totp_code !== undefined) return { totp: body.totp_code };
  return body.recovery_code === undefined ? undefined : { recovery: body.recovery_code };
}
