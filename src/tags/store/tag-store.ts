import { type Selectable, sql } from 'kysely';
import { PARAMETER, RowStatement } from '../../storage/row-statement.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { TaggedResourcesTable } from '../../storage/tag-tables.ts';
import { inChunks, inSizedChunks } from '../event-loop-turns.ts';
import { foldCase } from './fold.ts';
import { TagSet, type Tags, parseTags } from '../tag-set/tag-set.ts';

/** Names one resource. */
export interface ResourceRef {
  accountId: string;
  type: string;
  id: string;
}

/** The stored attributes of a resource, besides its identity and tags. */
export interface ResourceFacts {
  name: string;
  workerId: string | undefined;
  zoneId: string | undefined;
  accessApplicationId: string | undefined;
}

/** A resource with its tags. */
export interface TaggedResource extends ResourceRef, ResourceFacts {
  tags: Tags;
  etag: string;
  tagsUpdatedAtMs: number;
}

/** A resource in a list. */
export interface PlacedResource extends TaggedResource {
  /** Its position in every list. */
  seq: number;
}

function factsOf(
  row: Pick<
    Selectable<TaggedResourcesTable>,
    'name' | 'worker_id' | 'zone_id' | 'access_application_id'
  >,
): ResourceFacts {
  return {
    name: row.name,
    workerId: row.worker_id ?? undefined,
    zoneId: row.zone_id ?? undefined,
    accessApplicationId: row.access_application_id ?? undefined,
  };
}

/** Converts a stored row. */
export function fromRow(
  row: Omit<Selectable<TaggedResourcesTable>, 'name_folded'>,
): PlacedResource {
  return {
    accountId: row.account_id,
    seq: row.seq,
    type: row.resource_type,
    id: row.resource_id,
    ...factsOf(row),
    tags: parseTags(row.tags),
    etag: row.etag,
    tagsUpdatedAtMs: row.tags_updated_at,
  };
}

