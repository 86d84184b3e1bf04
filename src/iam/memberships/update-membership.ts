import { apiError, notFound } from '../../http/errors.ts';
import type { Reply, RequestFacts } from '../../http/route.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { ChangeTools } from '../changes.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { type Member, deleteMember, markAccepted } from '../members/member-store.ts';
import type { SessionPrincipal } from '../principal.ts';
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
import type { Membership } from './membership-store.ts';

/** Errors of {@link respondToInvitation}. */
export const INVITATION_ERRORS = [
  iamErrors.alreadyAccepted,
  iamErrors.invitationExpired,
  iamErrors.emailNotVerified,
  iamErrors.tooManyMemberships,
];

/** Description of the operations that accept an invitation. */
export const ACCEPTANCE_RULE =
  'Without the invitation link, a user can only accept with a verified email address. Otherwise a person could sign up with the address of someone else and accept their invitation.';

export const updateMembershipRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'PUT',
    path: '/memberships/:membership_id',
    operationId: 'update-membership',
    section: 'Memberships',
    summary: 'Accept or reject an invitation',
    description: ACCEPTANCE_RULE,
    access: 'session',
    params: MembershipParams,
    body: UpdateMembershipSchema,
    bodyFaults: iamBodyFaults,
    record: MEMBERSHIP_RECORD,
    result: MembershipSchema,
    errors: INVITATION_ERRORS,
    handler: ({ params, ...response }) =>
      respondToInvitation(services, params.membership_id, response, presentMembership),
  });

interface InvitationResponse {
  principal: SessionPrincipal;
  /** A status that an open invitation may have leaves it as it is. */
  body: { status: 'accepted' | 'rejected' | 'pending' | 'expired' };
  request: RequestFacts;
  checkRecord(this: void, stored: object): void;
}

/**
 * Accepts or rejects an invitation of the signed-in user. A repeated acceptance has no effect.
 * @param memberId id of the membership
 * @param present presents the record of the route
 * @throws ApiError 404, 412 or one of {@link INVITATION_ERRORS}
 */
export function respondToInvitation<Record extends object>(
  { changes, clock }: IamServices,
  memberId: string,
  { principal, body, request, checkRecord }: InvitationResponse,
  present: (
    membership: Membership,
    user: SessionPrincipal['user'],
    status?: 'accepted' | 'rejected',
  ) => Record,
): Promise<Reply<Record>> {
  const { user } = principal;
  return changes.make({ principal, request, body }, async (tools) => {
    const locked = await lockMembership(tools.tx, user.id, memberId);
    if (locked === undefined) throw notFound(request.path);
    const { membership, member } = locked;
    checkRecord(present(membership, user));
    const { status } = body;
    const isAccepted = member.status === 'accepted';
    if (isAccepted && status !== 'accepted') throw apiError(iamErrors.alreadyAccepted);
    if (isAccepted || status === 'pending' || status === 'expired') {
      tools.unchanged();
      return { result: present(membership, user) };
    }
    if (status === 'accepted') await accept(tools, member, clock.now());
    else await deleteMember(tools.tx, member);
    tools.announce(userAnnouncement(user.id));
    const [type, description] =
      status === 'accepted'
        ? ['accept', 'Accepted an invitation']
        : ['reject', 'Rejected an invitation'];
    const change = membershipChange(member, type, description);
    tools.audit(status === 'accepted' ? change : { ...change, isAnonymous: true });
    return { result: present(membership, user, status) };
  });
}

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
