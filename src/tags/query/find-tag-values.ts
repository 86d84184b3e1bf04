import type { OwnResource } from '../../iam/own-resources.ts';
import type { Db } from '../../storage/schema.ts';
import { inChunks } from '../event-loop-turns.ts';
import { RESOURCES_PER_STATEMENT, readResources } from './read-resources.ts';

/**
 * The values of one key on resources of one type, by the resource's id. Uses `tagged_resources_by_id`
 * and the primary key.
 */
export async function findTagValues(
  db: Db,
  accountId: string,
  type: string,
  ids: readonly string[],
  key: string,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for await (const some of inChunks(ids, RESOURCES_PER_STATEMENT)) {
    const places = await db
      .selectFrom('tagged_resources')
      .select('seq')
      .where('account_id', '=', accountId)
      .where('resource_id', 'in', some)
      .where('resource_type', '=', type)
      .execute();
    const seqs = places.map(({ seq }) => seq);
    if (seqs.length === 0) continue;
    for await (const found of readResources(db, accountId, seqs)) {
      for (const { resource } of found) {
        // A key such as `constructor` is there only when it is the resource's own.
        const value = Object.hasOwn(resource.tags, key) ? resource.tags[key] : undefined;
        if (value !== undefined) values.set(resource.id, value);
      }
    }
  }
  return values;
}

/** The tags of one resource; none for a resource without tags. */
export async function findTags(
  db: Db,
  { accountId, type, id }: OwnResource,
): Promise<Readonly<Record<string, string>>> {
  const place = await db
    .selectFrom('tagged_resources')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('resource_id', '=', id)
    .where('resource_type', '=', type)
    .executeTakeFirst();
  if (place === undefined) return {};
  for await (const found of readResources(db, accountId, [place.seq])) {
    for (const { resource } of found) return resource.tags;
  }
  return {};
}
