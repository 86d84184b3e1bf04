import { Type } from 'typebox';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { presentClient } from './client-presenter.ts';
import { ClientSchema } from './client-schemas.ts';
import { listClients } from './client-store.ts';

export const listClientsRoute = ({ database }: OAuthServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/oauth_clients',
    operationId: 'list-oauth-clients',
    section: 'OAuth clients',
    summary: 'List the OAuth clients of an account',
    description: 'All of them at once, oldest first.',
    access: 'oauth-clients.read',
    params: AccountParams,
    result: Type.Array(ClientSchema),
    async handler({ params }) {
      const clients = await listClients(database.read, params.account_id);
      return { result: clients.map(presentClient) };
    },
  });
