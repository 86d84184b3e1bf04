import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { permissions } from '../../src/iam/permissions.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';

const TAGS_READ = permissions.find(({ slug }) => slug === 'tags.read');
// Of the public API, for AI Gateway Run.
const PUBLIC_ID = '644535f4ed854494a59cb289d634b257';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const get = (path: string) =>
    server.call('GET', `${server.account}/iam/permission_groups${path}`);
  const namesOf = (result: Json[]) => result.map(({ name }) => name);

  test('the catalogue in pages, with filters', async () => {
    const { json } = await get('?per_page=100');
    assert.deepEqual(
      namesOf(json.result),
      permissions.map(({ name }) => name),
    );
    assert.equal(json.result_info.total_count, permissions.length);
    const second = await get('?per_page=5&page=2');
    assert.deepEqual(second.json.result, json.result.slice(5, 10));
    for (const [query, expected] of [
      [`id=${TAGS_READ?.id}`, ['Tags Read']],
      [`id=${PUBLIC_ID}`, ['AI Gateway Run']],
      ['name=Tags+Read', ['Tags Read']],
      ['label=tags_read', ['Tags Read']],
      ['label=tags_read&name=Tags+Write', []],
      [`id=${createId()}`, []],
    ] as const) {
      assert.deepEqual(namesOf((await get(`?${query}`)).json.result), expected, query);
    }
    for (const query of ['per_page=101', 'page=0', 'slug=tags.read']) {
      const answer = await get(`?${query}`);
      assert.deepEqual([answer.status, answer.code], [400, 6010], query);
    }
  });

  test('one group, by its id or its public id', async () => {
    const { json } = await get(`/${TAGS_READ?.id}`);
    assert.deepEqual(json.result, {
      id: TAGS_READ?.id,
      name: 'Tags Read',
      meta: {
        label: 'tags_read',
        scopes: 'com.latchkey.api.account',
        category: 'account_and_billing',
      },
    });
    assert.equal((await get(`/${PUBLIC_ID}`)).json.result.name, 'AI Gateway Run');
    for (const id of [createId(), 'nonsense', 'tags.read']) {
      const answer = await get(`/${id}`);
      assert.deepEqual([answer.status, answer.code], [404, 7003], id);
    }
  });

  test('requires account-settings.read', async () => {
    const { value } = await server.createToken(['tags.read']);
    for (const path of ['', `/${TAGS_READ?.id}`]) {
      const url = `${server.account}/iam/permission_groups${path}`;
      assert.equal((await server.call('GET', url, { token: value })).status, 403);
      assert.equal((await server.call('GET', url, { token: null })).status, 401);
    }
  });
});
