import { apiError } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { requireRecentAuthentication } from '../sessions/recent-authentication.ts';
import { lockUser } from '../users/user-store.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { RecoveryCodesSchema, factorChange } from './second-factor-schemas.ts';
import { hasSecondFactor } from './second-factors.ts';

export const createRecoveryCodesRoute = ({ changes, clock }: IamServices) =>
  defineSessionRoute({
    method: 'POST',
    path: '/user/recovery_codes',
    operationId: 'create-recovery-codes',
    section: 'Two-factor authentication',
    summary: 'Create new recovery codes',
    description: 'Your previous recovery codes no longer work.',
    access: 'session',
    result: RecoveryCodesSchema,
    errors: [iamErrors.noSecondFactor, iamErrors.staleAuthentication],
    async handler({ principal, request }) {
      requireRecentAuthentication(principal, clock);
      const { id: userId } = principal.user;
      return changes.make({ principal, request }, async ({ tx, audit }) => {
        await lockUser(tx, userId);
        if (!(await hasSecondFactor(tx, userId))) throw apiError(iamErrors.noSecondFactor);
        const codes = await replaceRecoveryCodes(tx, userId);
        audit(factorChange(userId, 'recovery_codes', 'create', 'Created new recovery codes'));
        return { result: { recovery_codes: codes } };
      });
    },
  });
