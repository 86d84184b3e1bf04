import assert from 'node:assert/strict';
import canonicalize from 'canonicalize';
import { createId } from '../../../src/lib/ids.ts';
import type { Json } from '../../support/server.ts';
import { type Load, NoAnswer, Tally, type Writer, assertAnswered, byName } from './load.ts';

const TYPE = 'worker';
const ROOM = 60;
const BULK_OPERATIONS = 5;

type Tags = Record<string, string>;

/** A change of one resource. */
interface Change {
  id: string;
  /** Empty: it has no tags any more. */
  after: Tags;
}

/** Changes that were asked for together, and not answered. */
type Doubt = readonly Change[];

const textOf = (tags: Tags): string => canonicalize(tags) ?? '';

/** Sets, merges and removes tags of resources, one by one and many at once. */
export class TagWriter implements Writer {
  readonly name = 'tags';
  readonly tally = new Tally();
  readonly lanes = 6;
  readonly #tags = new Map<string, Tags>();
  readonly #busy = new Set<string>();
  #doubts: Doubt[] = [];
  #count = 0;

  async write(load: Load): Promise<void> {
    const dice = load.chance.fraction();
    if (dice < 0.1) return this.#writeMany(load);
    const id = this.#take(load);
    const before = this.#tags.get(id) ?? {};
    const resource = { resource_type: TYPE, resource_id: id };
    const n = String(++this.#count);
    const isTagged = Object.keys(before).length > 0;
    if (dice < 0.2) return this.#writeRefused(load, id);
    if (isTagged && (dice < 0.35 || this.#tags.size >= ROOM)) {
      return this.#make(load, 'DELETE', resource, [{ id, after: {} }]);
    }
    if (dice < 0.6) {
      const after = { ...before, n, merged: 'yes' };
      const body = { ...resource, tags: { n, merged: 'yes' } };
      return this.#make(load, 'PATCH', body, [{ id, after }]);
    }
    const after = { n, [`odd-${this.#count % 2}`]: 'yes' };
    return this.#make(load, 'PUT', { ...resource, tags: after }, [{ id, after }]);
  }

  /** A resource that no other lane is at, tagged or new. */
  #take({ chance }: Load): string {
    const free = [...this.#tags.keys()].filter((id) => !this.#busy.has(id));
    const isNew = free.length === 0 || (this.#tags.size < ROOM && chance.fraction() < 0.3);
    const id = isNew ? createId() : chance.pick(free);
    this.#busy.add(id);
    return id;
  }

  async #writeMany(load: Load): Promise<void> {
    const changes: Change[] = [];
    const operations: Json[] = [];
    for (let i = 0; i < BULK_OPERATIONS; i++) {
      const id = this.#take(load);
      const after = { n: String(++this.#count), bulk: String(i) };
      changes.push({ id, after });
      operations.push({ op: 'put', resource_type: TYPE, resource_id: id, tags: after });
    }
    return this.#make(load, 'POST', { operations }, changes);
  }

  /** An ETag that no set of tags has: nothing may come of it. */
  async #writeRefused(load: Load, id: string): Promise<void> {
    try {
      const answer = await load.call('PUT', '/tags', {
        body: { resource_type: TYPE, resource_id: id, tags: { refused: 'yes' } },
        headers: { 'if-match': '"0"' },
      });
      assert.equal(answer.status, 412, answer.text);
      this.tally.refused++;
    } finally {
      this.#busy.delete(id);
    }
  }

  async #make(load: Load, method: string, body: Json, changes: Doubt): Promise<void> {
    const path = method === 'POST' ? '/tags/bulk' : '/tags';
    try {
      const answer = await load.call(method, path, { body });
      assertAnswered(answer, method, path);
      if (method === 'POST') assert.equal(answer.json.result.failed, 0, answer.text);
      load.audit.acknowledge(answer, changes.length);
      for (const change of changes) this.#note(change);
      this.tally.acknowledged++;
    } catch (error) {
      if (error instanceof NoAnswer && error.wasSent) {
        this.tally.inDoubt++;
        this.#doubts.push(changes);
      }
      throw error;
    } finally {
      for (const { id } of changes) this.#busy.delete(id);
    }
  }

  #note({ id, after }: Change): void {
    if (Object.keys(after).length === 0) this.#tags.delete(id);
    else this.#tags.set(id, after);
  }

  async settle(load: Load): Promise<void> {
    const listed = await listTagged(load);
    for (const doubt of this.#doubts.splice(0)) {
      const made = doubt.filter(({ id, after }) => textOf(listed.get(id) ?? {}) === textOf(after));
      // What was asked for together is there as a whole, or not at all.
      assert.ok(made.length === 0 || made.length === doubt.length, `${made.length} of a bulk`);
      if (made.length > 0) this.tally.made++;
      for (const change of made) {
        load.audit.wasMade(change.id);
        this.#note(change);
      }
    }
    const sort = (all: Map<string, Tags>) =>
      [...all].map(([id, tags]) => `${id} ${textOf(tags)}`).toSorted();
    assert.deepEqual(sort(listed), sort(this.#tags), 'not the tags that were answered');
    await this.#assertCounts(load);
  }

  /** What is kept counted is what the resources say. */
  async #assertCounts(load: Load): Promise<void> {
    const expected = new Map<string, Map<string, number>>();
    for (const [key, value] of [...this.#tags.values()].flatMap(Object.entries<string>)) {
      const values = expected.get(key) ?? new Map<string, number>();
      expected.set(key, values.set(value, (values.get(value) ?? 0) + 1));
    }
    const summary: Json[] = await load.result('GET', '/tags/summary');
    const counted = summary.map(({ key, count, facets }) => ({
      key,
      count,
      values: facets.map(({ value, count: n }: Json) => [value, n]),
    }));
    const wanted = [...expected].toSorted(byName).map(([key, values]) => ({
      key,
      count: [...values.values()].reduce((sum, n) => sum + n, 0),
      values: [...values].toSorted(byName),
    }));
    assert.deepEqual(counted, wanted);
    assert.deepEqual(await load.result('GET', '/tags/keys'), [...expected.keys()].toSorted());
    for (const [key, values] of expected) {
      const listed = await load.result('GET', `/tags/values/${key}`);
      assert.deepEqual(listed.toSorted(), [...values.keys()].toSorted());
    }
  }
}

async function listTagged(load: Load): Promise<Map<string, Tags>> {
  const tagged = new Map<string, Tags>();
  const items: Json[] = await load.result('GET', '/tags/resources?limit=1000');
  for (const { id, tags } of items) tagged.set(id, tags);
  return tagged;
}
