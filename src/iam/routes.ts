import { createTokenRoute } from './api-tokens/create-token.ts';
import { deleteTokenRoute } from './api-tokens/delete-token.ts';
import { getTokenRoute } from './api-tokens/get-token.ts';
import { listPermissionGroupsRoute } from './api-tokens/list-permission-groups.ts';
import { listTokensRoute } from './api-tokens/list-tokens.ts';
import { verifyTokenRoute } from './api-tokens/verify-token.ts';
import type { IamServices } from './iam-services.ts';
import type { ManagementRoute } from './route.ts';

/** Every operation on accounts, people and tokens. */
export function iamRoutes(services: IamServices): ManagementRoute[] {
  return [
    createTokenRoute(services),
    listTokensRoute(services),
    listPermissionGroupsRoute(services),
    verifyTokenRoute(services),
    getTokenRoute(services),
    deleteTokenRoute(services),
  ];
}
