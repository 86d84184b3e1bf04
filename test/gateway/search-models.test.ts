import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { settings: { PROVIDER_OPENAI_API_KEY: 'sk-test' } });
    const body = {
      name: 'Own',
      slug: 'own',
      base_url: 'https://own.example',
      models: ['small', 'large'],
    };
    const path = `${server.account}/ai-gateway/custom-providers`;
    const { status, text } = await server.call('POST', path, { body });
    assert.equal(status, 200, text);
  });
  after(() => server.stop());

  const search = (query = '') => server.call('GET', `${server.account}/ai/models/search?${query}`);
  const idsOf = (result: Json[]): string[] => result.map(({ id }) => id);

  test('lists the models of the price table and of custom providers', async () => {
    const { json } = await search('per_page=1000');
    const rest = await search('per_page=1000&page=2');
    const ids = idsOf([...json.result, ...rest.json.result]);
    assert.ok(ids.includes('openai/gpt-4o'));
    assert.ok(ids.includes('custom-own/small'));
    assert.ok(ids.includes('local/echo'));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(json.result_info.total_count, ids.length);
    const two = await search('per_page=2&page=2');
    assert.deepEqual(idsOf(two.json.result), ids.slice(2, 4));
    assert.deepEqual((await search('page=1000000')).json.result, []);
  });

  test('filters by text and provider', async () => {
    const own = await search('author=custom-own');
    assert.deepEqual(own.json.result, [
      {
        id: 'custom-own/small',
        name: 'custom-own/small',
        author: 'custom-own',
        description: 'small',
        tags: [],
        properties: [],
      },
      {
        id: 'custom-own/large',
        name: 'custom-own/large',
        author: 'custom-own',
        description: 'large',
        tags: [],
        properties: [],
      },
    ]);
    assert.deepEqual(idsOf((await search('search=OWN%2FLAR')).json.result), ['custom-own/large']);
    assert.deepEqual((await search('author=openai&search=custom')).json.result, []);
    assert.deepEqual((await search('author=none')).json.result, []);
    assert.equal((await search('hide_experimental=true')).status, 200);
  });

  test('rejects other parameters and values with 6010', async () => {
    for (const query of [
      'task=Text+Generation',
      'per_page=1001',
      'page=0',
      `search=${'x'.repeat(257)}`,
    ]) {
      const answer = await search(query);
      assert.deepEqual([answer.status, answer.code], [400, 6010], query);
    }
    assert.equal((await search(`search=${'x'.repeat(256)}`)).status, 200);
  });

  test('requires ai-gateway.read', async () => {
    const { value } = await server.createToken(['tags.read']);
    const path = `${server.account}/ai/models/search`;
    assert.equal((await server.call('GET', path, { token: value })).status, 403);
    assert.equal((await server.call('GET', path, { token: null })).status, 401);
  });
});
