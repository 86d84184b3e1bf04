import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import type { Selectable } from 'kysely';
import { BLOCK_PLACES, BitBlock } from '../../src/lib/bit-block.ts';
import type { Db } from '../../src/storage/schema.ts';
import type { TagChangesTable, TaggedResourcesTable } from '../../src/storage/tag-tables.ts';
import { foldCase } from '../../src/tags/store/fold.ts';
import { valueKeyOf } from '../../src/tags/store/value-key.ts';
import { etagOf } from '../../src/tags/tag-set/etag.ts';
import type { Answer, TestServer } from '../support/server.ts';

/** The tag operations of one server, as the tests call them. */
export interface Tagging {
  /** Sets tags and demands that it works. */
  put(type: string, id: string, tags: Tags, more?: Record<string, unknown>): Promise<Answer>;
  /** Changes some tags, null removes one, and demands that it works. */
  patch(type: string, id: string, tags: Record<string, string | null>): Promise<Answer>;
  get(type: string, id: string): Promise<Answer>;
  /** Makes operations of POST /tags/bulk, any number of them, and demands that each works. */
  bulk(operations: readonly Operation[]): Promise<void>;
  remove(type: string, id: string): Promise<Answer>;
  /** One page of a list below `/tags`, such as `resources?tag=env`. */
  list(path: string): Promise<Answer>;
  /** Every item of a list, by all of its pages. */
  all<T>(path: string): Promise<T[]>;
  /** Ids of the resources that match, in list order. */
  ids(...parameters: [string, string][]): Promise<string[]>;
  /** Removes the tags of every resource. */
  clear(): Promise<void>;
}

export type Tags = Record<string, string>;

/** An operation of POST /tags/bulk. */
export interface Operation {
  op: 'put' | 'patch' | 'delete';
  resource_type: string;
  resource_id: string;
  tags?: Record<string, string | null>;
  name?: string;
}

const MAX_OPERATIONS = 1_000;

export function createTagging(server: TestServer): Tagging {
  const path = `${server.account}/tags`;
  const tagging: Tagging = {
    async put(type, id, tags, more = {}) {
      const body = { resource_type: type, resource_id: id, tags, ...more };
      const answer = await server.call('PUT', path, { body });
      assert.equal(answer.status, 200, answer.text);
      return answer;
    },
    async patch(type, id, tags) {
      const body = { resource_type: type, resource_id: id, tags };
      const answer = await server.call('PATCH', path, { body });
      assert.equal(answer.status, 200, answer.text);
      return answer;
    },
    get: (type, id) =>
      server.call('GET', `${path}?${query(['resource_type', type], ['resource_id', id])}`),
    remove: (type, id) =>
      server.call('DELETE', path, { body: { resource_type: type, resource_id: id } }),
    list: (rest) => server.call('GET', `${path}/${rest}`),
    async all<T>(rest: string) {
      const items: T[] = [];
      const separator = rest.includes('?') ? '&' : '?';
      for (let cursor: string | undefined, pages = 0; pages < 1_000; pages++) {
        const page = cursor === undefined ? '' : `${separator}${query(['cursor', cursor])}`;
        const answer = await tagging.list(rest + page);
        assert.equal(answer.status, 200, answer.text);
        const { result, result_info: info } = answer.json;
        assert.equal(info.count, result.length);
        assert.equal(info.cursor, info.cursors?.after);
        items.push(...(result as T[]));
        cursor = info.cursor;
        if (cursor === undefined) return items;
        assert.notEqual(result.length, 0, 'an empty page with a cursor');
      }
      throw new Error('the list has no end');
    },
    async ids(...parameters) {
      const found = await tagging.all<{ id: string }>(`resources?${query(...parameters)}`);
      return found.map(({ id }) => id);
    },
    async bulk(operations) {
      for (let start = 0; start < operations.length; start += MAX_OPERATIONS) {
        const some = operations.slice(start, start + MAX_OPERATIONS);
        const answer = await server.call('POST', `${path}/bulk`, { body: { operations: some } });
        assert.equal(answer.json?.result?.failed, 0, answer.text);
      }
    },
    async clear() {
      const tagged = await tagging.all<{ type: string; id: string }>('resources?limit=1000');
      await tagging.bulk(
        tagged.map(({ type, id }) => ({ op: 'delete', resource_type: type, resource_id: id })),
      );
    },
  };
  return tagging;
}

