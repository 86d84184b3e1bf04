import { Type } from 'typebox';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { definePublicRoute } from '../route.ts';
import { SignInResultSchema, signInReply } from '../sessions/sign-in-result.ts';
import { pendingSessionSecret } from './pending-session.ts';
import { RecoveryCode, TotpCode } from './second-factor-schemas.ts';
import { verifySecondFactor } from './verify-second-factor.ts';

const strict = { additionalProperties: false };

export const showSecondFactorRoute = (services: IamServices) =>
  definePublicRoute({
    method: 'POST',
    path: '/user/sessions/current/second_factor',
    operationId: 'show-second-factor',
    section: 'Sessions',
    summary: 'Complete a sign-in with a code',
    description:
      'For the session that `POST /user/sessions` started, with its cookie and CSRF token. The response sets new cookies. The fifth wrong code ends the session. For passkeys, use `POST /user/sessions/passkey`.',
    access: 'public',
    body: Type.Union([
      Type.Object({ totp_code: TotpCode }, strict),
      Type.Object({ recovery_code: RecoveryCode }, strict),
    ]),
    bodyFaults: iamBodyFaults,
    result: SignInResultSchema,
    errors: [iamErrors.wrongSecondFactor, iamErrors.tooManyAttempts],
    async handler({ body, request }) {
      const secret = pendingSessionSecret(request, services.cookies);
      const code =
        'totp_code' in body ? { totp: body.totp_code } : { recovery: body.recovery_code };
      const completed = await verifySecondFactor(services, { secret, code, request });
      return signInReply({ ...completed, isComplete: true, missing: [] });
    },
  });
