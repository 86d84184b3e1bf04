import { sql } from 'kysely';
import type { LogIdColumn } from '../../storage/log-tables.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import { lockGateway, uncountGateway } from './gateway-counts.ts';
import { metadataPairsOf } from './metadata-pairs.ts';

/** Rows per transaction, which takes a few milliseconds on SQLite. */
export const ROWS_PER_DELETE = 500;

interface DeletedEntry {
  id: LogIdColumn;
  context_id: number;
  metadata: string | null;
}

/**
 * Deletes rows of a gateway with their bodies and metadata, and subtracts them from the counts. Also deletes contexts without
 * rows. Locks the gateway.
 * @returns the number of deleted rows
 */
export async function deleteEntries(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  ids: readonly LogIdColumn[],
): Promise<number> {
  await lockGateway(tx, dialect, scope);
  let deleted = 0;
  for (let start = 0; start < ids.length; start += ROWS_PER_DELETE) {
    const some = ids.slice(start, start + ROWS_PER_DELETE);
    const entries = await tx
      .deleteFrom('gateway_log_entries')
      .where((where) => where.and(scope))
      .where('id', 'in', some)
      .returning(['id', 'context_id', 'metadata'])
      .execute();
    await tx
      .deleteFrom('gateway_log_bodies')
      .where((where) => where.and(scope))
      .where('id', 'in', some)
      .execute();
    await forgetEntries(tx, dialect, scope, entries);
    deleted += entries.length;
  }
  return deleted;
}

interface OldestRows {
  /** The most rows to delete. */
  limit: number;
  /** Deletes only rows with a smaller id. */
  before?: LogIdColumn;
}

/**
 * Deletes the oldest rows of a gateway, as {@link deleteEntries} does.
 * @returns the number of deleted rows
 */
export async function deleteOldest(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  { limit, before }: OldestRows,
): Promise<number> {
  await lockGateway(tx, dialect, scope);
  let oldest = tx
    .selectFrom('gateway_log_entries')
    .select('id')
    .where((where) => where.and(scope))
    .orderBy('id')
    .limit(limit);
  if (before !== undefined) oldest = oldest.where('id', '<', before);
  const last = (await oldest.execute()).at(-1);
  if (last === undefined) return 0;
  const entries = await tx
    .deleteFrom('gateway_log_entries')
    .where((where) => where.and(scope))
    .where('id', '<=', last.id)
    .returning(['id', 'context_id', 'metadata'])
    .execute();
  await tx
    .deleteFrom('gateway_log_bodies')
    .where((where) => where.and(scope))
    .where('id', '<=', last.id)
    .execute();
  await forgetEntries(tx, dialect, scope, entries);
  return entries.length;
}

/** Deletes the metadata of deleted rows, and subtracts them from the counts. */
async function forgetEntries(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  entries: readonly DeletedEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await deleteMetadata(tx, dialect, scope, entries);
  await uncountGateway(tx, scope, entries.length);
  const counts = new Map<number, number>();
  for (const { context_id: id } of entries) counts.set(id, (counts.get(id) ?? 0) + 1);
  await uncountContexts(tx, scope, counts);
}

async function uncountContexts(
  tx: Transaction,
  scope: LogScope,
  counts: ReadonlyMap<number, number>,
): Promise<void> {
  const rows = [...counts].map(
    ([id, count]) => sql`(cast(${id} as bigint), cast(${count} as bigint))`,
  );
  const inScope = sql.join(
    Object.entries(scope).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  );
  await sql`
    update gateway_log_contexts set log_count = log_count - removed.column2
    from (values ${sql.join(rows)}) as removed
    where ${inScope} and context_id = removed.column1`.execute(tx);
  await tx
    .deleteFrom('gateway_log_contexts')
    .where((where) => where.and(scope))
    .where('context_id', 'in', [...counts.keys()])
    .where('log_count', '<=', 0)
    .execute();
}

/** Deletes by the whole key, because no index leads from a row to its metadata. */
async function deleteMetadata(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  entries: readonly DeletedEntry[],
): Promise<void> {
  const pairs = entries.flatMap(({ id, metadata }) =>
    metadata === null ? [] : metadataPairsOf(metadata).map(([key, value]) => ({ key, value, id })),
  );
  if (pairs.length === 0) return;
  if (dialect.name === 'sqlite') {
    for (const { key, value, id } of pairs) {
      await sql`
        delete from gateway_log_metadata
        where gateway_key = ${(scope as { gateway_key: number }).gateway_key}
          and key = ${key} and value = ${value} and id = ${id}`.execute(tx);
    }
    return;
  }
  const { account_id: accountId, gateway_id: gatewayId } = scope as {
    account_id: string;
    gateway_id: string;
  };
  const ids = pairs.map(({ id }) => id as string).sort();
  await sql`
    delete from gateway_log_metadata as kept
    using unnest(
      ${pairs.map(({ key }) => key)}::text[],
      ${pairs.map(({ value }) => value)}::text[],
      ${pairs.map(({ id }) => id)}::uuid[]
    ) as gone (key, value, id)
    where kept.account_id = ${accountId} and kept.gateway_id = ${gatewayId}
      and kept.key = gone.key and kept.value = gone.value and kept.id = gone.id
      and kept.id between ${ids[0]} and ${ids.at(-1)}`.execute(tx);
}
