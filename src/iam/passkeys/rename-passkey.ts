import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { iamBodyFaults } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { passkeyChange, presentPasskey } from './passkey-presenter.ts';
import { PasskeyName, PasskeyParams, PasskeySchema } from './passkey-schemas.ts';
import { renamePasskey } from './passkey-store.ts';

export const renamePasskeyRoute = ({ changes }: IamServices) =>
  defineSessionRoute({
    method: 'PATCH',
    path: '/user/passkeys/:passkey_id',
    operationId: 'rename-passkey',
    section: 'Two-factor authentication',
    summary: 'Rename a passkey',
    access: 'session',
    params: PasskeyParams,
    body: Type.Object({ name: PasskeyName }, { additionalProperties: false }),
    bodyFaults: iamBodyFaults,
    result: PasskeySchema,
    async handler({ principal, params, body, request }) {
      return changes.make({ principal, request, body }, async ({ tx, audit }) => {
        const { id: userId } = principal.user;
        const passkey = await renamePasskey(tx, userId, params.passkey_id, body.name);
        if (passkey === undefined) throw notFound(request.path);
        audit(passkeyChange(passkey, 'update', 'Renamed a passkey'));
        return { result: presentPasskey(passkey) };
      });
    },
  });
