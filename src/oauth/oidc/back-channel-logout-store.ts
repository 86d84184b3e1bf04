import { createUuidV7 } from '../../lib/ids.ts';
import type { Database } from '../../storage/database.ts';
import type { Db, Transaction } from '../../storage/schema.ts';

/** A logout token that a client has not received yet. */
export interface Logout {
  /** Also the `jti` of the token. */
  id: string;
  clientId: string;
  userId: string;
  sid: string;
  attempts: number;
  createdAtMs: number;
}

const SESSIONS_PER_STEP = 100;

/**
 * Queues a logout for each client that was authorized in a session that has ended, and forgets the sessions. Uses
 * `oauth_families_sid`.
 * @returns false if nothing was left
 */
export async function queueLogouts(database: Database, nowMs: number): Promise<boolean> {
  const some = await database.read
    .selectFrom('ended_sessions')
    .select('sid')
    .limit(SESSIONS_PER_STEP)
    .execute();
  if (some.length === 0) return false;
  const sids = some.map(({ sid }) => sid);
  await database.transaction(async (tx) => {
    const ended = await tx
      .deleteFrom('ended_sessions')
      .where('sid', 'in', sids)
      .returning('sid')
      .execute();
    if (ended.length === 0) return;
    const clients = await tx
      .selectFrom('oauth_families')
      .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_families.grant_id')
      .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
      .where(
        'oauth_families.sid',
        'in',
        ended.map(({ sid }) => sid),
      )
      .where('oauth_clients.backchannel_logout_uri', 'is not', null)
      .select(['oauth_grants.client_id', 'oauth_grants.user_id', 'oauth_families.sid'])
      .distinct()
      .execute();
    for (const { client_id: clientId, user_id: userId, sid } of clients) {
      if (sid === null) continue;
      await tx
        .insertInto('oauth_logouts')
        .values({
          id: createUuidV7(nowMs),
          client_id: clientId,
          user_id: userId,
          sid,
          attempts: 0,
          due_at: nowMs,
          created_at: nowMs,
        })
        .execute();
    }
  });
  return some.length === SESSIONS_PER_STEP;
}

/** Returns the logouts that are due, oldest first. Uses `oauth_logouts_due`. */
export async function selectDueLogouts(db: Db, nowMs: number, limit: number): Promise<Logout[]> {
  const rows = await db
    .selectFrom('oauth_logouts')
    .selectAll()
    .where('due_at', '<=', nowMs)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    clientId: row.client_id,
    userId: row.user_id,
    sid: row.sid,
    attempts: row.attempts,
    createdAtMs: row.created_at,
  }));
}

/** Sets the time of the next attempt. */
export async function postponeLogout(
  tx: Transaction,
  id: string,
  attempts: number,
  dueAtMs: number,
): Promise<void> {
  await tx
    .updateTable('oauth_logouts')
    .set({ attempts, due_at: dueAtMs })
    .where('id', '=', id)
    .execute();
}

/** Deletes a logout that was delivered or given up. */
export async function deleteLogout(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('oauth_logouts').where('id', '=', id).execute();
}
