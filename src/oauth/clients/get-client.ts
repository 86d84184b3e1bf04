import { defineRoute } from '../../iam/route.ts';
import { clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { presentClient } from './client-presenter.ts';
import { CLIENT_RECORD, ClientParams, ClientSchema } from './client-schemas.ts';
import { findClient } from './client-store.ts';

export const getClientRoute = ({ database }: OAuthServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/oauth_clients/:client_id',
    operationId: 'get-oauth-client',
    section: 'OAuth clients',
    summary: 'Get one OAuth client',
    access: 'oauth-clients.read',
    params: ClientParams,
    record: CLIENT_RECORD,
    result: ClientSchema,
    errors: [oauthErrors.clientNotFound],
    async handler({ params }) {
      const client = await findClient(database.read, params.account_id, params.client_id);
      if (client === undefined) throw clientNotFound();
      return { result: presentClient(client) };
    },
  });
