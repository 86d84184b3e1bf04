import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { gatewayBody, gatewayUpdate } from './gateway-bodies.ts';

const RULE = { limit: 5, limitType: 'cost', window: 3_600 };

onEachDatabase((database) => {
  let server: TestServer;
  let gateways: string;
  before(async () => {
    server = await bootServer(database);
    gateways = `${server.account}/ai-gateway/gateways`;
    await create('subject');
  });
  after(() => server.stop());

  const create = (id: string, fields: object = {}) =>
    server.call('POST', gateways, { body: gatewayBody(id, fields) });

  const update = (fields: object, id = 'subject') =>
    server.call('PUT', `${gateways}/${id}`, { body: gatewayUpdate(fields) });

  const lastAudit = async () => (await readAuditRows(server.app.database, server.accountId)).at(-1);

  const EVERYTHING = {
    authentication: false,
    allow_stored_keys_unauthenticated: true,
    collect_logs: false,
    cache_ttl: 60,
    cache_invalidate_on_update: false,
    rate_limiting_interval: 60,
    rate_limiting_limit: 100,
    rate_limiting_technique: 'sliding',
    retry_max_attempts: 5,
    retry_delay: 5_000,
    retry_backoff: 'exponential',
    trust_custom_cost: true,
    byok_only: true,
    spend_limits: {
      enabled: true,
      rules: [
        {
          id: 'all',
          enabled: false,
          limit: 0.5,
          limitType: 'cost',
          window: 86_400,
          technique: 'sliding',
          unpriced: 'refuse',
          model: { mode: 'filter', values: ['gpt-4o', 'gpt-4o-mini'] },
          provider: { mode: 'partition' },
          token: { mode: 'partition' },
          metadata: { team: { mode: 'filter', values: ['a'] }, user: { mode: 'partition' } },
        },
      ],
    },
  };

  test('create keeps every setting', async () => {
    const { status, json } = await create('everything', EVERYTHING);
    assert.equal(status, 200);
    const read = await server.call('GET', `${gateways}/everything`);
    assert.deepEqual(read.json.result, json.result);
    for (const [field, value] of Object.entries(EVERYTHING)) {
      assert.deepEqual(json.result[field], value, field);
    }
  });

  test('update replaces every setting, and what is not sent goes back to its default', async () => {
    const before = (await create('replaced')).json.result;
    const changed = await update(EVERYTHING, 'replaced');
    assert.equal(changed.status, 200);
    for (const [field, value] of Object.entries(EVERYTHING)) {
      assert.deepEqual(changed.json.result[field], value, field);
    }
    assert.equal(changed.json.result.created_at, before.created_at);
    const row = await lastAudit();
    assert.deepEqual(
      [row?.action_type, row?.resource_type, row?.resource_id, row?.resource_product],
      ['update', 'ai_gateway', 'replaced', 'ai_gateway'],
    );
    const back = (await update({}, 'replaced')).json.result;
    const { modified_at: _then, ...expected } = before;
    const { modified_at: _now, ...actual } = back;
    assert.deepEqual(actual, expected);
    const listed = await server.call('GET', `${gateways}?search=replaced`);
    assert.deepEqual(listed.json.result, [back]);
  });

  describe('spend limits', () => {
    test('are completed: ids, switched on, fixed', async () => {
      const { json } = await update({ spend_limits: { rules: [RULE, { ...RULE, id: 'mine' }] } });
      const limits = json.result.spend_limits;
      assert.match(limits.rules[0].id, /^[0-9a-f-]{36}$/);
      assert.deepEqual(limits, {
        enabled: true,
        rules: [
          {
            ...RULE,
            id: limits.rules[0].id,
            enabled: true,
            technique: 'fixed',
            unpriced: 'estimate',
          },
          { ...RULE, id: 'mine', enabled: true, technique: 'fixed', unpriced: 'estimate' },
        ],
      });
    });

    test('null, and an object without rules, are none', async () => {
      assert.equal((await update({ spend_limits: null })).json.result.spend_limits, null);
      const { json } = await update({ spend_limits: { enabled: false } });
      assert.deepEqual(json.result.spend_limits, { enabled: false, rules: [] });
    });

    test('what cannot be read any more is left out, the rest stays', async () => {
      await create('damaged', { spend_limits: { rules: [RULE, { ...RULE, id: 'kept' }] } });
      const { spend_limits: text } = await readRow('damaged');
      const stored: Json = JSON.parse(text ?? '');
      stored.rules[0].limitType = 'requests';
      await writeRow('damaged', { spend_limits: JSON.stringify(stored) });
      const { json } = await server.call('GET', `${gateways}/damaged`);
      assert.deepEqual(
        json.result.spend_limits.rules.map((rule: { id: string }) => rule.id),
        ['kept'],
      );
      for (const spendLimits of ['[]', '{"rules":7}', '"x"', 'null', '{"rules":[null,1,[]]}']) {
        await writeRow('damaged', { spend_limits: spendLimits });
        const { status } = await server.call('GET', `${gateways}/damaged`);
        assert.equal(status, 200, spendLimits);
      }
    });
  });

  const readRow = (id: string) =>
    server.app.database.read
      .selectFrom('gateways')
      .selectAll()
      .where('account_id', '=', server.accountId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  const writeRow = (id: string, columns: { spend_limits: string }) =>
    server.app.database.transaction((tx) =>
      tx.updateTable('gateways').set(columns).where('id', '=', id).execute(),
    );

  const selector = (count: number, length = 1) => ({
    mode: 'filter',
    values: Array.from({ length: count }, () => 'v'.repeat(length)),
  });
  const rules = (...fields: object[]) => ({
    spend_limits: { rules: fields.map((one) => ({ ...RULE, ...one })) },
  });
  const keys = (count: number, length = 8) => ({
    metadata: Object.fromEntries(
      Array.from({ length: count }, (_, i) => [String(i).padStart(length, 'k'), selector(1)]),
    ),
  });
  /** Spend limits whose JSON has that many bytes. */
  const largeLimits = (bytes: number) => {
    const last = selector(52, 256);
    const large = rules(
      { model: selector(100, 256) },
      { model: selector(100, 256) },
      { model: last },
    );
    const missing = bytes - JSON.stringify(large.spend_limits).length;
    assert.ok(missing > 3 && missing < 256, `${missing}`);
    last.values.push('v'.repeat(missing - 3));
    return large;
  };
  const RATE = { rate_limiting_interval: 1, rate_limiting_limit: 1 };

  const fine: [string, object][] = [
    ['a cache of 1 s', { cache_ttl: 1 }],
    ['a cache of 30 days', { cache_ttl: 2_592_000 }],
    ['the smallest rate limit', RATE],
    ['the largest rate limit', { rate_limiting_interval: 2_592_000, rate_limiting_limit: 1e9 }],
    ['a technique without a limit', { rate_limiting_technique: 'fixed' }],
    ['no technique', { ...RATE, rate_limiting_technique: null }],
    ['one attempt', { retry_max_attempts: 1, retry_delay: 0, retry_backoff: 'constant' }],
    ['no retries', { retry_max_attempts: 0, retry_delay: null, retry_backoff: null }],
    ['20 rules', rules(...Array.from({ length: 20 }, () => ({})))],
    ['the smallest spend limit', rules({ limit: 0.000_001, window: 1 })],
    ['the largest spend limit', rules({ limit: 1_000_000, window: 31_622_400 })],
    ['100 values of 256 characters', rules({ model: selector(100, 256) })],
    ['spend limits of 64 KiB', largeLimits(65_536)],
    ['5 metadata keys of 64 characters', rules(keys(5, 64))],
    ['an id of 64 characters', rules({ id: 'i'.repeat(64) })],
    ['is_default as it is', { is_default: false }],
    [
      'what there is not, switched off',
      {
        byok_only: false,
        dlp: { enabled: false, policies: [] },
        guardrails: null,
        log_classification: false,
        logpush: false,
        logpush_public_key: '',
        store_id: null,
        stripe: null,
        workers_ai_billing_mode: 'postpaid',
      },
    ],
  ];
  for (const [what, fields] of fine) {
    test(`200: ${what}`, async () => assert.equal((await update(fields)).status, 200));
  }

  const lacking: [string, unknown][] = [
    ['dlp', { enabled: true, policies: [] }],
    ['guardrails', { prompt: {}, response: {} }],
    ['log_classification', true],
    ['logpush', true],
    ['logpush_public_key', 'key'],
    ['store_id', 'store'],
    ['stripe', { authorization: 'x', usage_events: [] }],
    ['workers_ai_billing_mode', 'unified'],
  ];
  const RULES = '/spend_limits/rules';
  const bad: [string, object, string][] = [
    ['a cache of -1 s', { cache_ttl: -1 }, '/cache_ttl'],
    ['a cache of 30 days and 1 s', { cache_ttl: 2_592_001 }, '/cache_ttl'],
    ['a cache of half a second', { cache_ttl: 0.5 }, '/cache_ttl'],
    ['a text for a number', { cache_ttl: '60' }, '/cache_ttl'],
    [
      'an interval of more',
      { ...RATE, rate_limiting_interval: 2_592_001 },
      '/rate_limiting_interval',
    ],
    ['a limit of more', { ...RATE, rate_limiting_limit: 1e9 + 1 }, '/rate_limiting_limit'],
    ['a limit without an interval', { rate_limiting_limit: 5 }, '/rate_limiting_interval'],
    ['an interval without a limit', { rate_limiting_interval: 5 }, '/rate_limiting_limit'],
    ['an unknown technique', { rate_limiting_technique: 'leaky' }, '/rate_limiting_technique'],
    ['six attempts', { retry_max_attempts: 6 }, '/retry_max_attempts'],
    ['a delay of 5,001 ms', { retry_delay: 5_001 }, '/retry_delay'],
    ['an unknown backoff', { retry_backoff: 'random' }, '/retry_backoff'],
    ['21 rules', rules(...Array.from({ length: 21 }, () => ({}))), RULES],
    ['a spend limit of 0', rules({ limit: 0 }), `${RULES}/0/limit`],
    ['a spend limit of more', rules({ limit: 1_000_001 }), `${RULES}/0/limit`],
    ['a window of 0', rules({ window: 0 }), `${RULES}/0/window`],
    ['a window of more', rules({ window: 31_622_401 }), `${RULES}/0/window`],
    ['another type of limit', rules({ limitType: 'tokens' }), `${RULES}/0/limitType`],
    ['101 values', rules({ model: selector(101) }), `${RULES}/0/model/values`],
    ['no value', rules({ model: selector(0) }), `${RULES}/0/model/values`],
    ['a value of 257', rules({ model: selector(1, 257) }), `${RULES}/0/model/values/0`],
    ['6 metadata keys', rules(keys(6)), `${RULES}/0/metadata`],
    ['an id of 65 characters', rules({ id: 'i'.repeat(65) }), `${RULES}/0/id`],
    ['spend limits of more than 64 KiB', largeLimits(65_537), '/spend_limits'],
    ['the same id twice', rules({ id: 'a' }, { id: 'b' }, { id: 'a' }), `${RULES}/2/id`],
    ['is_default as it is not', { is_default: true }, '/is_default'],
    ...lacking.map(([name, value]): [string, object, string] => [
      `${name} switched on`,
      { [name]: value },
      `/${name}`,
    ]),
  ];
  for (const [what, fields, pointer] of bad) {
    test(`400/5001: ${what}`, async () => {
      for (const answer of [await update(fields), await create('refused', fields)]) {
        assert.equal(answer.status, 400);
        const faults = answer.json.errors as { code: number; source: { pointer: string } }[];
        const at = faults.find(({ source }) => source.pointer === pointer);
        assert.equal(at?.code, 5001, JSON.stringify(faults));
      }
      assert.equal((await server.call('GET', `${gateways}/refused`)).status, 404);
    });
  }

  test('400/5001: a metadata key of 65 characters, or __proto__', async () => {
    for (const metadata of [
      keys(1, 65).metadata,
      JSON.parse('{"__proto__":{"mode":"partition"}}'),
    ]) {
      const { status } = await update(rules({ metadata }));
      assert.equal(status, 400);
    }
  });

  test('a feature that there is not is refused by name', async () => {
    const { json } = await update({ logpush: true, store_id: 'store' });
    const messages = json.errors.map((error: { message: string }) => error.message).join('\n');
    assert.match(messages, /logpush is not supported in this version/);
    assert.match(messages, /store_id is not supported in this version/);
  });

  test('400: an unknown field (5002), and another id in the body of PUT (5001)', async () => {
    for (const [fields, pointer, expected] of [
      [{ surprise: 1 }, '/surprise', 5002],
      [{ id: 'another' }, '/id', 5001],
      [rules({ surprise: 1 }), '/spend_limits/rules/0/surprise', 5002],
    ] as const) {
      const { status, json } = await update(fields);
      assert.equal(status, 400);
      const codes = json.errors.map((error: Json) => [error.code, error.source.pointer]);
      assert.ok(
        codes.some(([code, at]: [number, string]) => code === expected && at === pointer),
        JSON.stringify(codes),
      );
    }
  });

  test('PUT demands what create demands', async () => {
    const { json } = await server.call('PUT', `${gateways}/subject`, { body: {} });
    const pointers = json.errors.map((error: Json) => error.source.pointer);
    const required = Object.keys(gatewayUpdate()).map((name) => `/${name}`);
    assert.deepEqual(pointers.toSorted(), required.toSorted());
  });

  test('404/7003: PUT and DELETE of what there is not, `default` before its first use too', async () => {
    for (const id of ['unknown', 'default']) {
      const put = await update({}, id);
      assert.deepEqual([put.status, put.code], [404, 7003]);
      const gone = await server.call('DELETE', `${gateways}/${id}`);
      assert.deepEqual([gone.status, gone.code], [404, 7003]);
    }
  });

  test('403: a token that may only read, or write another gateway', async () => {
    const reader = await server.createToken(['ai-gateway.read']);
    const other = await server.createToken(['ai-gateway.write'], 'other');
    for (const token of [reader.value, other.value]) {
      for (const method of ['PUT', 'DELETE']) {
        const { status, code } = await server.call(method, `${gateways}/subject`, {
          token,
          ...(method === 'PUT' ? { body: gatewayUpdate() } : {}),
        });
        assert.deepEqual([status, code], [403, 10_000]);
      }
    }
  });

  test('a token for one gateway may change and delete that one', async () => {
    await create('own');
    const { value: token } = await server.createToken(['ai-gateway.write'], 'own');
    const put = await server.call('PUT', `${gateways}/own`, { token, body: gatewayUpdate() });
    assert.equal(put.status, 200);
    const gone = await server.call('DELETE', `${gateways}/own`, { token });
    assert.equal(gone.status, 200);
  });
});
