import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import {
  KEYS,
  type ModelOutcome,
  type ModelWrite,
  type Search,
  TYPES,
  TagModel,
  VALUES,
  parametersOf,
  searchesFor,
  writesTo,
  writtenCondition,
} from './tag-model.ts';
import { type Tagging, assertBooksAgree, createTagging, query } from './tagging.ts';

/** Whatever is written, every list must be what a reader of the contract would expect. */

type Step =
  | { how: 'request'; write: ModelWrite }
  | { how: 'bulk'; writes: ModelWrite[] }
  | { how: 'filter'; search: Search; tags: Record<string, string | null>; limit: number };

function stepsWith(ids: readonly string[], writesPerBulk: number): fc.Arbitrary<Step> {
  const value = fc.option(fc.constantFrom(...VALUES), { freq: 3 });
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ how: fc.constant('request' as const), write: writesTo(ids) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        how: fc.constant('bulk' as const),
        writes: fc.array(writesTo(ids), { minLength: 1, maxLength: writesPerBulk }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        how: fc.constant('filter' as const),
        search: searchesFor(ids),
        tags: fc.dictionary(fc.constantFrom(...KEYS), value, { minKeys: 1, maxKeys: 2 }),
        limit: fc.constantFrom(2, 5, 1_000),
      }),
    },
  );
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A server and the model of it, to which the same happens. */
class Trial {
  readonly model = new TagModel();
  readonly #server: TestServer;
  readonly #tagging: Tagging;

  constructor(server: TestServer) {
    this.#server = server;
    this.#tagging = createTagging(server);
  }

  async perform(step: Step): Promise<void> {
    if (step.how === 'request') await this.#request(step.write);
    else if (step.how === 'bulk') await this.bulk(step.writes);
    else await this.#writeByFilter(step);
  }

