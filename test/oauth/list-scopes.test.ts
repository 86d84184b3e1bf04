import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { permissions } from '../../src/iam/permissions.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { settings: { BRAND: 'acme' } });
  });
  after(() => server.stop());

  test('lists the permission catalogue, under the brand', async () => {
    const { status, json } = await server.call('GET', '/oauth/scopes');
    assert.equal(status, 200);
    assert.equal(json.result.length, permissions.length);
    assert.deepEqual(json.result.at(0), {
      id: 'account-settings.read',
      name: 'Account Settings Read',
      category: 'account',
      scopes: ['com.acme.api.account'],
    });
    const user = json.result.find(({ id }: { id: string }) => id === 'user-details.read');
    assert.deepEqual(user.scopes, ['com.acme.api.user']);
  });

  test('every listed scope can be given to a client', async () => {
    const { json } = await server.call('GET', '/oauth/scopes');
    const ids = json.result.map(({ id }: { id: string }) => id);
    const client = await createClient(server, { scopes: ids, optional_scopes: ids });
    assert.deepEqual(client.scopes, [...ids, 'openid']);
    assert.deepEqual(client.optional_scopes, ids);
  });

  test('needs a credential and no permission', async () => {
    assert.equal((await server.call('GET', '/oauth/scopes', { token: null })).status, 401);
    const { value } = await server.createToken(['webhooks.read']);
    const answer = await server.call('GET', '/oauth/scopes', { token: value });
    assert.equal(answer.status, 200);
  });
});
