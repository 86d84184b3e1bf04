import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import {
  type Answer,
  type TestServer,
  allowPolicy,
  bootServer,
  request,
} from '../support/server.ts';

const WINDOW_MS = 300_000;

onEachDatabase((database) => {
  test('with no limit set there are no rate headers', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { headers } = await server.call('GET', `${server.account}/tokens`);
    assert.equal(headers.get('ratelimit'), null);
    assert.equal(headers.get('ratelimit-policy'), null);
  });

  test('userinfo counts, calls of AI models do not', async (t) => {
    const server = await bootServer(database, { settings: { RATE_LIMIT: '2' } });
    t.after(() => server.stop());
    const client = await createClient(server, { scopes: ['tags.read'] });
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const { value } = await issueAccessToken(server, { userId, clientId: client.client_id });
    const ask = () => request('GET', `${server.origin}/oauth2/userinfo`, { token: value });
    const first = await ask();
    assert.deepEqual(
      [first.status, first.headers.get('ratelimit-policy')],
      [200, '"default";q=2;w=300'],
    );
    assert.equal((await ask()).status, 200);
    const refused = await ask();
    assert.equal(refused.status, 429, refused.text);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    // It is one limit with the API.
    assert.equal(
      (await server.call('GET', `${server.account}/tags/keys`, { token: value })).status,
      429,
    );

    const other = await server.createToken(['ai-gateway.run']);
    const body = { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] };
    const path = `${server.account}/ai/v1/chat/completions`;
    for (let i = 0; i < 4; i++) {
      const { status, headers } = await server.call('POST', path, { token: other.value, body });
      assert.deepEqual([status, headers.get('ratelimit')], [200, null]);
    }
  });

  test('a credential has its number of requests in five minutes, refused ones included', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock, settings: { RATE_LIMIT: '4' } });
    t.after(() => server.stop());
    const get = (path: string): Promise<Answer> => server.call('GET', server.account + path);
    const first = await get('/tokens');
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('ratelimit-policy'), '"default";q=4;w=300');
    assert.match(first.headers.get('ratelimit') ?? '', /^"default";r=3;t=\d+$/);
    const missing = await get('/tokens/00000000000000000000000000000000');
    assert.equal(missing.status, 404);
    assert.match(missing.headers.get('ratelimit') ?? '', /^"default";r=2;/);
    const malformed = await server.call('POST', `${server.account}/tokens`, { body: '{' });
    assert.equal(malformed.status, 400);
    assert.match(malformed.headers.get('ratelimit') ?? '', /^"default";r=1;/);
    assert.equal((await get('/tokens')).status, 200);
    const exceeded = await get('/tokens');
    assert.deepEqual([exceeded.status, exceeded.code], [429, 971]);
    const seconds = Number(exceeded.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 300, String(seconds));
    assert.match(exceeded.headers.get('ratelimit') ?? '', /^"default";r=0;/);
    clock.advance(WINDOW_MS);
    assert.equal((await get('/tokens')).status, 200);
  });

  test('each token has its own limit, and the sessions of one person share one', async (t) => {
    const server = await bootServer(database, { settings: { RATE_LIMIT: '2' } });
    t.after(() => server.stop());
    const { value } = await server.createToken(['api-tokens.read']);
    const { userId } = await createPerson(server);
    const sessions = [await signInAs(server, userId), await signInAs(server, userId)];
    const asToken = () => server.call('GET', `${server.account}/tokens`, { token: value });
    const asPerson = (index: number) =>
      server.call('GET', '/user/tokens', { token: null, headers: sessions[index] ?? {} });
    const statuses = [await asToken(), await asToken(), await asToken()];
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 200, 429],
    );
    const ofPerson = [await asPerson(0), await asPerson(1), await asPerson(0), await asPerson(1)];
    assert.deepEqual(
      ofPerson.map(({ status }) => status),
      [200, 200, 429, 429],
    );
  });

  test('all tokens that come from one consent share one limit', async (t) => {
    const server = await bootServer(database, { settings: { RATE_LIMIT: '2' } });
    t.after(() => server.stop());
    const client = await createClient(server, { scopes: ['user-details.read'] });
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const options = { userId, clientId: client.client_id, scopes: ['user-details.read'] };
    const [one, again] = [
      await issueAccessToken(server, options),
      await issueAccessToken(server, options),
    ];
    const other = await issueAccessToken(server, { ...options, accountIds: [] });
    const statuses: number[] = [];
    for (const { value } of [one, again, one, again, other]) {
      statuses.push((await server.call('GET', '/user', { token: value })).status);
    }
    assert.deepEqual(statuses, [200, 200, 429, 429, 200]);
  });

  test('an address with too many wrong credentials is slowed down, and nobody is locked out', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock, settings: { TRUST_PROXY: '127.0.0.1' } });
    t.after(() => server.stop());
    const from = (ip: string, token: string) =>
      server.call('GET', `${server.account}/tokens`, {
        token,
        headers: { 'x-forwarded-for': ip },
      });
    for (let i = 0; i < 100; i++) {
      const answer = await from('10.0.0.1', createSecret('lkat_'));
      assert.deepEqual([answer.status, answer.code], [401, 10_000], String(i));
    }
    const limited = await from('10.0.0.1', createSecret('lkat_'));
    assert.deepEqual([limited.status, limited.code], [429, 971]);
    assert.equal(limited.headers.get('retry-after'), '1');
    // Nor is anything told apart now: no form of a wrong credential is better than another.
    for (const wrong of ['short', createSecret('lkut_'), `${server.token.slice(0, -1)}~`]) {
      assert.equal((await from('10.0.0.1', wrong)).status, 429);
    }
    // A right one passes, from there and from elsewhere; other addresses are not concerned.
    assert.equal((await from('10.0.0.1', server.token)).status, 200);
    assert.equal((await from('10.0.0.2', server.token)).status, 200);
    assert.equal((await from('10.0.0.2', createSecret('lkat_'))).status, 401);
    clock.advance(1_000);
    assert.equal((await from('10.0.0.1', createSecret('lkat_'))).status, 401);
    const again = await from('10.0.0.1', createSecret('lkat_'));
    assert.equal(again.headers.get('retry-after'), '2');
    clock.advance(11 * 60_000);
    assert.equal((await from('10.0.0.1', createSecret('lkat_'))).status, 401);
    assert.equal((await from('10.0.0.1', createSecret('lkat_'))).status, 401);
  });

  test('a valid credential gets through a flood of wrong ones from its own address', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const use = (token: string) => server.call('GET', `${server.account}/tokens`, { token });
    const flood = async (count: number): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (let i = 0; i < count; i++) answers.push(await use(createSecret('lkat_')));
      return answers;
    };
    const create = () => server.createToken(['api-tokens.read']);
    const [known, fresh, late] = [await create(), await create(), await create()];
    assert.equal((await use(known.value)).status, 200);
    await flood(100);
    // Until the blocks are longer than this node trusts its memory.
    for (let blockMs = 1_000; blockMs <= 128_000; blockMs *= 2) {
      clock.advance(blockMs);
      await flood(1);
    }
    const seconds = (answer: Answer | undefined) => Number(answer?.headers.get('retry-after'));
    const looked = await flood(198);
    assert.ok(looked.every((answer) => answer.status === 429 && seconds(answer) === 256));
    // Among the wrong ones, and never seen before.
    assert.equal((await use(fresh.value)).status, 200);
    // Now the look-ups of this second are used up.
    const [last, first] = await flood(2);
    assert.deepEqual([seconds(last), seconds(first)], [256, 1]);
    const refused = await use(late.value);
    assert.deepEqual([refused.status, refused.code, seconds(refused)], [429, 971, 1]);
    const { userId } = await createPerson(server);
    const headers = await signInAs(server, userId, clock);
    const session = () => server.call('GET', '/user', { token: null, headers });
    assert.deepEqual([(await session()).status, seconds(await session())], [429, 1]);
    const gateway = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      token: late.value,
      body: { model: 'local/echo', messages: [] },
    });
    assert.deepEqual([gateway.status, seconds(gateway)], [429, 1], gateway.text);
    // Whom this node knows passes all the same, also when it has to ask again.
    assert.equal((await use(fresh.value)).status, 200);
    clock.advance(61_000);
    await flood(200);
    assert.equal(seconds((await flood(1))[0]), 1);
    assert.equal((await use(known.value)).status, 200);
    assert.equal((await use(late.value)).status, 429);
    clock.advance(seconds(refused) * 1_000);
    assert.equal((await use(late.value)).status, 200);
    assert.equal((await session()).status, 200);
  });

  test('a stolen token uses up nothing from where it may not be used', async (t) => {
    const settings = { RATE_LIMIT: '2', TRUST_PROXY: '127.0.0.1' };
    const server = await bootServer(database, { settings });
    t.after(() => server.stop());
    const policies = [allowPolicy(server.accountId, ['api-tokens.read'])];
    const condition = { request_ip: { in: ['10.0.0.1'] } };
    const created = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'kept', policies, condition },
    });
    const { id, value: token } = created.json.result;
    const from = (ip: string) =>
      server.call('GET', `${server.account}/tokens/${id}`, {
        token,
        headers: { 'x-forwarded-for': ip },
      });
    for (let i = 0; i < 5; i++) {
      const answer = await from('10.0.0.2');
      assert.deepEqual([answer.status, answer.headers.get('ratelimit')], [403, null]);
    }
    const answers = [await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.1')];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 429],
    );
  });
});

test('two nodes on one PostgreSQL share one limit', async (t) => {
  const settings = { RATE_LIMIT: '60' };
  // With the time of day, a window could end in between.
  const clock = new ManualClock();
  const one: TestServer = await bootServer('postgres', { settings, clock });
  t.after(() => one.stop());
  const two = await bootServer('postgres', { settings, clock, besides: one });
  t.after(() => two.stop());
  const calls = Array.from({ length: 80 }, (_, index) =>
    (index % 2 === 0 ? one : two).call('GET', `${one.account}/tokens`),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  const passed = statuses.filter((status) => status === 200).length;
  assert.ok(passed <= 60, String(passed));
  assert.ok(passed >= 40, String(passed));
  assert.equal(statuses.filter((status) => status === 429).length, 80 - passed);
});
