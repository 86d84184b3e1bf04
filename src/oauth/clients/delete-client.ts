import { Type } from 'typebox';
import { defineRoute } from '../../iam/route.ts';
import { deleteClientGrants } from '../grants/delete-client-grants.ts';
import { clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { clientChange, presentClient } from './client-presenter.ts';
import { clientAnnouncement } from './client-directory.ts';
import { CLIENT_RECORD, ClientParams } from './client-schemas.ts';
import { deleteClient, findClient, lockClient } from './client-store.ts';

export const deleteClientRoute = ({ database, changes, tagging }: OAuthServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/oauth_clients/:client_id',
    operationId: 'delete-oauth-client',
    section: 'OAuth clients',
    summary: 'Delete an OAuth client',
    description: 'Also revokes all its grants and tokens.',
    access: 'oauth-clients.write',
    params: ClientParams,
    record: CLIENT_RECORD,
    result: Type.Object({ id: Type.String() }),
    errors: [oauthErrors.clientNotFound],
    async handler({ principal, params, request, checkRecord }) {
      const { account_id: accountId, client_id: clientId } = params;
      const seen = await findClient(database.read, accountId, clientId);
      if (seen === undefined) throw clientNotFound();
      checkRecord(presentClient(seen));
      await deleteClientGrants(database, clientId);
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const client = await lockClient(tx, accountId, clientId);
        if (client === undefined) throw clientNotFound();
        checkRecord(presentClient(client));
        await deleteClient(tx, accountId, clientId);
        announce(clientAnnouncement(clientId));
        const resource = { accountId, type: 'oauth_client', id: clientId } as const;
        await tagging.deleted(tx, resource, request.id);
        audit(clientChange(resource, 'delete', 'Deleted an OAuth client'));
        return { result: { id: clientId } };
      });
    },
  });
