import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { lockAccount } from '../accounts/account-store.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { checkRoleChange, checkSuperAdministratorStays } from './check-role-change.ts';
import { memberChange, presentMember } from './member-presenter.ts';
import { MEMBER_RECORD, MemberParams } from './member-schemas.ts';
import { endMembership } from './end-membership.ts';
import { findMember } from './member-store.ts';

export const deleteMemberRoute = ({ changes, clock, brand }: IamServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/members/:member_id',
    operationId: 'delete-member',
    section: 'Members',
    summary: 'Remove a member or withdraw an invitation',
    description:
      'Takes effect within one second on every node. Grants of OAuth clients and permissions of API tokens in this account end as well, and a new invitation does not restore them. User-owned tokens with a policy for all accounts get a policy that denies this account. The server deletes tokens that have no other permissions.',
    access: 'members.write',
    params: MemberParams,
    record: MEMBER_RECORD,
    result: Type.Object({ id: Type.String() }),
    errors: [iamErrors.needsSuperAdministrator, iamErrors.lastSuperAdministrator],
    async handler({ principal, params, request, checkRecord }) {
      const { account_id: accountId, member_id: memberId } = params;
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        await lockAccount(tx, accountId);
        const member = await findMember(tx, accountId, memberId);
        if (member === undefined) throw notFound(request.path);
        checkRecord(presentMember(member, brand));
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
