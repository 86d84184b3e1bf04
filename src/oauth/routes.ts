import type { ManagementRoute } from '../iam/route.ts';
import { createClientRoute } from './clients/create-client.ts';
import { deleteClientRoute } from './clients/delete-client.ts';
import { deleteOldSecretRoute } from './clients/delete-old-secret.ts';
import { getClientRoute } from './clients/get-client.ts';
import { listClientsRoute } from './clients/list-clients.ts';
import { rotateSecretRoute } from './clients/rotate-secret.ts';
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
    rotateSecretRoute(services),
    deleteOldSecretRoute(services),
    listScopesRoute(services),
  ];
}
