import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Db } from '../../storage/schema.ts';

// To read so many takes the embedded database, which works on this thread, a few milliseconds.
const USERS_PER_TURN = 2_000;

/** How many people use a client. */
export interface GrantCounts {
  users: number;
  grants: number;
  /** People for whom it acted since then, for each of the times that were asked about. */
  active: number[];
}

/**
 * Counts the people who let a client act for them: on the embedded database a part of them at a time.
 * Another one does not hold up this thread, and to sort a part out it may have to read them all. Walks
 * along `oauth_grants_client`, which holds all that is needed.
 */
export async function countGrants(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  clientId: string,
  sinceMs: readonly number[],
): Promise<GrantCounts> {
  const maxUsers = dialect === 'sqlite' ? USERS_PER_TURN : undefined;
  const counts: GrantCounts = { users: 0, grants: 0, active: sinceMs.map(() => 0) };
  let after = '';
  for (;;) {
    const part = await countPart(read, clientId, sinceMs, after, maxUsers);
    counts.users += part.users;
    counts.grants += part.grants;
    counts.active = counts.active.map((count, index) => count + (part.active[index] ?? 0));
    if (part.last === null || part.users !== maxUsers) return counts;
    after = part.last;
    await nextTurn();
  }
}

/** Counts people whose ids come after one, in the order of these, and says which one was the last. */
async function countPart(
  db: Db,
  clientId: string,
  sinceMs: readonly number[],
  after: string,
  maxUsers: number | undefined,
): Promise<GrantCounts & { last: string | null }> {
  const people = db
    .selectFrom('oauth_grants')
    .where('client_id', '=', clientId)
    .where('user_id', '>', after)
    .groupBy('user_id')
    .select((select) => [
      'user_id',
      select.fn.countAll<number>().as('grants'),
      select.fn.max('last_used_at').as('last_used_at'),
    ])
    .$if(maxUsers !== undefined, (all) => all.orderBy('user_id').limit(maxUsers ?? 0))
    .as('people');
  const { users, grants, last, ...rest } = await db
    .selectFrom(people)
    .select(({ fn }) => [
      fn.countAll<number>().as('users'),
      // PostgreSQL would answer a sum of these as a numeric.
      sql<number>`cast(coalesce(sum(grants), 0) as bigint)`.as('grants'),
      fn.max('user_id').as('last'),
      ...sinceMs.map((since, index) =>
        fn.countAll<number>().filterWhere('last_used_at', '>', since).as(`active_${index}`),
      ),
    ])
    .executeTakeFirstOrThrow();
  return { users, grants, last, active: Object.values(rest) };
}
