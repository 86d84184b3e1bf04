import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { roles } from '../../src/iam/roles.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let path: string;
  before(async () => {
    server = await bootServer(database);
    path = `${server.account}/roles`;
  });
  after(() => server.stop());

  async function find(name: string): Promise<Json> {
    const { json } = await server.call('GET', path);
    return json.result.find((role: Json) => role.name === name);
  }

  test('list shows all roles, in pages', async () => {
    const { json } = await server.call('GET', path);
    assert.deepEqual(
      json.result.map(({ id, name, description }: Json) => ({ id, name, description })),
      roles.map(({ id, name, description }) => ({ id, name, description })),
    );
    const second = await server.call('GET', `${path}?per_page=4&page=2`);
    assert.deepEqual(second.json.result, json.result.slice(4, 8));
    assert.deepEqual(second.json.result_info, {
      page: 2,
      per_page: 4,
      count: 4,
      total_count: roles.length,
      total_pages: 3,
    });
    assert.deepEqual((await server.call('GET', `${path}?page=2`)).json.result, []);
    assert.equal((await server.call('GET', `${path}?per_page=101`)).code, 6010);
    assert.equal((await server.call('GET', `${path}?per_page=100`)).status, 200);
  });

  test('permissions tell what a role can read, write and run', async () => {
    const nothing = { read: false, write: false };
    assert.deepEqual((await find('AI Gateway Admin')).permissions, {
      account_settings: { read: true, write: false },
      members: nothing,
      api_tokens: nothing,
      audit_logs: nothing,
      oauth_clients: nothing,
      ai_gateway: { read: true, write: true, run: true },
      tags: nothing,
      webhooks: nothing,
    });
    assert.deepEqual((await find('AI Gateway Run')).permissions.ai_gateway, {
      read: false,
      write: false,
      run: true,
    });
    const reader = Object.values((await find('Administrator Read Only')).permissions);
    assert.ok(reader.every((grant: Json) => grant.read && !grant.write));
  });

  test('get one; an unknown id is 404', async () => {
    const role = await find('Tag Admin');
    assert.deepEqual((await server.call('GET', `${path}/${role.id}`)).json.result, role);
    for (const id of [createId(), 'tag-admin']) {
      const answer = await server.call('GET', `${path}/${id}`);
      assert.deepEqual([answer.status, answer.code], [404, 7003]);
    }
  });

  test('whoever sees the account sees the roles', async () => {
    const { value } = await server.createToken(['account-settings.read']);
    const stranger = (await server.createToken(['members.read'])).value;
    for (const target of [path, `${path}/${roles[0]?.id}`]) {
      assert.equal((await server.call('GET', target, { token: value })).status, 200);
      assert.equal((await server.call('GET', target, { token: stranger })).code, 10_000);
      assert.equal((await server.call('GET', target, { token: null })).status, 401);
    }
  });
});
