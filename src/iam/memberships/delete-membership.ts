import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { checkSuperAdministratorStays } from '../members/check-role-change.ts';
import { endMembership } from '../members/end-membership.ts';
import { defineSessionRoute } from '../route.ts';
import { lockMembership } from './lock-membership.ts';
import {
  MEMBERSHIP_RECORD,
  presentMembership,
  MembershipParams,
  membershipChange,
} from './membership-presenter.ts';

export const deleteMembershipRoute = ({ changes, clock }: IamServices) =>
  defineSessionRoute({
    method: 'DELETE',
    path: '/memberships/:membership_id',
    operationId: 'delete-membership',
    section: 'Memberships',
    summary: 'Leave an account',
    description:
      'The last Super Administrator cannot leave an account. Grants of OAuth clients and permissions of API tokens in the account end, as when a member is removed.',
    access: 'session',
    params: MembershipParams,
    record: MEMBERSHIP_RECORD,
    result: Type.Object({ id: Type.String() }),
    errors: [iamErrors.lastSuperAdministrator],
    async handler({ principal, params, request, checkRecord }) {
      const { user } = principal;
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const locked = await lockMembership(tx, user.id, params.membership_id);
        if (locked === undefined) throw notFound(request.path);
        const { membership, member } = locked;
        checkRecord(presentMembership(membership, user));
        await checkSuperAdministratorStays(tx, member, []);
        await endMembership({ tx, announce, audit }, member, clock.now());
        if (member.status === 'accepted') {
          audit(membershipChange(member, 'delete', 'Left the account'));
        } else {
          audit({
            ...membershipChange(member, 'reject', 'Rejected an invitation'),
            isAnonymous: true,
          });
        }
        return { result: { id: member.id } };
      });
    },
  });
