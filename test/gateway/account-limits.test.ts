import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  type AccountLimits,
  rulesForTags,
} from '../../src/gateway-admin/account-limits/account-limits.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer, Json, TestServer } from '../support/server.ts';
import { type LimitNodes, echo, startLimitNodes } from './limit-nodes.ts';

const RULE = { id: 'ml', limit: 100, limitType: 'cost', window: 86_400 };
const TEAM_ML = { team: { mode: 'filter', values: ['ml', 'research'] } };

onEachDatabase((database) => {
  let bench: LimitNodes;
  let server: TestServer;
  let last: TestServer;
  before(async () => {
    bench = await startLimitNodes(database);
    ({ server } = bench);
    last = bench.nodes.at(-1) ?? server;
  });
  after(() => bench.stop());

  const limitsPath = (): string => `${server.account}/ai-gateway/spend-limits`;
  const put = (body: unknown, token?: string): Promise<Answer> =>
    server.call('PUT', limitsPath(), { body, ...(token !== undefined && { token }) });
  const setRules = async (...rules: object[]): Promise<void> => {
    const { status, text } = await put({ rules });
    assert.equal(status, 200, text);
  };
  const setTags = async (gateway: string, tags: Record<string, string>): Promise<void> => {
    const body = { resource_type: 'ai_gateway', resource_id: gateway, tags };
    const { status, text } = await server.call('PUT', `${server.account}/tags`, { body });
    assert.equal(status, 200, text);
  };
  /** A call that costs so many dollars for each of its tokens, of which there are more than one. */
  const complete = (node: TestServer, gateway: string, perToken = 20): Promise<Answer> => {
    const price = JSON.stringify({ per_token_in: perToken, per_token_out: perToken });
    return echo(node, gateway, { 'cf-aig-custom-cost': price });
  };
  const spentOf = async (rule: string): Promise<number> => {
    const { json } = await server.call('GET', `${server.account}/ai-gateway/spend`);
    const found = json.result.rules.find(({ id }: Json) => id === rule);
    return found.budgets[0]?.spent ?? 0;
  };

  test('limits come back with the default of each member that was left out', async () => {
    assert.deepEqual((await server.call('GET', limitsPath())).json.result, {
      enabled: true,
      rules: [],
    });
    await setRules({ ...RULE, gateway_tags: TEAM_ML });
    const { result } = (await server.call('GET', limitsPath())).json;
    assert.deepEqual(result, {
      enabled: true,
      rules: [
        {
          ...RULE,
          enabled: true,
          technique: 'fixed',
          unpriced: 'estimate',
          gateway_tags: TEAM_ML,
        },
      ],
    });
    assert.deepEqual((await put(result)).json.result, result);
    assert.match((await put({ rules: [{ ...RULE, id: undefined }] })).json.result.rules[0].id, /-/);
  });

  test('gateways with a tag share one budget, on every node', async () => {
    for (const id of ['tagged-1', 'tagged-2', 'untagged', 'other']) {
      await bench.createGateway(id, {});
    }
    await setTags('tagged-1', { team: 'ml' });
    await setTags('tagged-2', { team: 'research', env: 'prod' });
    await setTags('other', { team: 'web' });
    await setRules({ ...RULE, gateway_tags: TEAM_ML });
    const first = await complete(server, 'tagged-1');
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('cf-aig-budget-limit'), '100');
    for (const node of bench.nodes) {
      await eventually('the limit is reached for both', async () => {
        const refused = await complete(node, 'tagged-2');
        if (refused.status !== 429) return false;
        assert.equal(refused.headers.get('cf-aig-budget-rule'), 'account/ml');
        return (await complete(node, 'tagged-1')).status === 429;
      });
      for (const id of ['untagged', 'other']) {
        const { status, headers } = await complete(node, id);
        assert.deepEqual([status, headers.get('cf-aig-budget-limit')], [200, null]);
      }
    }
    assert.ok((await spentOf('ml')) >= 100);
  });

  test('a change of tags or limits takes effect at once, and within a second on other nodes', async () => {
    await bench.createGateway('moving', {});
    await setRules({
      ...RULE,
      id: 'moving',
      gateway_tags: { env: { mode: 'filter', values: ['p'] } },
    });
    assert.equal((await complete(server, 'moving')).status, 200);
    assert.equal((await complete(last, 'moving')).headers.get('cf-aig-budget-limit'), null);

    const isLimited = async (node: TestServer): Promise<boolean> =>
      (await complete(node, 'moving', 0)).headers.get('cf-aig-budget-limit') === '100';
    await setTags('moving', { env: 'p' });
    assert.equal(await isLimited(server), true);
    await eventually('the other node knows the tag', () => isLimited(last), 1_000);

    const tags = { resource_type: 'ai_gateway', resource_id: 'moving' };
    const bulk = { operations: [{ op: 'delete', ...tags }] };
    const removed = await server.call('POST', `${server.account}/tags/bulk`, { body: bulk });
    assert.equal(removed.status, 200, removed.text);
    assert.equal(await isLimited(server), false);
    await eventually(
      'the other node knows it is gone',
      async () => !(await isLimited(last)),
      1_000,
    );

    await setRules({ ...RULE, id: 'all' });
    assert.equal(await isLimited(server), true);
    await eventually('the other node knows the rule', () => isLimited(last), 1_000);
    assert.equal((await put({ enabled: false, rules: [RULE] })).status, 200);
    assert.equal(await isLimited(server), false);
  });

  test('a rule of the account and one of the gateway with the same id count separately', async () => {
    await setRules({ ...RULE, id: 'same' });
    const own = { enabled: true, rules: [{ ...RULE, id: 'same' }] };
    await bench.createGateway('both', { spend_limits: own });
    await bench.createGateway('neither', {});
    assert.equal((await complete(server, 'neither', 1)).status, 200);
    await eventually('it is charged', async () => (await spentOf('same')) > 0);
    const path = `${server.account}/ai-gateway/gateways/both/spend`;
    const { rules } = (await server.call('GET', path)).json.result;
    assert.deepEqual(
      rules.map(({ id, budgets }: Json) => [id, budgets.map(({ spent }: Json) => spent)]),
      [['same', [0]]],
    );
  });

  test('faults are refused with the place of each', async () => {
    const refused = async (body: unknown): Promise<unknown[]> => {
      const { status, json } = await put(body);
      assert.equal(status, 400);
      const [{ code, source }] = json.errors;
      return [code, source.pointer];
    };
    assert.deepEqual(await refused({ rules: [RULE, RULE] }), [5001, '/rules/1/id']);
    assert.deepEqual(await refused({ rules: [{ ...RULE, gateway: 'x' }] }), [
      5002,
      '/rules/0/gateway',
    ]);
    const withTags = (tags: unknown) => ({ rules: [{ ...RULE, gateway_tags: tags }] });
    for (const tags of [
      { team: { mode: 'partition' } },
      { team: { mode: 'filter', values: [] } },
      { team: { mode: 'filter', values: ['x'.repeat(2_049)] } },
      { ['k'.repeat(513)]: TEAM_ML.team },
      Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, TEAM_ML.team])),
    ]) {
      assert.equal((await put(withTags(tags))).status, 400, JSON.stringify(tags).slice(0, 80));
    }
    const most = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, TEAM_ML.team]));
    assert.equal((await put(withTags(most))).status, 200);
    assert.equal(
      (await put({ rules: Array.from({ length: 20 }, () => ({ ...RULE, id: undefined })) })).status,
      200,
    );
    assert.equal(
      (await put({ rules: Array.from({ length: 21 }, () => ({ ...RULE, id: undefined })) })).status,
      400,
    );
  });

  test('reading needs AI Gateway Read, writing AI Gateway Write on the account', async () => {
    const reader = await server.createToken(['ai-gateway.read']);
    const runner = await server.createToken(['ai-gateway.run']);
    const get = (token: string) => server.call('GET', limitsPath(), { token });
    assert.equal((await get(reader.value)).status, 200);
    assert.equal((await put({ rules: [] }, reader.value)).status, 403);
    assert.equal((await get(runner.value)).status, 403);
    await bench.createGateway('one', {});
    const ofOne = await server.createToken(['ai-gateway.read', 'ai-gateway.write'], 'one');
    assert.equal((await put({ rules: [] }, ofOne.value)).status, 403);
    assert.equal((await server.call('GET', limitsPath(), { token: 'x' })).status, 401);
  });

  test('the audit log shows the limits', async () => {
    await setRules({ ...RULE, id: 'audited', gateway_tags: TEAM_ML });
    const path = `${server.account}/logs/audit?since=2000-01-01&before=2100-01-01`;
    const { json } = await server.call('GET', path);
    const row = json.result.find(
      ({ resource }: Json) => resource.type === 'ai_gateway_spend_limits',
    );
    assert.equal(row.resource.request.rules[0].id, 'audited');
    assert.deepEqual(row.resource.response.rules[0].gateway_tags, TEAM_ML);
  });
});