  /** The header, or the field of a bulk operation, as it stands before the write. */
  #ifMatch({ ifMatch, type, id }: ModelWrite): string | undefined {
    if (ifMatch === undefined) return undefined;
    if (ifMatch === 'any') return '*';
    return ifMatch === 'outdated' ? '"v1:outdated"' : this.model.etagOf({ type, id });
  }

  async #request(write: ModelWrite): Promise<void> {
    const ifMatch = this.#ifMatch(write);
    const answer = await this.#server.call(write.op.toUpperCase(), `${this.#server.account}/tags`, {
      body: bodyOf(write),
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    });
    const outcome = this.model.apply(write);
    if (outcome === 'refused') {
      assert.deepEqual([answer.status, answer.code], [412, 1016]);
    } else if (write.op === 'delete') {
      assert.equal(answer.status, 204, answer.text);
    } else {
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.result.etag, outcome.etag);
    }
  }

  async bulk(writes: readonly ModelWrite[]): Promise<void> {
    const outcomes: ModelOutcome[] = [];
    const operations = writes.map((write) => {
      // As it will be when it is the turn of this one.
      const ifMatch = this.#ifMatch(write);
      outcomes.push(this.model.apply(write));
      const field = ifMatch === undefined ? {} : { if_match: ifMatch };
      return { op: write.op, ...bodyOf(write), ...field };
    });
    const answer = await this.#post({ operations });
    assert.equal(answer.result.results.length, writes.length);
    for (const [index, outcome] of outcomes.entries()) {
      const { success, changed, etag, errors } = answer.result.results[index];
      if (outcome === 'refused') assert.deepEqual([success, errors[0].code], [false, 1016]);
      else assert.deepEqual([success, changed, etag], [true, outcome.isChanged, outcome.etag]);
    }
  }

  async #writeByFilter({ search, tags, limit }: Extract<Step, { how: 'filter' }>): Promise<void> {
    const expected = this.model.search(search);
    const filter = filterOf(search);
    const found: string[] = [];
    for (let cursor: string | undefined, pages = 0; ; pages++) {
      assert.ok(pages <= expected.length, 'no end of pages');
      const answer = await this.#post({ filter, tags, limit, cursor });
      for (const { resource_type: type, resource_id: id, etag } of answer.result.results) {
        const write = { op: 'patch', type, id, tags, name: undefined, ifMatch: undefined } as const;
        const outcome = this.model.apply(write);
        assert.ok(outcome !== 'refused');
        assert.equal(etag, outcome.etag);
        found.push(nameOf({ type, id }));
      }
      cursor = answer.result_info.cursor;
      if (cursor === undefined) break;
    }
    assert.deepEqual(found, expected.map(nameOf));
  }

  async #post(body: unknown) {
    const answer = await this.#server.call('POST', `${this.#server.account}/tags/bulk`, { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  /** Every page of a search, each as long as it may be, has what the model has, in its order. */
  async assertFound(search: Search, limit: number): Promise<void> {
    const expected = this.model.search(search);
    const parameters = [...parametersOf(search), ['limit', String(limit)]] as [string, string][];
    for (let start = 0, cursor = ''; ; start += limit) {
      const path = `resources?${query(...parameters, ['cursor', cursor])}`;
      const answer = await this.#tagging.list(path);
      assert.equal(answer.status, 200, answer.text);
      const { result, result_info: info } = answer.json;
      const page = expected.slice(start, start + limit);
      const names = page.map(nameOf);
      assert.deepEqual(result.map(nameOf), names, path);
      for (const [index, { id, type, name, tags }] of page.entries()) {
        const { tags_updated_at: updatedAt, ...shown } = result[index];
        const etag = this.model.etagOf({ type, id });
        assert.deepEqual(shown, { id, type, name, etag, tags: Object.fromEntries(tags) });
        assert.match(updatedAt, /^20/);
      }
      assert.equal(info.cursor === undefined, start + limit >= expected.length, path);
      if (info.cursor === undefined) return;
      cursor = info.cursor;
    }
  }

  async assertVocabulary(): Promise<void> {
    for (const type of [undefined, 'zone']) {
      const some = this.model.resources.filter((one) => type === undefined || one.type === type);
      const parameter = type === undefined ? '' : `?${query(['type', type])}`;
      const keys = [...new Set(some.flatMap((one) => [...one.tags.keys()]))];
      assert.deepEqual(await this.#tagging.all(`keys${parameter}`), keys.sort(byBytes));
      for (const key of KEYS) {
        const values = [...new Set(some.flatMap((one) => composed(one.tags.get(key)) ?? []))];
        const path = `values/${encodeURIComponent(key)}${parameter}`;
        const listed = await this.#tagging.all<string>(path);
        // Of long values that begin alike the order is not promised.
        assert.deepEqual(listed.map(composed).sort(byBytes), values.sort(byBytes));
      }
    }
    const summary = await this.#tagging.all<Json>('summary');
    const tags = this.model.resources.flatMap((one) => [...one.tags]);
    const byKey = Map.groupBy(tags, ([key]) => key);
    const counts = [...byKey].map(([key, { length }]): [string, number] => [key, length]);
    assert.deepEqual(
      summary.map(({ key, count }) => [key, count]),
      counts.sort(([a], [b]) => byBytes(a, b)),
    );
    for (const { key, values, facets } of summary) {
      assert.deepEqual(values, await this.#tagging.all(`values/${encodeURIComponent(key)}`));
      const byValue = Map.groupBy(byKey.get(key) ?? [], ([, value]) => composed(value));
      assert.deepEqual(
        facets,
        (values as string[]).map((value) => ({
          value,
          count: byValue.get(composed(value))?.length,
        })),
      );
    }
  }
}

/** Lists have one of the forms of a value. */
const composed = <T extends string | undefined>(value: T) => value?.normalize('NFC') as T;

const nameOf = ({ type, id }: { type: string; id: string }): string => `${type} ${id}`;

function bodyOf({ op, type, id, tags, name }: ModelWrite): Record<string, unknown> {
  const resource = { resource_type: type, resource_id: id };
  return op === 'delete' ? resource : { ...resource, tags, name };
}

function filterOf(search: Search): Record<string, unknown> {
  const { conditions, types, ids, name, caseInsensitive } = search;
  const lists = { tag: conditions.map(writtenCondition), type: types, id: ids, name };
  const filter = Object.fromEntries(Object.entries(lists).filter(([, { length }]) => length > 0));
  const isEmpty = Object.keys(filter).length === 0;
  return isEmpty ? { all: true } : { ...filter, case_insensitive: caseInsensitive };
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** The next resource gets this place: what was before it was there and is gone. */
  async function goOnFrom(seq: number): Promise<void> {
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('tag_heads')
        .set({ last_seq: seq - 1 })
        .where('account_id', '=', server.accountId)
        .execute();
    });
  }

  test('lists agree with a naive model', async () => {
    const ids = ['1', '2', '3', '4'];
    const steps = fc.array(stepsWith(ids, 8), { minLength: 4, maxLength: 16 });
    const searches = fc.array(fc.tuple(searchesFor(ids), fc.integer({ min: 1, max: 5 })), {
      minLength: 10,
      maxLength: 10,
    });
    const tagging = createTagging(server);
    await tagging.put('zone', '1', { first: 'place' });
    // Sooner or later the places go on in the next block.
    await goOnFrom(4_096 - 20);
    await fc.assert(
      fc.asyncProperty(steps, searches, async (some, wanted) => {
        await tagging.clear();
        const trial = new Trial(server);
        for (const step of some) await trial.perform(step);
        await assertBooksAgree(server);
        for (const [search, limit] of wanted) await trial.assertFound(search, limit);
        await trial.assertVocabulary();
      }),
      // To find a smaller example takes minutes: do that by hand, with the seed that is told.
      { numRuns: 8, endOnFailure: true },
    );
  });

  test('so do lists of more resources than are looked at one by one', async () => {
    const tagging = createTagging(server);
    await tagging.clear();
    const trial = new Trial(server);
    const ids = Array.from({ length: 500 }, (_, i) => String(i));
    // Places in four blocks, in the last of which there is but a little.
    for (const [from, until, seq] of [
      [0, 150, 2 * 4_096 - 100],
      [150, 300, 3 * 4_096 + 1_000],
      [300, 500, 6 * 4_096 - 500],
    ] as const) {
      await goOnFrom(seq);
      const some = TYPES.flatMap((type, shift) =>
        ids.slice(from, until).map((id): ModelWrite => {
          const n = Number(id) + shift;
          const tags = {
            env: VALUES[1 + (n % 2)] ?? '',
            ...(n % 3 === 0 ? { Env: VALUES[n % VALUES.length] ?? '' } : {}),
            ...(n % 5 < 4 ? { team: VALUES[n % 3] ?? '' } : {}),
            ...(n % 100 === 0 ? { größe: VALUES[7] ?? '' } : {}),
          };
          const name = n % 7 === 0 ? 'Alpha' : undefined;
          return { op: 'put', type, id, tags, name, ifMatch: undefined };
        }),
      );
      await trial.bulk(some);
    }
    const steps = fc.array(stepsWith(ids, 100), { minLength: 8, maxLength: 8 });
    const searches = fc.array(fc.tuple(searchesFor(ids), fc.constantFrom(97, 400, 1_000)), {
      minLength: 12,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(steps, searches, async (some, wanted) => {
        for (const step of some) await trial.perform(step);
        for (const [search, limit] of wanted) await trial.assertFound(search, limit);
      }),
      // It goes on from where it was, so that smaller examples say nothing.
      { numRuns: 3, endOnFailure: true },
    );
    await trial.assertVocabulary();
    await assertBooksAgree(server);
  });
});
