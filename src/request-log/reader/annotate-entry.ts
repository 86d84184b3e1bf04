import type { LogIdColumn } from '../../storage/log-tables.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { LogAnnotation, LogKey, StoredLog } from '../log-query.ts';
import { metadataPairsOf } from '../writer/metadata-pairs.ts';
import { findEntry } from './find-entry.ts';

/**
 * Changes feedback, score or metadata of a log, and the metadata index.
 * @returns the changed log; undefined: it does not exist, or is not visible
 */
export async function annotateEntry(
  tx: Transaction,
  dialect: LogDialect,
  key: LogKey,
  annotation: LogAnnotation,
): Promise<StoredLog | undefined> {
  const scope = await dialect.findScope(tx, key.accountId, key.gatewayId);
  if (scope === undefined) return undefined;
  const column = dialect.toColumn(key.id);
  await lockEntry(tx, scope, column);
  const before = await findEntry(tx, dialect, key);
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
    await deleteMetadata(tx, scope, column, before.metadata);
    await insertMetadata(tx, scope, column, metadata);
  }
  return { ...before, feedback, score, metadata };
}

/** Locks a row with an update that changes nothing, which works on both databases. */
async function lockEntry(tx: Transaction, scope: LogScope, id: LogIdColumn): Promise<void> {
  await tx
    .updateTable('gateway_log_entries')
    .set((eb) => ({ feedback: eb.ref('feedback') }))
    .where((eb) => eb.and(scope))
    .where('id', '=', id)
    .execute();
}

/** Deletes by the whole key, because no index leads from a row to its metadata. */
async function deleteMetadata(
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

async function insertMetadata(
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
    // Two keys may be the same after they were truncated.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
