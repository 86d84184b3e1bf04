import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Provider, updatePrices, waitForUpdate } from '@pydantic/genai-prices';
import { onEachDatabase } from '../support/databases.ts';
import { GatewayLimits } from '../../src/gateway/limits/gateway-limits.ts';
import { SpendReservation } from '../../src/gateway/limits/spend-reservation.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SpendBench, USAGE, completion, startSpendBench } from './spend-bench.ts';
import type { Gateway } from '../../src/gateway-admin/gateways/gateway.ts';

// When no price of the provider can be read, US dollars for a token.
const HIGHEST_IN = 150e-6;
const HIGHEST_OUT = 600e-6;
const SUBJECT = {
  provider: 'openai',
  model: 'gpt-4o',
  tokenId: null,
  userId: null,
  oauthClientId: null,
  metadata: {},
  isApart: false,
};

let bundled: Provider[] | null = null;
before(async () => {
  bundled = await waitForUpdate();
});
after(() => updatePrices(({ setProviderData }) => setProviderData(bundled)));

/** Prices of which one cannot be calculated with. */
const PRICES = [
  {
    id: 'openai',
    name: 'OpenAI',
    api_pattern: 'openai',
    models: [
      modelOf('gpt-4o', { input_mtok: 2.5, output_mtok: 10 }),
      modelOf('gpt-broken', { input_mtok: 1, output_mtok: 'ten' }),
    ],
  },
] as unknown as Provider[];

function modelOf(id: string, prices: object): object {
  return { id, name: id, match: { equals: id }, prices };
}

onEachDatabase((database) => {
  let spend: SpendBench;
  before(async () => {
    spend = await startSpendBench(database);
    updatePrices(({ setProviderData }) => setProviderData(PRICES));
  });
  after(() => spend.stop());

  test('a model whose price cannot be read counts at the highest known price', async () => {
    const { bench } = spend;
    const gateway = await spend.createGateway();
    await bench.upstream.set('our-alias', completion(USAGE, { model: 'gpt-broken' }));
    assert.equal((await spend.complete(gateway, 'our-alias')).status, 200);
    await spend.assertSpent(gateway, 1_000 * HIGHEST_IN + 2_000 * HIGHEST_OUT);
    assert.equal((await spend.lastLog(gateway)).cost, undefined);
  });

  test('what is reserved is charged when the cost cannot be calculated', async () => {
    const { server } = spend.bench;
    const rule = { id: 'all', limit: 10, windowSeconds: 3_600, metadata: {} };
    const spendRules = [{ ...rule, technique: 'fixed', unpriced: 'allow' }] as const;
    const gateway = { accountId: server.accountId, id: 'g', spendRules } as unknown as Gateway;
    const clock = new ManualClock();
    const limits = new GatewayLimits({ database: server.app.database, clock, report: assert.fail });
    const ends: [(reservation: SpendReservation) => void, usd: number][] = [
      [(reservation) => reservation.keep(), 3],
      [(reservation) => reservation.close(true), 6],
      [(reservation) => reservation.close(false), 6],
    ];
    for (const [end, usd] of ends) {
      const call = { nanoUsd: 3e9, isBounded: true, isUnpriced: false };
      const reserved = await limits.reserve(gateway, SUBJECT, call);
      assert.ok(reserved instanceof SpendReservation);
      end(reserved);
      // Only the first end counts.
      reserved.settle();
      const { budgets } = await limits.spentOf(gateway, spendRules[0]);
      assert.equal(budgets[0]?.nanoUsd, usd * 1e9);
    }
    await limits.stop();
  });
});
