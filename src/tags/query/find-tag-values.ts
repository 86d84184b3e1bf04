import type { Db } from '../../storage/schema.ts';
import { inChunks } from '../write/event-loop-turns.ts';

/**
 * The values of one key on resources of one type, by the resource's id. Uses `tagged_resources_resource`
 * and the primary keys of `resource_tags` and `tag_values`.
 */
export async function findTagValues(
  db: Db,
  accountId: string,
  type: string,
  ids: readonly string[],
  key: string,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for await (const some of inChunks(ids)) {
    const resources = await db
      .selectFrom('tagged_resources')
      .select(['seq', 'resource_id'])
      .where('account_id', '=', accountId)
      .where('resource_id', 'in', some)
      .where('resource_type', '=', type)
      .execute();
    const idOf = new Map(resources.map(({ seq, resource_id: id }) => [seq, id]));
    // One statement for both would begin with all resources that have the key, whatever their type.
    for (const { seq, value } of await valuesOf(db, accountId, type, [...idOf.keys()], key)) {
      const id = idOf.get(seq);
      if (id !== undefined) values.set(id, value);
    }
  }
  return values;
}

/** The text of a value is with the values in use; a resource's row has only what stands for it. */
async function valuesOf(
  db: Db,
  accountId: string,
  type: string,
  seqs: readonly number[],
  key: string,
): Promise<{ seq: number; value: string }[]> {
  if (seqs.length === 0) return [];
  return db
    .selectFrom('resource_tags as tag')
    .innerJoin('tag_values as known', (join) =>
      join
        .onRef('known.account_id', '=', 'tag.account_id')
        .onRef('known.key', '=', 'tag.key')
        .onRef('known.value_key', '=', 'tag.value_key')
        .on('known.resource_type', '=', type),
    )
    .select(['tag.seq', 'known.value'])
    .where('tag.account_id', '=', accountId)
    .where('tag.seq', 'in', seqs)
    .where('tag.key', '=', key)
    .execute();
}
