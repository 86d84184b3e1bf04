import { type Selectable, sql } from 'kysely';
import type { Db, TaggedResourcesTable, Transaction } from '../storage/schema.ts';
import { EMPTY_ETAG, etagOf } from './etag.ts';
import { foldCase } from './fold.ts';
import { inChunks, updateCounts } from './tag-counts.ts';
import { NO_TAGS, type TagMap, type Tags, canonicalTags, parseTags, tagMapOf } from './tag-set.ts';
import { valueKeyOf } from './value-key.ts';

/** Names one resource. */
export interface ResourceRef {
  accountId: string;
  type: string;
  id: string;
}

/** What a set operation stores of a resource, apart from its identity. */
export interface ResourceContent {
  name: string;
  tags: Tags;
  workerId: string | undefined;
  zoneId: string | undefined;
  accessApplicationId: string | undefined;
}

/** A resource with its tags. */
export interface TaggedResource extends ResourceRef, ResourceContent {
  etag: string;
  tagsUpdatedAtMs: number;
}

function fromRow(row: Selectable<TaggedResourcesTable>): TaggedResource {
  return {
    accountId: row.account_id,
    type: row.resource_type,
    id: row.resource_id,
    name: row.name,
    tags: parseTags(row.tags),
    etag: row.etag,
    tagsUpdatedAtMs: row.tags_updated_at,
    workerId: row.worker_id ?? undefined,
    zoneId: row.zone_id ?? undefined,
    accessApplicationId: row.access_application_id ?? undefined,
  };
}

/** One tagged resource. Uses `tagged_resources_resource`. */
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

/** How long the tags of these resources are, in list order, without reading them. Uses the primary key. */
export async function tagSizes(
  db: Db,
  accountId: string,
  seqs: readonly number[],
): Promise<{ seq: number; bytes: number }[]> {
  if (seqs.length === 0) return [];
  return db
    .selectFrom('tagged_resources')
    .select(['seq', sql<number>`octet_length(tags)`.as('bytes')])
    .where('account_id', '=', accountId)
    .where('seq', 'in', seqs)
    .orderBy('seq')
    .execute();
}

/** These resources in list order. Uses the primary key. */
export async function findTaggedResources(
  db: Db,
  accountId: string,
  seqs: readonly number[],
): Promise<TaggedResource[]> {
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

/** A resource that no other transaction can tag, or untag, until this one has ended. */
export interface LockedResource extends ResourceRef {
  seq: number;
  /** The tags that it has now; empty for one that is not tagged. */
  tags: TagMap;
  /** Undefined for a resource that is not tagged: its row is there for the lock alone. */
  etag: string | undefined;
  tagsUpdatedAtMs: number;
}

/**
 * Locks a resource and reads its tags. The upsert locks whether the row is there or not: on
 * PostgreSQL two writers of a new resource would otherwise not see each other. Whoever locks must
 * go on to {@link replaceTags} or {@link unlockUntagged}, or roll back.
 * @param newSeq the place of the resource when it has none yet
 */
export async function lockResource(
  tx: Transaction,
  resource: ResourceRef,
  newSeq: number,
): Promise<LockedResource> {
  const row = await tx
    .insertInto('tagged_resources')
    .values({
      account_id: resource.accountId,
      seq: newSeq,
      resource_type: resource.type,
      resource_id: resource.id,
      name: '',
      name_folded: '',
      etag: EMPTY_ETAG,
      tags_updated_at: 0,
      worker_id: null,
      zone_id: null,
      access_application_id: null,
      tags: '{}',
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'resource_id', 'resource_type'])
        // Changes nothing: it is there to lock the row and to have it returned.
        .doUpdateSet((set) => ({ tags_updated_at: set.ref('tagged_resources.tags_updated_at') })),
    )
    .returning(['seq', 'tags', 'etag', 'tags_updated_at'])
    .executeTakeFirstOrThrow();
  const isTagged = row.seq !== newSeq;
  return {
    accountId: resource.accountId,
    type: resource.type,
    id: resource.id,
    seq: row.seq,
    tags: tagMapOf(parseTags(row.tags)),
    etag: isTagged ? row.etag : undefined,
    tagsUpdatedAtMs: row.tags_updated_at,
  };
}

