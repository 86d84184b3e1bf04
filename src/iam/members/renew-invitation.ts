import { apiError, notFound } from '../../http/errors.ts';
import { lockAccount } from '../accounts/account-store.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { checkRoleChange } from './check-role-change.ts';
import { INVITATION_MS, newInvitation, tellInvitation } from './invite.ts';
import { memberChange, presentMember } from './member-presenter.ts';
import { InvitedMemberSchema, MemberParams } from './member-schemas.ts';
import { findMember, replaceInvitation } from './member-store.ts';

export const renewInvitationRoute = (services: IamServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/members/:member_id/invitation',
    operationId: 'renew-invitation',
    section: 'Members',
    summary: 'Send a new link to somebody who has not accepted yet',
    description:
      'The link works for 7 days, and the one before works no more. Whoever sees a link could accept ' +
      'it, so this takes as much as inviting somebody with these roles.',
    access: 'members.write',
    params: MemberParams,
    result: InvitedMemberSchema,
    errors: [
      iamErrors.needsSuperAdministrator,
      iamErrors.exceedsGranter,
      iamErrors.alreadyAccepted,
      iamErrors.invitedJustNow,
    ],
    async handler({ principal, params, request }) {
      const { changes, clock, mail, brand } = services;
      const { account_id: accountId, member_id: memberId } = params;
      const invitation = newInvitation(services);
      const reply = await changes.make({ principal, request }, async ({ tx, audit }) => {
        await lockAccount(tx, accountId);
        const member = await findMember(tx, accountId, memberId);
        if (member === undefined) throw notFound(request.path);
        if (member.status === 'accepted') throw apiError(iamErrors.alreadyAccepted);
        checkRoleChange(principal, accountId, [], member.roles);
        if (mail.isConfigured) checkMailGap(member, clock.now());
        await replaceInvitation(tx, member, invitation);
        const { email } = member.user;
        const link = await tellInvitation(tx, services, invitation, {
          accountId,
          email,
          principal,
        });
        audit(memberChange(member, 'invite', 'Invited a member anew'));
        const { expiresAtMs: invitationExpiresAtMs } = invitation;
        const renewed = { ...member, invitationExpiresAtMs, hasLink: true };
        return { result: { ...presentMember(renewed, brand), ...link } };
      });
      if (mail.isConfigured) mail.kick();
      return reply;
    },
  });

const MAIL_GAP_MS = 60_000;

/** Nobody's mailbox is filled with our links. */
function checkMailGap(
  { invitationExpiresAtMs = 0 }: { invitationExpiresAtMs?: number | undefined },
  nowMs: number,
): void {
  const waitMs = invitationExpiresAtMs - INVITATION_MS + MAIL_GAP_MS - nowMs;
  if (waitMs <= 0) return;
  throw apiError(iamErrors.invitedJustNow, {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  });
}
