import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import type { Transaction } from '../../storage/schema.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { admitAttempt, forgiveAttempt } from '../sessions/sign-in-limits.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { lockUser } from '../users/user-store.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { RecoveryCodesSchema, TotpCode, factorChange } from './second-factor-schemas.ts';
import { beforeFactorIsAdded } from './before-factor-is-added.ts';
import { findTotpStep } from './totp.ts';
import { NO_STEP, confirmTotpFactor, findTotpFactor } from './totp-store.ts';

// Time to install an app. What lies about for longer was seen by who knows whom.
const ENROLMENT_MS = 3_600_000;

export const confirmTotpRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'PUT',
    path: '/user/totp',
    operationId: 'confirm-totp',
    section: 'Two-factor authentication',
    summary: 'Complete the setup of an authenticator app',
    description:
      'Your previous recovery codes no longer work. With the first second factor, all other sessions of the user end.',
    access: 'session',
    body: Type.Object({ code: TotpCode }, { additionalProperties: false }),
    bodyFaults: iamBodyFaults,
    result: RecoveryCodesSchema,
    errors: [iamErrors.noTotpEnrolment, iamErrors.wrongTotpCode, iamErrors.tooManyAttempts],
    async handler({ principal, body, request }) {
      const { user, session } = principal;
      const { id: userId, email } = user;
      // Who took over a session just now must not guess what its owner has begun.
      const attempt = { kind: 'second_factor' as const, email, userId, request };
      const admission = await admitAttempt(services, { ...attempt, sessionId: session.id });
      return services.changes.make({ principal, request, body }, async (tools) => {
        const { tx, announce, audit } = tools;
        await lockUser(tx, userId);
        await beforeFactorIsAdded(tools, principal);
        await confirm(tx, services, userId, body.code);
        await forgiveAttempt(tx, admission);
        const codes = await replaceRecoveryCodes(tx, userId);
        announce(userAnnouncement(userId));
        audit(factorChange(userId, 'totp_factor', 'create', 'Set up an authenticator app'));
        return { result: { recovery_codes: codes } };
      });
    },
  });

/** @throws ApiError 3061 when nothing was begun, 3062 for a wrong code */
async function confirm(
  tx: Transaction,
  { clock, masterKey }: IamServices,
  userId: string,
  code: string,
): Promise<void> {
  const nowMs = clock.now();
  const factor = await findTotpFactor(tx, userId);
  const isUnderWay =
    factor !== undefined &&
    factor.confirmedAtMs === undefined &&
    nowMs < factor.createdAtMs + ENROLMENT_MS;
  if (!isUnderWay) throw apiError(iamErrors.noTotpEnrolment);
  const secret = masterKey.sealer('totp').open(factor.sealedSecret, userId);
  const step = findTotpStep(secret, code, nowMs, NO_STEP);
  if (step === undefined) throw apiError(iamErrors.wrongTotpCode);
  if (!(await confirmTotpFactor(tx, factor, step, nowMs))) {
    throw apiError(iamErrors.noTotpEnrolment);
  }
}
