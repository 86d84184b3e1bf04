import { accountRoutes } from './accounts/account-routes.ts';
import { createTokenRoute } from './api-tokens/create-token.ts';
import { deleteTokenRoute } from './api-tokens/delete-token.ts';
import { getTokenRoute } from './api-tokens/get-token.ts';
import { listPermissionGroupsRoute } from './api-tokens/list-permission-groups.ts';
import { listTokensRoute } from './api-tokens/list-tokens.ts';
import { rollTokenRoute } from './api-tokens/roll-token.ts';
import { type TokenOwnership, accountTokens, userTokens } from './api-tokens/token-ownership.ts';
import { updateTokenRoute } from './api-tokens/update-token.ts';
import { verifyTokenRoute } from './api-tokens/verify-token.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import type { IamServices } from './iam-services.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { inviteRoutes } from './invites/invite-routes.ts';
import { memberRoutes } from './members/member-routes.ts';
import { membershipRoutes } from './memberships/membership-routes.ts';
import { permissionGroupRoutes } from './roles/permission-group-routes.ts';
import { roleRoutes } from './roles/role-routes.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import type { ManagementRoute } from './route.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { userRoutes } from './users/user-routes.ts';

/** Every operation on accounts, people and tokens. */
export function iamRoutes(services: IamServices): ManagementRoute[] {
  return [
    ...accountRoutes(services),
    ...memberRoutes(services),
    ...roleRoutes(),
    ...permissionGroupRoutes(services.brand),
    ...userRoutes(services),
    ...membershipRoutes(services),
    ...inviteRoutes(services),
    ...tokenRoutes(services, accountTokens),
    ...tokenRoutes(services, userTokens),
    ...auditRoutes(services),
    ...sessionRoutes(services),
    ...passwordRoutes(services),
    ...secondFactorRoutes(services),
    ...passkeyRoutes(services),
  ];
}

function tokenRoutes(services: IamServices, ownership: TokenOwnership): ManagementRoute[] {
  return [
    createTokenRoute(services, ownership),
    listTokensRoute(services, ownership),
    listPermissionGroupsRoute(services, ownership),
    verifyTokenRoute(services, ownership),
    getTokenRoute(services, ownership),
    updateTokenRoute(services, ownership),
    rollTokenRoute(services, ownership),
    deleteTokenRoute(services, ownership),
  ];
}
