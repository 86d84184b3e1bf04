import assert from 'node:assert/strict';
import type { Answer, TestServer } from '../support/server.ts';

/** The tag operations of one server, as the tests call them. */
export interface Tagging {
  /** Sets tags and demands that it works. */
  put(type: string, id: string, tags: Tags, more?: Record<string, unknown>): Promise<Answer>;
  get(type: string, id: string): Promise<Answer>;
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

export function createTagging(server: TestServer): Tagging {
  const path = `${server.account}/tags`;
  const tagging: Tagging = {
    async put(type, id, tags, more = {}) {
      const body = { resource_type: type, resource_id: id, tags, ...more };
      const answer = await server.call('PUT', path, { body });
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
    async clear() {
      for (const { type, id } of await tagging.all<{ type: string; id: string }>('resources')) {
        const answer = await tagging.remove(type, id);
        assert.equal(answer.status, 204, answer.text);
      }
    },
  };
  return tagging;
}

export function query(...parameters: [string, string][]): string {
  return new URLSearchParams(parameters).toString();
}

/**
 * Demands that everything kept for searching and counting agrees with the tags of the resources: the
 * rows of tags, and the counts of keys, values and types.
 */
export async function assertBooksAgree(server: TestServer): Promise<void> {
  const db = server.app.database.read;
  const expected = { tags: new Map(), keys: new Map(), values: new Map(), types: new Map() };
  const add = (counts: Map<string, number>, ...parts: string[]): void => {
    const name = JSON.stringify(parts);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const row of await db.selectFrom('tagged_resources').selectAll().execute()) {
    const tags = Object.entries(JSON.parse(row.tags) as Tags);
    assert.notEqual(tags.length, 0, 'a resource without tags is stored');
    assert.ok(row.seq > 0, 'a lock was left behind');
    add(expected.types, row.resource_type);
    for (const [key, value] of tags) {
      add(expected.tags, String(row.seq), key);
      add(expected.keys, row.resource_type, key);
      add(expected.values, row.resource_type, key, value);
    }
  }
  const actual = { tags: new Map(), keys: new Map(), values: new Map(), types: new Map() };
  for (const row of await db.selectFrom('resource_tags').selectAll().execute()) {
    add(actual.tags, String(row.seq), row.key);
  }
  for (const row of await db.selectFrom('tag_keys').selectAll().execute()) {
    actual.keys.set(JSON.stringify([row.resource_type, row.key]), row.resource_count);
  }
  for (const row of await db.selectFrom('tag_values').selectAll().execute()) {
    const name = JSON.stringify([row.resource_type, row.key, row.value]);
    actual.values.set(name, row.resource_count);
  }
  for (const row of await db.selectFrom('tagged_types').selectAll().execute()) {
    actual.types.set(JSON.stringify([row.resource_type]), row.resource_count);
  }
  assert.deepEqual(actual, expected);
}
