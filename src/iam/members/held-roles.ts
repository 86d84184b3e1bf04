import type { Db } from '../../storage/schema.ts';
import { type Role, roles } from '../roles.ts';

/** Which member of which account; a member has one id in one account. */
export interface MemberRef {
  accountId: string;
  id: string;
}

/** The roles of members by member id, in the order of the reference for each. Uses the primary key. */
export async function findHeldRoles(
  db: Db,
  members: readonly MemberRef[],
): Promise<Map<string, Role[]>> {
  if (members.length === 0) return new Map();
  const rows = await db
    .selectFrom('member_roles')
    .select(['member_id', 'role'])
    .where('account_id', 'in', [...new Set(members.map(({ accountId }) => accountId))])
    .where(
      'member_id',
      'in',
      members.map(({ id }) => id),
    )
    .execute();
  const held = Map.groupBy(rows, (row) => row.member_id);
  return new Map(
    [...held].map(([memberId, ofMember]) => {
      const slugs = new Set(ofMember.map(({ role }) => role));
      return [memberId, roles.filter(({ slug }) => slugs.has(slug))];
    }),
  );
}
