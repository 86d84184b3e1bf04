import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { ACCOUNT_GRACE_MS } from '../../src/iam/accounts/purge-deleted-accounts.ts';
import { permissions } from '../../src/iam/permissions.ts';
import { SUPER_ADMINISTRATOR } from '../../src/iam/roles.ts';
import type { Db, Schema } from '../../src/storage/schema.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { listQuery, logRecord, openLogStore } from '../gateway/log-records.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type SessionHeaders,
  addMember,
  createPerson,
  createUserToken,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import {
  type TestServer,
  allowPolicy,
  bootServer,
  createDataDir,
  request,
} from '../support/server.ts';

const everything = permissions.map(({ slug }) => slug);
const ofAccounts = permissions.filter(({ scope }) => scope === 'account').map(({ slug }) => slug);

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let chief: SessionHeaders;
  before(async () => {
    server = await bootServer(database, { clock });
    chief = await signInAs(server, (await firstPerson(server)).userId, clock);
  });
  after(() => server.stop());

  const as = (
    headers: SessionHeaders,
    method: string,
    where: string,
    body?: unknown,
    on = server,
  ) => on.call(method, where, { token: null, headers, body });

  async function createAccount(name: string, headers = chief, on = server): Promise<string> {
    const { json, text } = await as(headers, 'POST', '/accounts', { name }, on);
    assert.equal(json.success, true, text);
    return json.result.id;
  }

  /** A token of the account that holds everything in it. */
  async function createToken(accountId: string, on = server, headers = chief): Promise<string> {
    const body = { name: 'x', policies: [allowPolicy(accountId, ofAccounts)] };
    const { json, text } = await as(headers, 'POST', `/accounts/${accountId}/tokens`, body, on);
    assert.equal(json.success, true, text);
    return json.result.value;
  }

  const count = async (table: keyof Schema, accountId: string, db: Db): Promise<number> => {
    const { rows } = await db
      .selectFrom(table as 'gateways')
      .select((select) => select.fn.countAll<number>().as('rows'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return rows;
  };

  test('only for Super Administrators, with all that they hold', async () => {
    const id = await createAccount('kept');
    const accountPath = `/accounts/${id}`;
    const administrator = await createPerson(server);
    await addMember(server, administrator.userId, id, ['administrator']);
    const headers = await signInAs(server, administrator.userId, clock);
    const own = await as(headers, 'DELETE', accountPath);
    assert.deepEqual([own.status, own.code], [403, 3022]);
    const ofAccount = { token: await createToken(id) };
    assert.equal((await server.call('DELETE', accountPath, ofAccount)).code, 3022);
    const weak = (await createUserToken(server, chief, ['account-settings.write'])).value;
    assert.equal((await server.call('DELETE', accountPath, { token: weak })).code, 3022);
    const reader = (await createUserToken(server, chief, ['account-settings.read'])).value;
    assert.equal((await server.call('DELETE', accountPath, { token: reader })).code, 10_000);
    assert.equal((await server.call('DELETE', accountPath, { token: null })).code, 10_000);
    assert.equal((await server.call('DELETE', accountPath)).code, 10_000);
    assert.equal((await as(chief, 'GET', accountPath)).status, 200);
    const strong = (await createUserToken(server, chief, everything)).value;
    const deleted = await server.call('DELETE', accountPath, { token: strong });
    assert.deepEqual(deleted.json.result, { id });
    assert.equal((await as(chief, 'DELETE', accountPath)).status, 403);
  });

  test('every credential of the account stops working at once', async () => {
    const id = await createAccount('doomed');
    const accountPath = `/accounts/${id}`;
    const token = await createToken(id);
    const { userId, email } = await createPerson(server);
    await addMember(server, userId, id, [SUPER_ADMINISTRATOR]);
    const headers = await signInAs(server, userId, clock);
    const ofPerson = (await createUserToken(server, headers, everything)).value;
    const gateway = gatewayBody('open', { authentication: false });
    const made = await as(headers, 'POST', `${accountPath}/ai-gateway/gateways`, gateway);
    assert.equal(made.status, 200, made.text);
    const body = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
    const complete = () =>
      request('POST', `${server.origin}/v1/${id}/open/local/chat/completions`, { body });
    const credentials = [{ token }, { token: ofPerson }, { token: null, headers }] as const;
    for (const credential of credentials) {
      assert.equal((await server.call('GET', accountPath, credential)).status, 200);
    }
    assert.equal((await complete()).status, 200);

    assert.equal((await as(headers, 'DELETE', accountPath)).status, 200);
    const statuses = await Promise.all(
      credentials.map(async (credential) => {
        const { status } = await server.call('GET', accountPath, credential);
        return status;
      }),
    );
    assert.deepEqual(statuses, [401, 403, 403]);
    assert.equal((await complete()).status, 401);
    for (const list of ['/accounts', '/memberships']) {
      const { json } = await as(headers, 'GET', list);
      assert.deepEqual(json.result ?? [], []);
    }
    assert.equal((await as(headers, 'GET', '/user')).json.result.email, email);
  });

  test('the audit log is kept, and the one of the person tells of the end', async () => {
    const { userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    const headers = await signInAs(server, userId, clock);
    const id = await createAccount('remembered', headers);
    assert.equal((await as(headers, 'DELETE', `/accounts/${id}`)).status, 200);
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .select(['chain_id', 'action_type', 'account_name', 'action_description'])
      .where('resource_id', '=', id)
      .orderBy('seq')
      .execute();
    const ofAccount = rows.filter((row) => row.chain_id === id);
    assert.deepEqual(
      ofAccount.map((row) => [row.action_type, row.account_name]),
      [
        ['create', 'remembered'],
        ['delete', 'remembered'],
      ],
    );
    const [ofPerson] = rows.filter((row) => row.chain_id === userId);
    assert.equal(ofPerson?.action_description, 'Deleted the account remembered');
  });

  test('the last account stays, also when all are deleted at once', async (t) => {
    const other = await bootServer(database, { clock });
    t.after(() => other.stop());
    const headers = await signInAs(other, (await firstPerson(other)).userId, clock);
    const refused = await as(headers, 'DELETE', other.account, undefined, other);
    assert.deepEqual([refused.status, refused.code], [400, 3021]);
    const ids = [other.accountId];
    for (const name of ['one', 'two']) ids.push(await createAccount(name, headers, other));
    const answers = await Promise.all(
      ids.map((id) => as(headers, 'DELETE', `/accounts/${id}`, undefined, other)),
    );
    const codes = answers.map(({ code }) => code);
    assert.deepEqual(codes.filter(Boolean), [3021]);
    assert.equal((await as(headers, 'GET', '/accounts', undefined, other)).json.result.length, 1);
  });

  test('what is created at the moment of the deletion goes with the account', async () => {
    const id = await createAccount('contended');
    const token = await createToken(id);
    const create = async () => {
      const body = { name: 'x', policies: [allowPolicy(id, ['tags.read'])] };
      const { status, text } = await server.call('POST', `/accounts/${id}/tokens`, { token, body });
      assert.ok([200, 401, 403].includes(status), text);
    };
    const attempts = Array.from({ length: 10 }, create);
    assert.equal((await as(chief, 'DELETE', `/accounts/${id}`)).status, 200);
    await Promise.all([...attempts, ...Array.from({ length: 3 }, create)]);
    assert.equal(await count('api_tokens', id, server.app.database.read), 0);
  });

  test('invited people are forgotten with the account', async () => {
    const id = await createAccount('inviting');
    const { json } = await as(chief, 'GET', `/accounts/${id}/roles?per_page=1&page=10`);
    const body = { email: 'only-here@example.com', roles: [json.result[0].id] };
    assert.equal((await as(chief, 'POST', `/accounts/${id}/members`, body)).status, 200);
    assert.equal((await as(chief, 'DELETE', `/accounts/${id}`)).status, 200);
    const found = await server.app.database.read
      .selectFrom('users')
      .select('id')
      .where('email', '=', body.email)
      .execute();
    assert.deepEqual(found, []);
  });

  test('all else is purged a little at a time, and goes on after a restart', async (t) => {
    const dataDir = await createDataDir();
    const node = await bootServer(database, { clock, dataDir });
    const logs = openLogStore(node, dataDir, clock);
    const ends = [() => logs.close(), () => node.stop()];
    t.after(async () => {
      for (const end of ends) await end();
      await rm(dataDir, { recursive: true, force: true });
    });
    const headers = await signInAs(node, (await firstPerson(node)).userId, clock);
    const id = await createAccount('bulky', headers, node);
    const kept = await createAccount('kept', headers, node);
    for (const accountId of [id, kept]) {
      await fill(node, logs, accountId, headers);
      for (const table of TABLES) {
        assert.ok((await count(table, accountId, node.app.database.read)) > 0, table);
      }
      assert.equal(await countLogs(logs, accountId), 1_201);
    }
    const isEmpty = async (tables: readonly (keyof Schema)[]): Promise<boolean> => {
      for (const table of tables) {
        if ((await count(table, id, node.app.database.read)) > 0) return false;
      }
      return true;
    };
    assert.equal((await as(headers, 'DELETE', `/accounts/${id}`, undefined, node)).status, 200);
    assert.ok(
      await isEmpty(TABLES.filter((table) => !(BULK as readonly string[]).includes(table))),
    );
    await eventually('tags and logs are gone', async () => {
      return (await isEmpty(BULK)) && (await countLogs(logs, id)) === 0;
    });
    const marked = () =>
      node.app.database.read
        .selectFrom('accounts')
        .select('deleted_at')
        .where('id', '=', id)
        .executeTakeFirst();
    assert.equal((await marked())?.deleted_at, clock.now());

    // What was under way at the deletion leaves something behind.
    await insertTags(node, id, 3);
    await insertLogs(logs, id, 3);
    clock.advance(ACCOUNT_GRACE_MS);
    // On the embedded database the first has to end before the second can begin.
    if (database === 'sqlite') await ends.pop()?.();
    const later = await bootServer(database, { clock, dataDir, besides: node });
    ends.unshift(() => later.stop());
    const isGone = async (): Promise<boolean> => {
      const rows = await later.app.database.read
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', id)
        .execute();
      return rows.length === 0;
    };
    await eventually('the row of the account is gone', isGone);
    for (const table of TABLES) {
      const { read } = later.app.database;
      assert.equal(await count(table, id, read), 0, table);
      assert.ok((await count(table, kept, read)) > 0, table);
    }
    assert.deepEqual([await countLogs(logs, id), await countLogs(logs, kept)], [0, 1_201]);
  });

  const BULK = [
    'tagged_resources',
    'tag_heads',
    'tag_postings',
    'tag_changes',
    'tag_keys',
    'tag_values',
    'tagged_types',
  ] as const satisfies (keyof Schema)[];

  const TABLES: readonly (keyof Schema)[] = [
    ...BULK,
    'members',
    'member_roles',
    'gateways',
    'gateway_provider_configs',
    'custom_providers',
    'oauth_clients',
    'api_tokens',
  ];

  async function fill(
    node: TestServer,
    logs: LogStore,
    accountId: string,
    headers: SessionHeaders,
  ): Promise<void> {
    const base = `/accounts/${accountId}`;
    await createToken(accountId, node, headers);
    const gateway = gatewayBody('main');
    for (const [where, body] of [
      [`${base}/ai-gateway/gateways`, gateway],
      [
        `${base}/ai-gateway/custom-providers`,
        { name: 'x', slug: 'mine', base_url: 'https://models.example' },
      ],
      [
        `${base}/ai-gateway/gateways/main/provider_configs`,
        { alias: 'x', default_config: true, provider_slug: 'custom-mine', secret: 'sk-0123456789' },
      ],
      [
        `${base}/oauth_clients`,
        {
          client_name: 'x',
          grant_types: ['authorization_code'],
          response_types: ['code'],
          redirect_uris: ['https://example.com/callback'],
          scopes: ['tags.read'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    ] as const) {
      const { status, text } = await as(headers, 'POST', where, body, node);
      assert.equal(status, 200, text);
    }
    const tagged = { resource_type: 'account', resource_id: accountId, tags: { env: 'x' } };
    assert.equal((await as(headers, 'PUT', `${base}/tags`, tagged, node)).status, 200);
    await insertTags(node, accountId, 1_201);
    // Whoever asks for logs first makes the place for them.
    const asked = await as(
      headers,
      'GET',
      `${base}/ai-gateway/gateways/main/logs`,
      undefined,
      node,
    );
    assert.equal(asked.status, 200, asked.text);
    await insertLogs(logs, accountId, 1_201);
  }

  /** More than one transaction purges. */
  async function insertTags(node: TestServer, accountId: string, rows: number): Promise<void> {
    const numbers = Array.from({ length: rows }, (_, i) => i);
    const row = { account_id: accountId, resource_type: 't' };
    const value = { value: 'v', value_key: 'v', value_folded: 'v', key_folded: 'k' };
    const change = { resource_id: 'r', name: 'r', etag: 'e', patch: '{}', changed_at: 0 };
    const places = new Uint8Array([1, 0]);
    await node.app.database.transaction(async (tx) => {
      await tx
        .insertInto('tag_values')
        .values(numbers.map((i) => ({ ...row, ...value, key: `key-${i}`, resource_count: 1 })))
        .execute();
      await tx
        .insertInto('tag_postings')
        .values(numbers.map((i) => ({ account_id: accountId, term: `key-${i}`, block: 0, places })))
        .execute();
      await tx
        .insertInto('tag_changes')
        .values(numbers.map((i) => ({ ...row, ...change, position: -i })))
        .execute();
    });
  }

  async function insertLogs(logs: LogStore, accountId: string, rows: number): Promise<void> {
    await logs.insert(
      Array.from({ length: rows }, () => logRecord(accountId, 'main', clock.now())),
    );
  }

  async function countLogs(logs: LogStore, accountId: string): Promise<number> {
    return (await logs.list(listQuery(accountId, 'main'))).totalCount;
  }
});
