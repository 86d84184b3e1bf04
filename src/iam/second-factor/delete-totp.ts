import { Type } from 'typebox';
import { httpErrors, notFound } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { requireRecentAuthentication } from '../sessions/recent-authentication.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { lockUser } from '../users/user-store.ts';
import { factorChange } from './second-factor-schemas.ts';
import { forgetOrphanedRecoveryCodes } from './second-factors.ts';
import { deleteTotpFactor } from './totp-store.ts';

export const deleteTotpRoute = ({ changes, clock }: IamServices) =>
  defineSessionRoute({
    method: 'DELETE',
    path: '/user/totp',
    operationId: 'delete-totp',
    section: 'Two-factor authentication',
    summary: 'Remove the authenticator app',
    description:
      'Without any second factor, you lose access to accounts that require one, and your recovery codes are deleted.',
    access: 'session',
    result: Type.Object({ id: Type.String({ description: 'Second factors of the user' }) }),
    errors: [iamErrors.staleAuthentication, httpErrors.notFound],
    async handler({ principal, request }) {
      requireRecentAuthentication(principal, clock);
      const { id: userId } = principal.user;
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        await lockUser(tx, userId);
        if (!(await deleteTotpFactor(tx, userId))) throw notFound(request.path);
        await forgetOrphanedRecoveryCodes(tx, userId);
        announce(userAnnouncement(userId));
        audit(factorChange(userId, 'totp_factor', 'delete', 'Removed the authenticator app'));
        return { result: { id: userId } };
      });
    },
  });
