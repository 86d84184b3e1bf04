import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditFields } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { type Query, START_MS, idsOf, newLog, windowQuery } from './audit-reading.ts';

const DAY_MS = 86_400_000;
const tooMany = Array.from({ length: 101 }, (_, index) => String(index));

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let logs: string;
  before(async () => {
    server = await bootServer(database, { clock });
    logs = `${server.account}/logs/audit`;
  });
  after(() => server.stop());

  const list = (query: Query = {}): Promise<Answer> =>
    server.call('GET', `${logs}?${windowQuery(query)}`);

  test('a row, field by field', async () => {
    const created = await server.call('POST', `${server.account}/tokens`, {
      headers: { 'user-agent': 'a program' },
      body: {
        name: 'told of',
        policies: [
          {
            effect: 'allow',
            permission_groups: [{ id: (await groupId('tags.read')) ?? '' }],
            resources: { [`com.latchkey.api.account.${server.accountId}`]: '*' },
          },
        ],
      },
    });
    const { id, value, ...token } = created.json.result;
    const answer = await list({ since: '2026-01-01', before: '2026-01-02', resource_id: id });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.text.includes(value), false);
    assert.equal(answer.text.includes(server.token), false);
    const [row, ...others] = answer.json.result;
    assert.deepEqual(others, []);
    const first = await firstToken();
    assert.match(row.id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(row, {
      id: row.id,
      account: { id: server.accountId, name: row.account.name },
      action: {
        type: 'create',
        result: 'success',
        time: '2026-01-01T00:00:00.000Z',
        description: 'Created an API token',
      },
      actor: {
        id: first.id,
        type: 'account_token',
        context: 'api_token',
        ip_address: '127.0.0.1',
        token_id: first.id,
        token_name: 'First token',
      },
      raw: {
        request_id: created.headers.get('x-request-id'),
        cf_ray_id: created.headers.get('x-request-id'),
        method: 'POST',
        uri: `/client/v4${server.account}/tokens`,
        status_code: 200,
        user_agent: 'a program',
      },
      resource: {
        id,
        type: 'api_token',
        product: 'api_tokens',
        scope: 'accounts',
        request: { name: 'told of', policies: row.resource.request.policies },
        response: { id, value: '[redacted]', ...token },
      },
    });
    assert.deepEqual(answer.json.result_info, { count: 1 });
  });

  async function groupId(slug: string): Promise<string | undefined> {
    const { json } = await server.call('GET', `${server.account}/tokens/permission_groups`);
    const name = slug === 'tags.read' ? 'Tags Read' : 'Audit Logs Read';
    return json.result.find((group: { name: string }) => group.name === name)?.id;
  }

  async function firstToken(): Promise<{ id: string }> {
    const { json } = await server.call('GET', `${server.account}/tokens/verify`);
    return json.result;
  }

  test('a row that no request caused has nothing of a request', async () => {
    const { accountId, read } = await newLog(server, [
      { created_at: START_MS, account_name: 'Then' },
    ]);
    const [row] = (await read()).json.result;
    assert.deepEqual(row, {
      id: row.id,
      account: { id: accountId, name: 'Then' },
      action: {
        type: 'update',
        result: 'success',
        time: '2025-06-01T00:00:00.000Z',
        description: 'Changed a thing',
      },
      actor: { type: 'system', context: 'system' },
      raw: {},
      resource: { type: 'thing', product: 'things', scope: 'accounts' },
    });
  });

  describe('the window', () => {
    const times = [START_MS - 1, START_MS, START_MS + DAY_MS - 1, START_MS + DAY_MS];
    let read: (query?: Query) => Promise<Answer>;
    before(async () => {
      ({ read } = await newLog(
        server,
        times.map((created_at) => ({ created_at })),
      ));
    });

    const timesOf = ({ json }: Answer): number[] =>
      json.result.map((row: Json) => Date.parse(row.action.time));

    for (const [since, until, expected] of [
      ['2025-06-01', '2025-06-02', [1, 2]],
      ['2025-06-01T00:00:00Z', '2025-06-02T00:00:00.000Z', [1, 2]],
      ['2025-06-01T02:00:00+02:00', '2025-06-01T23:59:59.999Z', [1]],
      ['2025-05-31T23:59:59.999Z', '2025-06-02T00:00:00.001Z', [0, 1, 2, 3]],
      ['2025-06-02', '2025-06-02', []],
      ['2025-06-02T00:00:00.001Z', '9999-12-31', []],
    ] as const) {
      test(`from ${since} to before ${until}`, async () => {
        const answer = await read({ since, before: until, direction: 'asc' });
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(
          timesOf(answer),
          expected.map((index) => times[index]),
        );
      });
    }

    for (const [name, query] of [
      ['since', { since: '' }],
      ['since', { since: 'yesterday' }],
      ['since', { since: '2025-02-30' }],
      ['since', { since: '2025-06-01T00:00:00' }],
      ['since', { since: ['2025-06-01', '2025-06-02'] }],
      ['before', { before: '2025-06-31' }],
      ['before', { before: '1748736000000' }],
      ['before', { since: '2025-06-02', before: '2025-06-01' }],
      ['limit', { limit: '0' }],
      ['limit', { limit: '1001' }],
      ['limit', { limit: 'x' }],
      ['direction', { direction: 'up' }],
      ['cursor', { cursor: 'made up' }],
      ['page', { page: '1' }],
      ['actor', { actor: 'x' }],
      ['actor_email.is', { 'actor_email.is': 'x' }],
      ['raw_status_code', { raw_status_code: 'ok' }],
      ['raw_status_code', { raw_status_code: '99' }],
      ['raw_status_code.not', { 'raw_status_code.not': '600' }],
      ['product_category', { product_category: 'nonsense' }],
      ['action_type', { action_type: tooMany }],
      ['action_type.not', { 'action_type.not': tooMany }],
    ] as const) {
      test(`refused, 6010: ${JSON.stringify(query).slice(0, 60)}`, async () => {
        const answer = await read(query);
        assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
        assert.equal(answer.json.errors[0].source.pointer.split('/')[0], name);
      });
    }

    test('both ends are required', async () => {
      for (const query of ['since=2025-06-01', 'before=2025-06-01', '']) {
        const answer = await server.call('GET', `${logs}?${query}`);
        assert.deepEqual([answer.status, answer.code], [400, 6010], query);
      }
    });
  });

  test('100 values of all filters together are taken, and not one more: 6010', async () => {
    const { read } = await newLog(server, []);
    const values = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    const query = (last: number) => ({
      actor_id: values(40),
      'action_type.not': values(30),
      raw_status_code: values(20).map((value) => String(200 + Number(value))),
      product_category: values(last).map(() => 'account'),
    });
    assert.deepEqual(idsOf(await read(query(10))), []);
    const refused = await read(query(11));
    assert.deepEqual([refused.status, refused.code], [400, 6010]);
    assert.match(refused.text, /more than 100 values in total/);
  });

  test('100 values of one filter are taken', async () => {
    const { ids, read } = await newLog(server, [{ created_at: START_MS, action_type: '99' }]);
    const values = Array.from({ length: 100 }, (_, index) => String(index));
    assert.deepEqual(idsOf(await read({ action_type: values })), ids);
    assert.deepEqual(idsOf(await read({ 'action_type.not': values })), []);
  });

  describe('filters', () => {
    const FULL = {
      account_name: 'Acme',
      action_type: 'delete',
      action_result: 'failure',
      actor_type: 'user',
      actor_context: 'dash',
      actor_id: 'b'.repeat(32),
      actor_email: 'jane@example.com',
      actor_ip_address: '2001:db8::1',
      actor_token_id: 'c'.repeat(32),
      actor_token_name: 'Grüße, "x" & y',
      resource_type: 'api_token',
      resource_id: 'd'.repeat(32),
      resource_product: 'api_tokens',
      request_id: '0190a000-0000-7000-8000-000000000001',
      request_method: 'DELETE',
      request_uri: '/client/v4/user',
      request_status_code: 403,
    } satisfies AuditFields;
    let full: string;
    let bare: string;
    let read: (query?: Query) => Promise<Answer>;
    before(async () => {
      const made = await newLog(server, [
        { created_at: START_MS, ...FULL },
        { created_at: START_MS + 1, resource_scope: 'user' },
      ]);
      [full = '', bare = ''] = made.ids;
      ({ read } = made);
    });

    const values = (): Record<string, string> => ({
      id: full,
      audit_log_id: full,
      account_name: FULL.account_name,
      action_result: FULL.action_result,
      action_type: FULL.action_type,
      actor_context: FULL.actor_context,
      actor_email: FULL.actor_email,
      actor_id: FULL.actor_id,
      actor_ip_address: FULL.actor_ip_address,
      actor_token_id: FULL.actor_token_id,
      actor_token_name: FULL.actor_token_name,
      actor_type: FULL.actor_type,
      raw_cf_ray_id: FULL.request_id,
      raw_method: FULL.request_method,
      raw_status_code: String(FULL.request_status_code),
      raw_uri: FULL.request_uri,
      resource_id: FULL.resource_id,
      resource_product: FULL.resource_product,
      resource_scope: 'accounts',
      resource_type: FULL.resource_type,
    });

    test('each field, with and without .not; what has no value stays', async () => {
      for (const [field, value] of Object.entries(values())) {
        assert.deepEqual(idsOf(await read({ [field]: value })), [full], field);
        assert.deepEqual(idsOf(await read({ [`${field}.not`]: value })), [bare], field);
        const other = field === 'raw_status_code' ? '404' : 'nothing';
        assert.deepEqual(idsOf(await read({ [field]: other })), [], field);
        assert.deepEqual(idsOf(await read({ [`${field}.not`]: other })), [bare, full], field);
        assert.deepEqual(idsOf(await read({ [field]: [other, value] })), [full], field);
        assert.deepEqual(idsOf(await read({ [`${field}.not`]: [other, value] })), [bare], field);
      }
    });

    test('all at once', async () => {
      const others = Object.keys(values()).map((field) => [
        `${field}.not`,
        field === 'raw_status_code' ? '404' : 'nothing',
      ]);
      const all = { ...values(), ...Object.fromEntries(others) };
      assert.deepEqual(idsOf(await read(all)), [full]);
      assert.deepEqual(idsOf(await read({ ...all, raw_method: 'PUT' })), []);
    });

    test('there are no zones', async () => {
      for (const field of ['zone_id', 'zone_name']) {
        assert.deepEqual(idsOf(await read({ [field]: 'x' })), []);
        assert.deepEqual(idsOf(await read({ [`${field}.not`]: 'x' })), [bare, full]);
      }
    });

    test('a product category stands for its products, beside those by name', async () => {
      assert.deepEqual(idsOf(await read({ product_category: 'Account' })), [full]);
      assert.deepEqual(idsOf(await read({ product_category: 'ai' })), []);
      assert.deepEqual(idsOf(await read({ product_category: ['ai', 'account'] })), [full]);
      assert.deepEqual(
        idsOf(await read({ product_category: 'account', resource_product: 'things' })),
        [bare, full],
      );
      const unknown = await read({ product_category: 'x'.repeat(1_000) });
      assert.deepEqual([unknown.status, unknown.code], [400, 6010]);
      assert.ok(unknown.text.length < 500);
    });
  });

  test('the product categories', async () => {
    const { json } = await server.call('GET', `${logs}/product_categories`);
    assert.deepEqual(
      json.result.map(({ value }: { value: string }) => value),
      ['account', 'developer_platform', 'ai', 'user'],
    );
    assert.ok(
      json.result[0].products.some(
        ({ value, label }: { value: string; label: string }) =>
          value === 'api_tokens' && label === 'API tokens',
      ),
    );
  });

  describe('who may read', () => {
    let session: SessionHeaders;
    let userId: string;
    before(async () => {
      ({ userId } = await createPerson(server, { accountId: server.accountId }));
      session = await signInAs(server, userId, clock);
    });

    test('an account: audit-logs.read', async () => {
      const { value: reader } = await server.createToken(['audit-logs.read']);
      const { value: other } = await server.createToken(['members.write', 'api-tokens.write']);
      for (const path of [
        `${logs}?since=2026-01-01&before=2026-01-02`,
        `${logs}/product_categories`,
      ]) {
        assert.equal((await server.call('GET', path, { token: reader })).status, 200);
        const refused = await server.call('GET', path, { token: other });
        assert.deepEqual([refused.status, refused.code], [403, 10_000]);
        assert.match(refused.text, /audit-logs\.read/);
        const member = await server.call('GET', path, { token: null, headers: session });
        assert.equal(member.status, 403);
        const nobody = await server.call('GET', path, { token: null });
        assert.deepEqual([nobody.status, nobody.code], [401, 10_000]);
      }
    });

    test('a person: only who is signed in, and only their own', async () => {
      const own = '/user/logs/audit?since=2026-01-01&before=2026-01-02';
      const { value } = await createUserToken(server, session, [
        'user-details.read',
        'audit-logs.read',
      ]);
      const { json } = await server.call('GET', own, { token: null, headers: session });
      const made = json.result.find((row: Json) => row.action.type === 'create');
      assert.equal(made.resource.scope, 'user');
      assert.equal(made.actor.id, userId);
      assert.equal(made.actor.type, 'user');
      assert.equal(made.actor.context, 'dash');
      assert.equal('account' in made, false);
      for (const token of [value, server.token]) {
        const refused = await server.call('GET', own, { token });
        assert.deepEqual([refused.status, refused.code], [403, 10_000]);
      }
      const nobody = await server.call('GET', own, { token: null });
      assert.deepEqual([nobody.status, nobody.code], [401, 10_000]);
      const stranger = await createPerson(server, { accountId: server.accountId });
      const headers = await signInAs(server, stranger.userId, clock);
      const others = await server.call('GET', own, { token: null, headers });
      assert.deepEqual(others.json.result, []);
    });
  });
});
