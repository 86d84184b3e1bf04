import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { lockAccount } from '../accounts/account-store.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { checkRoleChange, checkSuperAdministratorStays } from './check-role-change.ts';
import { memberChange } from './member-presenter.ts';
import { MemberParams } from './member-schemas.ts';
import { endMembership } from './end-membership.ts';
import { findMember } from './member-store.ts';

export const deleteMemberRoute = ({ changes, clock }: IamServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/members/:member_id',
    operationId: 'delete-member',
    section: 'Members',
    summary: 'Remove a member from an account, or withdraw an invitation',
    description:
      'It takes effect at once on this node and within one second on every other. What the person has let OAuth clients and API tokens do in the account ends too, and does not come back with a new invitation. Policies for every account stay, next to one that denies this account; tokens that held nothing else are deleted.',
    access: 'members.write',
    params: MemberParams,
    result: Type.Object({ id: Type.String() }),
    errors: [iamErrors.needsSuperAdministrator, iamErrors.lastSuperAdministrator],
    async handler({ principal, params, request }) {
      const { account_id: accountId, member_id: memberId } = params;
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        await lockAccount(tx, accountId);
        const member = await findMember(tx, accountId, memberId);
        if (member === undefined) throw notFound(request.path);
        checkRoleChange(principal, accountId, member.roles, []);
        await checkSuperAdministratorStays(tx, member, []);
        await endMembership({ tx, announce, audit }, member, clock.now());
        const description =
          member.status === 'pending' ? 'Withdrew an invitation' : 'Removed a member';
        audit({
          ...memberChange(member, 'delete', description),
          request: { email: member.shownEmail },
        });
        return { result: { id: memberId } };
      });
    },
  });
