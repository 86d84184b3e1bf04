import type { Selectable } from 'kysely';
import type { Db, SignInFailuresTable, Transaction } from '../../storage/schema.ts';

/** What has been counted under one name. */
export type Counter = Selectable<SignInFailuresTable>;

/** When a count begins anew, at the latest; older rows are of no use. */
export const COUNTER_MS = 3_600_000;

export async function readCounters(db: Db, names: readonly string[]): Promise<Counter[]> {
  return db.selectFrom('sign_in_failures').selectAll().where('name', 'in', names).execute();
}

/** Reads a counter and keeps others from changing it until the transaction ends. */
export async function lockCounter(tx: Transaction, name: string): Promise<Counter> {
  return tx
    .insertInto('sign_in_failures')
    .values({ name, failures: 0, counted_since: 0, last_failed_at: 0, blocked_until: 0 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        // Changes nothing: it is there to lock the row, in both dialects.
        .doUpdateSet((set) => ({ failures: set.ref('sign_in_failures.failures') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function writeCounter(tx: Transaction, { name, ...counted }: Counter): Promise<void> {
  await tx.updateTable('sign_in_failures').set(counted).where('name', '=', name).execute();
}

export async function deleteCounter(tx: Transaction, name: string): Promise<void> {
  await tx.deleteFrom('sign_in_failures').where('name', '=', name).execute();
}

const ROWS_PER_PURGE = 500;

/**
 * Deletes some counters that would begin anew. Uses `sign_in_failures_time`.
 * @returns whether there may be more of them
 */
export async function purgeCounters(tx: Transaction, nowMs: number): Promise<boolean> {
  const old = tx
    .selectFrom('sign_in_failures')
    .select('name')
    .where('last_failed_at', '<=', nowMs - COUNTER_MS)
    .limit(ROWS_PER_PURGE);
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_failures')
    .where('name', 'in', old)
    .executeTakeFirstOrThrow();
  return numDeletedRows >= BigInt(ROWS_PER_PURGE);
}
