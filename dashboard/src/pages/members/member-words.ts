import { searchable } from '../../lib/searchable.ts';
import type { Member } from '../../api/members.ts';
import { personName } from '../../lib/person-name.ts';
import { serverNow } from '../../lib/server-time.ts';
import { labels } from './labels.ts';

/** What a person is called; of who has not accepted only the address is known. */
export function nameOf({ email, user }: Member): string {
  return personName(user) || email;
}

/** How somebody stands to the account. */
export type MemberState = 'accepted' | 'locked' | 'invited' | 'expired' | 'revoked';

/** Where a member stands now. */
export function stateOf(member: Member): MemberState {
  const { status, user, invitation_expires_on: end, invitation_link_revoked: isRevoked } = member;
  if (status === 'accepted') return user.locked ? 'locked' : 'accepted';
  if (end !== undefined && Date.parse(end) <= serverNow()) return 'expired';
  return isRevoked === true ? 'revoked' : 'invited';
}

/** Which members the list shows. */
export type MemberFilter = 'all' | 'accepted' | 'pending' | 'no-second-factor' | 'locked';

/** The filters, as the list offers them. */
export const memberFilters: Readonly<Record<MemberFilter, string>> = {
  all: labels.all,
  accepted: labels.active,
  pending: labels.invitedStatus,
  'no-second-factor': labels.noSecondFactor,
  locked: labels.locked,
};

/** The filter of an address; whatever else stands there shows everybody. */
export function memberFilterOf(text: string | undefined): MemberFilter {
  return text !== undefined && Object.hasOwn(memberFilters, text) ? (text as MemberFilter) : 'all';
}

/** Whether somebody belongs to the account and has no second factor. */
export function lacksSecondFactor({ status, user }: Member): boolean {
  return status === 'accepted' && !user.two_factor_authentication_enabled;
}

function passes(member: Member, filter: MemberFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'no-second-factor') return lacksSecondFactor(member);
  return filter === 'locked' ? member.user.locked : member.status === filter;
}

/** The members that a search finds, by name or address, sorted as they are called. */
export function findMembers(
  members: readonly Member[],
  search: string,
  filter: MemberFilter,
): Member[] {
  const wanted = searchable(search.trim());
  return members
    .filter((member) => passes(member, filter))
    .filter((member) => searchable(`${nameOf(member)} ${member.email}`).includes(wanted))
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
}
