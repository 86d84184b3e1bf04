import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { assertFaults, createClient, patch } from './client-bodies.ts';
import { insertForeignClient } from './foreign-client.ts';

/** A record without what changes in the background. */
function withoutVerification({ client_uri_verification: _verification, ...record }: Json): Json {
  return record;
}

onEachDatabase((database) => {
  let server: TestServer;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  test('each field changes by itself, and the rest stays', async () => {
    const { client_secret: _secret, ...created } = await createClient(server);
    let expected = created;
    const changes: Record<string, unknown>[] = [
      { client_name: 'Renamed' },
      { redirect_uris: ['https://other.example.com/callback'] },
      { post_logout_redirect_uris: ['https://other.example.com/bye'] },
      { response_types: ['code'] },
      { token_endpoint_auth_method: 'client_secret_post' },
      { scopes: ['tags.read', 'openid'] },
      { optional_scopes: ['tags.read'] },
      { logo_uri: 'https://other.example.com/logo' },
      { client_uri: 'https://other.example.com' },
      { policy_uri: 'https://other.example.com/policy' },
      { tos_uri: 'https://other.example.com/tos' },
      { allowed_cors_origins: ['https://other.example.com'] },
    ];
    for (const change of changes) {
      clock.advance(1_000);
      const answer = await patch(server, created.client_id, change);
      assert.equal(answer.status, 200, answer.text);
      const isSame = 'response_types' in change;
      const updated_at = isSame ? expected.updated_at : new Date(clock.now()).toISOString();
      expected = { ...expected, ...change, updated_at };
      assert.deepEqual(withoutVerification(answer.json.result), expected);
      const path = `${server.account}/oauth_clients/${created.client_id}`;
      const got = await server.call('GET', path);
      assert.deepEqual(withoutVerification(got.json.result), expected);
    }
  });

  test('an empty change changes nothing, not even updated_at', async () => {
    const { client_secret: _secret, ...created } = await createClient(server);
    clock.advance(1_000);
    for (const body of [{}, { visibility: 'private' }, { client_name: created.client_name }]) {
      const answer = await patch(server, created.client_id, body);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json.result, created);
    }
  });

  test('empty and null take an address away', async () => {
    const { client_id: id } = await createClient(server, {
      logo_uri: 'https://app.example.com/logo',
      tos_uri: 'https://app.example.com/tos',
      policy_uri: 'https://app.example.com/policy',
    });
    const { json } = await patch(server, id, { logo_uri: '', tos_uri: null });
    assert.equal('logo_uri' in json.result, false);
    assert.equal('tos_uri' in json.result, false);
    assert.equal(json.result.policy_uri, 'https://app.example.com/policy');
  });

  test('the secret survives a change', async () => {
    const client = await createClient(server);
    const { json } = await patch(server, client.client_id, { client_name: 'Renamed' });
    assert.deepEqual(json.result.secrets, client.secrets);
    assert.equal('client_secret' in json.result, false);
  });

  test('a client cannot come to or lose its secret by a change', async () => {
    const secret = await createClient(server);
    const app = await createClient(server, {
      token_endpoint_auth_method: 'none',
      redirect_uris: ['com.example.app:/callback'],
    });
    const pointer = ['4001 /token_endpoint_auth_method'];
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const toSecret = { token_endpoint_auth_method: method };
      assertFaults(await patch(server, app.client_id, toSecret), pointer);
    }
    const toNone = { token_endpoint_auth_method: 'none' };
    const answer = await patch(server, secret.client_id, toNone);
    assertFaults(answer, pointer);
    assert.match(answer.json.errors[0].message, /Create a new client/);
    assert.equal((await patch(server, app.client_id, toNone)).status, 200);
  });

  test('private-use schemes are judged by the stored authentication method', async () => {
    const secret = await createClient(server);
    const app = await createClient(server, { token_endpoint_auth_method: 'none' });
    const body = { redirect_uris: ['com.example.app:/callback'] };
    assertFaults(await patch(server, secret.client_id, body), ['4005 /redirect_uris/0']);
    assert.equal((await patch(server, app.client_id, body)).status, 200);
  });

  test('offline_access comes and goes with refresh_token', async () => {
    const { client_id: id } = await createClient(server, { scopes: ['tags.read'] });
    const both = { grant_types: ['authorization_code', 'refresh_token'] };
    const added = await patch(server, id, both);
    assert.deepEqual(added.json.result.scopes, ['tags.read', 'openid', 'offline_access']);
    const replaced = await patch(server, id, { scopes: ['tags.write'] });
    assert.deepEqual(replaced.json.result.scopes, ['tags.write', 'openid', 'offline_access']);
    const removed = await patch(server, id, { grant_types: ['authorization_code'] });
    assert.deepEqual(removed.json.result.scopes, ['tags.write', 'openid']);
  });

  test('optional_scopes stay a part of scopes', async () => {
    const { client_id: id } = await createClient(server, {
      scopes: ['tags.read', 'profile'],
      optional_scopes: ['tags.read', 'profile'],
    });
    const answer = await patch(server, id, { scopes: ['profile'] });
    assertFaults(answer, ['4001 /scopes']);
    assert.match(answer.json.errors[0].message, /tags\.read/);
    assertFaults(await patch(server, id, { optional_scopes: ['email'] }), [
      '4001 /optional_scopes/0',
    ]);
    const body = { scopes: ['profile', 'email'], optional_scopes: ['email'] };
    assert.deepEqual((await patch(server, id, body)).json.result.optional_scopes, ['email']);
    const cleared = await patch(server, id, { optional_scopes: [], scopes: [] });
    assert.equal('optional_scopes' in cleared.json.result, false);
  });

  test('all faults of a change come at once, with those against what is stored', async () => {
    const { client_id: id } = await createClient(server, {
      scopes: ['tags.read'],
      optional_scopes: ['tags.read'],
    });
    const answer = await patch(server, id, {
      client_secret: 'x',
      client_name: '',
      token_endpoint_auth_method: 'none',
      grant_types: ['password', 'authorization_code'],
      redirect_uris: ['https://app.example.com/', 'data:,x'],
      scopes: ['nothing.read'],
      visibility: 'public',
    });
    assertFaults(answer, [
      '4002 /client_secret',
      '4001 /client_name',
      '4001 /token_endpoint_auth_method',
      '4003 /grant_types/0',
      '4005 /redirect_uris/1',
      '4006 /scopes/0',
      '4001 /scopes',
      '4010 /scopes',
      '4010 /logo_uri',
      '4010 /client_uri',
      '4010 /client_uri',
    ]);
    const { json } = await server.call('GET', `${server.account}/oauth_clients/${id}`);
    assert.equal(json.result.client_name, 'Example');
  });

  test('400 for wrong values of single fields', async () => {
    const { client_id: id } = await createClient(server);
    const cases: [Record<string, unknown>, string[]][] = [
      [{ visibility: 'secret' }, ['4001 /visibility']],
      [{ visibility: null }, ['4001 /visibility']],
      [{ client_name: null }, ['4001 /client_name']],
      [{ redirect_uris: [] }, ['4005 /redirect_uris']],
      [{ response_types: ['token'] }, ['4004 /response_types/0']],
      [{ grant_types: ['refresh_token'] }, ['4003 /grant_types']],
      [{ client_secret: 'x' }, ['4002 /client_secret']],
      [{ client_id: 'x' }, ['4001 /client_id']],
    ];
    for (const [body, faults] of cases) assertFaults(await patch(server, id, body), faults);
    assert.equal((await patch(server, id, 'null')).code, 6007);
    assertFaults(await patch(server, id, '[]'), ['4001 ']);
  });

  test('changes at the same moment do not lose each other', async () => {
    const { client_id: id } = await createClient(server);
    const uri = 'https://app.example.com/x';
    const changes: Record<string, unknown>[] = [
      { client_name: 'Together' },
      { grant_types: ['authorization_code', 'refresh_token'] },
      { redirect_uris: [uri] },
      { post_logout_redirect_uris: [uri] },
      { scopes: ['tags.read'] },
      { logo_uri: uri },
      { client_uri: uri },
      { policy_uri: uri },
      { tos_uri: uri },
      { allowed_cors_origins: ['https://app.example.com'] },
    ];
    const answers = await Promise.all(changes.map((body) => patch(server, id, body)));
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
    const { json } = await server.call('GET', `${server.account}/oauth_clients/${id}`);
    for (const change of changes) {
      for (const [field, value] of Object.entries(change)) {
        const implied = field === 'scopes' ? ['tags.read', 'openid', 'offline_access'] : value;
        assert.deepEqual(json.result[field], implied, field);
      }
    }
  });

  test('of two changes that only fit one at a time, one is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { client_id: id } = await createClient(server, { scopes: ['tags.read', 'profile'] });
      const answers = await Promise.all([
        patch(server, id, { optional_scopes: ['profile'] }),
        patch(server, id, { scopes: ['tags.read'] }),
      ]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
    }
  });

  test('404 for an unknown, malformed or foreign id, also with a bad body', async () => {
    const foreign = await insertForeignClient(server);
    for (const id of ['0'.repeat(32), 'x', foreign]) {
      for (const body of [{}, { client_name: 'Taken' }, { nonsense: 1 }]) {
        const answer = await patch(server, id, body);
        assert.equal(answer.status, 404, answer.text);
        assert.equal(answer.code, 4040);
      }
    }
  });

  test('401, and 403 with a token that only reads', async () => {
    const { client_id: id } = await createClient(server);
    const { value } = await server.createToken(['oauth-clients.read']);
    const path = `${server.account}/oauth_clients/${id}`;
    assert.equal((await server.call('PATCH', path, { token: null, body: {} })).status, 401);
    const forbidden = await server.call('PATCH', path, { token: value, body: {} });
    assert.equal(forbidden.status, 403);
    assert.match(forbidden.json.errors[0].message, /OAuth Clients Write/);
    const elsewhere = `/accounts/${'c'.repeat(32)}/oauth_clients/${id}`;
    assert.equal((await server.call('PATCH', elsewhere, { body: {} })).status, 403);
  });
});
