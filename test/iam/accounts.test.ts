import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_ACCOUNTS_PER_PERSON } from '../../src/iam/accounts/create-account.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  type Person,
  type SessionHeaders,
  addMember,
  createPerson,
  createUserToken,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const as = (headers: SessionHeaders, method: string, path: string, body?: unknown) =>
    server.call(method, path, { token: null, headers, body });

  /** Somebody with no account but the first, where they are a mere member. */
  async function newcomer(roles = ['member']): Promise<Person & { headers: SessionHeaders }> {
    const person = await createPerson(server, { accountId: server.accountId, roles });
    return { ...person, headers: await signInAs(server, person.userId) };
  }

  /** Somebody who may create accounts. */
  const founder = () => newcomer(['administrator']);

  async function createAccount(headers: SessionHeaders, name: string): Promise<Json> {
    const { json, text } = await as(headers, 'POST', '/accounts', { name });
    assert.equal(json.success, true, text);
    return json.result;
  }

  const namesOf = ({ json }: Answer): string[] =>
    json.result.map(({ name }: { name: string }) => name);

  test('get shows the account', async () => {
    const { status, json } = await server.call('GET', server.account);
    assert.equal(status, 200);
    const { created_on, name, ...rest } = json.result;
    assert.equal(new Date(created_on).toISOString(), created_on);
    assert.equal(typeof name, 'string');
    assert.deepEqual(rest, {
      id: server.accountId,
      type: 'standard',
      settings: { enforce_twofactor: false },
    });
  });

  test('get: another account answers alike whether it exists or not', async () => {
    const { headers } = await founder();
    const { id } = await createAccount(headers, 'not yours');
    for (const other of [id, createId()]) {
      const answer = await server.call('GET', `/accounts/${other}`);
      assert.equal(answer.status, 403);
      assert.equal(answer.code, 10_000);
    }
    assert.equal((await server.call('GET', '/accounts/nonsense')).code, 7003);
    assert.equal((await server.call('GET', server.account, { token: null })).status, 401);
  });

  test('list shows the accounts of the caller', async () => {
    assert.deepEqual(
      (await server.call('GET', '/accounts')).json.result.map(({ id }: Json) => id),
      [server.accountId],
    );
    const { value } = await server.createToken(['tags.read']);
    const narrow = await server.call('GET', '/accounts', { token: value });
    assert.deepEqual(
      narrow.json.result.map(({ id, settings }: Json) => [id, settings]),
      [[server.accountId, undefined]],
    );
    const { headers } = await founder();
    const { id } = await createAccount(headers, 'mine');
    const { json } = await as(headers, 'GET', '/accounts');
    const ids = json.result.map((account: Json) => account.id);
    assert.deepEqual(new Set(ids), new Set([id, server.accountId]));
    assert.equal(json.result_info.total_count, 2);
  });

  test('list leaves out an account whose demand for a second factor is not met', async () => {
    const { headers } = await founder();
    await createAccount(headers, 'open');
    const strict = await createAccount(headers, 'strict');
    const body = { name: 'strict', settings: { enforce_twofactor: true } };
    assert.equal((await as(headers, 'PUT', `/accounts/${strict.id}`, body)).status, 200);
    const names = namesOf(await as(headers, 'GET', '/accounts'));
    assert.ok(names.includes('open'));
    assert.ok(!names.includes('strict'));
    const refused = await as(headers, 'GET', `/accounts/${strict.id}`);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /two-factor/);
  });

  test('list by name, in both directions, in pages', async () => {
    const { headers, memberId } = await founder();
    for (const name of ['beta', 'alpha', 'Gamma', 'beta']) await createAccount(headers, name);
    // Out of the first account, so that the list is that of this test.
    await as(headers, 'DELETE', `/memberships/${memberId}`);
    const list = async (query: string) => namesOf(await as(headers, 'GET', `/accounts?${query}`));
    assert.deepEqual(await list(''), ['Gamma', 'alpha', 'beta', 'beta']);
    assert.deepEqual(await list('direction=asc'), ['Gamma', 'alpha', 'beta', 'beta']);
    assert.deepEqual(await list('direction=desc'), ['beta', 'beta', 'alpha', 'Gamma']);
    assert.deepEqual(await list('name=beta'), ['beta', 'beta']);
    assert.deepEqual(await list('name=bet'), []);
    assert.deepEqual(await list('per_page=3&page=2'), ['beta']);
    assert.deepEqual(await list('per_page=3&page=3'), []);
    const { json } = await as(headers, 'GET', '/accounts?per_page=3');
    assert.deepEqual(json.result_info, {
      page: 1,
      per_page: 3,
      count: 3,
      total_count: 4,
      total_pages: 2,
    });
  });

  test('list: wrong parameters', async () => {
    for (const query of ['direction=up', 'per_page=0', 'per_page=101', 'page=0']) {
      assert.equal((await server.call('GET', `/accounts?${query}`)).code, 6010, query);
    }
    assert.equal((await server.call('GET', '/accounts?per_page=100')).status, 200);
    assert.equal((await server.call('GET', '/accounts', { token: null })).code, 10_000);
  });

  test('create makes the person Super Administrator, effective at once', async () => {
    const { headers, email } = await founder();
    const account = await createAccount(headers, 'fresh');
    assert.equal(account.type, 'standard');
    const path = `/accounts/${account.id}`;
    assert.deepEqual((await as(headers, 'GET', path)).json.result, account);
    const { json } = await as(headers, 'GET', `${path}/members`);
    assert.deepEqual(
      json.result.map((member: Json) => [member.email, member.status, member.roles[0].name]),
      [[email, 'accepted', 'Super Administrator']],
    );
    const log = await as(headers, 'GET', `${path}/logs/audit?since=2020-01-01&before=2100-01-01`);
    assert.equal(log.json.result[0].action.type, 'create');
    assert.equal(log.json.result[0].account.name, 'fresh');
  });

  test('create with a token of a person, and not with one of an account', async () => {
    const { headers } = await founder();
    const token = (await createUserToken(server, headers, ['account-settings.write'])).value;
    const body = { name: 'by token', type: 'standard', standalone: true };
    const created = await server.call('POST', '/accounts', { token, body });
    assert.equal(created.status, 200, created.text);
    const refused = await server.call('POST', '/accounts', { body });
    assert.equal(refused.status, 403);
    assert.match(refused.text, /cannot create an account/);
    const weak = (await createUserToken(server, headers, ['account-settings.read'])).value;
    assert.equal((await server.call('POST', '/accounts', { token: weak, body })).status, 403);
  });

  test('create needs account-settings.write in some account', async () => {
    const { headers } = await newcomer();
    assert.equal((await as(headers, 'POST', '/accounts', { name: 'x' })).code, 10_000);
    assert.equal((await server.call('POST', '/accounts', { token: null, body: {} })).status, 401);
  });

  test('create: what a body may not have', async () => {
    const { headers } = await founder();
    for (const [body, code, pointer] of [
      [{}, 3001, '/name'],
      [{ name: '' }, 3001, '/name'],
      [{ name: '   ' }, 3001, '/name'],
      [{ name: 'two\nlines' }, 3001, '/name'],
      [{ name: 'x'.repeat(101) }, 3001, '/name'],
      [{ name: 'x', type: 'enterprise' }, 3001, '/type'],
      [{ name: 'x', standalone: false }, 3001, '/standalone'],
      [{ name: 'x', unit: { id: 'y' } }, 3002, '/unit'],
    ] as const) {
      const answer = await as(headers, 'POST', '/accounts', body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.equal(answer.code, code, answer.text);
      assert.equal(answer.json.errors[0].source.pointer, pointer);
    }
    assert.equal((await createAccount(headers, 'x'.repeat(100))).name.length, 100);
    assert.equal((await createAccount(headers, 'Ünï 👩‍🚀')).name, 'Ünï 👩‍🚀');
    assert.equal((await as(headers, 'POST', '/accounts', '{')).code, 6007);
  });

  test('create with an idempotency key creates one account', async () => {
    const { headers } = await founder();
    const options = {
      token: null,
      headers: { ...headers, 'idempotency-key': createId() },
      body: { name: 'once' },
    };
    const first = await server.call('POST', '/accounts', options);
    const second = await server.call('POST', '/accounts', options);
    assert.deepEqual(second.json, first.json);
    assert.deepEqual(namesOf(await as(headers, 'GET', '/accounts?name=once')), ['once']);
  });

  test('a person has at most 100 accounts, however many are created at once', async () => {
    const { headers, userId } = await founder();
    await server.app.database.transaction(async (tx) => {
      for (let i = 0; i < MAX_ACCOUNTS_PER_PERSON - 2; i++) {
        const account_id = createId();
        const member_id = createId();
        await tx
          .insertInto('accounts')
          .values({ id: account_id, name: 'filler', created_at: 1 })
          .execute();
        await tx
          .insertInto('members')
          .values({ account_id, id: member_id, user_id: userId, status: 'accepted', created_at: 1 })
          .execute();
        await tx
          .insertInto('member_roles')
          .values({ account_id, member_id, role: 'super-administrator' })
          .execute();
      }
    });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => as(headers, 'POST', '/accounts', { name: 'one more' })),
    );
    const refusals = answers.filter(({ status }) => status !== 200);
    assert.deepEqual(
      refusals.map(({ status, code }) => [status, code]),
      Array.from({ length: 3 }, () => [400, 3020]),
    );
  });

  test('update changes name and settings; what is left out stays', async () => {
    const { headers } = await founder();
    const account = await createAccount(headers, 'before');
    const path = `/accounts/${account.id}`;
    const put = async (body: unknown): Promise<Json> => {
      const { json, text } = await as(headers, 'PUT', path, body);
      assert.equal(json.success, true, text);
      return json.result;
    };
    const settings = { enforce_twofactor: false, abuse_contact_email: 'abuse@example.com' };
    // As a client sends back what it has read, with its changes.
    const changed = await put({ ...account, name: 'after', managed_by: {}, settings });
    assert.deepEqual(changed, { ...account, name: 'after', settings });
    assert.deepEqual(await put({ name: 'after' }), changed);
    assert.deepEqual(await put({ name: 'after', settings: {} }), changed);
    assert.deepEqual((await as(headers, 'GET', path)).json.result, changed);
    for (const nothing of [null, '']) {
      await put({ name: 'after', settings });
      const cleared = await put({ name: 'after', settings: { abuse_contact_email: nothing } });
      assert.equal('abuse_contact_email' in cleared.settings, false);
    }
  });

  test('update: what a body may not have', async () => {
    for (const [body, code, pointer] of [
      [{}, 3001, '/name'],
      [{ name: 'x'.repeat(101) }, 3001, '/name'],
      [{ name: 'x', id: createId() }, 3001, '/id'],
      [{ name: 'x', type: 'enterprise' }, 3001, '/type'],
      [{ name: 'x', managed_by: { parent_org_id: 'y' } }, 3002, '/managed_by/parent_org_id'],
      [
        { name: 'x', settings: { default_nameservers: 'y' } },
        3002,
        '/settings/default_nameservers',
      ],
      [{ name: 'x', settings: { enforce_twofactor: 'yes' } }, 3001, '/settings/enforce_twofactor'],
      [
        { name: 'x', settings: { abuse_contact_email: 'nobody' } },
        3001,
        '/settings/abuse_contact_email',
      ],
    ] as const) {
      const answer = await server.call('PUT', server.account, { body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.equal(answer.code, code, answer.text);
      assert.equal(answer.json.errors[0].source.pointer, pointer);
    }
    const { value } = await server.createToken(['account-settings.read']);
    const refused = await server.call('PUT', server.account, { token: value, body: { name: 'x' } });
    assert.equal(refused.code, 10_000);
  });

  test('update that changes nothing is not in the log', async () => {
    const { json } = await server.call('GET', server.account);
    const rows = async (): Promise<number> => {
      const range = 'since=2020-01-01&before=2100-01-01&limit=1000';
      const log = await server.call('GET', `${server.account}/logs/audit?${range}`);
      return log.json.result.length;
    };
    const before = await rows();
    assert.equal((await server.call('PUT', server.account, { body: json.result })).status, 200);
    assert.equal(await rows(), before);
    const body = { ...json.result, name: `${json.result.name}!` };
    assert.equal((await server.call('PUT', server.account, { body })).status, 200);
    assert.equal(await rows(), before + 1);
  });

  test('a new name reaches the tags of the account', async () => {
    const { headers } = await founder();
    const { id } = await createAccount(headers, 'old name');
    const resource = { resource_type: 'account', resource_id: id };
    const put = await as(headers, 'PUT', `/accounts/${id}/tags`, { ...resource, tags: { a: 'b' } });
    assert.equal(put.status, 200, put.text);
    await as(headers, 'PUT', `/accounts/${id}`, { name: 'new name' });
    const query = new URLSearchParams(resource);
    const { json, text } = await as(headers, 'GET', `/accounts/${id}/tags?${String(query)}`);
    assert.equal(json.result.name, 'new name', text);
  });

  test('enforce_twofactor takes effect at once, and its end too', async () => {
    const { headers } = await founder();
    const { id } = await createAccount(headers, 'guarded');
    const guarded = await newcomer();
    await addMember(server, guarded.userId, id, ['administrator-read-only']);
    const path = `/accounts/${id}`;
    const first = await firstPerson(server);
    await addMember(server, first.userId, id, ['super-administrator']);
    const keeper = await signInAs(server, first.userId);
    const settings = async (enforce_twofactor: boolean) => {
      // Somebody with a second factor keeps the account usable.
      const body = { name: 'guarded', settings: { enforce_twofactor } };
      assert.equal((await as(keeper, 'PUT', path, body)).status, 200);
    };
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('totp_factors')
        .values({
          user_id: first.userId,
          sealed_secret: '',
          created_at: 1,
          confirmed_at: 1,
          last_step: 0,
        })
        .execute();
    });
    assert.equal((await as(guarded.headers, 'GET', path)).status, 200);
    await settings(true);
    assert.equal((await as(guarded.headers, 'GET', path)).status, 403);
    assert.equal((await as(headers, 'GET', path)).status, 403);
    await settings(false);
    assert.equal((await as(guarded.headers, 'GET', path)).status, 200);
  });
});
