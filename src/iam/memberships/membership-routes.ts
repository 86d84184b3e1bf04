import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { deleteMembershipRoute } from './delete-membership.ts';
import { getMembershipRoute } from './get-membership.ts';
import { listMembershipsRoute } from './list-memberships.ts';
import { updateMembershipRoute } from './update-membership.ts';

/** The operations on a person's own memberships. */
export function membershipRoutes(services: IamServices): ManagementRoute[] {
  return [
    listMembershipsRoute(services),
    getMembershipRoute(services),
    updateMembershipRoute(services),
    deleteMembershipRoute(services),
  ];
}
