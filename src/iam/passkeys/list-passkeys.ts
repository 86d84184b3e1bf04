import { Type } from 'typebox';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { presentPasskey } from './passkey-presenter.ts';
import { PasskeySchema } from './passkey-schemas.ts';
import { listPasskeys } from './passkey-store.ts';

export const listPasskeysRoute = ({ database }: IamServices) =>
  defineSessionRoute({
    method: 'GET',
    path: '/user/passkeys',
    operationId: 'list-passkeys',
    section: 'Two-factor authentication',
    summary: 'List your passkeys',
    access: 'session',
    result: Type.Array(PasskeySchema),
    async handler({ principal }) {
      const passkeys = await listPasskeys(database.read, principal.user.id);
      return { result: passkeys.map(presentPasskey) };
    },
  });
