import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';
import { insertForeignClient } from './foreign-client.ts';

onEachDatabase((database) => {
  let server: TestServer;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  test('the list is a plain array of all clients, oldest first, without paging', async () => {
    const empty = await server.call('GET', `${server.account}/oauth_clients`);
    assert.deepEqual(empty.json.result, []);
    assert.equal('result_info' in empty.json, false);
    const created = [];
    for (const method of ['none', 'client_secret_post', 'client_secret_basic']) {
      clock.advance(1_000);
      created.push(await createClient(server, { token_endpoint_auth_method: method }));
    }
    await insertForeignClient(server);
    const answer = await server.call('GET', `${server.account}/oauth_clients`);
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.json.result,
      created.map(({ client_secret: _secret, ...record }) => record),
    );
  });

  test('get answers what create answered, without the secret', async () => {
    const { client_secret: _secret, ...record } = await createClient(server, {
      client_name: 'Ünïcode 🔑 "quoted" \\ name',
      logo_uri: 'https://app.example.com/logo.png',
      scopes: ['ai-gateway.run'],
    });
    const path = `${server.account}/oauth_clients/${record.client_id}`;
    const answer = await server.call('GET', path);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.result, record);
  });

  test('a second secret shows as a rotation, oldest first', async () => {
    const { client_id: id } = await createClient(server);
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('oauth_client_secrets')
        .values({ client_id: id, digest: 'second', created_at: clock.now() + 5, last_used_at: 1 })
        .execute();
    });
    const { json } = await server.call('GET', `${server.account}/oauth_clients/${id}`);
    assert.equal(json.result.has_rotated_secret, true);
    assert.deepEqual(
      json.result.secrets.map((secret: { last_used_at: string }) => secret.last_used_at),
      [null, '1970-01-01T00:00:00.001Z'],
    );
  });

  test('404 for an unknown, malformed or foreign id', async () => {
    const foreign = await insertForeignClient(server);
    for (const id of ['0'.repeat(32), 'x', 'A'.repeat(32), '..%2f', "'", '%F0%9F%94%91', foreign]) {
      const answer = await server.call('GET', `${server.account}/oauth_clients/${id}`);
      assert.equal(answer.status, 404, id);
      assert.equal(answer.code, 4040, id);
    }
  });

  test('401 and 403 of both reads', async () => {
    const { client_id: id } = await createClient(server);
    const { value } = await server.createToken(['tags.write']);
    for (const path of [
      `${server.account}/oauth_clients`,
      `${server.account}/oauth_clients/${id}`,
    ]) {
      assert.equal((await server.call('GET', path, { token: null })).status, 401);
      const forbidden = await server.call('GET', path, { token: value });
      assert.equal(forbidden.status, 403);
      assert.match(forbidden.json.errors[0].message, /OAuth Clients Read/);
    }
    const other = `/accounts/${'e'.repeat(32)}/oauth_clients`;
    assert.equal((await server.call('GET', other)).status, 403);
    assert.equal((await server.call('GET', `${other}/${id}`)).status, 403);
  });

  test('a token that writes clients reads them too', async () => {
    const { value } = await server.createToken(['oauth-clients.write']);
    const answer = await server.call('GET', `${server.account}/oauth_clients`, { token: value });
    assert.equal(answer.status, 200);
  });

  test('405 names the methods', async () => {
    const answer = await server.call('PUT', `${server.account}/oauth_clients`, { body: {} });
    assert.equal(answer.status, 405);
    assert.match(answer.headers.get('allow') ?? '', /GET.*POST|POST.*GET/);
  });
});