export function query(...parameters: [string, string][]): string {
  return new URLSearchParams(parameters).toString();
}

type ResourceRow = Selectable<TaggedResourcesTable>;
type ChangeRow = Selectable<TagChangesTable>;

/**
 * Demands that everything kept for searching, counting and following agrees with the tags of the
 * resources: the sets of resources, the counts of keys, values and types, the heads, the changes.
 * @param isFeedWhole whether every tag is the result of changes that are still there: none was purged,
 *   and no row was written by the test itself
 */
export async function assertBooksAgree(
  { app }: { app: { database: { read: Db } } },
  { isFeedWhole = true } = {},
): Promise<void> {
  const db = app.database.read;
  const resources = await db.selectFrom('tagged_resources').selectAll().execute();
  const changes = await db.selectFrom('tag_changes').selectAll().orderBy('position').execute();
  resources.forEach(assertResource);
  assertSame(await storedSets(db), setsOf(resources));
  assertSame(await storedCounts(db), countsOf(resources));
  await assertHeads(db, resources, changes);
  assertFeed(resources, changes, isFeedWhole);
}

/** One by one: to show how two large maps differ takes minutes. */
function assertSame<T>(actual: ReadonlyMap<string, T>, expected: ReadonlyMap<string, T>): void {
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    const message = `${name}: ${String(actual.get(name))} is not ${String(expected.get(name))}`;
    assert.ok(isDeepStrictEqual(actual.get(name), expected.get(name)), message.slice(0, 2_000));
  }
}

const nameOf = (...parts: unknown[]): string => JSON.stringify(parts);

function tagsOf(row: ResourceRow): [string, string][] {
  return Object.entries(JSON.parse(row.tags) as Tags);
}

function assertResource(row: ResourceRow): void {
  assert.notEqual(row.tags, '{}', 'a resource without tags is stored');
  assert.equal(row.tags, canonicalize(JSON.parse(row.tags)));
  assert.equal(row.etag, etagOf(row.tags));
  assert.equal(row.name_folded, foldCase(row.name));
}

/** The places of the resources of each set, in order. */
function setsOf(resources: readonly ResourceRow[]): Map<string, number[]> {
  const sets = new Map<string, number[]>();
  for (const row of resources.toSorted((a, b) => a.seq - b.seq)) {
    const ofTags = tagsOf(row).flatMap(([key, value]) => [key, `${key}=${valueKeyOf(value)}`]);
    for (const term of ['', `:${row.resource_type}`, ...ofTags]) {
      const name = nameOf(row.account_id, term);
      const places = sets.get(name);
      if (places === undefined) sets.set(name, [row.seq]);
      else places.push(row.seq);
    }
  }
  return sets;
}

async function storedSets(db: Db): Promise<Map<string, number[]>> {
  const sets = new Map<string, number[]>();
  const rows = await db.selectFrom('tag_postings').selectAll().orderBy('block').execute();
  for (const { account_id: accountId, term, block, places } of rows) {
    const members = BitBlock.from(places);
    assert.equal(members.isEmpty, false, `nothing in block ${block} of ${term}`);
    const name = nameOf(accountId, term);
    const known = sets.get(name) ?? [];
    sets.set(name, [...known, ...members.places().map((place) => block * BLOCK_PLACES + place)]);
  }
  return sets;
}

function countsOf(resources: readonly ResourceRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (...parts: string[]): void => {
    const name = nameOf(...parts);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const row of resources) {
    const { account_id: account, resource_type: type } = row;
    add('type', account, type);
    for (const [key, value] of tagsOf(row)) {
      add('key', account, type, key, foldCase(key));
      const valueKeys = [valueKeyOf(value), valueKeyOf(foldCase(value))];
      add('value', account, type, key, foldCase(key), value.normalize('NFC'), ...valueKeys);
    }
  }
  return counts;
}

