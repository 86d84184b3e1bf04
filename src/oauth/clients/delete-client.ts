import { Type } from 'typebox';
import { defineRoute } from '../../iam/route.ts';
import { clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { clientChange } from './client-change.ts';
import { clientAnnouncement } from './client-directory.ts';
import { ClientParams } from './client-schemas.ts';
import { deleteClient } from './client-store.ts';

export const deleteClientRoute = ({ changes, tagging }: OAuthServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/oauth_clients/:client_id',
    operationId: 'delete-oauth-client',
    section: 'OAuth clients',
    summary: 'Delete an OAuth client',
    description: 'Everything that was issued to it ends with it.',
    access: 'oauth-clients.write',
    params: ClientParams,
    result: Type.Object({ id: Type.String() }),
    errors: [oauthErrors.clientNotFound],
    async handler({ principal, params, request }) {
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const isDeleted = await deleteClient(tx, params.account_id, params.client_id);
        if (!isDeleted) throw clientNotFound();
        announce(clientAnnouncement(params.client_id));
        const resource = {
          accountId: params.account_id,
          type: 'oauth_client',
          id: params.client_id,
        } as const;
        await tagging.deleted(tx, resource);
        audit(clientChange(resource, 'delete', 'Deleted an OAuth client'));
        return { result: { id: params.client_id } };
      });
    },
  });
