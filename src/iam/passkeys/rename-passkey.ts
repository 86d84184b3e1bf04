import { notFound } from '../../http/errors.ts';
import { iamBodyFaults } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { lockUser } from '../users/user-store.ts';
import { passkeyChange, presentPasskey } from './passkey-presenter.ts';
import {
  PASSKEY_RECORD,
  PasskeyParams,
  PasskeySchema,
  UpdatePasskeySchema,
} from './passkey-schemas.ts';
import { findPasskey, renamePasskey } from './passkey-store.ts';

export const renamePasskeyRoute = ({ changes }: IamServices) =>
  defineSessionRoute({
    method: 'PATCH',
    path: '/user/passkeys/:passkey_id',
    operationId: 'rename-passkey',
    section: 'Two-factor authentication',
    summary: 'Rename a passkey',
    access: 'session',
    params: PasskeyParams,
    body: UpdatePasskeySchema,
    bodyFaults: iamBodyFaults,
    record: PASSKEY_RECORD,
    result: PasskeySchema,
    async handler({ principal, params, body, request, checkRecord }) {
      return changes.make({ principal, request, body }, async ({ tx, audit }) => {
        const { id: userId } = principal.user;
        await lockUser(tx, userId);
        const stored = await findPasskey(tx, userId, params.passkey_id);
        if (stored === undefined) throw notFound(request.path);
        checkRecord(presentPasskey(stored));
        const passkey = await renamePasskey(tx, userId, params.passkey_id, body.name);
        if (passkey === undefined) throw notFound(request.path);
        audit(passkeyChange(passkey, 'update', 'Renamed a passkey'));
        return { result: presentPasskey(passkey) };
      });
    },
  });
