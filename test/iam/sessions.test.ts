import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { requireRecentAuthentication } from '../../src/iam/sessions/recent-authentication.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { Visitor } from '../support/visitor.ts';

const PASSWORD = 'blue kettle on the roof';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function as(server: TestServer, headers: Record<string, string>) {
  return (method: string, path: string, body?: unknown) =>
    server.call(method, path, { token: null, headers, body });
}

onEachDatabase((database) => {
  let shared: { clock: ManualClock; server: TestServer };
  before(async () => {
    const clock = new ManualClock();
    shared = { clock, server: await bootServer(database, { clock }) };
  });
  after(() => shared.server.stop());

  /** With the time at its beginning. */
  async function bootOwn(t: { after(work: () => unknown): void }) {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    return boot({ clock, server });
  }

  /** A person of its own, on a server that several tests use. */
  async function boot({ clock, server } = shared) {
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const start = () => signInAs(server, userId, clock);
    return { clock, server, userId, email, start };
  }

  test('a person sees the own sessions, newest first', async (t) => {
    const { clock, server, userId, email, start } = await bootOwn(t);
    const stranger = await createPerson(server);
    await signInAs(server, stranger.userId, clock);
    const first = await start();
    clock.advance(MINUTE_MS);
    const visitor = new Visitor(server);
    await visitor.call(
      'POST',
      '/user/sessions',
      { email, password: PASSWORD },
      {
        'user-agent': 'Tester/1.0',
      },
    );
    const { json } = await visitor.call('GET', '/user/sessions');
    const [newest, oldest] = json.result;
    assert.equal(json.result.length, 2);
    assert.deepEqual(newest, {
      id: newest.id,
      current: true,
      methods: ['password'],
      created_on: '2026-01-01T00:01:00.000Z',
      authenticated_on: '2026-01-01T00:01:00.000Z',
      last_seen_on: '2026-01-01T00:01:00.000Z',
      expires_on: '2026-01-31T00:01:00.000Z',
      ip: '127.0.0.1',
      user_agent: 'Tester/1.0',
    });
    assert.equal(oldest.current, false);
    assert.deepEqual(Object.keys(oldest), Object.keys(newest));

    const get = as(server, first);
    assert.deepEqual((await get('GET', `/user/sessions/${newest.id}`)).json.result, {
      ...newest,
      current: false,
    });
    const current = (await get('GET', '/user/sessions/current')).json.result;
    assert.equal(current.id, oldest.id);
    assert.equal(current.csrf_token, first['x-csrf-token']);
    for (const id of ['0'.repeat(32), 'nonsense']) {
      const answer = await get('GET', `/user/sessions/${id}`);
      assert.deepEqual([answer.status, answer.code], [404, 7003]);
    }
    assert.equal(userId.length, 32);
  });

  test('a person signs out', async () => {
    const { server, email } = await boot();
    const visitor = new Visitor(server);
    assert.equal((await visitor.signIn(` ${email}\t`, PASSWORD)).status, 200);
    const copy = new Map(visitor.cookies);
    const answer = await visitor.call('DELETE', '/user/sessions/current');
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.json.result.id, /^[0-9a-f]{32}$/);
    assert.deepEqual([...visitor.cookies.keys()], ['latchkey_device']);
    for (const [name, value] of copy) visitor.cookies.set(name, value);
    assert.equal((await visitor.call('GET', '/user/sessions')).status, 401);
  });

  test('a person ends another session; nobody ends that of somebody else', async () => {
    const { clock, server, start } = await boot();
    const [mine, other] = [await start(), await start()];
    const stranger = await createPerson(server);
    const theirs = await signInAs(server, stranger.userId, clock);
    const { json } = await as(server, other)('GET', '/user/sessions/current');
    const path = `/user/sessions/${json.result.id}`;
    const refused = await as(server, theirs)('DELETE', path);
    assert.deepEqual([refused.status, refused.code], [404, 7003]);
    assert.equal((await as(server, other)('GET', '/user/sessions')).status, 200);
    const ended = await as(server, mine)('DELETE', path);
    assert.deepEqual([ended.status, ended.json.result], [200, { id: json.result.id }]);
    assert.equal(ended.headers.getSetCookie().length, 0);
    assert.equal((await as(server, other)('GET', '/user/sessions')).status, 401);
    assert.equal((await as(server, mine)('DELETE', path)).status, 404);
  });

  test('a person ends all others at once', async () => {
    const { server, start } = await boot();
    const [mine, second, third] = [await start(), await start(), await start()];
    const answer = await as(server, mine)('DELETE', '/user/sessions');
    assert.deepEqual(answer.json.result, { ended: 2 });
    assert.equal((await as(server, mine)('GET', '/user/sessions')).json.result.length, 1);
    for (const headers of [second, third]) {
      assert.equal((await as(server, headers)('GET', '/user/sessions')).status, 401);
    }
    assert.deepEqual((await as(server, mine)('DELETE', '/user/sessions')).json.result, {
      ended: 0,
    });
  });

  test('tokens, and nobody at all, have no sessions', async () => {
    const { server } = await boot();
    const operations = [
      ['GET', '/user/sessions'],
      ['DELETE', '/user/sessions'],
      ['GET', '/user/sessions/current'],
      ['DELETE', '/user/sessions/current'],
      ['POST', '/user/sessions/current/confirmation'],
      ['PUT', '/user/password'],
    ] as const;
    for (const [method, path] of operations) {
      const token = await server.call(method, path, { body: undefined });
      assert.deepEqual([token.status, token.code], [403, 10_000], `${method} ${path}`);
      const nobody = await server.call(method, path, { token: null });
      assert.deepEqual([nobody.status, nobody.code], [401, 10_000], `${method} ${path}`);
    }
    const other = await server.call('PATCH', '/user/sessions');
    assert.deepEqual([other.status, other.headers.get('allow')], [405, 'POST, GET, DELETE, HEAD']);
  });

  test("the cookie alone is not enough: missing, wrong and another session's token", async () => {
    const { server, start } = await boot();
    const [mine, other] = [await start(), await start()];
    const tokens = [undefined, '', 'wrong', other['x-csrf-token']];
    for (const token of tokens) {
      for (const [method, path] of [
        ['GET', '/user/sessions'],
        ['DELETE', '/user/sessions/current'],
      ] as const) {
        const headers = {
          cookie: mine.cookie,
          ...(token === undefined ? {} : { 'x-csrf-token': token }),
        };
        const answer = await as(server, headers)(method, path);
        assert.deepEqual([answer.status, answer.code], [403, 10_000], `${token} ${method}`);
      }
    }
    assert.equal((await as(server, mine)('GET', '/user/sessions')).status, 200);
  });

  test('a session ends after 30 days, however much it is used', async () => {
    const { clock, server, start } = await boot();
    const headers = await start();
    for (let day = 1; day < 30; day++) {
      clock.advance(DAY_MS);
      assert.equal((await as(server, headers)('GET', '/user/sessions')).status, 200, `day ${day}`);
    }
    clock.advance(DAY_MS - 1);
    assert.equal((await as(server, headers)('GET', '/user/sessions')).status, 200);
    clock.advance(1);
    assert.equal((await as(server, headers)('GET', '/user/sessions')).status, 401);
  });

  test('a session ends when it was not used for 7 days', async () => {
    const { clock, server, start } = await boot();
    const [idle, used, other] = [await start(), await start(), await start()];
    clock.advance(6 * DAY_MS);
    assert.equal((await as(server, used)('GET', '/user/sessions')).status, 200);
    clock.advance(DAY_MS - 1);
    assert.equal((await as(server, other)('GET', '/user/sessions')).json.result.length, 3);
    clock.advance(1);
    assert.equal((await as(server, idle)('GET', '/user/sessions')).status, 401);
    assert.equal((await as(server, used)('GET', '/user/sessions')).status, 200);
  });

  test('last_seen_on is written now and then', async () => {
    const { clock, server, userId, start } = await boot();
    const headers = await start();
    clock.advance(5 * MINUTE_MS);
    await as(server, headers)('GET', '/user/sessions');
    await eventually('it is written', async () => {
      const row = await server.app.database.read
        .selectFrom('sessions')
        .select('last_seen_at')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return row.last_seen_at === clock.now();
    });
  });

  test('to prove again who one is: the password, for a quarter of an hour', async (t) => {
    const { clock, server, userId, start } = await bootOwn(t);
    const headers = await start();
    const confirm = (body: unknown) =>
      as(server, headers)('POST', '/user/sessions/current/confirmation', body);
    const authenticatedOn = async () =>
      (await as(server, headers)('GET', '/user/sessions/current')).json.result.authenticated_on;
    clock.advance(60 * MINUTE_MS);
    assert.equal(await authenticatedOn(), '2026-01-01T00:00:00.000Z');
    const wrong = await confirm({ password: 'not the right one' });
    assert.deepEqual([wrong.status, wrong.code], [403, 3042]);
    assert.equal(await authenticatedOn(), '2026-01-01T00:00:00.000Z');
    const right = await confirm({ password: PASSWORD });
    assert.deepEqual(right.json.result, { authenticated_on: '2026-01-01T01:00:00.000Z' });
    assert.equal(await authenticatedOn(), '2026-01-01T01:00:00.000Z');
    assert.deepEqual(
      [(await confirm({})).code, (await confirm({ password: 1 })).code],
      [3001, 3001],
    );
    assert.equal((await confirm({ password: PASSWORD, more: 1 })).code, 3002);
    await server.app.database.transaction(async (tx) => {
      await tx.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute();
    });
    const none = await confirm({ password: PASSWORD });
    assert.deepEqual([none.status, none.code], [400, 3046]);
  });
});