/** Removes the row that only locked a resource without tags. */
export async function unlockUntagged(tx: Transaction, resource: LockedResource): Promise<void> {
  await deleteResourceRow(tx, resource);
}

/**
 * Replaces all that is stored of a resource. Without tags it counts as never tagged, so its row goes.
 * @returns what is stored now
 */
export async function replaceTags(
  tx: Transaction,
  locked: LockedResource,
  content: ResourceContent,
  nowMs: number,
): Promise<TaggedResource> {
  const { accountId, type, id, seq } = locked;
  const canonical = canonicalTags(content.tags);
  const etag = etagOf(canonical);
  // The version of a tag set never goes back, not even when the clock does.
  const tagsUpdatedAtMs = Math.max(nowMs, locked.tagsUpdatedAtMs);
  const after = tagMapOf(content.tags);
  if (after.size === 0) {
    await deleteResourceRow(tx, locked);
  } else {
    await tx
      .updateTable('tagged_resources')
      .set({
        name: content.name,
        name_folded: foldCase(content.name),
        etag,
        tags_updated_at: tagsUpdatedAtMs,
        worker_id: content.workerId ?? null,
        zone_id: content.zoneId ?? null,
        access_application_id: content.accessApplicationId ?? null,
        tags: canonical,
      })
      .where('account_id', '=', accountId)
      .where('seq', '=', seq)
      .execute();
  }
  await replaceTagRows(tx, locked, after);
  await updateCounts(tx, locked, locked.tags, after);
  return { accountId, type, id, ...content, etag, tagsUpdatedAtMs };
}

/** Brings the searchable rows from the tags that the resource has to those that it gets. */
async function replaceTagRows(
  tx: Transaction,
  locked: LockedResource,
  after: TagMap,
): Promise<void> {
  const gone = [...locked.tags.keys()].filter((key) => !after.has(key));
  for await (const keys of inChunks(gone)) {
    await tx
      .deleteFrom('resource_tags')
      .where('account_id', '=', locked.accountId)
      .where('seq', '=', locked.seq)
      .where('key', 'in', keys)
      .execute();
  }
  const changed = [...after].filter(([key, value]) => locked.tags.get(key) !== value);
  for await (const tags of inChunks(changed)) {
    await tx
      .insertInto('resource_tags')
      .values(
        tags.map(([key, value]) => ({
          account_id: locked.accountId,
          seq: locked.seq,
          key,
          value_key: valueKeyOf(value),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'seq', 'key'])
          .doUpdateSet((set) => ({ value_key: set.ref('excluded.value_key') })),
      )
      .execute();
  }
}

async function deleteResourceRow(
  tx: Transaction,
  { accountId, seq }: { accountId: string; seq: number },
): Promise<void> {
  await tx
    .deleteFrom('tagged_resources')
    .where('account_id', '=', accountId)
    .where('seq', '=', seq)
    .execute();
}

/**
 * Removes the tags of one resource.
 * @returns what the resource was, or undefined when it had no tags
 */
export async function deleteTags(
  tx: Transaction,
  resource: ResourceRef,
): Promise<TaggedResource | undefined> {
  const row = await tx
    .deleteFrom('tagged_resources')
    .where('account_id', '=', resource.accountId)
    .where('resource_id', '=', resource.id)
    .where('resource_type', '=', resource.type)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const deleted = fromRow(row);
  const locked = { ...deleted, seq: row.seq, tags: tagMapOf(deleted.tags) };
  await replaceTagRows(tx, locked, NO_TAGS);
  await updateCounts(tx, resource, locked.tags, NO_TAGS);
  return deleted;
}

/** The new name of a resource that has tags. */
export async function renameTaggedResource(
  tx: Transaction,
  { accountId, seq }: LockedResource,
  name: string,
): Promise<void> {
  await tx
    .updateTable('tagged_resources')
    .set({ name, name_folded: foldCase(name) })
    .where('account_id', '=', accountId)
    .where('seq', '=', seq)
    .execute();
}
