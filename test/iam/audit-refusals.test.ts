import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AuditRow } from '../../src/iam/audit/audit-chain.ts';
import { createId } from '../../src/lib/ids.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type Person,
  type SessionHeaders,
  createPerson,
  createUserToken,
  signInAs,
} from '../support/people.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import {
  type Answer,
  type CallOptions,
  type TestServer,
  allowPolicy,
  bootServer,
} from '../support/server.ts';

const MINUTE_MS = 60_000;
const MAX_ROWS_PER_MINUTE = 60;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());
  // Each test has its own minute.
  beforeEach(() => clock.advance(MINUTE_MS));

  const rowsOf = (chainId = server.accountId): Promise<AuditRow[]> =>
    readAuditRows(server.app.database, chainId);

  /** The rows that something adds to a log. */
  async function addedBy(
    work: () => Promise<unknown>,
    chainId = server.accountId,
  ): Promise<AuditRow[]> {
    const before = (await rowsOf(chainId)).length;
    await work();
    return (await rowsOf(chainId)).slice(before);
  }

  const tokenBody = (...slugs: string[]) => ({
    name: 'wanted',
    policies: [allowPolicy(server.accountId, slugs)],
  });

  /** An account in which nobody of these tests is a member. */
  async function foreignAccount(): Promise<string> {
    const id = createId();
    await server.app.database.transaction(async (tx) => {
      await tx.insertInto('accounts').values({ id, name: 'Foreign', created_at: 1 }).execute();
    });
    return id;
  }

  test('a missing permission, field by field', async () => {
    const { id, value } = await server.createToken(['tags.read']);
    let refused: Answer | undefined;
    const [row, ...more] = await addedBy(async () => {
      refused = await server.call('POST', tokens, {
        token: value,
        body: tokenBody('tags.read'),
        headers: { 'user-agent': 'a program' },
      });
    });
    assert.deepEqual([refused?.status, refused?.code], [403, 10_000]);
    assert.deepEqual(more, []);
    assert.ok(row !== undefined);
    const { id: rowId, hash, seq, account_name: name, ...rest } = row;
    assert.ok(rowId && hash && seq > 1 && name);
    assert.deepEqual(
      { ...rest },
      {
        chain_id: server.accountId,
        created_at: clock.now(),
        action_type: 'create',
        action_result: 'failure',
        action_description: refused?.json.errors[0].message,
        actor_type: 'account_token',
        actor_id: id,
        actor_email: null,
        actor_ip_address: '127.0.0.1',
        actor_token_id: id,
        actor_token_name: 'test',
        actor_context: 'api_token',
        resource_type: 'api_token',
        resource_id: null,
        resource_product: 'api_tokens',
        resource_scope: 'accounts',
        // What was asked for was not even read.
        resource_request: null,
        resource_response: null,
        request_id: refused?.headers.get('x-request-id'),
        request_method: 'POST',
        request_uri: `/client/v4${tokens}`,
        request_status_code: 403,
        request_user_agent: 'a program',
      },
    );
  });

  test('what was asked for, as far as the path tells', async () => {
    const { value } = await server.createToken(['members.read']);
    const id = createId();
    const long = 'x'.repeat(300);
    const emoji = '🎉'.repeat(200);
    for (const [method, path, expected] of [
      ['GET', tokens, ['view', 'api_token', 'api_tokens', null]],
      ['GET', `${tokens}/${id}`, ['view', 'api_token', 'api_tokens', id]],
      ['PUT', `${tokens}/${id}`, ['update', 'api_token', 'api_tokens', id]],
      ['PUT', `${tokens}/${id}/value`, ['update', 'api_token', 'api_tokens', id]],
      ['DELETE', `${tokens}/${long}`, ['delete', 'api_token', 'api_tokens', long.slice(0, 256)]],
      [
        'DELETE',
        `${tokens}/x${encodeURIComponent(emoji)}`,
        ['delete', 'api_token', 'api_tokens', `x${emoji}`.slice(0, 256).toWellFormed()],
      ],
      [
        'GET',
        `${server.account}/oauth_clients/${id}`,
        ['view', 'oauth_client', 'oauth_clients', id],
      ],
      [
        'PATCH',
        `${server.account}/oauth_clients/${id}`,
        ['update', 'oauth_client', 'oauth_clients', id],
      ],
      [
        'GET',
        `${server.account}/ai-gateway/gateways/one`,
        ['view', 'ai_gateway', 'ai_gateway', 'one'],
      ],
      ['PUT', `${server.account}/tags`, ['update', 'tags', 'tags', null]],
      ['GET', `${server.account}/logs/audit?since=x`, ['view', 'audit_log', 'audit_logs', null]],
      ['GET', '/user/tokens', ['view', 'api_token', 'api_tokens', null]],
      ['GET', '/user', ['view', 'user', 'user', null]],
      ['GET', '/user/sessions', ['view', 'session', 'sessions', null]],
      ['DELETE', `/user/passkeys/${id}`, ['delete', 'passkey', 'two_factor', id]],
      ['GET', '/memberships', ['view', 'member', 'memberships', null]],
      ['PUT', server.account, ['update', 'account', 'accounts', server.accountId]],
      ['POST', `${server.account}/members`, ['create', 'member', 'members', null]],
      ['DELETE', `/user/tokens/${id}`, ['delete', 'api_token', 'api_tokens', id]],
    ] as const) {
      const [row, ...more] = await addedBy(async () => {
        const { status, text } = await server.call(method, path, { token: value });
        assert.equal(status, 403, text);
      });
      assert.deepEqual(more, []);
      assert.deepEqual(
        [row?.action_type, row?.resource_type, row?.resource_product, row?.resource_id],
        expected,
        `${method} ${path.slice(0, 120)}`,
      );
      // Without the query, in which anything could be, and not without end.
      assert.equal(row?.request_uri?.includes('?'), false);
      assert.ok((row?.request_uri?.length ?? 0) <= 1_024);
    }
  });

  test('a token that may not be used from this address', async () => {
    const body = {
      ...tokenBody('tags.read'),
      condition: { request_ip: { not_in: ['127.0.0.1'] } },
    };
    const { value } = (await server.call('POST', tokens, { body })).json.result;
    const [row] = await addedBy(() => server.call('GET', `${tokens}/verify`, { token: value }));
    assert.equal(row?.action_result, 'failure');
    assert.match(row?.action_description ?? '', /does not allow requests from your IP address/);
  });

  test('an operation that refuses by itself: more than the creator holds', async () => {
    const { value } = await server.createToken(['api-tokens.write']);
    const added = await addedBy(async () => {
      const refused = await server.call('POST', tokens, {
        token: value,
        body: tokenBody('tags.write'),
      });
      assert.deepEqual([refused.status, refused.code], [403, 3012]);
    });
    assert.deepEqual(
      added.map((row) => [row.action_type, row.action_result, row.request_status_code]),
      [['create', 'failure', 403]],
    );
    assert.match(
      added[0]?.action_description ?? '',
      /cannot have more permissions than its creator/,
    );
  });

  describe('in whose log it stands', () => {
    let person: Person;
    let session: SessionHeaders;
    before(async () => {
      person = await createPerson(server, { accountId: server.accountId });
      session = await signInAs(server, person.userId, clock);
    });

    test("a token at another account's path: in that of its own account", async () => {
      const foreign = await foreignAccount();
      for (const accountId of [foreign, createId()]) {
        const [row] = await addedBy(() => server.call('GET', `/accounts/${accountId}/tokens`));
        assert.equal(row?.request_uri, `/client/v4/accounts/${accountId}/tokens`);
        assert.equal(row?.actor_type, 'account_token');
      }
      assert.deepEqual(await rowsOf(foreign), []);
    });

    test('a member: in that of the account', async () => {
      const [row] = await addedBy(() =>
        server.call('GET', tokens, { token: null, headers: session }),
      );
      assert.deepEqual(
        [row?.actor_type, row?.actor_context, row?.actor_id, row?.actor_email],
        ['user', 'dash', person.userId, person.email],
      );
    });

    test('a person elsewhere: in that of the person', async () => {
      const foreign = await foreignAccount();
      const { id, value } = await createUserToken(server, session, ['api-tokens.read']);
      for (const options of [{ token: null, headers: session }, { token: value }]) {
        const [row] = await addedBy(
          () => server.call('GET', `/accounts/${foreign}/tokens`, options),
          person.userId,
        );
        assert.deepEqual([row?.action_result, row?.resource_scope], ['failure', 'user']);
        assert.equal(row?.actor_token_id, 'headers' in options ? null : id);
      }
      assert.deepEqual(await rowsOf(foreign), []);
    });

    test('what concerns the person alone: in that of the person', async () => {
      const { value } = await createUserToken(server, session, ['tags.read']);
      const [row] = await addedBy(
        () => server.call('GET', '/user/tokens', { token: value }),
        person.userId,
      );
      assert.equal(row?.actor_type, 'user_token');
      assert.equal(row?.resource_product, 'api_tokens');
    });
  });

  const knock = async (times: number, options: CallOptions): Promise<void> => {
    for (let i = 0; i < times; i++) {
      assert.equal((await server.call('GET', tokens, options)).status, 403);
    }
  };

  const omissions = (rows: readonly AuditRow[]): AuditRow[] =>
    rows.filter((row) => row.action_type === 'omit');

  test('at most 60 a minute for one token of the account, and a row that says so', async () => {
    const [one, other] = [
      await server.createToken(['members.read']),
      await server.createToken(['members.read']),
    ];
    const first = await addedBy(() => knock(MAX_ROWS_PER_MINUTE, { token: one.value }));
    assert.equal(first.length, MAX_ROWS_PER_MINUTE);
    assert.deepEqual(omissions(first), []);
    const rest = await addedBy(() => knock(5, { token: one.value }));
    assert.deepEqual(
      rest.map((row) => [row.action_type, row.action_result, row.actor_id, row.resource_type]),
      [['omit', 'failure', one.id, 'audit_log']],
    );
    assert.match(rest[0]?.action_description ?? '', /^Further refused requests of this principal/);
    // Another one has a count of its own.
    assert.equal((await addedBy(() => knock(2, { token: other.value }))).length, 2);
    clock.advance(MINUTE_MS);
    const next = await addedBy(() => knock(3, { token: one.value }));
    assert.deepEqual([next.length, omissions(next)], [3, []]);
  });

  test('a person has one count, with however many tokens and sessions', async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const headers = await signInAs(server, userId, clock);
    const values: string[] = [];
    for (let i = 0; i < 3; i++) {
      values.push((await createUserToken(server, headers, ['memberships.read'])).value);
    }
    clock.advance(MINUTE_MS);
    const added = await addedBy(async () => {
      for (const token of values) await knock(25, { token });
      await knock(5, { token: null, headers });
      await knock(5, { token: null, headers: await signInAs(server, userId, clock) });
    });
    assert.equal(added.length, MAX_ROWS_PER_MINUTE + 1);
    assert.deepEqual(omissions(added), [added.at(-1)]);
    // In the log of somebody else it would be the same flood.
    const foreign = `/accounts/${await foreignAccount()}/tokens`;
    const own = await addedBy(
      () => server.call('GET', foreign, { token: values[0] ?? '' }),
      userId,
    );
    assert.deepEqual(own, []);
  });

  test('at most 600 a minute in one log, and a row that says so', async () => {
    const callers: string[] = [];
    for (let i = 0; i < 11; i++) callers.push((await server.createToken(['members.read'])).value);
    clock.advance(MINUTE_MS);
    const first = await addedBy(async () => {
      for (const token of callers.slice(0, 10)) await knock(MAX_ROWS_PER_MINUTE, { token });
    });
    assert.equal(first.length, 10 * MAX_ROWS_PER_MINUTE);
    assert.deepEqual(omissions(first), []);
    const [row, ...more] = await addedBy(async () => {
      for (const token of callers) await knock(2, { token });
    });
    assert.deepEqual([row?.action_type, row?.actor_type, more], ['omit', 'system', []]);
    assert.match(row?.action_description ?? '', /^Further refused requests in this minute/);
    clock.advance(MINUTE_MS);
    assert.equal((await addedBy(() => knock(1, { token: callers[0] ?? '' }))).length, 1);
  });

  test('what is no lack of permission writes none', async () => {
    const added = await addedBy(async () => {
      for (const [method, path, options, status] of [
        ['GET', tokens, { token: null }, 401],
        ['GET', tokens, { token: 'lkat_nonsense' }, 401],
        ['GET', tokens, { headers: { authorization: 'Basic x' } }, 400],
        ['GET', `${tokens}/missing`, {}, 404],
        ['GET', '/accounts/x/tokens', {}, 404],
        ['POST', tokens, { body: {} }, 400],
        ['POST', `${tokens}/verify`, {}, 405],
      ] as const) {
        assert.equal((await server.call(method, path, options)).status, status, path);
      }
    });
    assert.deepEqual(added, []);
  });

  test('a log that cannot be written changes no answer, and is reported', async (t) => {
    const { value } = await server.createToken(['members.read']);
    const restore = await refuseWrites(server.app.database, 'insert', 'audit_logs');
    t.after(restore);
    const lines = server.logLines.length;
    const refused = await server.call('GET', tokens, { token: value });
    assert.deepEqual([refused.status, refused.code], [403, 10_000]);
    const reported = server.logLines.slice(lines).join('');
    assert.match(reported, /a refused request could not be written to the audit log/);
    assert.equal(reported.includes(value.slice(5, 25)), false);
    await restore();
  });
});
