import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';
import { insertForeignClient } from './foreign-client.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  test('the client and its secrets are gone, others stay', async () => {
    const kept = await createClient(server);
    const { client_id: id } = await createClient(server);
    const path = `${server.account}/oauth_clients/${id}`;
    const answer = await server.call('DELETE', path);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.result, { id });
    assert.equal((await server.call('GET', path)).code, 4040);
    const secrets = await server.app.database.read
      .selectFrom('oauth_client_secrets')
      .select('client_id')
      .execute();
    assert.deepEqual(
      secrets.map((secret) => secret.client_id),
      [kept.client_id],
    );
    const again = await server.call('DELETE', path);
    assert.equal(again.status, 404);
    assert.equal(again.code, 4040);
  });

  test('404 for an unknown, malformed or foreign id, which stays', async () => {
    const foreign = await insertForeignClient(server);
    for (const id of ['0'.repeat(32), 'x', foreign]) {
      const answer = await server.call('DELETE', `${server.account}/oauth_clients/${id}`);
      assert.equal(answer.status, 404);
      assert.equal(answer.code, 4040);
    }
    const rows = await server.app.database.read
      .selectFrom('oauth_clients')
      .select('id')
      .where('id', '=', foreign)
      .execute();
    assert.equal(rows.length, 1);
  });

  test('of many deletions at once exactly one succeeds', async () => {
    const { client_id: id } = await createClient(server);
    const path = `${server.account}/oauth_clients/${id}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.call('DELETE', path)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 7);
  });

  test('401, and 403 with a token that only reads', async () => {
    const { client_id: id } = await createClient(server);
    const { value } = await server.createToken(['oauth-clients.read']);
    const path = `${server.account}/oauth_clients/${id}`;
    assert.equal((await server.call('DELETE', path, { token: null })).status, 401);
    const forbidden = await server.call('DELETE', path, { token: value });
    assert.equal(forbidden.status, 403);
    assert.match(forbidden.json.errors[0].message, /OAuth Clients Write/);
    const elsewhere = `/accounts/${'d'.repeat(32)}/oauth_clients/${id}`;
    assert.equal((await server.call('DELETE', elsewhere)).status, 403);
    assert.equal((await server.call('GET', path)).status, 200);
  });
});
