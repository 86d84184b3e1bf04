import { setImmediate as nextTurn } from 'node:timers/promises';
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
 * Counts the people who let a client act for them, a part of them at a time. Walks along
 * `oauth_grants_client`, which holds all that is needed.
 */
export async function countGrants(
  db: Db,
  clientId: string,
  sinceMs: readonly number[],
): Promise<GrantCounts> {
  const counts: GrantCounts = { users: 0, grants: 0, active: sinceMs.map(() => 0) };
  let after = '';
  for (;;) {
    const people = await db
      .selectFrom('oauth_grants')
      .where('client_id', '=', clientId)
      .where('user_id', '>', after)
      .groupBy('user_id')
      .orderBy('user_id')
      .limit(USERS_PER_TURN)
      .select((select) => [
        'user_id',
        select.fn.countAll<number>().as('grants'),
        select.fn.max('last_used_at').as('last_used_at'),
      ])
      .execute();
    for (const { grants, last_used_at: lastUsedAtMs } of people) {
      counts.users++;
      counts.grants += grants;
      sinceMs.forEach((since, index) => {
        if ((lastUsedAtMs ?? 0) > since) counts.active[index] = (counts.active[index] ?? 0) + 1;
      });
    }
    if (people.length < USERS_PER_TURN) return counts;
    after = people.at(-1)?.user_id ?? '';
    await nextTurn();
  }
}
