import { notFound } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { callerOf } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { consentedAccounts } from './consented-accounts.ts';
import {
  MEMBERSHIP_RECORD,
  MembershipParams,
  MembershipSchema,
  presentMembership,
} from './membership-presenter.ts';
import { findMembership } from './membership-store.ts';

export const getMembershipRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/memberships/:membership_id',
    operationId: 'get-membership',
    section: 'Memberships',
    summary: 'Get one of your memberships',
    access: { self: 'memberships.read' },
    params: MembershipParams,
    record: MEMBERSHIP_RECORD,
    result: MembershipSchema,
    async handler({ principal, params, request }) {
      const user = callerOf(principal);
      const membership = await findMembership(database.read, user.id, params.membership_id);
      if (membership === undefined) throw notFound(request.path);
      const isInView = consentedAccounts(principal)?.includes(membership.account.id) ?? true;
      if (!isInView) throw notFound(request.path);
      return { result: presentMembership(membership, user) };
    },
  });
