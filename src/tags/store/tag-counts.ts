import { sql } from 'kysely';
import type { Transaction } from '../../storage/schema.ts';
import { inChunks } from '../write/event-loop-turns.ts';
import { foldCase } from './fold.ts';
import { type TagChange, compareText } from '../write/tag-changes.ts';
import { valueKeyOf } from './value-key.ts';

// Every transaction locks count rows in the same order, so that none waits for another in a circle:
// values before keys before types, each of them sorted.

/**
 * Keeps the counts of keys and values true to a change of one resource's tags; part of the change's
 * transaction.
 * @param changes by key
 */
export async function updateCounts(
  tx: Transaction,
  resource: { accountId: string; type: string },
  changes: readonly TagChange[],
): Promise<void> {
  for await (const chunk of inChunks(changes)) await updateValueCounts(tx, resource, chunk);
  const keys = changes.filter(({ before, after }) => before === undefined || after === undefined);
  for await (const chunk of inChunks(keys)) await updateKeyCounts(tx, resource, chunk);
}

interface ValueChange {
  key: string;
  value: string;
  by: 1 | -1;
}

/** A value that a key no longer has and the one that it has now, in the order of all locks. */
function valueChangesOf({ key, before, after }: TagChange): ValueChange[] {
  const changes: ValueChange[] = [];
  if (before !== undefined) changes.push({ key, value: before, by: -1 });
  if (after !== undefined) changes.push({ key, value: after, by: 1 });
  return changes.sort((a, b) => compareText(a.value, b.value));
}

async function updateValueCounts(
  tx: Transaction,
  { accountId, type }: { accountId: string; type: string },
  changes: readonly TagChange[],
): Promise<void> {
  const values = changes.flatMap(valueChangesOf).map(
    ({ key, value, by }) =>
      sql`(${accountId}, ${key}, ${valueKeyOf(value)}, ${type}, ${value}, ${foldCase(key)},
        ${valueKeyOf(foldCase(value))}, ${by})`,
  );
  // As text, like the keys and the tags themselves: the query builder takes three times as long.
  const { rows } = await sql<{ key: string; value_key: string; resource_count: number }>`
    insert into tag_values (account_id, key, value_key, resource_type, value, key_folded,
      value_folded, resource_count)
    values ${sql.join(values)}
    on conflict (account_id, key, value_key, resource_type)
    do update set resource_count = tag_values.resource_count + excluded.resource_count
    returning key, value_key, resource_count`.execute(tx);
  const unused = rows.filter((row) => row.resource_count === 0);
  if (unused.length === 0) return;
  const unusedPairs = sql.join(unused.map((row) => sql`(${row.key}, ${row.value_key})`));
  await sql`delete from tag_values where account_id = ${accountId} and resource_type = ${type}
    and (key, value_key) in (values ${unusedPairs})`.execute(tx);
}

async function updateKeyCounts(
  tx: Transaction,
  { accountId, type }: { accountId: string; type: string },
  changes: readonly TagChange[],
): Promise<void> {
  const values = changes.map(
    ({ key, after }) =>
      sql`(${accountId}, ${key}, ${type}, ${foldCase(key)}, ${after === undefined ? -1 : 1})`,
  );
  const { rows } = await sql<{ key: string; resource_count: number }>`
    insert into tag_keys (account_id, key, resource_type, key_folded, resource_count)
    values ${sql.join(values)}
    on conflict (account_id, key, resource_type)
    do update set resource_count = tag_keys.resource_count + excluded.resource_count
    returning key, resource_count`.execute(tx);
  const unused = rows.filter((row) => row.resource_count === 0).map((row) => row.key);
  if (unused.length === 0) return;
  await tx
    .deleteFrom('tag_keys')
    .where('account_id', '=', accountId)
    .where('resource_type', '=', type)
    .where('key', 'in', unused)
    .execute();
}

/** Keeps the count of tagged resources of a type true; part of the change's transaction. */
export async function updateTypeCount(
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
