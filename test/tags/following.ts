import assert from 'node:assert/strict';
import { type Json, type TestServer, request } from '../support/server.ts';
import { type Tags, query } from './tagging.ts';

/** Where the changes of an account are read. */
export interface FeedSource {
  /** `http://…/accounts/{id}` */
  account: string;
  token: string;
}

export function feedOf(server: TestServer): FeedSource {
  return { account: server.baseUrl + server.account, token: server.token };
}

/** Where in the list of changes a cursor stands. */
export function positionOf(cursor: string): number {
  const [, position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
  assert.equal(typeof position, 'number');
  return position as number;
}

/** Keeps a copy of the tags of an account by the list of changes alone. */
export class Follower {
  /** Tags by `type id`. */
  readonly resources = new Map<string, Tags>();
  readonly etags = new Map<string, string>();
  readonly changes: Json[] = [];
  #cursor = '';
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reads all that there is now. */
  async catchUp(source: FeedSource): Promise<void> {
    while (await this.readPage(source));
  }

  /** @returns whether there is more */
  async readPage({ account, token }: FeedSource): Promise<boolean> {
    const page = query(['cursor', this.#cursor], ['limit', String(this.#limit)]);
    const answer = await request('GET', `${account}/tags/changes?${page}`, { token });
    assert.equal(answer.status, 200, answer.text);
    const { result, result_info: info } = answer.json;
    assert.equal(info.count, result.length);
    assert.equal(info.cursor, info.cursors?.after);
    for (const change of result) this.#apply(change);
    const { cursor, resume_cursor: resume } = info;
    if (cursor !== undefined) {
      assert.notEqual(result.length, 0, 'an empty page with a cursor');
      assert.equal(resume, cursor);
    }
    assert.ok(positionOf(resume) >= this.#position, 'the list goes back');
    this.#cursor = resume;
    return cursor !== undefined;
  }

  get #position(): number {
    return this.#cursor === '' ? 0 : positionOf(this.#cursor);
  }

  #apply(change: Json): void {
    const { resource_type: type, resource_id: id, tags: patch, etag, deleted, cursor } = change;
    assert.ok(positionOf(cursor) > this.#position, 'a change came twice, or late');
    this.#cursor = cursor;
    this.changes.push(change);
    const name = `${type} ${id}`;
    const tags = new Map(Object.entries(this.resources.get(name) ?? {}));
    for (const [key, value] of Object.entries(patch as Record<string, string | null>)) {
      // A change says what has changed, and nothing else.
      assert.notEqual(tags.get(key) ?? null, value, `${name} ${key}`);
      if (value === null) tags.delete(key);
      else tags.set(key, value);
    }
    assert.equal(deleted, tags.size === 0);
    if (deleted) {
      this.resources.delete(name);
      this.etags.delete(name);
    } else {
      this.resources.set(name, Object.fromEntries(tags));
      this.etags.set(name, etag);
    }
  }

  /** Demands that the copy is what the list of resources has. */
  assertCopyOf(listed: readonly Json[]): void {
    const byName = (field: 'tags' | 'etag') =>
      new Map(listed.map((resource) => [`${resource.type} ${resource.id}`, resource[field]]));
    assert.deepEqual(this.resources, byName('tags'));
    assert.deepEqual(this.etags, byName('etag'));
  }
}