/** Returns a tagged resource. Uses `tagged_resources_by_id`. */
export async function findTaggedResource(
  db: Db,
  resource: ResourceRef,
): Promise<TaggedResource | undefined> {
  const row = await db
    .selectFrom('tagged_resources')
    .selectAll()
    .where('account_id', '=', resource.accountId)
    .where('resource_id', '=', resource.id)
    .where('resource_type', '=', resource.type)
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** Returns the accounts in which a resource has tags. Uses `tagged_resources_by_id`. */
export async function accountsWithTags(
  db: Db,
  accountIds: readonly string[],
  { type, id }: { type: string; id: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('tagged_resources')
    .select('account_id')
    .where('account_id', 'in', accountIds)
    .where('resource_id', '=', id)
    .where('resource_type', '=', type)
    .execute();
  return rows.map((row) => row.account_id);
}

/** Returns resources in list order. Uses the primary key. */
export async function findTaggedResources(
  db: Db,
  accountId: string,
  seqs: readonly number[],
): Promise<PlacedResource[]> {
  if (seqs.length === 0) return [];
  const rows = await db
    .selectFrom('tagged_resources')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('seq', 'in', seqs)
    .orderBy('seq')
    .execute();
  return rows.map(fromRow);
}

/** A stored resource, as changes need it. */
export interface StoredResource extends ResourceFacts {
  seq: number;
  tagSet: TagSet;
  tagsUpdatedAtMs: number;
}

/** Returns a unique key of a resource within its account. */
export function resourceKey({ type, id }: { type: string; id: string }): string {
  // Ids contain no NUL.
  return `${type}\0${id}`;
}

// One statement reads a hundred short sets. Longer sets are read one by one.
export const MAX_SHORT_TAGS_BYTES = 8_192;
// The memory is about ten times as large.
const MAX_LONG_TAGS_BYTES = 4 * 1024 * 1024;

type StoredRow = Omit<Selectable<TaggedResourcesTable>, 'tags'> & {
  /** Null: long tags. */
  tags: string | null;
  bytes: number;
};

/**
 * What is stored of the resources that writes are to, by {@link resourceKey}; none of those without tags.
 * Uses `tagged_resources_by_id`.
 * @param writes one of several to a resource counts as much as one to another: each makes a set of its own
 * @param maxLongBytes of the long sets of several writes together
 * @returns undefined when these have more, or more than there is memory for
 */
export async function loadResources(
  db: Db,
  accountId: string,
  writes: readonly { readonly resource: ResourceRef }[],
  maxLongBytes: number,
): Promise<Map<string, StoredResource> | undefined> {
  const written = writes.map(({ resource }) => resourceKey(resource));
  const resources = new Map(writes.map(({ resource }, index) => [written[index], resource]));
  const found = new Map<string, StoredRow>();
  for await (const chunk of inChunks([...resources.values()])) {
    for (const row of await findStoredRows(db, accountId, chunk)) found.set(keyOf(row), row);
  }
  const longBytesOf = (keys: Iterable<string>): number =>
    [...keys].reduce((sum, key) => sum + longBytes(found.get(key)), 0);
  if (written.length > 1 && longBytesOf(written) > maxLongBytes) return undefined;
  if (found.size > 1 && longBytesOf(found.keys()) > MAX_LONG_TAGS_BYTES) return undefined;
  const stored = new Map<string, StoredResource>();
  for (const [key, row] of found) {
    const tags = row.tags ?? (await readTags(db, accountId, row.seq));
    stored.set(key, {
      ...factsOf(row),
      seq: row.seq,
      tagSet: new TagSet(tags, row.etag),
      tagsUpdatedAtMs: row.tags_updated_at,
    });
  }
  return stored;
}

function keyOf({ resource_type: type, resource_id: id }: StoredRow): string {
  return resourceKey({ type, id });
}

function longBytes(row: StoredRow | undefined): number {
  return row?.tags === null ? row.bytes : 0;
}

const findStored = new RowStatement<StoredRow>(
  2,
  (rows) => sql`
    select seq, resource_type, resource_id, name, etag, tags_updated_at, worker_id, zone_id,
      access_application_id, octet_length(tags) as bytes,
      case when octet_length(tags) <= ${sql.lit(MAX_SHORT_TAGS_BYTES)} then tags end as tags
    from tagged_resources
    where account_id = ${PARAMETER} and (resource_id, resource_type) in (values ${rows})`,
);

function findStoredRows(
  db: Db,
  accountId: string,
  resources: readonly ResourceRef[],
): Promise<StoredRow[]> {
  const named = resources.map(({ type, id }) => [id, type]);
  return findStored.run(db, named, [accountId]);
}

const findSizes = new RowStatement<{ type: string; id: string; bytes: number }>(
  2,
  (rows) => sql`
    select resource_type as type, resource_id as id, octet_length(tags) as bytes
    from tagged_resources
    where account_id = ${PARAMETER} and octet_length(tags) > ${PARAMETER}
      and (resource_id, resource_type) in (values ${rows})`,
);

/**
 * How many bytes the tags of these resources have, by {@link resourceKey}; none of those that have no
 * more than `above`. Uses `tagged_resources_by_id`.
 */
export async function findSetSizes(
  db: Db,
  accountId: string,
  resources: readonly ResourceRef[],
  above = 0,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const chunk of inChunks(resources)) {
    const named = chunk.map(({ type, id }) => [id, type]);
    const rows = await findSizes.run(db, named, [accountId, above]);
    for (const { type, id, bytes } of rows) sizes.set(resourceKey({ type, id }), bytes);
  }
  return sizes;
}

async function readTags(db: Db, accountId: string, seq: number): Promise<string> {
  const row = await db
    .selectFrom('tagged_resources')
    .select('tags')
    .where('account_id', '=', accountId)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow();
  return row.tags;
}

// A statement of so many characters takes a few ms on the embedded database.
const MAX_CHARACTERS_PER_STATEMENT = 128 * 1_024;

const storeRows = new RowStatement(
  12,
  (rows) => sql`insert into tagged_resources (account_id, seq, resource_type, resource_id, name,
      name_folded, etag, tags_updated_at, worker_id, zone_id, access_application_id, tags)
    values ${rows}
    on conflict (account_id, seq) do update set name = excluded.name,
      name_folded = excluded.name_folded, etag = excluded.etag,
      tags_updated_at = excluded.tags_updated_at, worker_id = excluded.worker_id,
      zone_id = excluded.zone_id, access_application_id = excluded.access_application_id,
      tags = excluded.tags`,
);

/** Stores these resources, new ones or others than before in their places. */
export async function storeResources(
  tx: Transaction,
  accountId: string,
  resources: readonly (ResourceRef & StoredResource)[],
): Promise<void> {
  const chunks = inSizedChunks(
    resources,
    ({ tagSet }) => tagSet.canonical.length,
    MAX_CHARACTERS_PER_STATEMENT,
  );
  for await (const chunk of chunks) {
    const rows = chunk.map(({ seq, type, id, name, tagSet, tagsUpdatedAtMs, ...facts }) => [
      accountId,
      seq,
      type,
      id,
      name,
      foldCase(name),
      tagSet.etag,
      tagsUpdatedAtMs,
      facts.workerId ?? null,
      facts.zoneId ?? null,
      facts.accessApplicationId ?? null,
      tagSet.canonical,
    ]);
    await storeRows.run(tx, rows);
  }
}

/** Removes the resources at these places. */
export async function removeResources(
  tx: Transaction,
  accountId: string,
  seqs: readonly number[],
): Promise<void> {
  for await (const chunk of inChunks(seqs)) {
    await tx
      .deleteFrom('tagged_resources')
      .where('account_id', '=', accountId)
      .where('seq', 'in', chunk)
      .execute();
  }
}

/** The new name of a resource, if it has tags; nothing else of it changes. */
export async function renameTaggedResource(
  tx: Transaction,
  { accountId, type, id }: ResourceRef,
  name: string,
): Promise<void> {
  await tx
    .updateTable('tagged_resources')
    .set({ name, name_folded: foldCase(name) })
    .where('account_id', '=', accountId)
    .where('resource_id', '=', id)
    .where('resource_type', '=', type)
    .execute();
}
