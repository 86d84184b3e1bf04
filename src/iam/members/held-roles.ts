import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../../storage/schema.ts';
import { type Role, roles } from '../roles.ts';

/** Which member of which account; a member has one id in one account. */
export interface MemberRef {
  accountId: string;
  id: string;
}

// With every role each, a few milliseconds of this thread on the embedded database.
const MEMBERS_PER_STATEMENT = 100;

/** The roles of members by member id, in the order of the reference for each. Uses the primary key. */
export async function findHeldRoles(
  db: Db,
  members: readonly MemberRef[],
): Promise<Map<string, Role[]>> {
  const held = new Map<string, Role[]>();
  for (let start = 0; start < members.length; start += MEMBERS_PER_STATEMENT) {
    if (start > 0) await nextTurn();
    const some = members.slice(start, start + MEMBERS_PER_STATEMENT);
    for (const [memberId, ofMember] of await findSome(db, some)) held.set(memberId, ofMember);
  }
  return held;
}

async function findSome(db: Db, members: readonly MemberRef[]): Promise<[string, Role[]][]> {
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
  return [...Map.groupBy(rows, (row) => row.member_id)].map(([memberId, ofMember]) => {
    const slugs = new Set(ofMember.map(({ role }) => role));
    return [memberId, roles.filter(({ slug }) => slugs.has(slug))];
  });
}
