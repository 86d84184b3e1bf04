import type { ManagementRoute } from '../route.ts';
import { getRoleRoute } from './get-role.ts';
import { listRolesRoute } from './list-roles.ts';

/** The operations on roles: there is a fixed list of them. */
export function roleRoutes(): ManagementRoute[] {
  return [listRolesRoute(), getRoleRoute()];
}
