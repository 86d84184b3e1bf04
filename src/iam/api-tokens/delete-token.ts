import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { tokenAnnouncement } from '../credentials.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { type TokenOwnership, tokenChange } from './token-ownership.ts';
import { presentToken } from './token-presenter.ts';
import { TOKEN_RECORD } from './token-schemas.ts';
import { deleteToken, lockToken } from './token-store.ts';

export const deleteTokenRoute = (
  { changes, tagging, clock, brand }: IamServices,
  ownership: TokenOwnership,
) =>
  defineRoute({
    method: 'DELETE',
    path: `${ownership.path}/:token_id`,
    operationId: `delete-${ownership.kind}-token`,
    section: 'API tokens',
    summary: 'Delete an API token',
    description: 'The token stops working within one second on every node.',
    access: ownership.write,
    params: ownership.tokenParams,
    record: TOKEN_RECORD,
    result: Type.Object({ id: Type.String() }),
    async handler({ principal, params, request, checkRecord }) {
      const owner = ownership.ownerOf(principal, params);
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const locked = await lockToken(tx, owner, params.token_id);
        if (locked === undefined) throw notFound(request.path);
        const { token, digest } = locked;
        checkRecord(presentToken(token, brand, clock.now()));
        await deleteToken(tx, token.id);
        if ('accountId' in owner) {
          const resource = { accountId: owner.accountId, type: 'api_token', id: token.id } as const;
          await tagging.deleted(tx, resource, request.id);
        }
        announce(tokenAnnouncement(digest));
        audit({
          ...tokenChange(token, 'delete', 'Deleted an API token'),
          request: { name: token.name },
        });
        return { result: { id: token.id } };
      });
    },
  });
