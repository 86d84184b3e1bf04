import { SYSTEM_ACTOR, appendAudits } from '../../iam/audit/audit-entry.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Dialect } from '../../storage/dialect.ts';
import { isUpToDate } from '../../storage/migrate.ts';
import { migrations } from '../../storage/migrations/index.ts';
import type { Transaction } from '../../storage/schema.ts';

/** How much of each was ended. */
export interface Ended {
  sessions: number;
  links: number;
  mails: number;
}

/**
 * Ends in a restored database what may well have ended since and costs little to begin again: sessions,
 * links in mails, mails that waited (they have gone out) and leases (their holders are gone). Each account's
 * audit log says that what follows continues an older state.
 * @param takenAt when the backup was made
 */
export async function endWhatHasEnded(
  database: Dialect,
  takenAt: string,
  clock: Clock,
): Promise<Ended> {
  // Tables of an older version may be other ones; then the audit log has no row of it.
  const isCurrent = await isUpToDate(database.reader, migrations);
  return database.transact(async (tx) => {
    const ended = {
      sessions: await deleteAll(tx, 'sessions'),
      links: await deleteAll(tx, 'one_time_secrets'),
      mails: await deleteAll(tx, 'outgoing_mail'),
    };
    await deleteAll(tx, 'leases');
    if (isCurrent) await noteInEachAccount(tx, takenAt, clock.now());
    return ended;
  });
}

async function deleteAll(
  tx: Transaction,
  table: 'sessions' | 'one_time_secrets' | 'outgoing_mail' | 'leases',
): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom(table).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function noteInEachAccount(tx: Transaction, takenAt: string, nowMs: number): Promise<void> {
  const accounts = await tx
    .selectFrom('accounts')
    .select('id')
    .where('deleted_at', 'is', null)
    .execute();
  const description = `The server was restored from a backup of ${takenAt}`;
  const entries = accounts.map(({ id }) => ({
    chain: { accountId: id },
    action: { type: 'restore', result: 'success' as const, description },
    actor: SYSTEM_ACTOR,
    resource: { type: 'account', id, product: 'accounts' },
  }));
  await appendAudits(tx, entries, nowMs);
}
