import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Json, type TestServer } from '../support/server.ts';
import { type LimitNodes, echo, startLimitNodes } from './limit-nodes.ts';

const HOUR_SECONDS = 3_600;
const HOUR_MS = HOUR_SECONDS * 1_000;
const MOST_BUDGETS = 20;

onEachDatabase((database) => {
  let bench: LimitNodes;
  let server: TestServer;
  before(async () => {
    bench = await startLimitNodes(database);
    ({ server } = bench);
  });
  after(() => bench.stop());

  const pathOf = (id: string) => `${server.account}/ai-gateway/gateways/${id}/spend`;

  const createGateway = (id: string, ...rules: object[]) =>
    bench.createGateway(id, {
      spend_limits: {
        enabled: true,
        rules: rules.map((rule, index) => ({
          id: `rule-${index}`,
          limit: 1_000,
          limitType: 'cost',
          window: HOUR_SECONDS,
          ...rule,
        })),
      },
    });

  /** A completion of one token in and one out. */
  const spend = (gateway: string, dollars: number, metadata?: object, node = server) =>
    echo(node, gateway, {
      'cf-aig-custom-cost': JSON.stringify({
        per_token_in: dollars / 2,
        per_token_out: dollars / 2,
      }),
      ...(metadata && { 'cf-aig-metadata': JSON.stringify(metadata) }),
    });

  async function rulesOf(id: string, node = server): Promise<Json> {
    const { status, json, text } = await node.call('GET', pathOf(id));
    assert.equal(status, 200, text);
    return json.result.rules;
  }

  /** What a request costs is counted after its answer. */
  const eventuallySpent = (id: string, expected: number[]) =>
    eventually(`${id} has spent ${expected.join(', ')}`, async () => {
      const rules = await rulesOf(id);
      const spent = rules.map(({ budgets }: Json) => budgets[0]?.spent ?? 0);
      return JSON.stringify(spent) === JSON.stringify(expected);
    });

  for (const technique of ['fixed', 'sliding'] as const) {
    test(`${technique}: what is spent of the window, and when something is left again`, async () => {
      const id = `one-${technique}`;
      await createGateway(id, { technique, limit: 10 });
      const nowMs = bench.clock.now();
      const [untouched] = await rulesOf(id);
      const startMs = technique === 'fixed' ? nowMs - (nowMs % HOUR_MS) : nowMs - HOUR_MS;
      assert.deepEqual(untouched, {
        id: 'rule-0',
        limit: 10,
        window: HOUR_SECONDS,
        technique,
        window_start: new Date(startMs).toISOString(),
        window_end: technique === 'fixed' ? new Date(startMs + HOUR_MS).toISOString() : null,
        budgets: [{ spent: 0, resets_at: null }],
        unpriced: 'estimate',
        unpriced_calls: 0,
        more_budgets: 0,
      });
      assert.equal((await spend(id, 2.5)).status, 200);
      await eventuallySpent(id, [2.5]);
      // What a sliding limit has leased was for a minute that is over.
      bench.clock.advance(60_000);
      await eventuallySpent(id, [2.5]);
      // More than there was is spent, and told.
      await spend(id, 9);
      await eventuallySpent(id, [11.5]);
      const [used] = await rulesOf(id);
      const refused = await spend(id, 1);
      assert.equal(refused.status, 429);
      const waitMs = Number(refused.headers.get('retry-after')) * 1_000;
      const resetsInMs = Date.parse(used.budgets[0].resets_at) - bench.clock.now();
      assert.ok(resetsInMs > waitMs - 1_000 && resetsInMs <= waitMs, `${resetsInMs} of ${waitMs}`);
      bench.clock.advance(2 * HOUR_MS);
      await eventuallySpent(id, [0]);
    });

    test(`${technique}: the values of which most is spent, and how many more there are`, async () => {
      const id = `many-${technique}`;
      const team = { mode: 'partition' };
      await createGateway(id, { technique, token: team, metadata: { team } });
      assert.deepEqual((await rulesOf(id))[0].budgets, []);
      const teams = Array.from({ length: MOST_BUDGETS + 3 }, (_team, index) => index + 1);
      await Promise.all(teams.map((name) => spend(id, name, { team: name })));
      // Asked for, and nothing is spent.
      await spend(id, 0, { team: 'free' });
      // Without the metadata it does not fall under the rule.
      await spend(id, 500);
      const largest = teams.toReversed().slice(0, MOST_BUDGETS);
      await eventually('all are counted', async () => {
        const [rule] = await rulesOf(id);
        const spent = rule.budgets.map((budget: Json) => budget.spent);
        return JSON.stringify(spent) === JSON.stringify(largest) && rule.more_budgets === 3;
      });
      const [rule] = await rulesOf(id);
      const { token, metadata, spent } = rule.budgets[0];
      assert.match(token, /^[0-9a-f]{32}$/);
      assert.deepEqual({ metadata, spent }, { metadata: { team: '23' }, spent: 23 });
    });
  }

  test('other nodes tell the same, but for what is set aside', async () => {
    await createGateway('nodes', {}, { model: { mode: 'partition' } });
    await spend('nodes', 400);
    await eventuallySpent('nodes', [400, 400]);
    for (const node of bench.nodes) {
      // What the call has reserved beyond its cost is free again a moment later.
      await eventually('the others know', async () =>
        (await rulesOf('nodes', node)).every(({ budgets, limit }: Json) => {
          const [{ spent }] = budgets;
          return spent >= 400 && spent <= 400 + limit / 100;
        }),
      );
    }
    // What this node has left of a window that is over says nothing of the present one.
    bench.clock.advance(HOUR_MS);
    const other = bench.nodes.at(-1);
    await spend('nodes', 5, undefined, other);
    await eventually('the next window has its own sum', async () => {
      const spent = (await rulesOf('nodes')).map(({ budgets }: Json) => budgets[0]?.spent);
      return spent.every((dollars: number) => dollars >= 5 && dollars <= 15);
    });
  });

  test('only rules that are switched on, each in its order', async () => {
    await createGateway(
      'rules',
      { provider: { mode: 'filter', values: ['openai'] } },
      { enabled: false },
      { model: { mode: 'partition' }, provider: { mode: 'partition' } },
    );
    await spend('rules', 3);
    await eventuallySpent('rules', [0, 3]);
    const [first, second] = await rulesOf('rules');
    assert.deepEqual([first.id, second.id], ['rule-0', 'rule-2']);
    assert.deepEqual(second.budgets, [
      { model: 'echo', provider: 'local', spent: 3, resets_at: null },
    ]);
    await bench.createGateway('none', {});
    assert.deepEqual(await rulesOf('none'), []);
  });

  test('a long value is cut', async () => {
    await createGateway('long', { metadata: { note: { mode: 'partition' } } });
    await spend('long', 2, { note: 'long '.repeat(100) });
    await eventuallySpent('long', [2]);
    const { note } = (await rulesOf('long'))[0].budgets[0].metadata;
    assert.equal(note.length, 256);
    assert.ok(note.startsWith('long long ') && note.endsWith('…'));
  });

  test('credentials in metadata are told as little as the log tells them', async () => {
    const byMetadata = (key: string) => ({ metadata: { [key]: { mode: 'partition' } } });
    await createGateway('secrets', byMetadata('note'), byMetadata('api_key'));
    const key = `sk-${'a1B2'.repeat(12)}`;
    // Only a whole one can be recognised.
    const note = `${'x'.repeat(240)} ${key}`;
    await spend('secrets', 2, { note, api_key: 'hunter2' });
    await spend('secrets', 3, { note, api_key: 'other' });
    await eventuallySpent('secrets', [5, 3]);
    const rules = await rulesOf('secrets');
    // Those that look the same still have budgets of their own.
    assert.deepEqual(
      rules[1].budgets.map(({ metadata, spent }: Json) => [metadata.api_key, spent]),
      [
        ['[redacted]', 3],
        ['[redacted]', 2],
      ],
    );
    const { read } = server.app.database;
    const stored = await read.selectFrom('quota_windows').select('part').execute();
    for (const told of [JSON.stringify(rules), JSON.stringify(stored)]) {
      for (const secret of ['hunter2', 'sk-a1']) assert.ok(!told.includes(secret), told);
    }
  });

  test('who may not see the gateway does not see it', async () => {
    await createGateway('mine', {});
    assert.equal((await server.call('GET', pathOf('mine'), { token: null })).status, 401);
    const { value: stranger } = await server.createToken(['tags.read']);
    assert.equal((await server.call('GET', pathOf('mine'), { token: stranger })).status, 403);
    assert.equal((await server.call('GET', pathOf('no-such'))).status, 404);
  });
});
