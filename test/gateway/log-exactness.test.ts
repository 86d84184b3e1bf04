import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { calcPrice } from '@pydantic/genai-prices';
import type { TestDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import type { ServedUsage } from '../support/served-usage.ts';
import { type Json, request } from '../support/server.ts';
import { createInstallation } from '../support/server-process.ts';
import { assertSound, readStoredLogs } from '../support/stored-logs.ts';
import { startUpstream } from '../support/upstream-process.ts';
import { gatewayBody } from './gateway-bodies.ts';
import { CUSTOM_COST, type ExpectedRow, MODELS, MixedLoad } from './mixed-load.ts';

const CONCURRENCY = 48;
const PER_PAGE = 50;
const NANO_USD_PER_USD = 1e9;

/** Whole billionths of a US dollar for a token. */
interface Rates {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** Sums, in the words of the analytics. */
interface Totals {
  requests: number;
  errors: number;
  cached: number;
  tokensIn: number;
  tokensOut: number;
  cacheTokens: number;
  costNanoUsd: number;
}

test(
  'SQLite: 10,000 requests of all kinds are logged to the last token',
  { timeout: 120_000 },
  (t) => sendAndCompare(t, 'sqlite', 10_000),
);

test('PostgreSQL: 1,000 requests of all kinds are logged to the last token', (t) =>
  sendAndCompare(t, 'postgres', 1_000));

async function sendAndCompare(
  t: TestContext,
  database: TestDatabase,
  requests: number,
): Promise<void> {
  const upstream = await startUpstream('counting-upstream.ts');
  t.after(() => upstream.stop());
  const { origin } = new URL(upstream.baseUrl);
  const installation = await createInstallation(t, database, {
    PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
    PROVIDER_OPENAI_API_KEY: 'sk-openai',
    PROVIDER_ANTHROPIC_BASE_URL: `${origin}/anthropic`,
    PROVIDER_ANTHROPIC_API_KEY: 'sk-ant',
    PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: `${origin}/v1beta`,
    PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'AIza',
  });
  const server = await installation.start();
  // The default gateway begins to exist with its first call.
  await request('POST', `${server.account}/ai-gateway/gateways`, {
    token: installation.token,
    body: gatewayBody('default', { trust_custom_cost: true }),
  });
  const load = new MixedLoad(server, installation, CONCURRENCY);
  const since = new Date().toISOString();
  await load.send(requests, CONCURRENCY);
  const served = (await (await fetch(`${origin}/served`)).json()) as ServedUsage[];
  const byId = new Map(served.map((usage) => [usage.id, usage]));
  // Whatever the provider has told is told by a row, and only that.
  assert.equal(byId.size, served.length);

  const gateway = `${server.account}/ai-gateway/gateways/default`;
  const get = async (path: string): Promise<Json> =>
    (await request('GET', gateway + path, { token: installation.token })).json;
  await eventually('all rows are there', async () => {
    const { result_info: info } = await get('/logs?per_page=1');
    return info.total_count >= load.rows.length;
  });
  const rows = await readAll(load.rows.length, (page) =>
    get(`/logs?per_page=${PER_PAGE}&page=${page}`),
  );
  const prices = ratesOf(served);
  compareRows(rows, load.rows, byId, prices);
  const totals = totalsOf(load.rows, byId, prices);
  assert.deepEqual(totalsOfLog(rows), totals);
  const byModel = Map.groupBy(rows, ({ model }) => model as string);
  for (const interval of ['minute', 'hour', 'day']) {
    const { result } = await get(
      `/analytics?group_by=model&interval=${interval}&since=${encodeURIComponent(since)}`,
    );
    assert.deepEqual(totalsOfFigures(result.totals), totals, interval);
    assert.equal(result.totals.requests_without_cost, 0);
    assert.equal(result.groups.length, byModel.size);
    for (const group of result.groups as Json[]) {
      const ofModel = totalsOfLog(byModel.get(group.value) ?? []);
      assert.deepEqual(totalsOfFigures(group.totals), ofModel, `${interval} ${group.value}`);
      const series = (group.series as Json[]).map(totalsOfFigures);
      assert.deepEqual(series.reduce(addTotals), ofModel, `${interval} ${group.value}`);
    }
  }
  await readStoredLogs(installation, assertSound);
}

async function readAll(count: number, getPage: (page: number) => Promise<Json>): Promise<Json[]> {
  const pages = Array.from({ length: Math.ceil(count / PER_PAGE) }, (_, index) => index + 1);
  const found = await Promise.all(pages.map(getPage));
  return found.flatMap(({ result }) => result as Json[]);
}

/** The prices of the public table, asked in its own way: they must be whole for sums to be exact. */
function ratesOf(served: readonly ServedUsage[]): Map<string, Rates> {
  const MILLION = 1_000_000;
  const models = new Set(served.map(({ model }) => model));
  return new Map(
    [...models].map((model) => {
      const providerId = MODELS.get(model);
      assert.ok(providerId);
      const priceOf = (usage: Record<string, number>): number => {
        const price = calcPrice(usage, model, { providerId })?.total_price;
        assert.ok(price !== undefined);
        const nano = Math.round((price * NANO_USD_PER_USD) / MILLION);
        assert.ok(Math.abs(nano - (price * NANO_USD_PER_USD) / MILLION) < 1e-6, `${model} ${nano}`);
        return nano;
      };
      const cached = (part: string) => priceOf({ input_tokens: MILLION, [part]: MILLION });
      const rates = {
        input: priceOf({ input_tokens: MILLION }),
        cacheRead: cached('cache_read_tokens'),
        cacheWrite: cached('cache_write_tokens'),
        output: priceOf({ output_tokens: MILLION }),
      };
      return [model, rates];
    }),
  );
}

function costOf(row: ExpectedRow, usage: ServedUsage, prices: Map<string, Rates>): number {
  if (row.isReplay) return 0;
  const { tokensIn, tokensOut, cacheRead, cacheWrite } = usage;
  if (row.hasCustomCost) {
    const { per_token_in: perIn, per_token_out: perOut } = CUSTOM_COST;
    return Math.round((tokensIn * perIn + (tokensOut ?? 0) * perOut) * NANO_USD_PER_USD);
  }
  const rates = prices.get(usage.model);
  assert.ok(rates);
  const uncached = tokensIn - (cacheRead ?? 0) - (cacheWrite ?? 0);
  return (
    uncached * rates.input +
    (cacheRead ?? 0) * rates.cacheRead +
    (cacheWrite ?? 0) * rates.cacheWrite +
    (tokensOut ?? 0) * rates.output
  );
}

function compareRows(
  rows: readonly Json[],
  expected: readonly ExpectedRow[],
  served: Map<string, ServedUsage>,
  prices: Map<string, Rates>,
): void {
  const nameOf = (eventId: string, step: number): string => `${eventId}/${step}`;
  const found = new Map(rows.map((row) => [nameOf(row.event_id, row.step), row]));
  assert.deepEqual([rows.length, found.size], [expected.length, expected.length]);
  const told = new Set<string>();
  for (const row of expected) {
    const name = nameOf(row.eventId, row.step);
    const logged = found.get(name);
    const usage = row.servedId === undefined ? undefined : served.get(row.servedId);
    if (usage !== undefined && !row.isReplay) told.add(usage.id);
    assert.deepEqual(
      [
        logged?.status_code,
        logged?.cached,
        logged?.tokens_in,
        logged?.tokens_out,
        logged?.cache_tokens,
        logged?.cost,
      ],
      [
        row.status,
        row.isReplay,
        usage?.tokensIn ?? null,
        usage?.tokensOut ?? null,
        usage?.cacheRead ?? null,
        usage === undefined ? undefined : costOf(row, usage, prices) / NANO_USD_PER_USD,
      ],
      name,
    );
  }
  assert.equal(told.size, served.size);
}

const NOTHING: Totals = {
  requests: 0,
  errors: 0,
  cached: 0,
  tokensIn: 0,
  tokensOut: 0,
  cacheTokens: 0,
  costNanoUsd: 0,
};

function addTotals(one: Totals, other: Totals): Totals {
  const sum = { ...one };
  for (const name of Object.keys(NOTHING) as (keyof Totals)[]) sum[name] += other[name];
  return sum;
}

function totalsOf(
  expected: readonly ExpectedRow[],
  served: Map<string, ServedUsage>,
  prices: Map<string, Rates>,
): Totals {
  const each = expected.map((row): Totals => {
    const usage = row.servedId === undefined ? undefined : served.get(row.servedId);
    return {
      requests: 1,
      errors: row.status >= 400 ? 1 : 0,
      cached: row.isReplay ? 1 : 0,
      tokensIn: usage?.tokensIn ?? 0,
      tokensOut: usage?.tokensOut ?? 0,
      cacheTokens: usage?.cacheRead ?? 0,
      costNanoUsd: usage === undefined ? 0 : costOf(row, usage, prices),
    };
  });
  return each.reduce(addTotals, NOTHING);
}

function totalsOfLog(rows: readonly Json[]): Totals {
  const each = rows.map((row): Totals => ({
    requests: 1,
    errors: row.success ? 0 : 1,
    cached: row.cached ? 1 : 0,
    tokensIn: row.tokens_in ?? 0,
    tokensOut: row.tokens_out ?? 0,
    cacheTokens: row.cache_tokens ?? 0,
    costNanoUsd: Math.round((row.cost ?? 0) * NANO_USD_PER_USD),
  }));
  return each.reduce(addTotals, NOTHING);
}

function totalsOfFigures(figures: Json): Totals {
  return {
    requests: figures.requests,
    errors: figures.errors,
    cached: figures.cached,
    tokensIn: figures.tokens_in,
    tokensOut: figures.tokens_out,
    cacheTokens: figures.cache_tokens,
    costNanoUsd: Math.round(figures.cost * NANO_USD_PER_USD),
  };
}
