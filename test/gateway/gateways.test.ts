import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

/** What the public clients always send. */
const REQUIRED = {
  cache_invalidate_on_update: true,
  cache_ttl: 0,
  collect_logs: true,
  rate_limiting_interval: null,
  rate_limiting_limit: 0,
};

onEachDatabase((database) => {
  let server: TestServer;
  let gateways: string;
  before(async () => {
    server = await bootServer(database);
    gateways = `${server.account}/ai-gateway/gateways`;
  });
  after(() => server.stop());

  const create = (fields: object, token = server.token) =>
    server.call('POST', gateways, { token, body: { ...REQUIRED, ...fields } });

  describe('create', () => {
    test('answers the record with its defaults', async () => {
      const { status, json } = await create({ id: 'plain' });
      assert.equal(status, 200);
      const { created_at: createdAt, modified_at: modifiedAt, ...rest } = json.result;
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
      assert.equal(modifiedAt, createdAt);
      assert.deepEqual(rest, {
        id: 'plain',
        authentication: true,
        allow_stored_keys_unauthenticated: false,
        collect_logs: true,
        cache_invalidate_on_update: true,
        cache_ttl: 0,
        rate_limiting_interval: null,
        rate_limiting_limit: 0,
        rate_limiting_technique: null,
        retry_max_attempts: null,
        retry_delay: null,
        retry_backoff: null,
        spend_limits: null,
        log_management: null,
        log_management_strategy: null,
        zdr: false,
        trust_custom_cost: false,
        byok_only: false,
        otel: null,
        model_aliases: null,
        logpush: false,
        workers_ai_billing_mode: 'postpaid',
        is_default: false,
      });
    });

    test('an amount of 0 is off, and comes back as 0', async () => {
      const zeros = {
        cache_ttl: 0,
        rate_limiting_interval: 0,
        rate_limiting_limit: 0,
        retry_max_attempts: 0,
        retry_delay: 0,
        log_management: 0,
      };
      const { json } = await create({ id: 'zeros', ...zeros });
      for (const [name, value] of Object.entries(zeros)) assert.equal(json.result[name], value);
      for (let count = 0; count < 3; count++) {
        const answer = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
          headers: { 'cf-aig-gateway-id': 'zeros' },
          body: { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] },
        });
        assert.equal(answer.status, 200, answer.text);
        assert.notEqual(answer.headers.get('cf-aig-cache-status'), 'HIT');
      }
      const logs = await server.call('GET', `${gateways}/zeros/logs`);
      assert.equal(logs.json.result.length, 3, logs.text);
    });

    test('keeps what it was given', async () => {
      const given = {
        id: 'open',
        authentication: false,
        allow_stored_keys_unauthenticated: true,
        collect_logs: false,
        cache_invalidate_on_update: false,
      };
      await create(given);
      const { json } = await server.call('GET', `${gateways}/open`);
      for (const [field, value] of Object.entries(given)) assert.equal(json.result[field], value);
    });

    test('400/5010: the id is taken', async () => {
      await create({ id: 'twice' });
      const { status, code, json } = await create({ id: 'twice' });
      assert.deepEqual([status, code], [400, 5010]);
      assert.equal(json.errors[0].source.pointer, '/id');
    });

    const bad: [string, object, string][] = [
      ['a capital in the id', { id: 'Upper' }, '/id'],
      ['an empty id', { id: '' }, '/id'],
      ['an id of 65 characters', { id: 'a'.repeat(65) }, '/id'],
      ['a slash in the id', { id: 'a/b' }, '/id'],
      ['a number for a flag', { id: 'x1', collect_logs: 1 }, '/collect_logs'],
      ['a text for a flag', { id: 'x1', authentication: 'false' }, '/authentication'],
    ];
    for (const [what, fields, pointer] of bad) {
      test(`400/5001: ${what}`, async () => {
        const { status, code, json } = await create(fields);
        assert.deepEqual([status, code], [400, 5001]);
        assert.equal(json.errors[0].source.pointer, pointer);
      });
    }

    test('an id of 64 characters is fine', async () => {
      assert.equal((await create({ id: `${'a'.repeat(62)}_-` })).status, 200);
    });

    test('400: every fault at once, unknown fields by name (5002)', async () => {
      const { json } = await server.call('POST', gateways, {
        body: { surprise: 1, __proto__x: 2 },
      });
      const faults = json.errors.map((error: { code: number; source: { pointer: string } }) => [
        error.code,
        error.source.pointer,
      ]);
      for (const field of ['id', ...Object.keys(REQUIRED)]) {
        assert.ok(
          faults.some(([code, at]: [number, string]) => code === 5001 && at === `/${field}`),
        );
      }
      assert.ok(faults.some(([code, at]: [number, string]) => code === 5002 && at === '/surprise'));
    });

    test('403: the token is denied that very gateway', async () => {
      const allow = allowPolicy(server.accountId, ['ai-gateway.write']);
      const denied = allowPolicy(server.accountId, ['ai-gateway.write'], 'guarded');
      const created = await server.call('POST', `${server.account}/tokens`, {
        body: { name: 'test', policies: [allow, { ...denied, effect: 'deny' }] },
      });
      const { value } = created.json.result;
      const refused = await create({ id: 'guarded' }, value);
      assert.deepEqual([refused.status, refused.code], [403, 10_000]);
      assert.match(refused.json.errors[0].message, /ai-gateway\.write/);
      assert.equal((await server.call('GET', `${gateways}/guarded`)).status, 404);
      assert.equal((await create({ id: 'unguarded' }, value)).status, 200);
    });

    test('403: the token may only read', async () => {
      const reader = await server.createToken(['ai-gateway.read']);
      const { status, json } = await create({ id: 'no' }, reader.value);
      assert.equal(status, 403);
      assert.match(json.errors[0].message, /ai-gateway\.write/);
      assert.equal((await server.call('GET', `${gateways}/no`)).status, 404);
    });
  });

  test('get answers 404/7003 for an unknown id', async () => {
    const { status, code } = await server.call('GET', `${gateways}/unknown`);
    assert.deepEqual([status, code], [404, 7003]);
  });

  test('a token for one gateway reads that one and no other', async () => {
    await create({ id: 'mine' });
    await create({ id: 'theirs' });
    const { value: token } = await server.createToken(['ai-gateway.read'], 'mine');
    assert.equal((await server.call('GET', `${gateways}/mine`, { token })).status, 200);
    assert.equal((await server.call('GET', `${gateways}/mine/logs`, { token })).status, 200);
    assert.equal((await server.call('GET', `${gateways}/theirs`, { token })).status, 403);
    assert.equal((await server.call('GET', `${gateways}/theirs/logs`, { token })).status, 403);
    assert.equal((await server.call('GET', gateways, { token })).status, 403);
  });

  test('a gateway that the token is denied is not in its list either', async () => {
    for (const id of ['seen', 'unseen']) await create({ id });
    const allow = allowPolicy(server.accountId, ['ai-gateway.read']);
    const deny = {
      ...allowPolicy(server.accountId, ['ai-gateway.read'], 'unseen'),
      effect: 'deny',
    };
    const { json } = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'test', policies: [allow, deny] },
    });
    const listed = await server.call('GET', `${gateways}?search=seen`, {
      token: json.result.value,
    });
    assert.deepEqual(
      listed.json.result.map((gateway: { id: string }) => gateway.id),
      ['seen'],
    );
    assert.equal(listed.json.result_info.total_count, 1);
  });

  test('list pages, ends in an empty page, and searches literally', async () => {
    for (const id of ['page-a', 'page-b', 'page-c', 'pagexd', 'under_score']) await create({ id });
    const ids = async (query: string): Promise<string[]> => {
      const { json } = await server.call('GET', `${gateways}?${query}`);
      return json.result.map((gateway: { id: string }) => gateway.id);
    };
    assert.deepEqual(await ids('search=page-&per_page=2'), ['page-a', 'page-b']);
    assert.deepEqual(await ids('search=page-&per_page=2&page=2'), ['page-c']);
    assert.deepEqual(await ids('search=page-&per_page=2&page=3'), []);
    assert.deepEqual(await ids('search=r_s'), ['under_score']);
    assert.deepEqual(await ids('search=e_a'), []);
    assert.deepEqual(await ids('search=%25'), []);
    const { json } = await server.call('GET', `${gateways}?search=page-&per_page=2`);
    assert.deepEqual(json.result_info, {
      page: 1,
      per_page: 2,
      count: 2,
      total_count: 3,
      total_pages: 2,
    });
  });

  test('another account is refused alike, whether it exists or not', async () => {
    const { status, code } = await server.call(
      'GET',
      `/accounts/${createId()}/ai-gateway/gateways`,
    );
    assert.deepEqual([status, code], [403, 10_000]);
  });

  test('400/5011: an account has at most 1,000 gateways', async () => {
    const own = await bootServer(database);
    const nowMs = Date.now();
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      account_id: own.accountId,
      id: `g${index}`,
      authentication: 1 as const,
      allow_stored_keys_unauthenticated: 0 as const,
      collect_logs: 1 as const,
      cache_invalidate_on_update: 1 as const,
      created_at: nowMs,
      modified_at: nowMs,
    }));
    await own.app.database.transaction((tx) =>
      tx.insertInto('gateways').values(rows.slice(1)).execute(),
    );
    const path = `${own.account}/ai-gateway/gateways`;
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => own.call('POST', path, { body: { ...REQUIRED, id } })),
    );
    const refused = answers.filter(({ status, code }) => status === 400 && code === 5011);
    assert.equal(refused.length, 3);
    await own.stop();
  });
});
