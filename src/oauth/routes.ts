import type { ManagementRoute } from '../iam/route.ts';
import { createClientRoute } from './clients/create-client.ts';
import { deleteClientRoute } from './clients/delete-client.ts';
import { deleteOldSecretRoute } from './clients/delete-old-secret.ts';
import { getClientRoute } from './clients/get-client.ts';
import { listClientsRoute } from './clients/list-clients.ts';
import { rotateSecretRoute } from './clients/rotate-secret.ts';
import { updateClientRoute } from './clients/update-client.ts';
import { deleteGrantRoute } from './grants/delete-grant.ts';
import { getClientStatsRoute } from './grants/get-client-stats.ts';
import { listGrantsRoute } from './grants/list-grants.ts';
import { listScopesRoute } from './list-scopes.ts';
import type { OAuthServices } from './oauth-services.ts';

/** Every operation on OAuth clients, scopes, and what people have let clients do. */
export function oauthRoutes(services: OAuthServices): ManagementRoute[] {
  return [
    createClientRoute(services),
    listClientsRoute(services),
    getClientRoute(services),
    updateClientRoute(services),
    deleteClientRoute(services),
    rotateSecretRoute(services),
    deleteOldSecretRoute(services),
    getClientStatsRoute(services),
    listScopesRoute(services),
    listGrantsRoute(services),
    deleteGrantRoute(services),
  ];
}
