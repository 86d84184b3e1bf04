import { apiError, notFound } from '../../http/errors.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { ChangeTools } from '../changes.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { type Member, deleteMember, markAccepted } from '../members/member-store.ts';
import { defineSessionRoute } from '../route.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { findUser } from '../users/user-store.ts';
import { checkMembershipRoom } from './check-membership-room.ts';
import { lockMembership } from './lock-membership.ts';
import {
  MEMBERSHIP_RECORD,
  UpdateMembershipSchema,
  MembershipParams,
  MembershipSchema,
  membershipChange,
  presentMembership,
} from './membership-presenter.ts';

export const updateMembershipRoute = ({ changes, clock }: IamServices) =>
  defineSessionRoute({
    method: 'PUT',
    path: '/memberships/:membership_id',
    operationId: 'update-membership',
    section: 'Memberships',
    summary: 'Accept or reject an invitation',
    description:
      'Without the invitation link, a user can only accept with a verified email address. Otherwise a person could sign up with the address of someone else and accept their invitation.',
    access: 'session',
    params: MembershipParams,
    body: UpdateMembershipSchema,
    bodyFaults: iamBodyFaults,
    record: MEMBERSHIP_RECORD,
    result: MembershipSchema,
    errors: [
      iamErrors.alreadyAccepted,
      iamErrors.invitationExpired,
      iamErrors.emailNotVerified,
      iamErrors.tooManyMemberships,
    ],
    async handler({ principal, params, body, request, checkRecord }) {
      const { user } = principal;
      return changes.make({ principal, request, body }, async (tools) => {
        const locked = await lockMembership(tools.tx, user.id, params.membership_id);
        if (locked === undefined) throw notFound(request.path);
        const { membership, member } = locked;
        checkRecord(presentMembership(membership, user));
        if (member.status === 'accepted') {
          if (body.status === 'rejected') throw apiError(iamErrors.alreadyAccepted);
          tools.unchanged();
          return { result: presentMembership(membership, user) };
        }
        if (body.status === 'accepted') await accept(tools, member, clock.now());
        else await deleteMember(tools.tx, member);
        tools.announce(userAnnouncement(user.id));
        const [type, description] =
          body.status === 'accepted'
            ? ['accept', 'Accepted an invitation']
            : ['reject', 'Rejected an invitation'];
        const change = membershipChange(member, type, description);
        tools.audit(body.status === 'accepted' ? change : { ...change, isAnonymous: true });
        return { result: presentMembership(membership, user, body.status) };
      });
    },
  });

/** @throws ApiError 3032, 3033 or 3035 */
async function accept({ tx }: ChangeTools, member: Member, nowMs: number): Promise<void> {
  await checkVerified(tx, member.user.id);
  if ((member.invitationExpiresAtMs ?? 0) <= nowMs) throw apiError(iamErrors.invitationExpired);
  await checkMembershipRoom(tx, member.user.id);
  await markAccepted(tx, member);
}

async function checkVerified(tx: Transaction, userId: string): Promise<void> {
  const user = await findUser(tx, userId);
  if (user?.emailVerifiedAtMs === undefined) throw apiError(iamErrors.emailNotVerified);
}
