import { showMembers } from '../audit/audit-view.ts';
import { type Static, Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import { presentAccount } from '../accounts/account-presenter.ts';
import { AccountSchema } from '../accounts/account-schemas.ts';
import { auditedChangeOf } from '../audit/audited-change.ts';
import { GrantsSchema, presentGrants } from '../roles/role-presenter.ts';
import type { UserAccess } from '../users/user-access.ts';
import type { Membership } from './membership-store.ts';

export const MembershipParams = Type.Object({
  membership_id: Type.String({ description: 'Membership id: 32 hex digits' }),
});

export const MembershipSchema = Type.Object({
  id: Type.String(),
  status: Type.Enum(['accepted', 'pending', 'rejected']),
  account: AccountSchema,
  roles: Type.Array(Type.String(), { description: 'Names' }),
  permissions: GrantsSchema,
  api_access_enabled: Type.Boolean(),
});

export const UpdateMembershipSchema = Type.Object(
  {
    status: Type.Enum(['accepted', 'rejected', 'pending'], {
      description: '`pending` leaves an invitation as it is',
    }),
  },
  { additionalProperties: false },
);

/** A membership for GET, PUT and DELETE. */
export const MEMBERSHIP_RECORD = describeRecord(MembershipSchema, UpdateMembershipSchema, []);

/**
 * Presents a membership to its user.
 * @param status a status that is not stored
 */
export function presentMembership(
  { id, status: stored, account, roles }: Membership,
  user: Pick<UserAccess, 'hasSecondFactor'>,
  status: Static<typeof MembershipSchema>['status'] = stored,
): Static<typeof MembershipSchema> {
  // A pending invitation grants nothing, and neither does a membership without the required second factor.
  const isInEffect = status === 'accepted' && (!account.enforceTwoFactor || user.hasSecondFactor);
  return {
    id,
    status,
    account: presentAccount(account),
    roles: roles.map(({ name }) => name),
    permissions: presentGrants(isInEffect ? roles.flatMap((role) => role.permissions) : []),
    api_access_enabled: true,
  };
}

/** Describes a user's change of a membership, for the audit log of the account. */
export const membershipChange = auditedChangeOf(
  { type: 'member', product: 'memberships' },
  showMembers('id', 'status', 'account', 'roles', 'permissions', 'api_access_enabled'),
);
