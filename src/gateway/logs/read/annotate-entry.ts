import type { LogIdColumn } from '../../../storage/log-tables.ts';
import type { Transaction } from '../../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { LogAnnotation, StoredLog } from '../log-query.ts';
import { metadataPairsOf } from '../write/metadata-pairs.ts';
import { findEntry } from './find-entry.ts';

/**
 * Notes what somebody says of an exchange. The entries by which rows are found follow its metadata.
 * @param id a UUID
 * @param sinceMs older ones are not shown
 * @returns the log as it is now; undefined: there is none
 */
export async function annotateEntry(
  tx: Transaction,
  dialect: LogDialect,
  accountId: string,
  gatewayId: string,
  id: string,
  sinceMs: number,
  annotation: LogAnnotation,
): Promise<StoredLog | undefined> {
  const scope = await dialect.findScope(tx, accountId, gatewayId);
  if (scope === undefined) return undefined;
  const column = dialect.toColumn(id);
  await lockEntry(tx, scope, column);
  const before = await findEntry(tx, dialect, accountId, gatewayId, id, sinceMs);
  if (before === undefined) return undefined;
  const { feedback = before.feedback, score = before.score } = annotation;
  const { metadata = before.metadata } = annotation;
  await tx
    .updateTable('gateway_log_entries')
    .set({ feedback, score, metadata })
    .where((eb) => eb.and(scope))
    .where('id', '=', column)
    .execute();
  if (metadata !== before.metadata) {
    await forgetMetadata(tx, scope, column, before.metadata);
    await keepMetadata(tx, scope, column, metadata);
  }
  return { ...before, feedback, score, metadata };
}

/** An update of nothing is the lock that both databases have. */
async function lockEntry(tx: Transaction, scope: LogScope, id: LogIdColumn): Promise<void> {
  await tx
    .updateTable('gateway_log_entries')
    .set((eb) => ({ feedback: eb.ref('feedback') }))
    .where((eb) => eb.and(scope))
    .where('id', '=', id)
    .execute();
}

/** By the whole key: no index leads from a row to its metadata. */
async function forgetMetadata(
  tx: Transaction,
  scope: LogScope,
  id: LogIdColumn,
  metadata: string | null,
): Promise<void> {
  if (metadata === null) return;
  for (const [key, value] of metadataPairsOf(metadata)) {
    await tx
      .deleteFrom('gateway_log_metadata')
      .where((eb) => eb.and(scope))
      .where('key', '=', key)
      .where('value', '=', value)
      .where('id', '=', id)
      .execute();
  }
}

async function keepMetadata(
  tx: Transaction,
  scope: LogScope,
  id: LogIdColumn,
  metadata: string | null,
): Promise<void> {
  if (metadata === null) return;
  const pairs = metadataPairsOf(metadata);
  if (pairs.length === 0) return;
  await tx
    .insertInto('gateway_log_metadata')
    .values(pairs.map(([key, value]) => ({ ...scope, key, value, id })))
    // Two keys may be the same after they were cut.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