async function storedCounts(db: Db): Promise<Map<string, number>> {
  const types = await db.selectFrom('tagged_types').selectAll().execute();
  const keys = await db.selectFrom('tag_keys').selectAll().execute();
  const values = await db.selectFrom('tag_values').selectAll().execute();
  return new Map([
    ...types.map((row): [string, number] => [
      nameOf('type', row.account_id, row.resource_type),
      row.resource_count,
    ]),
    ...keys.map((row): [string, number] => [
      nameOf('key', row.account_id, row.resource_type, row.key, row.key_folded),
      row.resource_count,
    ]),
    ...values.map((row): [string, number] => {
      const { account_id: account, resource_type: type, key, key_folded: folded } = row;
      const valueKeys = [row.value_key, row.value_folded];
      return [
        nameOf('value', account, type, key, folded, row.value.normalize('NFC'), ...valueKeys),
        row.resource_count,
      ];
    }),
  ]);
}

/** No place or position is beyond the head of its account, so that none must not be repeated. */
async function assertHeads(
  db: Db,
  resources: readonly ResourceRow[],
  changes: readonly ChangeRow[],
): Promise<void> {
  const rows = await db.selectFrom('tag_heads').selectAll().execute();
  const heads = new Map(rows.map((row) => [row.account_id, row]));
  for (const { account_id: accountId, seq } of resources) {
    const lastSeq = heads.get(accountId)?.last_seq ?? 0;
    assert.ok(seq >= 1 && seq <= lastSeq, `place ${seq} of 1 to ${lastSeq}`);
  }
  const changesOf = Map.groupBy(changes, (change) => change.account_id);
  for (const head of rows) {
    // They are given without gaps, and the oldest are purged.
    const positions = (changesOf.get(head.account_id) ?? []).map(({ position }) => position);
    const { last_position: last, purged_position: purged } = head;
    const expected = Array.from({ length: last - purged }, (_, i) => purged + 1 + i);
    assert.deepEqual(positions, expected);
    changesOf.delete(head.account_id);
  }
  assert.equal(changesOf.size, 0, 'changes without a head');
}

/** Whoever applies the changes in their order has the tags as they are. */
function assertFeed(
  resources: readonly ResourceRow[],
  changes: readonly ChangeRow[],
  isFeedWhole: boolean,
): void {
  const replayed = new Map<string, Map<string, string>>();
  const etags = new Map<string, string>();
  for (const change of changes) {
    const name = nameOf(change.account_id, change.resource_type, change.resource_id);
    const tags = replayed.get(name) ?? new Map<string, string>();
    const patch = Object.entries(JSON.parse(change.patch) as Record<string, string | null>);
    assert.notEqual(patch.length, 0, 'a change of nothing');
    for (const [key, value] of patch) {
      if (isFeedWhole) assert.notEqual(tags.get(key) ?? null, value, `no change of ${key}`);
      if (value === null) tags.delete(key);
      else tags.set(key, value);
    }
    if (isFeedWhole) {
      assert.equal(change.etag, etagOf(canonicalize(Object.fromEntries(tags)) ?? ''));
    }
    replayed.set(name, tags);
    etags.set(name, change.etag);
  }
  for (const row of resources) {
    const name = nameOf(row.account_id, row.resource_type, row.resource_id);
    assert.equal(etags.get(name) ?? (isFeedWhole ? undefined : row.etag), row.etag, name);
    if (isFeedWhole) assert.deepEqual(replayed.get(name), new Map(tagsOf(row)));
    replayed.delete(name);
  }
  for (const [name, tags] of replayed) {
    if (isFeedWhole) assert.equal(tags.size, 0, `${name} still has tags in the changes`);
    assert.equal(etags.get(name), etagOf('{}'), name);
  }
}
