import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { IDLE_SESSION_MS, SESSION_MS } from '../../src/iam/sessions/session-lifetimes.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { digestSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { createSecondAccount } from '../support/second-account.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, headersOf, startUpstream } from '../support/upstream-process.ts';
import { gatewayBody } from './gateway-bodies.ts';

/** What a browser adds to the requests of a page. */
const OF_BROWSER = {
  origin: 'http://127.0.0.1',
  referer: 'http://127.0.0.1/accounts',
  'sec-fetch-site': 'same-origin',
  'sec-ch-ua': '"Chromium";v="140"',
  priority: 'u=1, i',
};
const DAY_MS = 86_400_000;
const MESSAGES = [{ role: 'user', content: 'hello' }];

/** Pages of ours call the REST API of the gateway with the session of who looks at them. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let upstream: Upstream;
  let userId: string;
  let session: SessionHeaders;
  before(async () => {
    upstream = await startUpstream();
    server = await bootServer(database, {
      clock,
      settings: {
        PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-stored',
      },
    });
    for (const [id, authentication] of [
      ['on', true],
      ['off', false],
    ] as const) {
      const body = gatewayBody(id, { authentication, cache_ttl: 60 });
      await server.call('POST', `${server.account}/ai-gateway/gateways`, { body });
    }
    userId = await person();
    session = await signInAs(server, userId, clock);
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  async function person(role = 'ai-gateway-run', accountId = server.accountId): Promise<string> {
    return (await createPerson(server, { accountId, roles: [role] })).userId;
  }

  interface Call {
    gateway?: string;
    accountId?: string;
    operation?: string;
    body?: object;
  }

  function complete(headers: Record<string, string>, call: Call = {}): Promise<Answer> {
    const { gateway = 'on', accountId = server.accountId, operation = 'chat/completions' } = call;
    return server.call('POST', `/accounts/${accountId}/ai/v1/${operation}`, {
      token: null,
      headers: { 'cf-aig-gateway-id': gateway, 'cf-aig-skip-cache': 'true', ...headers },
      body: { model: 'openai/plain', messages: MESSAGES, ...call.body },
    });
  }

  const logs = async (gateway = 'on'): Promise<Json> =>
    (await server.call('GET', `${server.account}/ai-gateway/gateways/${gateway}/logs`)).json;

  async function rowOf(answer: Answer, gateway = 'on'): Promise<Json> {
    const id = answer.headers.get('cf-aig-log-id');
    return (await logs(gateway)).result.find((row: Json) => row.id === id);
  }

  /** Refused as if nobody had come: nothing is called, nothing logged. */
  async function assertRefused(
    name: string,
    headers: Record<string, string>,
    call: Call = {},
  ): Promise<void> {
    const calls = (await upstream.recorded()).length;
    const rows = (await logs()).result_info.total_count;
    const answer = await complete(headers, call);
    assert.deepEqual([answer.status, answer.code], [401, 10_000], name);
    assert.equal((await upstream.recorded()).length, calls, name);
    assert.equal((await logs()).result_info.total_count, rows, name);
  }

  test('with the CSRF token a person with Run is let in, and the log says who it was', async () => {
    const answer = await complete(session);
    assert.equal(answer.status, 200, answer.text);
    const row = await rowOf(answer);
    assert.deepEqual([row.user_id, row.token_id], [userId, null]);
    const text = { model: 'local/echo', max_tokens: 9 };
    for (const [operation, body] of [
      ['messages', text],
      ['responses', { model: 'local/echo', input: 'hello' }],
    ] as const) {
      assert.equal((await complete(session, { operation, body })).status, 200, operation);
    }
    const on = { 'cf-aig-gateway-id': 'on', ...session };
    const rest = `${server.account}/ai`;
    const options = { token: null, headers: on };
    const models = await server.call('GET', `${rest}/v1/models`, options);
    assert.ok(models.json.data.some(({ id }: Json) => id === 'openai/gpt-4o-mini'));
    const body = { messages: MESSAGES };
    const run = await server.call('POST', `${rest}/run/local/echo`, { ...options, body });
    assert.equal(run.status, 200, run.text);
  });

  test('nothing of the page goes to the provider or into the log', async () => {
    const answer = await complete({ ...OF_BROWSER, ...session, 'x-own': 'kept' });
    assert.equal(answer.status, 200);
    const sent = headersOf(await upstream.lastSent());
    assert.equal(sent.get('authorization'), 'Bearer sk-stored');
    assert.equal(sent.get('x-own'), 'kept');
    const path = `${server.account}/ai-gateway/gateways/on/logs/${(await rowOf(answer)).id}`;
    const { request_headers: kept } = (await server.call('GET', path)).json.result;
    assert.ok('x-own' in kept);
    for (const name of ['cookie', 'x-csrf-token', ...Object.keys(OF_BROWSER)]) {
      assert.equal(sent.has(name), false, name);
      assert.equal(name in kept, false, name);
    }
  });

  test('without the right CSRF token a cookie is as good as none', async () => {
    const { cookie } = session;
    const other = await signInAs(server, userId, clock);
    await assertRefused('without one', { cookie });
    await assertRefused('an empty one', { cookie, 'x-csrf-token': '' });
    await assertRefused('that of another session', { ...other, cookie });
    await assertRefused('the token alone', { 'x-csrf-token': session['x-csrf-token'] });
  });

  test('a credential of another system does not replace the session', async () => {
    for (const authorization of ['Bearer sk-x', 'Basic eDp5', 'Negotiate eDp5']) {
      const answer = await complete({ ...session, authorization });
      assert.equal(answer.status, 200, authorization);
      const row = await rowOf(answer);
      assert.deepEqual([row.user_id, row.token_id], [userId, null]);
      assert.equal(headersOf(await upstream.lastSent()).get('authorization'), 'Bearer sk-stored');
    }
  });

  test('a credential of this server replaces the session', async () => {
    const unknown = `Bearer ${createSecret('lkat_')}`;
    await assertRefused('an unknown token', { ...session, authorization: unknown });
    const messages = { operation: 'messages', body: { max_tokens: 9 } };
    await assertRefused('a key', { ...session, 'x-api-key': 'sk-x' }, messages);
    const { value } = await server.createToken(['ai-gateway.run']);
    const answer = await complete({ ...session, authorization: `Bearer ${value}` });
    const row = await rowOf(answer);
    assert.deepEqual([row.user_id, row.token_id === null], [null, false]);
  });

  test('a person who may not use that gateway is refused', async () => {
    const member = await signInAs(server, await person('member'), clock);
    await assertRefused('a role without Run', member);
    const { accountId } = await createSecondAccount(server);
    await assertRefused('another account', session, { accountId });
    const stranger = await signInAs(server, await person('administrator', accountId), clock);
    await assertRefused('a member of another account', stranger);
    await assertRefused('an account that is not there', session, { accountId: createId() });
    assert.equal((await complete(session, { gateway: 'nope' })).code, 2001);
  });

  test('an account that demands two factors', async () => {
    const demand = (flag: 0 | 1) =>
      server.app.database.transaction(async (tx) => {
        await tx
          .updateTable('accounts')
          .set({ enforce_twofactor: flag })
          .where('id', '=', server.accountId)
          .execute();
      });
    // Nobody has read this person's rights yet.
    const fresh = await signInAs(server, await person(), clock);
    await demand(1);
    try {
      await assertRefused('one factor', fresh);
    } finally {
      await demand(0);
    }
  });

  test('a session that still waits for its second factor is refused', async () => {
    const waiting = await signInAs(server, userId, clock);
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('sessions')
        .set({ is_complete: 0 })
        .where('digest', '=', digestSecret(waiting.cookie.replace('latchkey_session=', '')))
        .execute();
    });
    await assertRefused('one factor of two', waiting);
  });

  test('a session that has ended is refused: signed out, idle, too old', async () => {
    const out = await signInAs(server, userId, clock);
    assert.equal((await complete(out)).status, 200);
    const signOut = await server.call('DELETE', '/user/sessions/current', {
      token: null,
      headers: out,
    });
    assert.equal(signOut.status, 200, signOut.text);
    await assertRefused('signed out', out);

    const idle = await signInAs(server, userId, clock);
    clock.advance(IDLE_SESSION_MS - 1);
    // Being used here keeps it alive everywhere.
    assert.equal((await complete(idle)).status, 200);
    clock.advance(IDLE_SESSION_MS - 1);
    const user = await server.call('GET', '/user', { token: null, headers: idle });
    assert.equal(user.status, 200);
    clock.advance(IDLE_SESSION_MS);
    await assertRefused('idle', idle);

    const old = await signInAs(server, userId, clock);
    for (let agoMs = 0; agoMs + DAY_MS < SESSION_MS; agoMs += DAY_MS) {
      clock.advance(DAY_MS);
      assert.equal((await complete(old)).status, 200);
    }
    clock.advance(DAY_MS);
    await assertRefused('too old', old);
  });

  test('an open gateway takes whoever has a stray cookie for anybody', async () => {
    const call = { gateway: 'off' };
    const stale = await signInAs(server, userId, clock);
    await server.call('DELETE', '/user/sessions/current', { token: null, headers: stale });
    for (const headers of [{ cookie: stale.cookie }, stale, { cookie: 'latchkey_session=x' }]) {
      const answer = await complete({ ...OF_BROWSER, ...headers }, call);
      assert.equal(answer.status, 200, answer.text);
      assert.equal((await rowOf(answer, 'off')).user_id, null);
      const sent = headersOf(await upstream.lastSent());
      assert.deepEqual(
        ['cookie', 'x-csrf-token', 'authorization'].filter((name) => sent.has(name)),
        [],
      );
    }
    const known = await complete(await signInAs(server, userId, clock), call);
    assert.equal((await rowOf(known, 'off')).user_id, userId);
  });

  test('what the cache keeps for one person is not told to another', async () => {
    const other = await signInAs(server, await person(), clock);
    const again = await signInAs(server, userId, clock);
    const own = await signInAs(server, userId, clock);
    const ask = async (headers: SessionHeaders) => {
      const answer = await complete({ ...headers, 'cf-aig-skip-cache': 'false' });
      return answer.headers.get('cf-aig-cache-status');
    };
    assert.equal(await ask(own), 'MISS');
    assert.equal(await ask(again), 'HIT');
    assert.equal(await ask(other), 'MISS');
  });

  test('the gateway host takes no session', async () => {
    const host = `${server.origin}/v1/${server.accountId}/on`;
    for (const url of [`${host}/openai/chat/completions`, `${host}/compat/chat/completions`]) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'plain', messages: MESSAGES }),
      });
      assert.equal(response.status, 401, url);
    }
  });
});
