import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import {
  type SessionHeaders,
  addMember,
  createPerson,
  createUserToken,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const as = (headers: SessionHeaders, method: string, path: string, body?: unknown) =>
    server.call(method, path, { token: null, headers, body });

  test('get shows the caller, by session and by token', async () => {
    const { userId, email } = await createPerson(server, { firstName: 'Ada' });
    const headers = await signInAs(server, userId);
    const { json } = await as(headers, 'GET', '/user');
    assert.deepEqual(json.result, {
      id: userId,
      email,
      first_name: 'Ada',
      last_name: null,
      two_factor_authentication_enabled: false,
      two_factor_authentication_locked: false,
      suspended: false,
      organizations: [],
    });
    const { value } = await createUserToken(server, headers, ['user-details.read']);
    const byToken = await server.call('GET', '/user', { token: value });
    assert.deepEqual(byToken.json.result, json.result);
  });

  test('a name that is too long is refused for its length alone, before its characters', async () => {
    const { userId } = await createPerson(server);
    const headers = await signInAs(server, userId);
    const first_name = `${'a'.repeat(40_000)}\u200b`;
    const { status, json } = await as(headers, 'PATCH', '/user', { first_name });
    assert.equal(status, 400);
    assert.equal(json.errors.length, 1);
    assert.match(json.errors[0].message, /must NOT have more than 60 characters/);
  });

  test('get needs a person and user-details.read', async () => {
    const { userId } = await createPerson(server);
    const headers = await signInAs(server, userId);
    const { value } = await createUserToken(server, headers, ['memberships.read']);
    for (const [token, status] of [
      [server.token, 403],
      [value, 403],
      [null, 401],
    ] as const) {
      assert.equal((await server.call('GET', '/user', { token })).status, status);
    }
  });

  test('two_factor_authentication: whether there is one, and whether one is demanded', async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const headers = await signInAs(server, userId);
    const facts = async (): Promise<boolean[]> => {
      const { result } = (await as(headers, 'GET', '/user')).json;
      return [result.two_factor_authentication_enabled, result.two_factor_authentication_locked];
    };
    assert.deepEqual(await facts(), [false, false]);
    const settle = (enforce_twofactor: boolean) =>
      server.call('PUT', server.account, { body: { name: 'x', settings: { enforce_twofactor } } });
    await settle(true);
    assert.deepEqual(await facts(), [false, true]);
    const { userId: pending } = await createPerson(server);
    const pendingId = await addMember(server, pending, server.accountId);
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('members')
        .set({ status: 'pending' })
        .where('id', '=', pendingId)
        .execute();
    });
    const invited = await as(await signInAs(server, pending), 'GET', '/user');
    assert.equal(invited.json.result.two_factor_authentication_locked, false);
    await settle(false);
    assert.deepEqual(await facts(), [false, false]);
  });

  test('update changes the names that are sent', async () => {
    const { userId } = await createPerson(server);
    const headers = await signInAs(server, userId);
    const update = async (body: unknown) => {
      const { json, text } = await as(headers, 'PATCH', '/user', body);
      assert.equal(json.success, true, text);
      const { first_name, last_name } = json.result;
      assert.deepEqual((await as(headers, 'GET', '/user')).json.result, json.result);
      return [first_name, last_name];
    };
    assert.deepEqual(await update({ first_name: 'Ada', last_name: 'Lovelace' }), [
      'Ada',
      'Lovelace',
    ]);
    assert.deepEqual(await update({ last_name: null }), ['Ada', null]);
    assert.deepEqual(await update({}), ['Ada', null]);
    assert.deepEqual(await update({ first_name: 'x'.repeat(60) }), ['x'.repeat(60), null]);
  });

  test('update: what a body may not have', async () => {
    const { userId } = await createPerson(server);
    const headers = await signInAs(server, userId);
    for (const [body, code] of [
      [{ first_name: 'x'.repeat(61) }, 3001],
      [{ first_name: '' }, 3001],
      [{ last_name: ' ' }, 3001],
      [{ last_name: 'a\tb' }, 3001],
      // It would turn the rest of the line about.
      [{ last_name: 'a\u202eb' }, 3001],
      [{ last_name: '\u200b' }, 3001],
      [{ last_name: 7 }, 3001],
      [{ email: 'other@example.com' }, 3001],
      [{ age: 7 }, 3002],
      ['{', 6007],
    ] as const) {
      const answer = await as(headers, 'PATCH', '/user', body);
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(body));
    }
  });

  test('update takes a session: no token, and none without its CSRF token', async () => {
    const { userId } = await firstPerson(server);
    const headers = await signInAs(server, userId);
    const body = { first_name: 'x' };
    const { value } = await createUserToken(server, headers, ['user-details.read']);
    for (const token of [value, server.token]) {
      assert.equal((await server.call('PATCH', '/user', { token, body })).code, 10_000);
    }
    const bare = { cookie: headers.cookie };
    const forged = await server.call('PATCH', '/user', { token: null, headers: bare, body });
    assert.equal(forged.status, 403);
    assert.equal((await server.call('PATCH', '/user', { token: null, body })).status, 401);
  });
});
