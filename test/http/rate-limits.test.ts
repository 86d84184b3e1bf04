import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';

const WINDOW_MS = 300_000;

onEachDatabase((database) => {
  test('with no limit set there are no rate headers', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { headers } = await server.call('GET', `${server.account}/tokens`);
    assert.equal(headers.get('ratelimit'), null);
    assert.equal(headers.get('ratelimit-policy'), null);
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

  test('an address that begins too many sign-ins is slowed down', async (t) => {
    const clock = new ManualClock();
    const settings = {
      TRUST_PROXY: '127.0.0.1',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'latchkey',
      OIDC_CLIENT_SECRET: 'secret',
    };
    const server = await bootServer(database, { clock, settings });
    t.after(() => server.stop());
    const from = (ip: string): Promise<Answer> =>
      server.call('POST', '/user/sessions/passkey_options', {
        token: null,
        headers: { 'x-forwarded-for': ip },
      });
    for (let i = 0; i < 100; i++) assert.equal((await from('10.0.0.1')).status, 200);
    const limited = await from('10.0.0.1');
    assert.deepEqual([limited.status, limited.code], [429, 971]);
    assert.equal(limited.headers.get('retry-after'), '1');
    const page = await request('GET', `${server.origin}/login/external`, {
      headers: { 'x-forwarded-for': '10.0.0.1' },
    });
    assert.equal(page.status, 429);
    assert.match(page.text, /Too many sign-ins/);
    assert.equal((await from('10.0.0.2')).status, 200);
    clock.advance(2_000);
    assert.equal((await from('10.0.0.1')).status, 200);
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
});

test('two nodes on one PostgreSQL share one limit', async (t) => {
  const settings = { RATE_LIMIT: '60' };
  const one: TestServer = await bootServer('postgres', { settings });
  t.after(() => one.stop());
  const two = await bootServer('postgres', { settings, besides: one });
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