test('a rule applies exactly to the gateways that have one of the values of each of its tags', () => {
  const keys = fc.constantFrom('team', 'env', 'constructor', 'toString');
  const values = fc.constantFrom('', 'a', 'b');
  const selectors = fc.dictionary(
    keys,
    fc.record({
      mode: fc.constant('filter' as const),
      values: fc.array(values, { minLength: 1, maxLength: 2 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(selectors, { maxLength: 4 }), fc.dictionary(keys, values), (all, tags) => {
      const rules = all.map((gateway_tags, index) => ({
        ...RULE,
        limitType: 'cost' as const,
        id: String(index),
        enabled: true,
        technique: 'fixed' as const,
        unpriced: 'estimate' as const,
        gateway_tags,
      }));
      const limits: AccountLimits = { enabled: true, rules };
      const own = new Map(Object.entries(tags));
      const expected = rules.filter(({ gateway_tags: wanted }) =>
        Object.entries(wanted).every(([key, { values: some }]) =>
          some.some((value) => own.get(key) === value),
        ),
      );
      assert.deepEqual(
        rulesForTags(limits, tags).map(({ id, isOfAccount }) => [id, isOfAccount]),
        expected.map(({ id }) => [id, true]),
      );
      assert.deepEqual(rulesForTags({ ...limits, enabled: false }, tags), []);
    }),
  );
});
