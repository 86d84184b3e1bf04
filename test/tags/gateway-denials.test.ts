import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import { createTagging, query } from './tagging.ts';

/** A permission on tags that is denied for one gateway, which no path names. */
onEachDatabase((database) => {
  let server: TestServer;
  let reader: string;
  let writer: string;

  async function tokenWithout(slug: string): Promise<string> {
    const allow = allowPolicy(server.accountId, ['tags.write']);
    const deny = { ...allowPolicy(server.accountId, [slug], 'secret'), effect: 'deny' };
    const { json } = await server.call('POST', `${server.account}/tokens`, {
      body: { name: slug, policies: [allow, deny] },
    });
    return json.result.value;
  }

  before(async () => {
    server = await bootServer(database);
    reader = await tokenWithout('tags.read');
    writer = await tokenWithout('tags.write');
    for (const id of ['secret', 'open']) {
      const gateway = {
        id,
        cache_invalidate_on_update: true,
        cache_ttl: 0,
        collect_logs: true,
        rate_limiting_interval: null,
        rate_limiting_limit: 0,
      };
      const path = `${server.account}/ai-gateway/gateways`;
      const created = await server.call('POST', path, { body: gateway });
      assert.equal(created.status, 200, created.text);
    }
    const tagging = createTagging(server);
    await tagging.put('ai_gateway', 'secret', { env: 'hidden', only: 'secret' });
    await tagging.put('ai_gateway', 'open', { env: 'shown', gate: 'open' });
    // A resource of another type is not concerned, even with the same id.
    await tagging.put('worker', 'secret', { env: 'work', size: 'small' });
    await tagging.put('zone', 'zone', { env: 'work' });
  });
  after(() => server.stop());

  const path = (rest = '') => `${server.account}/tags${rest}`;
  const get = (id: string, token: string) =>
    server.call('GET', path(`?${query(['resource_type', 'ai_gateway'], ['resource_id', id])}`), {
      token,
    });
  const named = (id: string) => ({ resource_type: 'ai_gateway', resource_id: id });
  const put = (id: string, token: string) =>
    server.call('PUT', path(), { token, body: { ...named(id), tags: { env: 'shown' } } });
  const remove = (id: string, token: string, inQuery = false) =>
    inQuery
      ? server.call('DELETE', path(`?${new URLSearchParams(named(id)).toString()}`), { token })
      : server.call('DELETE', path(), { token, body: named(id) });

  function assertForbidden(answer: Answer, permission: string): void {
    assert.deepEqual([answer.status, answer.code], [403, 10_000], answer.text);
    assert.ok(answer.json.errors[0].message.includes(`(${permission})`), answer.text);
  }

  test('412 shows nothing to a caller who may write the tags and not read them', async () => {
    const stale = { 'if-match': '"v1:stale"' };
    const body = { ...named('secret'), tags: {} };
    for (const [method, sent] of [
      ['PUT', body],
      ['DELETE', named('secret')],
    ] as const) {
      const answer = await server.call(method, path(), {
        token: reader,
        headers: stale,
        body: sent,
      });
      assert.deepEqual([answer.status, answer.code, answer.json.result], [412, 1016, null]);
      assert.equal(answer.headers.get('etag'), null);
      assert.ok(!answer.text.includes('hidden'), answer.text);
      const shown = await server.call(method, path(), { headers: stale, body: sent });
      assert.equal(shown.json.result.tags.env, 'hidden');
    }
  });

  async function list(rest: string, token = reader): Promise<unknown[]> {
    const answer = await server.call('GET', path(`/${rest}`), { token });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.result;
  }

  async function listed(parameters = '', token = reader): Promise<string[]> {
    const found = (await list(`resources?${parameters}`, token)) as { type: string; id: string }[];
    return found.map(({ type, id }) => `${type} ${id}`);
  }

  test('its tags cannot be read, whether it has some or not', async () => {
    assertForbidden(await get('secret', reader), 'tags.read');
    assert.equal((await get('open', reader)).status, 200);
    assert.equal((await get('secret', writer)).status, 200);
  });

  test('its tags cannot be set or removed, and stay', async () => {
    assertForbidden(await put('secret', writer), 'tags.write');
    assertForbidden(await remove('secret', writer), 'tags.write');
    assertForbidden(await remove('secret', writer, true), 'tags.write');
    const { json } = await get('secret', server.token);
    assert.deepEqual(json.result.tags, { env: 'hidden', only: 'secret' });
    assert.equal((await put('open', writer)).status, 200);
    assert.equal((await remove('open', writer)).status, 204);
    await createTagging(server).put('ai_gateway', 'open', { env: 'shown', gate: 'open' });
  });

  test('its tags cannot be merged with others either, which would tell them', async () => {
    const patch = (id: string, token: string) =>
      server.call('PATCH', path(), { token, body: { ...named(id), tags: { none: null } } });
    const bulk = async (id: string, token: string) => {
      const operations = [{ op: 'patch', ...named(id), tags: { none: null } }];
      const answer = await server.call('POST', path('/bulk'), { token, body: { operations } });
      return answer.json.result.results[0];
    };
    assertForbidden(await patch('secret', reader), 'tags.read');
    assertForbidden(await patch('secret', writer), 'tags.write');
    const refused = await bulk('secret', reader);
    assert.deepEqual([refused.errors[0].code, refused.etag], [10_000, undefined]);
    assert.equal((await patch('open', reader)).status, 200);
    assert.equal((await bulk('open', reader)).success, true);

    const allow = allowPolicy(server.accountId, ['tags.write']);
    const deny = { ...allowPolicy(server.accountId, ['tags.read']), effect: 'deny' };
    const { json } = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'blind', policies: [allow, deny] },
    });
    const blind = json.result.value;
    assertForbidden(await patch('open', blind), 'tags.read');
    assert.equal((await bulk('open', blind)).errors[0].code, 10_000);
    assert.equal((await put('open', blind)).status, 200);
    await createTagging(server).put('ai_gateway', 'open', { env: 'shown', gate: 'open' });
  });

  test('it is in no list of resources', async () => {
    const all = ['worker secret', 'zone zone', 'ai_gateway open'];
    assert.deepEqual(await listed(), all);
    assert.deepEqual(await listed('type=ai_gateway'), ['ai_gateway open']);
    assert.deepEqual(await listed('id=secret'), ['worker secret']);
    assert.deepEqual(await listed('tag=only'), []);
    assert.deepEqual(await listed('tag=!gate'), ['worker secret', 'zone zone']);
    assert.deepEqual(await listed('tag=env%3Dhidden&case_insensitive=true'), []);
    assert.deepEqual(await listed('name=ecre'), ['worker secret']);
    assert.deepEqual(await listed('limit=1'), ['worker secret']);
    assert.deepEqual(await listed('', writer), ['ai_gateway secret', ...all]);
  });

  test('keys, values and counts of gateways are not told at all', async () => {
    assert.deepEqual(await list('keys'), ['env', 'size']);
    assert.deepEqual(await list('keys?type=ai_gateway'), []);
    assert.deepEqual(await list('keys?type=ai_gateway&type=worker'), ['env', 'size']);
    assert.deepEqual(await list('values/env'), ['work']);
    assert.deepEqual(await list('values?key=env'), ['work']);
    assert.deepEqual(await list('values/only'), []);
    assert.deepEqual(await list('values/env?type=ai_gateway'), []);
    assert.deepEqual(await list('summary'), [
      { key: 'env', values: ['work'], count: 2, facets: [{ value: 'work', count: 2 }] },
      { key: 'size', values: ['small'], count: 1, facets: [{ value: 'small', count: 1 }] },
    ]);
    assert.deepEqual(await list('summary?type=ai_gateway'), []);
    const types = (await list('types')) as { type: string }[];
    assert.ok(!types.some(({ type }) => type === 'ai_gateway'));
    assert.deepEqual(await list('keys', writer), ['env', 'gate', 'only', 'size']);
    assert.deepEqual(await list('values/env', writer), ['hidden', 'shown', 'work']);
    const [first] = (await list('summary', writer)) as { values: string[]; count: number }[];
    assert.deepEqual([first?.values, first?.count], [['hidden', 'shown', 'work'], 4]);
  });

  test('the summary pages for them too', async () => {
    const tags = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i + 100}`, 'v']));
    const tagging = createTagging(server);
    await tagging.put('queue', 'many', tags);
    const first = await server.call('GET', path('/summary'), { token: reader });
    const { result, result_info: info } = first.json;
    assert.equal(result.length, 100);
    const rest = (await list(`summary?${query(['cursor', info.cursor])}`)) as { key: string }[];
    assert.deepEqual(
      [...result, ...rest].map(({ key }: { key: string }) => key),
      ['env', ...Object.keys(tags), 'size'],
    );
    await tagging.remove('queue', 'many');
  });
});
