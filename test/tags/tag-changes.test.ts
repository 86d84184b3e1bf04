import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Transaction } from '../../src/storage/schema.ts';
import { EMPTY_ETAG } from '../../src/tags/tag-set/etag.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createSecondAccount } from '../support/second-account.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
} from '../support/server.ts';
import { positionOf } from './following.ts';
import { addMade, appendMade } from './made-changes.ts';
import { type Tagging, createTagging, query } from './tagging.ts';

/** The list of changes of tags, one request at a time. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database, { clock });
    tagging = createTagging(server);
  });
  after(() => server.stop());

  async function changes(...parameters: [string, string][]): Promise<Json> {
    const answer = await tagging.list(`changes?${query(...parameters)}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  /** The cursor from which later changes come. */
  async function now(...parameters: [string, string][]): Promise<string> {
    const { result, result_info: info } = await changes(['start', 'now'], ...parameters);
    assert.deepEqual([result, Object.keys(info)], [[], ['count', 'resume_cursor']]);
    return info.resume_cursor;
  }

  const ids = ({ result }: Json): string[] => result.map((change: Json) => change.resource_id);
  const write = (method: string, tags: Json, id = 'api', headers = {}): Promise<Answer> =>
    server.call(method, `${server.account}/tags`, {
      body: { resource_type: 'worker', resource_id: id, ...(tags === undefined ? {} : { tags }) },
      headers,
    });

  /** What the writes of a test have added to the list. */
  async function added(work: () => Promise<unknown>): Promise<Json[]> {
    const cursor = await now();
    await work();
    return (await changes(['cursor', cursor])).result;
  }

  test('each write that changes tags adds what has become of those', async () => {
    const written: Answer[] = [];
    const found = await added(async () => {
      for (const [method, tags] of [
        ['PUT', { env: 'dev', team: 'core' }],
        ['PUT', { team: 'web', ['__proto__']: 'own' }],
        ['PATCH', { team: null, size: 'small' }],
        ['DELETE', undefined],
        ['PUT', { env: 'dev' }],
        ['PUT', {}],
      ] as const) {
        clock.advance(1_000);
        written.push(await write(method, tags));
      }
    });
    assert.deepEqual(
      found.map(({ tags }) => JSON.stringify(tags)),
      [
        '{"env":"dev","team":"core"}',
        '{"__proto__":"own","env":null,"team":"web"}',
        '{"size":"small","team":null}',
        '{"__proto__":null,"size":null}',
        '{"env":"dev"}',
        '{"env":null}',
      ],
    );
    for (const [index, { cursor, tags: _, ...change }] of found.entries()) {
      const answer = written[index] as Answer;
      const deleted = [3, 5].includes(index);
      assert.equal(answer.status, index === 3 ? 204 : 200, answer.text);
      assert.deepEqual(change, {
        resource_type: 'worker',
        resource_id: 'api',
        name: 'api',
        etag: deleted ? EMPTY_ETAG : answer.json.result.etag,
        deleted,
        changed_at: new Date(clock.now() - (5 - index) * 1_000).toISOString(),
        request_id: answer.headers.get('x-request-id'),
      });
      const later = await changes(['cursor', cursor]);
      assert.deepEqual(later.result, found.slice(index + 1));
    }
  });

  test('a write that changes no tags adds nothing', async () => {
    await write('PUT', { env: 'dev' });
    const found = await added(async () => {
      await write('PUT', { env: 'dev' });
      await tagging.put('worker', 'api', { env: 'dev' }, { name: 'another name' });
      await write('PATCH', { team: null });
      await write('PATCH', {});
      assert.equal((await write('PUT', { env: 'live' }, 'api', { 'if-match': 'no' })).status, 412);
      assert.equal((await write('PUT', { 'not a key': '' })).status, 400);
      assert.equal((await write('DELETE', undefined, 'nothing')).status, 204);
      await write('PUT', {}, 'nothing');
    });
    assert.deepEqual(found, []);
    const [change] = await added(() => tagging.remove('worker', 'api'));
    assert.deepEqual([change.name, change.tags], ['another name', { env: null }]);
  });

  test('a resource of our own that is deleted loses its tags', async () => {
    const { id } = await server.createToken(['tags.read']);
    let deleted: Answer | undefined;
    const found = await added(async () => {
      await tagging.put('api_token', id, { env: 'dev' });
      deleted = await server.call('DELETE', `${server.account}/tokens/${id}`);
      assert.equal(deleted.status, 200, deleted.text);
    });
    const told = found.map(({ resource_id: of, name, tags, ...rest }) => [
      of,
      name,
      tags,
      rest.deleted,
    ]);
    assert.deepEqual(told, [
      [id, 'test', { env: 'dev' }, false],
      [id, 'test', { env: null }, true],
    ]);
    assert.equal(found[1].request_id, deleted?.headers.get('x-request-id'));
  });

  test('a transaction that is undone adds nothing, and keeps no reader waiting', async () => {
    const { app, accountId } = server;
    const cursor = await now();
    const appended = async (tx: Transaction): Promise<void> => {
      await appendMade(tx, accountId, [{ changedAtMs: clock.now() }]);
      // The reader has a connection of its own.
      assert.deepEqual(ids(await changes(['cursor', cursor])), []);
    };
    const undone = app.database.transaction(async (tx) => {
      await appended(tx);
      throw new Error('undone');
    });
    await assert.rejects(undone, /^Error: undone$/);
    assert.deepEqual(ids(await changes(['cursor', cursor])), []);
    await app.database.transaction(appended);
    assert.equal(ids(await changes(['cursor', cursor])).length, 1);
  });

  test('pages end at the limit, and the last one tells where to go on', async () => {
    const start = await now();
    for (const id of ['a', 'b', 'c']) await write('PUT', { n: id }, id);
    const first = await changes(['cursor', start], ['limit', '2']);
    assert.deepEqual(ids(first), ['a', 'b']);
    const { cursor } = first.result_info;
    assert.deepEqual(first.result_info, {
      count: 2,
      cursor,
      cursors: { after: cursor },
      resume_cursor: cursor,
    });
    assert.equal(first.result[1].cursor, cursor);
    const second = await changes(['cursor', cursor], ['limit', '1']);
    assert.deepEqual(ids(second), ['c']);
    const { resume_cursor: resume } = second.result_info;
    assert.deepEqual(second.result_info, { count: 1, resume_cursor: resume });
    assert.deepEqual((await changes(['cursor', resume])).result, []);
    await write('PUT', { n: 'd' }, 'd');
    assert.deepEqual(ids(await changes(['cursor', resume])), ['d']);
    // An empty cursor is none.
    assert.deepEqual(ids(await changes(['cursor', ''], ['limit', '1'])), ['api']);
  });

  test('a page ends before it is too large', async () => {
    const start = await now();
    // Each tag takes 4,000 bytes.
    const large = (tags: number) =>
      Object.fromEntries(Array.from({ length: tags }, (_, i) => [`k${i}`, '𝄞'.repeat(1_000)]));
    for (const tags of [125, 100, 75]) await write('PUT', large(tags), `large-${tags}`);
    const first = await changes(['cursor', start]);
    assert.deepEqual(ids(first), ['large-125', 'large-100']);
    const second = await changes(['cursor', first.result_info.cursor]);
    assert.deepEqual(ids(second), ['large-75']);
    assert.equal(second.result_info.cursor, undefined);
  });

  test('a page of long names ends before it is too large too', async () => {
    const start = await now();
    const name = '𝄞'.repeat(1_000);
    for (const count of [200, 100]) {
      const operations = Array.from({ length: count }, (_, i) => ({
        op: 'put' as const,
        resource_type: 'image',
        resource_id: `${count}-${i}`,
        tags: { a: '1' },
        name,
      }));
      await tagging.bulk(operations);
    }
    const first = await changes(['cursor', start], ['limit', '1000']);
    const second = await changes(['cursor', first.result_info.cursor], ['limit', '1000']);
    assert.deepEqual([first.result.length > 250, second.result.length > 30], [true, true]);
    assert.equal(first.result.length + second.result.length, 300);
  });

  test('400: limits, cursors and types that are none', async () => {
    for (const limit of ['0', '1001', 'x']) {
      const answer = await tagging.list(`changes?limit=${limit}`);
      assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
    }
    assert.equal((await tagging.list('changes?start=then')).code, 6010);
    assert.equal((await tagging.list('changes?type=worker&type=nothing')).code, 1006);
    const cursor = await now();
    const ofList = (await tagging.list('resources?limit=1')).json.result_info.cursor ?? 'none';
    for (const wrong of [ofList, cursor.slice(4), 'x'.repeat(50), `${cursor}&type=worker`]) {
      const answer = await tagging.list(`changes?cursor=${wrong}`);
      assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
    }
    const second = await createSecondAccount(server);
    const other = await server.call('GET', `${second.account}/tags/changes?cursor=${cursor}`, {
      token: second.token,
    });
    assert.deepEqual([other.status, other.code], [400, 6010]);
  });

  test('403, and the changes of other accounts are not told', async () => {
    const { value } = await server.createToken(['ai-gateway.read']);
    const path = `${server.account}/tags/changes`;
    assert.equal((await server.call('GET', path, { token: value })).status, 403);
    const second = await createSecondAccount(server);
    const { json } = await server.call('GET', `${second.account}/tags/changes`, {
      token: second.token,
    });
    assert.deepEqual([json.result, json.result_info.count], [[], 0]);
    assert.equal(positionOf(json.result_info.resume_cursor), 0);
    assert.equal((await server.call('GET', path, { token: second.token })).status, 403);
  });

  test('only of some types, and without long work for one page', async () => {
    const start = await now(['type', 'zone'], ['type', 'image']);
    const unused = await now(['type', 'image']);
    // More than are gone over for a page that has something.
    const made = Array.from({ length: 21_000 }, (_, i) => ({
      type: i === 10 || i === 20_500 ? 'zone' : 'queue',
      changedAtMs: clock.now(),
    }));
    await addMade(server, made.slice(0, 10_000));
    await addMade(server, made.slice(10_000));
    const nameOf = (index: number) => `r${positionOf(start) + 1 + index}`;
    // The order of the types means nothing.
    const types: [string, string][] = [
      ['type', 'image'],
      ['type', 'zone'],
    ];
    const first = await changes(['cursor', start], ...types);
    assert.deepEqual(ids(first), [nameOf(10)]);
    const second = await changes(['cursor', first.result_info.cursor], ...types);
    assert.deepEqual(ids(second), [nameOf(20_500)]);
    const end = positionOf(await now());
    const none = await changes(['cursor', unused], ['type', 'image']);
    assert.deepEqual([none.result, none.result_info.cursor], [[], undefined]);
    // What is of other types is gone over once.
    for (const { result_info: info } of [second, none]) {
      assert.deepEqual([info.cursor, positionOf(info.resume_cursor)], [undefined, end]);
    }
  });

  test('gateways for which tags.read is denied are left out', async () => {
    for (const id of ['secret', 'open']) {
      const gateway = { id, cache_ttl: 0, collect_logs: true, rate_limiting_limit: 0 };
      const body = { ...gateway, cache_invalidate_on_update: true, rate_limiting_interval: null };
      const path = `${server.account}/ai-gateway/gateways`;
      const created = await server.call('POST', path, { body });
      assert.equal(created.status, 200, created.text);
    }
    const allow = allowPolicy(server.accountId, ['tags.write']);
    const deny = { ...allowPolicy(server.accountId, ['tags.read'], 'secret'), effect: 'deny' };
    const { json: created } = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'reader', policies: [allow, deny] },
    });
    const cursor = await now();
    await tagging.put('ai_gateway', 'secret', { env: 'dev' });
    await tagging.put('ai_gateway', 'open', { env: 'dev' });
    await tagging.put('worker', 'secret', { env: 'dev' });
    const path = `${server.account}/tags/changes?cursor=${cursor}`;
    const { json } = await server.call('GET', path, { token: created.result.value });
    const told = json.result.map((change: Json) => `${change.resource_type} ${change.resource_id}`);
    assert.deepEqual(told, ['ai_gateway open', 'worker secret']);
    assert.equal((await changes(['cursor', cursor])).result.length, 3);
  });
});