test('the quarter of an hour, to the millisecond', () => {
  const clock = new ManualClock();
  const session = {
    id: '',
    userId: '',
    digest: '',
    authenticatedAtMs: clock.now(),
    createdAtMs: 0,
    lastSeenAtMs: 0,
    sid: undefined,
    expiresAtMs: 0,
  };
  const user = { id: '', email: '', hasSecondFactor: false, memberships: [], policies: [] };
  const principal = { type: 'user' as const, session, user, layers: [] };
  clock.advance(15 * MINUTE_MS - 1);
  requireRecentAuthentication(principal, clock);
  clock.advance(1);
  assert.throws(() => requireRecentAuthentication(principal, clock), /Sign in again/);
});

test('a session that one node ends is refused by the other', async (t) => {
  const first = await bootServer('postgres');
  t.after(() => first.stop());
  const second = await bootServer('postgres', { besides: first });
  t.after(() => second.stop());
  const { userId } = await createPerson(first, { password: PASSWORD });
  const [mine, other] = [await signInAs(first, userId), await signInAs(first, userId)];
  assert.equal((await as(second, other)('GET', '/user/sessions')).status, 200);
  const began = performance.now();
  assert.equal((await as(first, mine)('DELETE', '/user/sessions')).json.result.ended, 1);
  await eventually('the other node knows', async () => {
    return (await as(second, other)('GET', '/user/sessions')).status === 401;
  });
  assert.ok(performance.now() - began < 1_000);
  assert.equal((await as(second, mine)('GET', '/user/sessions')).status, 200);
});

test('failures that one node counts are known to the other', async (t) => {
  const clock = new ManualClock();
  const first = await bootServer('postgres', { clock });
  t.after(() => first.stop());
  const second = await bootServer('postgres', { clock, besides: first });
  t.after(() => second.stop());
  const { email } = await createPerson(first, { password: PASSWORD });
  for (const server of [first, second, first, second, first]) {
    assert.equal((await new Visitor(server).signIn(email, 'not the right one')).status, 401);
  }
  for (const server of [first, second]) {
    assert.equal((await new Visitor(server).signIn(email, PASSWORD)).status, 429);
  }
});
