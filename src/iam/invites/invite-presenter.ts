import { type Static, Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import { formatTime } from '../../lib/clock.ts';
import type { Membership } from '../memberships/membership-store.ts';
import type { UserAccess } from '../users/user-access.ts';

export const InviteParams = Type.Object({
  invite_id: Type.String({ description: 'Membership id: 32 hex digits' }),
});

export const InviteSchema = Type.Object({
  id: Type.String(),
  status: Type.Enum(['pending', 'accepted', 'rejected', 'expired']),
  organization_id: Type.String({ description: 'Account id' }),
  organization_name: Type.String({ description: 'Account name' }),
  organization_is_enforcing_twofactor: Type.Boolean(),
  roles: Type.Array(Type.String(), { description: 'Names' }),
  invited_member_id: Type.String({ description: 'User id' }),
  invited_member_email: Type.String(),
  invited_on: Type.String(),
  expires_on: Type.Optional(Type.String({ description: 'Absent after acceptance' })),
});

export const UpdateInviteSchema = Type.Object(
  {
    status: Type.Enum(['accepted', 'rejected', 'pending', 'expired'], {
      description: '`pending` and `expired` leave the invitation as it is',
    }),
  },
  { additionalProperties: false },
);

/** An invite for GET and PATCH. */
export const INVITE_RECORD = describeRecord(InviteSchema, UpdateInviteSchema, ['invited_on']);

/**
 * Presents an invitation to the invited user.
 * @param nowMs milliseconds since the Unix epoch; decides about `expired`
 * @param status if it is not stored
 */
export function presentInvite(
  { id, status: stored, account, roles, createdAtMs, invitationExpiresAtMs }: Membership,
  user: Pick<UserAccess, 'id' | 'email'>,
  nowMs: number,
  status?: 'accepted' | 'rejected',
): Static<typeof InviteSchema> {
  const isExpired = stored === 'pending' && (invitationExpiresAtMs ?? 0) <= nowMs;
  return {
    id,
    status: status ?? (isExpired ? 'expired' : stored),
    organization_id: account.id,
    organization_name: account.name,
    organization_is_enforcing_twofactor: account.enforceTwoFactor,
    roles: roles.map(({ name }) => name),
    invited_member_id: user.id,
    invited_member_email: user.email,
    invited_on: formatTime(createdAtMs),
    ...(invitationExpiresAtMs === undefined || status === 'accepted'
      ? {}
      : { expires_on: formatTime(invitationExpiresAtMs) }),
  };
}
