import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Transaction } from '../storage/schema.ts';
import { foldCase } from './fold.ts';
import type { TagMap } from './tag-set.ts';
import { valueKeyOf } from './value-key.ts';

/** Rows that one statement writes; between statements the event loop gets its turn. */
export const ROWS_PER_STATEMENT = 100;

/** The rows in groups that one statement takes. Only a set of very many tags has a second one. */
export async function* inChunks<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    if (start > 0) await yieldToEventLoop();
    yield rows.slice(start, start + ROWS_PER_STATEMENT);
  }
}

interface KeyChange {
  key: string;
  by: 1 | -1;
}

interface ValueChange extends KeyChange {
  value: string;
}

/** What of the counts changes when one resource's tags go from `before` to `after`. */
function changesOf(before: TagMap, after: TagMap): { keys: KeyChange[]; values: ValueChange[] } {
  const keys: KeyChange[] = [];
  const values: ValueChange[] = [];
  for (const [key, value] of before) {
    if (!after.has(key)) keys.push({ key, by: -1 });
    if (after.get(key) !== value) values.push({ key, value, by: -1 });
  }
  for (const [key, value] of after) {
    if (!before.has(key)) keys.push({ key, by: 1 });
    if (before.get(key) !== value) values.push({ key, value, by: 1 });
  }
  // Every transaction locks count rows in the same order, so that none waits for another in a circle.
  keys.sort((a, b) => compare(a.key, b.key));
  values.sort((a, b) => compare(a.key, b.key) || compare(a.value, b.value));
  return { keys, values };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Keeps the counts true to a change of one resource's tags; part of the change's transaction. */
export async function updateCounts(
  tx: Transaction,
  resource: { accountId: string; type: string },
  before: TagMap,
  after: TagMap,
): Promise<void> {
  const { keys, values } = changesOf(before, after);
  for await (const chunk of inChunks(values)) await updateValueCounts(tx, resource, chunk);
  for await (const chunk of inChunks(keys)) await updateKeyCounts(tx, resource, chunk);
  const isTagged = after.size > 0 ? 1 : 0;
  const wasTagged = before.size > 0 ? 1 : 0;
  if (isTagged !== wasTagged) await updateTypeCount(tx, resource, isTagged - wasTagged);
}

async function updateValueCounts(
  tx: Transaction,
  resource: { accountId: string; type: string },
  changes: readonly ValueChange[],
): Promise<void> {
  const rows = await tx
    .insertInto('tag_values')
    .values(
      changes.map(({ key, value, by }) => ({
        account_id: resource.accountId,
        key,
        value_key: valueKeyOf(value),
        resource_type: resource.type,
        value,
        key_folded: foldCase(key),
        value_folded: valueKeyOf(foldCase(value)),
        resource_count: by,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'key', 'value_key', 'resource_type']).doUpdateSet({
        resource_count: sql`tag_values.resource_count + excluded.resource_count`,
      }),
    )
    .returning(['key', 'value_key', 'resource_count'])
    .execute();
  const unused = rows.filter((row) => row.resource_count === 0);
  if (unused.length === 0) return;
  const unusedPairs = sql.join(unused.map((row) => sql`(${row.key}, ${row.value_key})`));
  await tx
    .deleteFrom('tag_values')
    .where('account_id', '=', resource.accountId)
    .where('resource_type', '=', resource.type)
    .where(sql<boolean>`(key, value_key) in (values ${unusedPairs})`)
    .execute();
}

async function updateKeyCounts(
  tx: Transaction,
  resource: { accountId: string; type: string },
  changes: readonly KeyChange[],
): Promise<void> {
  const rows = await tx
    .insertInto('tag_keys')
    .values(
      changes.map(({ key, by }) => ({
        account_id: resource.accountId,
        key,
        resource_type: resource.type,
        key_folded: foldCase(key),
        resource_count: by,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'key', 'resource_type']).doUpdateSet({
        resource_count: sql`tag_keys.resource_count + excluded.resource_count`,
      }),
    )
    .returning(['key', 'resource_count'])
    .execute();
  const unused = rows.filter((row) => row.resource_count === 0).map((row) => row.key);
  if (unused.length === 0) return;
  await tx
    .deleteFrom('tag_keys')
    .where('account_id', '=', resource.accountId)
    .where('resource_type', '=', resource.type)
    .where('key', 'in', unused)
    .execute();
}

async function updateTypeCount(
  tx: Transaction,
  resource: { accountId: string; type: string },
  by: number,
): Promise<void> {
  const { accountId, type } = resource;
  const row = await tx
    .insertInto('tagged_types')
    .values({ account_id: accountId, resource_type: type, resource_count: by })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'resource_type']).doUpdateSet({
        resource_count: sql`tagged_types.resource_count + excluded.resource_count`,
      }),
    )
    .returning('resource_count')
    .executeTakeFirstOrThrow();
  if (row.resource_count !== 0) return;
  await tx
    .deleteFrom('tagged_types')
    .where('account_id', '=', accountId)
    .where('resource_type', '=', type)
    .execute();
}
