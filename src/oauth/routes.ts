import type { ManagementRoute } from '../iam/route.ts';
import { createClientRoute } from './clients/create-client.ts';
import { deleteClientRoute } from './clients/delete-client.ts';
import { getClientRoute } from './clients/get-client.ts';
import { listClientsRoute } from './clients/list-clients.ts';
import { updateClientRoute } from './clients/update-client.ts';
import { listScopesRoute } from './list-scopes.ts';
import type { OAuthServices } from './oauth-services.ts';

/** Every operation on OAuth clients and scopes. */
export function oauthRoutes(services: OAuthServices): ManagementRoute[] {
  return [
    createClientRoute(services),
    listClientsRoute(services),
    getClientRoute(services),
    updateClientRoute(services),
    deleteClientRoute(services),
    listScopesRoute(services),
  ];
}
