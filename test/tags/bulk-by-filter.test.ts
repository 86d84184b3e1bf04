import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import { type BulkCalls, createBulkCalls } from './bulk-calls.ts';
import { type Tagging, type Tags, assertBooksAgree, createTagging, query } from './tagging.ts';

const NO_ETAG = 'v1:RBNvo1WzZ4oRRq0W9-hkng';
const MANY = 2_500;

/** Tags merged into whatever matches a filter. */
onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  let calls: BulkCalls;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
    calls = createBulkCalls(server);
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  const idsOf = (result: Json): string[] => result.results.map((one: Json) => one.resource_id);

  async function tag(type: string, tagsById: Record<string, Tags>): Promise<void> {
    for (const [id, tags] of Object.entries(tagsById)) await tagging.put(type, id, tags);
  }

  test('2,500 resources in three calls, whatever the writes do to the filter', async () => {
    const ids = Array.from({ length: MANY }, (_, i) => `n${i}`);
    for (let start = 0; start < MANY; start += 1_000) {
      const operations = ids.slice(start, start + 1_000).map((id) => ({
        op: 'put',
        resource_type: 'image',
        resource_id: id,
        tags: { env: 'staging', n: '1' },
      }));
      assert.equal((await calls.post({ operations })).json.result.failed, 0);
    }
    const rows = (await calls.auditRows()).length;
    const filter = { tag: ['env=staging'], type: ['image'] };
    const changed: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | undefined; ;) {
      const more = cursor === undefined ? {} : { cursor };
      const result = await calls.merge(filter, { env: 'production', n: null, moved: 'yes' }, more);
      assert.deepEqual([result.failed, result.unchanged], [0, 0]);
      changed.push(...idsOf(result));
      sizes.push(result.succeeded);
      cursor = result.cursor;
      if (cursor === undefined) break;
    }
    assert.deepEqual(sizes, [1_000, 1_000, 500]);
    assert.deepEqual(changed, ids);
    const production: [string, string] = ['tag', 'env=production'];
    assert.deepEqual(await tagging.ids(production, ['limit', '1000']), ids);
    assert.deepEqual(await tagging.ids(['tag', 'env=staging']), []);
    const { tags } = (await tagging.get('image', 'n1234')).json.result;
    assert.deepEqual(tags, { env: 'production', moved: 'yes' });
    assert.equal((await calls.auditRows()).length, rows + MANY);
    // The same filter by another word, so that the page after the last is full too.
    const last = await calls.merge({ type: ['image'] }, { moved: 'yes' }, { limit: 1 });
    assert.deepEqual([idsOf(last), last.unchanged, typeof last.cursor], [['n0'], 1, 'string']);
  });

  test('answers like operations do: the new ETag, what is unchanged, no tags', async () => {
    await tag('zone', {
      z1: { a: '1', b: '2' },
      z2: { a: '1', c: '3' },
      z3: { a: '1' },
      z4: { a: '2' },
    });
    const rows = (await calls.auditRows()).length;
    const result = await calls.merge(
      { type: ['zone'], tag: ['a=1'] },
      { a: null, c: '3', d: null },
    );
    const named = (id: string) => ({ resource_type: 'zone', resource_id: id, success: true });
    const etagOf = async (id: string) => (await tagging.get('zone', id)).json.result.etag;
    assert.deepEqual(result.results, [
      { ...named('z1'), changed: true, etag: await etagOf('z1') },
      { ...named('z2'), changed: true, etag: await etagOf('z2') },
      { ...named('z3'), changed: true, etag: await etagOf('z3') },
    ]);
    assert.deepEqual((await tagging.get('zone', 'z1')).json.result.tags, { b: '2', c: '3' });
    const [row] = (await calls.auditRows()).slice(rows);
    assert.deepEqual(
      [row?.action_type, row?.action_description, row?.resource_type, row?.resource_id],
      ['update', 'Changed tags of a resource', 'zone', 'z1'],
    );
    assert.deepEqual(JSON.parse(row?.resource_request ?? ''), {
      resource_type: 'zone',
      resource_id: 'z1',
      tags: { a: null, c: '3', d: null },
    });
    const same = await calls.merge({ type: ['zone'], tag: ['c=3'] }, { c: '3' });
    assert.deepEqual([same.succeeded, same.unchanged, same.failed], [3, 3, 0]);
    assert.equal((await calls.auditRows()).length, rows + 3);
  });

  test('a resource that loses its last tag counts as never tagged', async () => {
    await tag('queue', { q1: { only: 'this' }, q2: { only: 'this', b: '1' } });
    const result = await calls.merge({ tag: ['only'] }, { only: null });
    assert.deepEqual([idsOf(result), result.results[0].etag], [['q1', 'q2'], NO_ETAG]);
    assert.equal((await tagging.get('queue', 'q1')).code, 1004);
    assert.deepEqual(await tagging.ids(['type', 'queue']), ['q2']);
    await assertBooksAgree(server);
  });

  test('matches like the list of resources', async () => {
    await tag('worker', {
      w1: { Stage: 'Production', team: 'core' },
      w2: { stage: 'staging', team: 'web' },
      w3: { team: 'core' },
    });
    await tagging.put('kv_namespace', 'w3', { team: 'core' }, { name: 'Named Space' });
    for (const filter of [
      { tag: ['team=core', '!stage'] },
      { tag: ['team=core,web'], type: ['worker', 'kv_namespace'] },
      { id: ['w3', 'w1'] },
      { id: ['w3'], type: ['worker'] },
      { name: 'd SPA' },
      { tag: ['stage=production,STAGING'], case_insensitive: true },
      { tag: ['stage!=staging'], type: ['worker'] },
    ]) {
      const parameters = Object.entries(filter).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      );
      const listed = await tagging.ids(...parameters, ['limit', '1000']);
      const result = await calls.merge(filter, { mark: 'x' }, { dry_run: true });
      assert.deepEqual(idsOf(result), listed, query(...parameters));
      assert.ok(listed.length > 0);
    }
    const none = await calls.merge({ tag: ['none'] }, { mark: 'x' });
    assert.deepEqual([none.succeeded, none.results, none.cursor], [0, [], undefined]);
    assert.deepEqual(await tagging.ids(['tag', 'mark']), []);
  });

  test('a name that is longer than any', async () => {
    const result = await calls.merge({ name: 'n'.repeat(60_000) }, { x: 'y' });
    assert.deepEqual([result.succeeded, result.failed], [0, 0]);
  });

  test('the whole account only when that is said', async () => {
    for (const filter of [
      {},
      { case_insensitive: true },
      { all: false },
      { all: true, type: ['worker'] },
      { tag: [] },
      { type: [] },
      { id: [] },
      { id: [], type: ['worker'] },
      { name: '' },
    ]) {
      const answer = await calls.post({ filter, tags: { mark: 'x' } });
      assert.deepEqual([answer.status, answer.code], [400, 1002], answer.text);
      assert.match(answer.json.errors[0].source.pointer, /^\/filter/);
    }
    const all = await calls.merge({ all: true }, { mark: 'x' }, { dry_run: true, limit: 5 });
    const listed = await tagging.list('resources?limit=5');
    assert.deepEqual(
      idsOf(all),
      listed.json.result.map(({ id }: Json) => id),
    );
    assert.deepEqual(await tagging.ids(['tag', 'mark']), []);
  });

  describe('faults', () => {
    const tags = { a: '1' };
    const filter = { tag: ['a'] };
    const faults: [string, unknown, number, string?][] = [
      ['no tags', { filter }, 1002, '/tags'],
      ['no filter', { tags }, 1002, '/operations'],
      ['empty tags', { filter, tags: {} }, 1002, '/tags'],
      ['tags of a number', { filter, tags: { a: 1 } }, 1002, '/tags/a'],
      [
        'more tags than any resource needs',
        {
          filter,
          tags: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, ''])),
        },
        1002,
        '/tags',
      ],
      ['a filter that is a list', { filter: ['a'], tags }, 1002, '/filter'],
      ['an unknown field of a filter', { filter: { tags: ['a'] }, tags }, 1002, '/filter/tags'],
      ['a tag filter that is no list', { filter: { tag: 'a' }, tags }, 1002, '/filter/tag'],
      ['51 ids', { filter: { id: Array.from({ length: 51 }, String) }, tags }, 1002, '/filter/id'],
      ['limit 0', { filter, tags, limit: 0 }, 1002, '/limit'],
      ['limit 1001', { filter, tags, limit: 1_001 }, 1002, '/limit'],
      ['a cursor that is none', { filter, tags, cursor: 'x' }, 6010],
      ['21 tag filters', { filter: { tag: Array.from({ length: 21 }, () => 'a') }, tags }, 1010],
      ['a filter that is no filter', { filter: { tag: ['=v'] }, tags }, 1007],
      ['11 values', { filter: { tag: [`a=${'v,'.repeat(10)}`] }, tags }, 1013],
      ['a long key in the filter', { filter: { tag: ['k'.repeat(257)] }, tags }, 1011],
      ['a long value in the filter', { filter: { tag: [`k=${'v'.repeat(1_025)}`] }, tags }, 1012],
      ['no key in the filter', { filter: { tag: ['a b'] }, tags }, 1014],
      ['an unknown type', { filter: { type: ['worker', 'workers'] }, tags }, 1006],
      ['a long key', { filter, tags: { ['k'.repeat(257)]: null } }, 1011],
      ['a long value', { filter, tags: { k: 'v'.repeat(1_025) } }, 1012],
      ['no key', { filter, tags: { 'a b': null } }, 1014],
    ];
    for (const [name, body, code, pointer] of faults) {
      test(name, async () => {
        const answer = await calls.post(body);
        assert.deepEqual([answer.status, answer.code], [400, code], answer.text);
        if (pointer !== undefined) assert.equal(answer.json.errors[0].source.pointer, pointer);
      });
    }
  });

  test('6010: a cursor of another request', async () => {
    const filter = { type: ['image'] };
    const tags = { moved: 'yes' };
    const { cursor } = await calls.merge(filter, tags, { limit: 2 });
    const listed = await tagging.list('resources?type=image&limit=2');
    for (const body of [
      { filter: { type: ['image'], tag: ['moved'] }, tags, cursor },
      { filter: { type: ['zone'] }, tags, cursor },
      { filter, tags: { moved: 'no' }, cursor },
      { filter, tags: { ...tags, other: null }, cursor },
      { filter, tags, cursor, dry_run: true },
      { filter, tags, cursor: listed.json.result_info.cursor },
    ]) {
      const answer = await calls.post(body);
      assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
    }
    const next = await calls.merge(filter, tags, { limit: 3, cursor, dry_run: false });
    assert.deepEqual(idsOf(next), ['n2', 'n3', 'n4']);
    assert.deepEqual(idsOf(await calls.merge(filter, tags, { limit: 1, cursor: '' })), ['n0']);
  });

  test('many tags go to fewer resources a call', async () => {
    const tags = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, 'v']));
    const first = await calls.merge({ type: ['image'] }, tags, { dry_run: true });
    assert.deepEqual([first.succeeded, typeof first.cursor], [23, 'string']);
  });

  test('a dry run tells the same and leaves nothing behind', async () => {
    const filter = { type: ['image'] };
    const tags = { moved: 'twice' };
    const rows = (await calls.auditRows()).length;
    const dry = await calls.merge(filter, tags, { limit: 3, dry_run: true });
    assert.deepEqual(await tagging.ids(['tag', 'moved=twice']), []);
    assert.equal((await calls.auditRows()).length, rows);
    const done = await calls.merge(filter, tags, { limit: 3 });
    assert.deepEqual({ ...dry, cursor: undefined }, { ...done, dry_run: true, cursor: undefined });
    assert.deepEqual(await tagging.ids(['tag', 'moved=twice']), ['n0', 'n1', 'n2']);
    assert.equal((await calls.auditRows()).length, rows + 3);
  });

  test('with an idempotency key the same call is done once', async () => {
    const headers = { 'idempotency-key': 'filter-1' };
    const body = { filter: { type: ['zone'] }, tags: { once: '1' } };
    const first = await calls.post(body, { headers });
    assert.equal(first.status, 200, first.text);
    await tagging.put('zone', 'z9', { a: '1' });
    const again = await calls.post(body, { headers });
    assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
    assert.deepEqual((await tagging.get('zone', 'z9')).json.result.tags, { a: '1' });
    const other = await calls.post({ ...body, tags: { once: '2' } }, { headers });
    assert.deepEqual([other.status, other.code], [422, 6014]);
  });

  test('gateways that the caller must not see, or not write to, are not found', async () => {
    for (const id of ['secret', 'open']) {
      const gateway = {
        id,
        cache_invalidate_on_update: true,
        cache_ttl: 0,
        collect_logs: true,
        rate_limiting_interval: null,
        rate_limiting_limit: 0,
      };
      const created = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
        body: gateway,
      });
      assert.equal(created.status, 200, created.text);
      await tagging.put('ai_gateway', id, { gate: 'yes' });
    }
    for (const slug of ['tags.read', 'tags.write']) {
      const policies = [
        allowPolicy(server.accountId, ['tags.write']),
        { ...allowPolicy(server.accountId, [slug], 'secret'), effect: 'deny' },
      ];
      const { json } = await server.call('POST', `${server.account}/tokens`, {
        body: { name: slug, policies },
      });
      const options = { token: json.result.value };
      for (const filter of [
        { tag: ['gate'] },
        { type: ['ai_gateway'] },
        { id: ['secret', 'open'] },
      ]) {
        assert.deepEqual(idsOf(await calls.merge(filter, { by: slug }, {}, options)), ['open']);
      }
    }
    const { tags } = (await tagging.get('ai_gateway', 'secret')).json.result;
    assert.deepEqual(tags, { gate: 'yes' });
  });

  test('403: a token that may not write, or not read', async () => {
    const body = { filter: { tag: ['a'] }, tags: { a: '2' } };
    const deny = { ...allowPolicy(server.accountId, ['tags.read']), effect: 'deny' };
    const { json } = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'blind', policies: [allowPolicy(server.accountId, ['tags.write']), deny] },
    });
    const { value: reader } = await server.createToken(['tags.read']);
    for (const [token, slug] of [
      [reader, 'tags.write'],
      [json.result.value, 'tags.read'],
    ]) {
      const answer = await calls.post(body, { token });
      assert.deepEqual([answer.status, answer.code], [403, 10_000], answer.text);
      assert.ok(answer.json.errors[0].message.includes(`(${slug})`), answer.text);
    }
  });

  test('a resource that ceases to match meanwhile is left alone, and is in no result', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `race-${i}`);
    for (let round = 0; round < 2; round++) {
      await Promise.all(ids.map((id) => tagging.put('r2_bucket', id, { state: 'open' })));
      const closing = ids.map((id) => tagging.put('r2_bucket', id, { state: 'closed' }));
      const merged = await calls.merge({ type: ['r2_bucket'], tag: ['state=open'] }, { mark: 'x' });
      await Promise.all(closing);
      assert.equal(merged.failed, 0);
      // Whatever was marked was closed afterwards, whole; what was closed before was not marked.
      assert.deepEqual(await tagging.ids(['tag', 'state=closed'], ['tag', '!mark']), ids);
    }
    await assertBooksAgree(server);
  });
});
