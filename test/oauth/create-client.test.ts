import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWellFormedSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { assertFaults, clientBody, createClient, tryCreate } from './client-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock: new ManualClock() });
  });
  after(() => server.stop());

  test('answers the whole record with the secret', async () => {
    const client = await createClient(server, {
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['tags.read', 'profile'],
      optional_scopes: ['profile'],
      post_logout_redirect_uris: ['https://app.example.com/bye'],
      logo_uri: 'https://app.example.com/logo.png',
      policy_uri: 'https://app.example.com/legal#privacy',
      tos_uri: 'https://app.example.com/tos',
      client_uri: 'https://app.example.com',
      allowed_cors_origins: ['https://app.example.com'],
      id_token_signed_response_alg: 'ES256',
      id_token_claims: true,
    });
    assert.match(client.client_id, /^[0-9a-f]{32}$/);
    assert.ok(isWellFormedSecret(client.client_secret, 'lkcs_'), client.client_secret);
    const {
      client_id: _id,
      client_secret: _secret,
      client_uri_verification: verification,
      ...record
    } = client;
    assert.equal(verification.status, 'pending');
    assert.deepEqual(record, {
      client_name: 'Example',
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['https://app.example.com/callback'],
      scopes: ['tags.read', 'profile', 'openid', 'offline_access'],
      optional_scopes: ['profile'],
      post_logout_redirect_uris: ['https://app.example.com/bye'],
      logo_uri: 'https://app.example.com/logo.png',
      policy_uri: 'https://app.example.com/legal#privacy',
      tos_uri: 'https://app.example.com/tos',
      client_uri: 'https://app.example.com',
      allowed_cors_origins: ['https://app.example.com'],
      id_token_signed_response_alg: 'ES256',
      id_token_claims: true,
      visibility: 'private',
      has_rotated_secret: false,
      secrets: [{ created_at: '2026-01-01T00:00:00.000Z', last_used_at: null }],
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
  });

  test('fields that are not sent are absent or empty', async () => {
    const client = await createClient(server, { logo_uri: '', client_uri: null });
    for (const field of [
      'logo_uri',
      'client_uri',
      'tos_uri',
      'policy_uri',
      'optional_scopes',
      'post_logout_redirect_uris',
      'allowed_cors_origins',
      'promoted_at',
    ]) {
      assert.equal(field in client, false, field);
    }
    assert.deepEqual(client.scopes, ['profile', 'email', 'openid']);
  });

  test('optional lists come back as they were sent, also empty', async () => {
    const lists = ['post_logout_redirect_uris', 'allowed_cors_origins'] as const;
    const empty = Object.fromEntries(lists.map((list) => [list, []]));
    const client = await createClient(server, empty);
    const path = `${server.account}/oauth_clients/${client.client_id}`;
    for (const value of [[], ['https://app.example'], null, [], null]) {
      for (const list of lists) {
        const changed = await server.call('PATCH', path, { body: { [list]: value } });
        assert.equal(changed.status, 200, changed.text);
        const { result } = (await server.call('GET', path)).json;
        assert.deepEqual(result[list], value ?? undefined);
      }
    }
  });

  test('each authentication method: only a secret-holding client has a secret', async () => {
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const client = await createClient(server, { token_endpoint_auth_method: method });
      assert.equal(client.token_endpoint_auth_method, method);
      assert.equal(client.secrets.length, 1);
    }
    const client = await createClient(server, { token_endpoint_auth_method: 'none' });
    assert.equal('client_secret' in client, false);
    assert.deepEqual(client.secrets, []);
    assert.equal(client.has_rotated_secret, false);
  });

  test('two clients differ in id and secret, even with the same name', async () => {
    const [a, b] = await Promise.all([createClient(server), createClient(server)]);
    assert.notEqual(a.client_id, b.client_id);
    assert.notEqual(a.client_secret, b.client_secret);
  });

  test('the secret is nowhere but in the answer', async () => {
    const client = await createClient(server);
    const path = `${server.account}/oauth_clients`;
    const got = await server.call('GET', `${path}/${client.client_id}`);
    const listed = await server.call('GET', path);
    const patched = await server.call('PATCH', `${path}/${client.client_id}`, { body: {} });
    const { read } = server.app.database;
    const stored = JSON.stringify([
      await read.selectFrom('oauth_clients').selectAll().execute(),
      await read.selectFrom('oauth_client_secrets').selectAll().execute(),
    ]);
    const secretRow = await read
      .selectFrom('oauth_client_secrets')
      .selectAll()
      .where('client_id', '=', client.client_id)
      .executeTakeFirstOrThrow();
    assert.match(secretRow.digest, /^[A-Za-z0-9_-]{43}$/);
    for (const text of [got.text, listed.text, patched.text, stored, server.logLines.join('')]) {
      assert.equal(text.includes(client.client_secret), false);
    }
    for (const text of [got.text, listed.text, patched.text]) {
      assert.equal(text.includes(secretRow.digest), false);
      assert.equal(text.includes('client_secret"'), false);
    }
  });

  test('URIs are kept byte for byte', async () => {
    const uris = [
      'https://Example.COM:443/a/../b//c?x=%7e&y[]=1',
      'https://example.com',
      'https://example.com/',
    ];
    const { client_id: id } = await createClient(server, { redirect_uris: uris });
    const got = await server.call('GET', `${server.account}/oauth_clients/${id}`);
    assert.deepEqual(got.json.result.redirect_uris, uris);
  });

  test('400: a body that is no JSON, no object, or missing', async () => {
    const path = `${server.account}/oauth_clients`;
    for (const body of ['{', '', undefined, 'null']) {
      const answer = await server.call('POST', path, {
        body,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(answer.status, 400, `${body}`);
      assert.equal(answer.code, 6007, `${body}`);
    }
    for (const body of ['[]', '5', '"x"', '[[]]']) {
      assertFaults(await server.call('POST', path, { body }), ['4001 ']);
    }
  });

  test('400: every field that is missing is named', async () => {
    assertFaults(await server.call('POST', `${server.account}/oauth_clients`, { body: {} }), [
      '4001 /client_name',
      '4001 /response_types',
      '4001 /grant_types',
      '4001 /token_endpoint_auth_method',
      '4001 /redirect_uris',
    ]);
  });

  test('400: unknown fields are refused by name', async () => {
    const answer = await tryCreate(server, { visibility: 'public', 'a/b~c': 1, client_id: 'x' });
    assertFaults(answer, ['4002 /visibility', '4002 /a~1b~0c', '4002 /client_id']);
    const text = JSON.stringify(clientBody()).replace('{', '{"__proto__":{"scopes":[]},');
    const proto = await server.call('POST', `${server.account}/oauth_clients`, { body: text });
    assertFaults(proto, ['4002 /__proto__']);
  });

  test('401 without a credential', async () => {
    const path = `${server.account}/oauth_clients`;
    const answer = await server.call('POST', path, { token: null, body: clientBody() });
    assert.equal(answer.status, 401);
    assert.equal(answer.code, 10_000);
  });

  test('403 with a token that only reads, naming the permission, whatever the body', async () => {
    const { value } = await server.createToken(['oauth-clients.read']);
    for (const body of [clientBody(), { nonsense: true }]) {
      const answer = await server.call('POST', `${server.account}/oauth_clients`, {
        token: value,
        body,
      });
      assert.equal(answer.status, 403);
      assert.match(answer.json.errors[0].message, /OAuth Clients Write/);
    }
  });

  test('200 with a token that writes clients and nothing else', async () => {
    const { value } = await server.createToken(['oauth-clients.write']);
    const path = `${server.account}/oauth_clients`;
    const answer = await server.call('POST', path, { token: value, body: clientBody() });
    assert.equal(answer.status, 200, answer.text);
  });

  test('403 in another account, existing or not', async () => {
    const answer = await server.call('POST', `/accounts/${'f'.repeat(32)}/oauth_clients`, {
      body: clientBody(),
    });
    assert.equal(answer.status, 403);
  });

  test('415 for a form', async () => {
    const answer = await server.call('POST', `${server.account}/oauth_clients`, {
      body: 'client_name=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(answer.status, 415);
  });
});
