import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { getUserRoute } from './get-user.ts';
import { updateUserRoute } from './update-user.ts';

/** The operations on the caller's own details. */
export function userRoutes(services: IamServices): ManagementRoute[] {
  return [getUserRoute(services), updateUserRoute(services)];
}
