import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { authorize } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { FreezableProxy } from '../support/freezable-proxy.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import {
  assertRefused,
  createTokenClient,
  obtain,
  postAs,
  refresh,
  tagsStatus,
} from './redemptions.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let userId: string;
  before(async () => {
    server = await bootServer(database);
    client = await createTokenClient(server);
  });
  beforeEach(async () => {
    ({ userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['tag-admin'],
    }));
  });
  after(() => server.stop());

  function revoke(
    token: string,
    fields: Record<string, string> = {},
    as = client,
  ): Promise<Answer> {
    return postAs(server, as, '/oauth2/revoke', { token, ...fields });
  }

  function assertDone(answer: Answer): void {
    // As JSON, which some clients parse.
    assert.deepEqual([answer.status, answer.text], [200, '{}']);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }

  test('an access token ends by itself', async () => {
    const tokens = await obtain(server, client, { userId });
    assert.equal(await tagsStatus(server, tokens.access_token), 200);
    assertDone(await revoke(tokens.access_token));
    assert.equal(await tagsStatus(server, tokens.access_token), 401);
    const next = await refresh(server, client, tokens.refresh_token);
    assert.equal(await tagsStatus(server, next.json.access_token), 200);
    assertDone(await revoke(tokens.access_token));
  });

  test('a refresh token ends with all of the authorization, and of no other', async () => {
    const tokens = await obtain(server, client, { userId });
    const next = (await refresh(server, client, tokens.refresh_token)).json;
    const other = await obtain(server, client, { userId });
    assertDone(await revoke(next.refresh_token));
    for (const { access_token: access } of [tokens, next]) {
      assert.equal(await tagsStatus(server, access), 401);
    }
    assertRefused(await refresh(server, client, next.refresh_token), 'invalid_grant');
    assertRefused(await refresh(server, client, tokens.refresh_token), 'invalid_grant');
    assert.equal(await tagsStatus(server, other.access_token), 200);
    const rows = await readAuditRows(server.app.database, userId);
    assert.deepEqual(
      rows.map((row) => [row.action_type, row.action_result, row.actor_token_id]),
      [['revoke', 'success', client.client_id]],
    );
    assertDone(await revoke(next.refresh_token));
    assert.equal((await readAuditRows(server.app.database, userId)).length, 1);
  });

  test('so does one that was used', async () => {
    const tokens = await obtain(server, client, { userId });
    const next = (await refresh(server, client, tokens.refresh_token)).json;
    assertDone(await revoke(tokens.refresh_token));
    assert.equal(await tagsStatus(server, next.access_token), 401);
  });

  test('what is no token is answered alike', async () => {
    const code = await authorize(server, { userId, clientId: client.client_id });
    const api = await server.createToken(['tags.read']);
    const { access_token: access, refresh_token: token } = await obtain(server, client, { userId });
    for (const wrong of [
      'x',
      createSecret('lkoat_'),
      createSecret('lkort_'),
      access.slice(0, -1),
      `${token}0`,
      code,
      api.value,
    ]) {
      assertDone(await revoke(wrong));
    }
    assert.equal(await tagsStatus(server, access), 200);
    assert.equal(await tagsStatus(server, api.value), 200);
    assert.equal((await refresh(server, client, token)).status, 200);
  });

  test('another client’s token is left alone', async () => {
    const other = await createTokenClient(server, { token_endpoint_auth_method: 'none' });
    const tokens = await obtain(server, client, { userId });
    assertDone(await revoke(tokens.access_token, {}, other));
    assertDone(await revoke(tokens.refresh_token, {}, other));
    assert.equal(await tagsStatus(server, tokens.access_token), 200);
    assert.equal((await refresh(server, client, tokens.refresh_token)).status, 200);
  });

  test('a wrong hint does not matter', async () => {
    const { access_token: access, refresh_token: token } = await obtain(server, client, { userId });
    assertDone(await revoke(access, { token_type_hint: 'refresh_token' }));
    assert.equal(await tagsStatus(server, access), 401);
    assertDone(await revoke(token, { token_type_hint: 'nonsense' }));
    assertRefused(await refresh(server, client, token), 'invalid_grant');
  });

  test('it takes a token, and a client that shows who it is', async () => {
    assertRefused(await revoke(''), 'invalid_request');
    const thief = { ...client, client_secret: 'wrong' };
    const tokens = await obtain(server, client, { userId });
    assertRefused(await revoke(tokens.refresh_token, {}, thief), 'invalid_client', 401);
    assert.equal(await tagsStatus(server, tokens.access_token), 200);
  });

  test('pages of the client may send it, and read the answer', async () => {
    const origin = 'https://app.example.com';
    const app = await createTokenClient(server, {
      token_endpoint_auth_method: 'none',
      allowed_cors_origins: [origin],
    });
    const body = new URLSearchParams({ client_id: app.client_id, token: 'x' });
    const answer = await fetch(`${server.origin}/oauth2/revoke`, {
      method: 'POST',
      headers: { origin },
      body,
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), origin);
    await answer.arrayBuffer();
  });
});

describe('revocation while the database is gone', () => {
  test('is no success', async (t) => {
    const first = await bootServer('postgres');
    t.after(() => first.stop());
    const client = await createTokenClient(first);
    const person = await createPerson(first, { accountId: first.accountId, roles: ['tag-admin'] });
    const tokens = await obtain(first, client, { userId: person.userId });
    const proxy = await FreezableProxy.start(first.postgresUrl ?? '');
    t.after(() => proxy.stop());
    const second = await bootServer('postgres', { besides: { ...first, postgresUrl: proxy.url } });
    t.after(() => second.stop());
    // It knows the client, and then nothing more is to be had.
    assert.equal((await postAs(second, client, '/oauth2/revoke', { token: 'x' })).status, 200);
    proxy.stop();
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const answer = await postAs(second, client, '/oauth2/revoke', { token });
      assertRefused(answer, 'temporarily_unavailable', 503);
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    assert.equal(await tagsStatus(first, tokens.access_token), 200);
  });
});
