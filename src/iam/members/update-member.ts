import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { lockAccount } from '../accounts/account-store.ts';
import { iamBodyFaults, iamErrors, roleErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import type { Role } from '../roles.ts';
import { defineRoute } from '../route.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { checkRoleChange, checkSuperAdministratorStays } from './check-role-change.ts';
import { memberChange, presentMember } from './member-presenter.ts';
import { MEMBER_RECORD, MemberParams, MemberSchema, UpdateMemberSchema } from './member-schemas.ts';
import { type Member, findMember, replaceRoles, revokeLink } from './member-store.ts';
import { parseRoles } from './parse-roles.ts';

export const updateMemberRoute = ({ changes, brand }: IamServices) =>
  defineRoute({
    method: 'PUT',
    path: '/accounts/:account_id/members/:member_id',
    operationId: 'update-member',
    section: 'Members',
    summary: 'Replace the roles of a member',
    description:
      'The change takes effect at once on this node and within one second on the others. If a pending ' +
      'member gets a further role, an invitation link that was shown instead of mailed is revoked, ' +
      'because other people may have seen it. The response then has `invitation_link_revoked` set to ' +
      'true, and you need to create a new link.',
    access: 'members.write',
    params: MemberParams,
    body: UpdateMemberSchema,
    bodyFaults: iamBodyFaults,
    record: MEMBER_RECORD,
    result: MemberSchema,
    errors: [...roleErrors, iamErrors.unknownRole, iamErrors.policiesNotSupported],
    async handler({ principal, params, body, request, checkRecord }) {
      const { account_id: accountId, member_id: memberId } = params;
      return changes.make({ principal, request, body }, async (tools) => {
        const { tx, announce, audit, unchanged } = tools;
        await lockAccount(tx, accountId);
        await tools.recheckAccess();
        const member = await findMember(tx, accountId, memberId);
        if (member === undefined) throw notFound(request.path);
        const presented = presentMember(member, brand);
        checkRecord(presented);
        const after = rolesAfter(member, body, brand);
        if (isSameSet(member.roles, after)) {
          unchanged();
          return { result: presented };
        }
        checkRoleChange(principal, accountId, member.roles, after);
        await checkSuperAdministratorStays(tx, member, after);
        const slugs = after.map(({ slug }) => slug);
        await replaceRoles(tx, member, slugs);
        const isRevoked = isLinkOutgrown(member, after);
        if (isRevoked) await revokeLink(tx, member);
        announce(userAnnouncement(member.user.id));
        audit(memberChange(member, 'update', 'Changed the roles of a member'));
        const hasLink = member.hasLink && !isRevoked;
        return { result: presentMember({ ...member, roles: after, hasLink }, brand) };
      });
    },
  });

/**
 * Returns the roles that a body names. Its policies may be those of the member, before or after the change.
 * @throws ApiError 3030 for other policies, 3001 without roles, 3025 with every unknown one
 */
function rolesAfter(
  member: Member,
  { roles: given, policies }: Static<typeof UpdateMemberSchema>,
  brand: string,
): Role[] {
  const roles = given === undefined ? member.roles : parseRoles({ roles: given });
  const isDerived = [member.roles, roles].some((some) =>
    isDeepStrictEqual(policies, presentMember({ ...member, roles: [...some] }, brand).policies),
  );
  return parseRoles({ ...(given && { roles: given }), policies: isDerived ? undefined : policies });
}

/** Whether the link would give its holder more than the one who was shown it could give. */
function isLinkOutgrown(member: Member, after: readonly Role[]): boolean {
  if (member.status === 'accepted' || member.isInvitationMailed) return false;
  return after.some((role) => !member.roles.includes(role));
}

function isSameSet(a: readonly Role[], b: readonly Role[]): boolean {
  return a.length === b.length && a.every((role) => b.includes(role));
}
