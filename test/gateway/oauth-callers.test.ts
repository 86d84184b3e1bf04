import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { ACCESS_TOKEN_MS } from '../../src/oauth/lifetimes.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  bootServer,
  createDataDir,
  newInstallation,
} from '../support/server.ts';

const MINUTE_MS = 60_000;

/** OAuth clients that act for a person call the gateways of the accounts that the person has picked. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let clientId: string;
  before(async () => {
    server = await bootServer(database, { clock });
    ({ client_id: clientId } = await createClient(server, {
      scopes: ['ai-gateway.run', 'ai-gateway.read'],
    }));
    // The gateway "default" appears at its first use.
    assert.equal((await complete(server.token)).status, 200);
  });
  after(() => server.stop());

  const complete = (token: string, node = server, accountId = node.accountId): Promise<Answer> =>
    node.call('POST', `/accounts/${accountId}/ai/v1/chat/completions`, {
      token,
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'one two' }] },
    });

  async function person(role = 'ai-gateway-run'): Promise<string> {
    return (await createPerson(server, { accountId: server.accountId, roles: [role] })).userId;
  }

  const issue = async (userId: string, scopes = ['ai-gateway.run'], accountIds?: string[]) =>
    issueAccessToken(server, {
      userId,
      clientId,
      scopes,
      clock,
      ...(accountIds === undefined ? {} : { accountIds }),
    });

  const logs = async (): Promise<Json[]> =>
    (await server.call('GET', `${server.account}/ai-gateway/gateways/default/logs`)).json.result;

  test('with the scope, the role and the account: let in, and the log names the client', async () => {
    const { value } = await issue(await person());
    const answer = await complete(value);
    assert.equal(answer.status, 200, answer.text);
    const row = (await logs()).find(({ id }) => id === answer.headers.get('cf-aig-log-id'));
    assert.equal(row?.token_id, clientId);
  });

  test('on the native path too, in the header that is ours', async () => {
    const { value } = await issue(await person());
    const url = `${server.origin}/v1/${server.accountId}/default/local/chat/completions`;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'cf-aig-authorization': `Bearer ${value}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'x' }] }),
    });
    assert.equal(response.status, 200, await response.text());
  });

  test('without the scope 403, without the role or the account 401; no row', async () => {
    const userId = await person();
    const before = (await logs()).length;
    const refused = {
      'without the scope': await issue(userId, ['ai-gateway.read']),
      'without the role': await issue(await person('member')),
      'another account was picked': await issue(userId, ['ai-gateway.run'], [createId()]),
      'no account was picked': await issue(userId, ['ai-gateway.run'], []),
    };
    for (const [name, { value }] of Object.entries(refused)) {
      const answer = await complete(value);
      const status = name === 'without the scope' ? 403 : 401;
      assert.deepEqual([answer.status, answer.code], [status, 10_000], name);
    }
    const { value } = await issue(userId);
    assert.equal((await complete(value, server, createId())).status, 401);
    assert.equal((await logs()).length, before);
  });

  test('refused at once when it is taken back, and when its hour is over', async () => {
    const userId = await person();
    const first = await issue(userId);
    assert.equal((await complete(first.value)).status, 200);
    const headers = await signInAs(server, userId, clock);
    const path = `/user/oauth_grants/${first.grantId}`;
    assert.equal((await server.call('DELETE', path, { token: null, headers })).status, 200);
    assert.equal((await complete(first.value)).status, 401);
    const second = await issue(userId);
    clock.advance(ACCESS_TOKEN_MS - 1);
    assert.equal((await complete(second.value)).status, 200);
    clock.advance(1);
    assert.equal((await complete(second.value)).status, 401);
  });

  test('its use is on record when the server has stopped, as is use of the API', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => postgres?.drop());
    const first = await bootServer(database, {
      clock,
      dataDir,
      ...(postgres && { besides: newInstallation(postgres.url) }),
    });
    const client = await createClient(first, { scopes: ['ai-gateway.run', 'user-details.read'] });
    const authorized = async (scope: string) => {
      const { userId } = await createPerson(first, {
        accountId: first.accountId,
        roles: ['ai-gateway-run'],
      });
      const options = { userId, clientId: client.client_id, scopes: [scope], clock };
      return { userId, ...(await issueAccessToken(first, options)) };
    };
    const gateway = await authorized('ai-gateway.run');
    const api = await authorized('user-details.read');
    const unused = await authorized('user-details.read');
    const grantedAtMs = clock.now();
    clock.advance(5 * MINUTE_MS);
    assert.equal((await complete(gateway.value, first)).status, 200);
    assert.equal((await first.call('GET', '/user', { token: api.value })).status, 200);
    await first.stop();

    const second = await bootServer(database, { clock, dataDir, besides: first });
    t.after(() => second.stop());
    for (const [{ userId }, usedAtMs] of [
      [gateway, clock.now()],
      [api, clock.now()],
      [unused, grantedAtMs],
    ] as const) {
      const headers = await signInAs(second, userId, clock);
      const list = await second.call('GET', '/user/oauth_grants', { token: null, headers });
      assert.equal(Date.parse(list.json.result[0].last_used_at), usedAtMs);
    }
  });
});
