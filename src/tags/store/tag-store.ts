import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, TaggedResourcesTable, Transaction } from '../../storage/schema.ts';
import { EMPTY_ETAG } from '../write/etag.ts';
import { inChunks, pauseIfLarge } from '../write/event-loop-turns.ts';
import { foldCase } from './fold.ts';
import { type TagChange, changesBetween } from '../write/tag-changes.ts';
import { updateCounts, updateTypeCount } from './tag-counts.ts';
import {
  NO_TAGS,
  type TagMap,
  type TagSet,
  type Tags,
  parseTags,
  tagMapOf,
} from '../write/tag-set.ts';
import { valueKeyOf } from './value-key.ts';

/** Names one resource. */
export interface ResourceRef {
  accountId: string;
  type: string;
  id: string;
}

/** What is stored of a resource, apart from its identity and its tags. */
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
  /** Canonical JSON of the tags that it has now; `{}` for one that is not tagged. */
  canonicalTags: string;
  /** Undefined for a resource that is not tagged: its row is there for the lock alone. */
  etag: string | undefined;
  tagsUpdatedAtMs: number;
}

// Each attempt is lost to another transaction that has just begun or ended.
const MAX_LOCK_ATTEMPTS = 20;

/**
 * Locks a resource and reads its tags. One that is not tagged gets a row to lock: on PostgreSQL two
 * writers of a new resource would otherwise not see each other. Whoever locks must go on to
 * {@link replaceTags} or {@link unlockUntagged}, or roll back.
 * @param nextSeq makes up the place of the resource when it has none yet
 */
export async function lockResource(
  tx: Transaction,
  resource: ResourceRef,
  nextSeq: () => number,
): Promise<LockedResource> {
  for (let attempt = 1; attempt <= MAX_LOCK_ATTEMPTS; attempt++) {
    const locked =
      (await lockTagged(tx, resource)) ?? (await lockUntagged(tx, resource, nextSeq()));
    if (locked !== undefined) return locked;
  }
  throw new Error(`no lock on the resource after ${MAX_LOCK_ATTEMPTS} attempts`);
}

/** @returns undefined when the resource has no row */
async function lockTagged(
  tx: Transaction,
  resource: ResourceRef,
): Promise<LockedResource | undefined> {
  const row = await tx
    .updateTable('tagged_resources')
    // Changes nothing: it is there to lock the row and to have it returned.
    .set((set) => ({ tags_updated_at: set.ref('tags_updated_at') }))
    .where('account_id', '=', resource.accountId)
    .where('resource_id', '=', resource.id)
    .where('resource_type', '=', resource.type)
    .returning(['seq', 'tags', 'etag', 'tags_updated_at'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { seq, etag, tags, tags_updated_at: tagsUpdatedAtMs } = row;
  return { ...resource, seq, etag, canonicalTags: tags, tagsUpdatedAtMs };
}

/**
 * @returns undefined when the resource has a row by now, or when another one has the same place:
 *   both wait for the transaction that made the row, and neither fails this one
 */
async function lockUntagged(
  tx: Transaction,
  resource: ResourceRef,
  seq: number,
): Promise<LockedResource | undefined> {
  const row = await tx
    .insertInto('tagged_resources')
    .values({
      account_id: resource.accountId,
      seq,
      resource_type: resource.type,
      resource_id: resource.id,
      name: '',
      name_folded: '',
      etag: EMPTY_ETAG,
      tags_updated_at: 0,
      tags: '{}',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('seq')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { ...resource, seq, etag: undefined, canonicalTags: '{}', tagsUpdatedAtMs: 0 };
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
  facts: ResourceFacts,
  { tags, byKey, canonical, etag }: TagSet,
  nowMs: number,
): Promise<TaggedResource> {
  const { accountId, type, id, seq } = locked;
  // The version of a tag set never goes back, not even when the clock does.
  const tagsUpdatedAtMs = Math.max(nowMs, locked.tagsUpdatedAtMs);
  if (byKey.size === 0) {
    await deleteResourceRow(tx, locked);
  } else {
    await tx
      .updateTable('tagged_resources')
      .set({
        name: facts.name,
        name_folded: foldCase(facts.name),
        etag,
        tags_updated_at: tagsUpdatedAtMs,
        worker_id: facts.workerId ?? null,
        zone_id: facts.zoneId ?? null,
        access_application_id: facts.accessApplicationId ?? null,
        tags: canonical,
      })
      .where('account_id', '=', accountId)
      .where('seq', '=', seq)
      .execute();
  }
  if (canonical !== locked.canonicalTags) {
    await pauseIfLarge(byKey.size);
    await changeTags(tx, locked, tagMapOf(parseTags(locked.canonicalTags)), byKey);
  }
  return { accountId, type, id, ...facts, tags, etag, tagsUpdatedAtMs };
}

/** Brings what is searched and counted from the tags that a resource had to those that it gets. */
async function changeTags(
  tx: Transaction,
  resource: { accountId: string; type: string; seq: number },
  before: TagMap,
  after: TagMap,
): Promise<void> {
  await pauseIfLarge(before.size + after.size);
  const changes = changesBetween(before, after);
  for await (const chunk of inChunks(changes)) await changeTagRows(tx, resource, chunk);
  await updateCounts(tx, resource, changes);
  const isTagged = after.size > 0 ? 1 : 0;
  const wasTagged = before.size > 0 ? 1 : 0;
  if (isTagged !== wasTagged) await updateTypeCount(tx, resource, isTagged - wasTagged);
}

async function changeTagRows(
  tx: Transaction,
  { accountId, seq }: { accountId: string; seq: number },
  changes: readonly TagChange[],
): Promise<void> {
  const gone: string[] = [];
  const rows: RawBuilder<unknown>[] = [];
  for (const { key, after } of changes) {
    if (after === undefined) gone.push(key);
    else rows.push(sql`(${accountId}, ${seq}, ${key}, ${valueKeyOf(after)})`);
  }
  if (gone.length > 0) {
    await tx
      .deleteFrom('resource_tags')
      .where('account_id', '=', accountId)
      .where('seq', '=', seq)
      .where('key', 'in', gone)
      .execute();
  }
  // As text, like the counts: for many rows the query builder takes as long as the database.
  if (rows.length > 0) {
    await sql`insert into resource_tags (account_id, seq, key, value_key) values ${sql.join(rows)}
      on conflict (account_id, seq, key) do update set value_key = excluded.value_key`.execute(tx);
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
  await changeTags(tx, { ...resource, seq: row.seq }, tagMapOf(deleted.tags), NO_TAGS);
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
