import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GatewayLimits } from '../../src/gateway/limits/gateway-limits.ts';
import type { SpendSubject } from '../../src/gateway/limits/spend-budget.ts';
import { SpendReservation } from '../../src/gateway/limits/spend-reservation.ts';
import type { SpendRule } from '../../src/gateway-admin/spend-rules.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import type { Gateway } from '../../src/gateway-admin/gateways/gateway.ts';

const NANO_USD = 1_000_000_000;
const WINDOW_MS = 60_000;

const ofAll: SpendRule = {
  id: 'all',
  limit: 1,
  windowSeconds: 60,
  technique: 'fixed',
  unpriced: 'estimate',
  metadata: {},
};

const subject: SpendSubject = {
  provider: 'openai',
  model: 'gpt-4o-mini',
  tokenId: 'token-1',
  userId: 'user-1',
  oauthClientId: null,
  metadata: { team: 'red', seats: 3, isTrial: true },
  isApart: false,
};

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock: new ManualClock() });
  });
  after(() => server.stop());

  function startNode(clock = new ManualClock()): GatewayLimits {
    const report = (error: Error): void => assert.fail(error);
    // A busy machine is no trouble: nothing is taken on credit here.
    const bounds = { leaseTimeoutMs: 60_000 };
    return new GatewayLimits({ database: server.app.database, clock, report, bounds });
  }

  function gatewayOf(id: string, limits: Partial<Gateway>): Gateway {
    return {
      accountId: server.accountId,
      id,
      rateLimit: null,
      spendRules: [],
      ...limits,
    } as Gateway;
  }

  /** The refusal of a call that costs next to nothing. */
  async function refusalOf(node: GatewayLimits, gateway: Gateway, of = subject) {
    const call = { nanoUsd: 1, isBounded: true, isUnpriced: false };
    const reserved = await node.reserve(gateway, of, call);
    if (!(reserved instanceof SpendReservation)) return reserved;
    reserved.settle();
    return undefined;
  }

  /** Whether another such request may still be made once one has cost the whole limit. */
  async function isSpent(
    id: string,
    rule: Partial<SpendRule>,
    charged: Partial<SpendSubject>,
    asked: Partial<SpendSubject>,
  ): Promise<boolean> {
    const clock = new ManualClock();
    const gateway = gatewayOf(id, { spendRules: [{ ...ofAll, ...rule }] });
    const node = startNode(clock);
    node.charge(gateway, { ...subject, ...charged }, NANO_USD);
    await node.stop();
    const later = startNode(clock);
    return (await refusalOf(later, gateway, { ...subject, ...asked })) !== undefined;
  }

  test('a gateway without limits lets everything through', async () => {
    const limits = startNode();
    const gateway = gatewayOf('unlimited', {});
    assert.ok((await limits.takeRequest(gateway)).isTaken);
    const call = { nanoUsd: NANO_USD, isBounded: false, isUnpriced: true };
    assert.ok((await limits.reserve(gateway, subject, call)) instanceof SpendReservation);
    assert.ok((await limits.takeKey({ id: 'unlimited' })).isTaken);
    limits.charge(gateway, subject, NANO_USD);
  });

  for (const technique of ['fixed', 'sliding'] as const) {
    test(`${technique}: five requests a minute on two nodes are five, gateway by gateway`, async () => {
      const clock = new ManualClock();
      const nodes = [startNode(clock), startNode(clock)];
      const rateLimit = { requests: 5, windowSeconds: 60, technique };
      const gateway = gatewayOf(`rate-${technique}`, { rateLimit });
      const taken: boolean[] = [];
      for (let i = 0; i < 8; i++) {
        const state = await nodes[i % 2]?.takeRequest(gateway);
        taken.push(state?.isTaken ?? false);
      }
      assert.deepEqual(taken, [true, true, true, true, true, false, false, false]);
      const other = gatewayOf(`rate-${technique}-2`, { rateLimit });
      assert.equal((await nodes[0]?.takeRequest(other))?.isTaken, true);
      const refused = await nodes[0]?.takeRequest(gateway);
      clock.advance(refused?.resetMs ?? 0);
      assert.equal((await nodes[1]?.takeRequest(gateway))?.isTaken, true);
    });

    test(`${technique}: a spend limit that is reached says when something is left again`, async () => {
      const clock = new ManualClock();
      const [node, other] = [startNode(clock), startNode(clock)];
      const generous: SpendRule = { ...ofAll, id: 'generous', limit: 100, technique };
      const gateway = gatewayOf(`spend-${technique}`, {
        spendRules: [generous, { ...ofAll, technique }],
      });
      node.charge(gateway, subject, NANO_USD - 1);
      node.charge(gateway, subject, 0);
      assert.equal(await refusalOf(node, gateway), undefined);
      node.charge(gateway, subject, 1);
      await node.stop();
      const reached = await refusalOf(other, gateway);
      assert.equal(reached?.resetMs, technique === 'fixed' ? WINDOW_MS : WINDOW_MS + 2_000);
      clock.advance(reached?.resetMs ?? 0);
      assert.equal(await refusalOf(other, gateway), undefined);
    });
  }

  test('a stored key has a limit of its own', async () => {
    const limits = startNode();
    const key = { id: `key-${database}`, rateLimit: { requests: 2, windowSeconds: 60 } };
    const taken: boolean[] = [];
    for (let i = 0; i < 3; i++) taken.push((await limits.takeKey(key)).isTaken);
    assert.deepEqual(taken, [true, true, false]);
    assert.equal((await limits.takeKey({ ...key, id: `${key.id}-2` })).isTaken, true);
  });

  const filter = (...values: string[]) => ({ mode: 'filter' as const, values });
  const partition = { mode: 'partition' as const };

  const cases: [
    what: string,
    rule: Partial<SpendRule>,
    charged: Partial<SpendSubject>,
    asked: Partial<SpendSubject>,
    isSpent: boolean,
  ][] = [
    ['no selector: all count together', {}, { model: 'a' }, { model: 'b' }, true],
    ['filter: same', { model: filter('a') }, { model: 'a' }, { model: 'a' }, true],
    ['filter: together', { model: filter('a', 'b') }, { model: 'a' }, { model: 'b' }, true],
    ['filter: others pass', { model: filter('a') }, { model: 'a' }, { model: 'b' }, false],
    ['filter: others do not count', { model: filter('a') }, { model: 'b' }, { model: 'a' }, false],
    ['filter: with provider', { model: filter('openai/a') }, { model: 'a' }, { model: 'a' }, true],
    ['partition: same', { model: partition }, { model: 'a' }, { model: 'a' }, true],
    ['partition: others', { model: partition }, { model: 'a' }, { model: 'b' }, false],
    ['provider', { provider: partition }, { provider: 'a' }, { provider: 'b' }, false],
    ['provider, any model', { provider: partition }, { model: 'a' }, { model: 'b' }, true],
    ['token', { token: partition }, { tokenId: 'a' }, { tokenId: 'b' }, false],
    ['token, same', { token: partition }, { tokenId: 'a' }, { tokenId: 'a' }, true],
    ['user', { user: partition }, { userId: 'a' }, { userId: 'b' }, false],
    ['user, same', { user: partition }, { userId: 'a' }, { userId: 'a' }, true],
    ['user: filter', { user: filter('user-1') }, {}, {}, true],
    ['user: others pass', { user: filter('a') }, { userId: 'a' }, {}, false],
    [
      'OAuth client',
      { oauthClient: partition },
      { oauthClientId: 'a' },
      { oauthClientId: 'b' },
      false,
    ],
    ['OAuth client: filter', { oauthClient: filter('a') }, { oauthClientId: 'a' }, {}, false],
    ['no OAuth client shares a budget', { oauthClient: partition }, {}, {}, true],
    ['no token shares a budget', { token: partition }, { tokenId: null }, { tokenId: null }, true],
    ['no token is none of a filter', { token: filter('a') }, {}, { tokenId: null }, false],
    ['metadata: same', { metadata: { team: partition } }, {}, {}, true],
    ['metadata: other', { metadata: { team: partition } }, {}, { metadata: { team: 'b' } }, false],
    ['metadata: absent', { metadata: { team: partition } }, {}, { metadata: {} }, false],
    ['metadata: filter', { metadata: { team: filter('red') } }, {}, {}, true],
    [
      'metadata: filter, absent',
      { metadata: { team: filter('red') } },
      {},
      { metadata: {} },
      false,
    ],
    ['metadata: number', { metadata: { seats: filter('3') } }, {}, {}, true],
    ['metadata: truth', { metadata: { isTrial: filter('true') } }, {}, {}, true],
    ['metadata: inherited', { metadata: { constructor: partition } }, {}, {}, false],
    [
      'several selectors: all must match',
      { provider: filter('openai'), model: partition },
      { model: 'a' },
      { model: 'a', provider: 'groq' },
      false,
    ],
    [
      'several partitions: each combination by itself',
      { provider: partition, model: partition },
      { model: 'a' },
      { model: 'a', provider: 'groq' },
      false,
    ],
  ];
  for (const [index, [what, rule, charged, asked, expected]] of cases.entries()) {
    test(`spend rule: ${what}`, async () => {
      assert.equal(await isSpent(`rule-${index}`, rule, charged, asked), expected);
    });
  }

  test('what callers name does not make long names', async () => {
    const model = 'm'.repeat(10_000);
    assert.equal(await isSpent('long', { model: partition }, { model }, { model }), true);
    const { name } = await server.app.database.read
      .selectFrom('quota_windows')
      .select((select) => select.fn.max('name').as('name'))
      .where('name', 'like', 'spend/%')
      .where('name', 'not like', '%/sliding')
      .executeTakeFirstOrThrow();
    assert.equal(name.length, 'spend/'.length + 43);
  });
});
