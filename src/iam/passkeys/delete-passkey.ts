import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { forgetOrphanedRecoveryCodes } from '../second-factor/second-factors.ts';
import { requireRecentAuthentication } from '../sessions/recent-authentication.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { lockUser } from '../users/user-store.ts';
import { passkeyChange, presentPasskey } from './passkey-presenter.ts';
import { PASSKEY_RECORD, PasskeyParams } from './passkey-schemas.ts';
import { deletePasskey, findPasskey } from './passkey-store.ts';

export const deletePasskeyRoute = ({ clock, changes }: IamServices) =>
  defineSessionRoute({
    method: 'DELETE',
    path: '/user/passkeys/:passkey_id',
    operationId: 'delete-passkey',
    section: 'Two-factor authentication',
    summary: 'Delete a passkey',
    description:
      'Without any second factor, you lose access to accounts that require one, and your recovery codes are deleted.',
    access: 'session',
    params: PasskeyParams,
    record: PASSKEY_RECORD,
    result: Type.Object({ id: Type.String() }),
    errors: [iamErrors.staleAuthentication],
    async handler({ principal, params, request, checkRecord }) {
      requireRecentAuthentication(principal, clock);
      const { id: userId } = principal.user;
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        await lockUser(tx, userId);
        const stored = await findPasskey(tx, userId, params.passkey_id);
        if (stored === undefined) throw notFound(request.path);
        checkRecord(presentPasskey(stored));
        const passkey = await deletePasskey(tx, userId, params.passkey_id);
        if (passkey === undefined) throw notFound(request.path);
        await forgetOrphanedRecoveryCodes(tx, userId);
        announce(userAnnouncement(userId));
        audit(passkeyChange(passkey, 'delete', 'Deleted a passkey'));
        return { result: { id: passkey.id } };
      });
    },
  });
