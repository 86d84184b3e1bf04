import { showMembers } from '../audit/audit-view.ts';
import type { Static } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import { auditedChangeOf } from '../audit/audited-change.ts';
import { presentPermissionGroups } from '../permissions.ts';
import { formatResourceName } from '../policy.ts';
import { presentRole } from '../roles/role-presenter.ts';
import type { Role } from '../roles.ts';
import type { MemberSchema } from './member-schemas.ts';
import type { Member } from './member-store.ts';

type ShownMember = Static<typeof MemberSchema>;

/** Roles of one account in the form of policies, as far as they were needed. */
export type ShownPolicies = Map<Role, ShownMember['policies'][number]>;

/**
 * A member as the API shows one.
 * @param policies what members of the same account have in common, when several are shown
 */
export function presentMember(
  member: Member,
  brand: string,
  policies: ShownPolicies = new Map(),
): ShownMember {
  const { user, roles, accountId, invitationExpiresAtMs, shownEmail: email } = member;
  const isAccepted = member.status === 'accepted';
  return {
    id: member.id,
    email,
    status: member.status,
    roles: roles.map(presentRole),
    policies: roles.map((role) => {
      const policy = policies.get(role) ?? presentPolicy(role, accountId, brand);
      policies.set(role, policy);
      return policy;
    }),
    user: {
      // An invitation reveals nothing about a person who has not accepted it, nor whether there is one.
      ...(isAccepted && { id: user.id }),
      email,
      first_name: (isAccepted ? user.firstName : undefined) ?? null,
      last_name: (isAccepted ? user.lastName : undefined) ?? null,
      two_factor_authentication_enabled: isAccepted && user.hasSecondFactor,
      locked: isAccepted && user.isLocked,
    },
    ...(invitationExpiresAtMs === undefined
      ? {}
      : { invitation_expires_on: formatTime(invitationExpiresAtMs) }),
    ...(isAccepted || member.hasLink ? {} : { invitation_link_revoked: true }),
  };
}

/** A role in the form in which the clients know policies of members. */
function presentPolicy(role: Role, accountId: string, brand: string) {
  return {
    id: role.id,
    access: 'allow' as const,
    permission_groups: presentPermissionGroups(role.permissions),
    resource_groups: [
      {
        id: accountId,
        name: 'The account',
        scope: { key: formatResourceName(brand, { accountId }), objects: [{ key: '*' }] },
      },
    ],
  };
}

/** A change of a member, for the audit log of the account. */
export const memberChange = auditedChangeOf(
  { type: 'member', product: 'members' },
  showMembers(
    'id',
    'email',
    'status',
    'roles',
    'policies',
    'user',
    'invitation_expires_on',
    'invitation_link_revoked',
  ),
);
