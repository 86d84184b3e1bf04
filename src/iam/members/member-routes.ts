import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { createMemberRoute } from './create-member.ts';
import { deleteMemberRoute } from './delete-member.ts';
import { getMemberRoute } from './get-member.ts';
import { listMembersRoute } from './list-members.ts';
import { renewInvitationRoute } from './renew-invitation.ts';
import { updateMemberRoute } from './update-member.ts';

/** The operations on the members of an account. */
export function memberRoutes(services: IamServices): ManagementRoute[] {
  return [
    listMembersRoute(services),
    createMemberRoute(services),
    getMemberRoute(services),
    updateMemberRoute(services),
    deleteMemberRoute(services),
    renewInvitationRoute(services),
  ];
}
