import { apiError, notFound } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { lockAccount } from '../accounts/account-store.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import type { Principal } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { checkRoleChange } from './check-role-change.ts';
import { INVITATION_MS, newInvitation, tellInvitation } from './invite.ts';
import { invitedTooOften } from './limit-invitation-mails.ts';
import { memberChange, presentMember } from './member-presenter.ts';
import { InvitedMemberSchema, MemberParams } from './member-schemas.ts';
import { type Member, findMember, replaceInvitation } from './member-store.ts';

export const renewInvitationRoute = (services: IamServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/members/:member_id/invitation',
    operationId: 'renew-invitation',
    section: 'Members',
    summary: 'Send a new invitation link',
    description:
      'The new link is valid for 7 days and replaces the previous one. It requires the same permissions as an invitation with these roles.',
    access: 'members.write',
    params: MemberParams,
    result: InvitedMemberSchema,
    errors: [
      iamErrors.needsSuperAdministrator,
      iamErrors.exceedsGranter,
      iamErrors.alreadyAccepted,
      iamErrors.invitedTooOften,
    ],
    async handler({ principal, params, request }) {
      const { changes, clock, database, mail, brand } = services;
      const { account_id: accountId, member_id: memberId } = params;
      // An answer that is repeated shows the link too, and the work below is then left out.
      const before = await findMember(database.read, accountId, memberId);
      const { shownEmail } = checkMayRenew(principal, before, request);
      const invitation = newInvitation(services, shownEmail);
      const reply = await changes.make(
        { principal, request },
        async ({ tx, audit, recheckAccess }) => {
          await lockAccount(tx, accountId);
          await recheckAccess();
          const found = await findMember(tx, accountId, memberId);
          const member = checkMayRenew(principal, found, request);
          if (member.status === 'accepted') throw apiError(iamErrors.alreadyAccepted);
          if (mail.isConfigured) checkMailGap(member, clock.now());
          await replaceInvitation(tx, member, invitation);
          const { email } = member.user;
          const link = await tellInvitation(tx, services, invitation, {
            accountId,
            email,
            principal,
          });
          audit(memberChange(member, 'invite', 'Renewed an invitation'));
          const { expiresAtMs: invitationExpiresAtMs } = invitation;
          const renewed = { ...member, invitationExpiresAtMs, hasLink: true };
          return { result: { ...presentMember(renewed, brand), ...link } };
        },
      );
      if (mail.isConfigured) mail.kick();
      return reply;
    },
  });

/**
 * Whoever sees the link could accept it, and so must be somebody who could give these roles.
 * @throws ApiError 404, 3022 or 3024
 */
function checkMayRenew(
  principal: Principal,
  member: Member | undefined,
  request: RequestFacts,
): Member {
  if (member === undefined) throw notFound(request.path);
  checkRoleChange(principal, member.accountId, [], member.roles);
  return member;
}

const MAIL_GAP_MS = 60_000;

/** By mistake it is often asked for twice. */
function checkMailGap({ invitationExpiresAtMs = 0 }: Member, nowMs: number): void {
  const waitMs = invitationExpiresAtMs - INVITATION_MS + MAIL_GAP_MS - nowMs;
  if (waitMs > 0) throw invitedTooOften(waitMs);
}
