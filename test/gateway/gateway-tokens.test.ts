import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

const HOUR_MS = 3_600_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let gateways: string;
  before(async () => {
    server = await bootServer(database, { clock });
    gateways = `${server.account}/ai-gateway/gateways`;
    for (const id of ['mine', 'other']) {
      await server.call('POST', gateways, { body: gatewayBody(id) });
    }
  });
  after(() => server.stop());

  const create = (fields: object = {}, token = server.token, gateway = 'mine'): Promise<Answer> =>
    server.call('POST', `${gateways}/${gateway}/tokens`, {
      token,
      body: { name: 'app', ...fields },
    });

  const run = (gateway: string, token: string) =>
    server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      token,
      headers: { 'cf-aig-gateway-id': gateway },
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
    });

  /** A caller with a token of its own. */
  async function caller(policies: object[], fields: object = {}): Promise<string> {
    const body = { name: 'caller', policies, ...fields };
    const { json, text } = await server.call('POST', `${server.account}/tokens`, { body });
    assert.ok(json.success, text);
    return json.result.value;
  }
  const allow = (slugs: string[], gateway?: string) =>
    allowPolicy(server.accountId, slugs, gateway);

  test('it runs requests through that gateway, and can do nothing else', async () => {
    const { status, json } = await create();
    assert.equal(status, 200);
    const { id, value, policies } = json.result;
    assert.match(value, /^lkat_/);
    assert.equal(policies.length, 1);
    assert.deepEqual(policies[0].resources, {
      [`com.latchkey.api.account.${server.accountId}.ai-gateway.mine`]: '*',
    });
    assert.equal((await run('mine', value)).status, 200);
    assert.equal((await run('other', value)).status, 401);
    for (const path of [`${gateways}/mine`, `${gateways}/mine/logs`, `${server.account}/tokens`]) {
      assert.equal((await server.call('GET', path, { token: value })).status, 403);
    }
    const listed = await server.call('GET', `${server.account}/tokens/${id}`);
    assert.equal(listed.json.result.name, 'app');
    assert.ok(!('value' in listed.json.result));
    const rows = await readAuditRows(server.app.database, server.accountId);
    const row = rows.find(({ resource_id: of }) => of === id);
    assert.deepEqual([row?.action_type, row?.resource_type], ['create', 'api_token']);
    assert.ok(!JSON.stringify(row).includes(value));
  });

  test('it ends when it is told to, and comes from where it is told to', async () => {
    const expires = new Date(clock.now() + HOUR_MS).toISOString();
    const { json } = await create({
      expires_on: expires,
      condition: { request_ip: { in: ['10.0.0.0/8'] } },
    });
    assert.equal(json.result.expires_on, expires);
    assert.equal((await run('mine', json.result.value)).status, 401);
  });

  describe('nobody hands on what he does not hold', () => {
    const WRITE = ['ai-gateway.write', 'api-tokens.write'];

    test('403: without the right to make tokens', async () => {
      const token = await caller([allow(['ai-gateway.write', 'ai-gateway.run'])]);
      const { status, code, json } = await create({}, token);
      assert.deepEqual([status, code], [403, 10_000]);
      assert.match(json.errors[0].message, /api-tokens\.write/);
    });

    test('403: without the right to change the gateway', async () => {
      const token = await caller([allow(['api-tokens.write', 'ai-gateway.run'])]);
      assert.equal((await create({}, token)).status, 403);
    });

    test('403/3012: without Run, or with Run on another gateway, or denied it here', async () => {
      for (const policies of [
        [allow(WRITE)],
        [allow(WRITE), allow(['ai-gateway.run'], 'other')],
        [
          allow([...WRITE, 'ai-gateway.run']),
          { ...allow(['ai-gateway.run'], 'mine'), effect: 'deny' },
        ],
      ]) {
        const { status, code } = await create({}, await caller(policies));
        assert.deepEqual([status, code], [403, 3012]);
      }
    });

    test('200: with Run on this one', async () => {
      const token = await caller([allow(WRITE), allow(['ai-gateway.run'], 'mine')]);
      const { status, json } = await create({}, token);
      assert.equal(status, 200);
      assert.equal((await run('mine', json.result.value)).status, 200);
    });

    test('403/3012: for longer than the caller', async () => {
      const until = (ms: number) => new Date(clock.now() + ms).toISOString();
      const token = await caller([allow([...WRITE, 'ai-gateway.run'])], {
        expires_on: until(HOUR_MS),
      });
      for (const fields of [{}, { expires_on: until(HOUR_MS + 1_000) }]) {
        const { status, code } = await create(fields, token);
        assert.deepEqual([status, code], [403, 3012]);
      }
      assert.equal((await create({ expires_on: until(HOUR_MS) }, token)).status, 200);
    });
  });

  test('404: an unknown gateway', async () => {
    const { status, code } = await create({}, server.token, 'unknown');
    assert.deepEqual([status, code], [404, 7003]);
  });

  test('400: 3001 for bad fields, 3002 for unknown ones, 3013 for times', async () => {
    for (const [fields, code] of [
      [{ name: '' }, 3001],
      [{ name: 'n'.repeat(121) }, 3001],
      [{ expires_on: 'tomorrow' }, 3001],
      [{ policies: [] }, 3002],
      [{ expires_on: '2020-01-01T00:00:00Z' }, 3013],
    ] as const) {
      const answer = await create(fields);
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(fields));
    }
    assert.equal((await create({ name: 'n'.repeat(120) })).status, 200);
  });

  describe('the address of a provider behind a gateway', () => {
    const url = (path: string, options = {}) => server.call('GET', `${gateways}/${path}`, options);

    test('is one text', async () => {
      for (const provider of ['openai', 'custom-mine', 'compat']) {
        const { status, json } = await url(`mine/url/${provider}`);
        assert.equal(status, 200);
        assert.equal(json.result, `${server.origin}/v1/${server.accountId}/mine/${provider}`);
      }
    });

    test('404 for an unknown gateway, 400 for what no provider is called, 403', async () => {
      assert.equal((await url('unknown/url/openai')).code, 7003);
      const { status, code } = await url('mine/url/Open%20AI');
      assert.deepEqual([status, code], [400, 6010]);
      const { value: token } = await server.createToken(['ai-gateway.read'], 'other');
      assert.equal((await url('mine/url/openai', { token })).status, 403);
    });
  });
});
