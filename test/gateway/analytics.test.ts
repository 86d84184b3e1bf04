import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import type { Json } from '../support/server.ts';
import {
  type AnalyticsBench,
  type Logged,
  requestsOf,
  startAnalytics,
} from './analytics-set-up.ts';
import { echo } from './limit-nodes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Exchanges of the last twenty hours. */
const EXCHANGES: Logged[] = Array.from({ length: 240 }, (_, index) => ({
  agoMs: index * 5 * MINUTE_MS,
  model: `model-${index % 3}`,
  provider: index % 2 === 0 ? 'openai' : 'anthropic',
  token_id: index % 4 === 0 ? null : `token-${index % 4}`,
  user_id: index % 5 === 0 ? 'user' : null,
  oauth_client_id: index % 6 === 0 ? 'client' : null,
  status_code: index % 10 === 0 ? 500 : 200,
  success: index % 10 === 0 ? 0 : 1,
  cached: index % 8 === 0 ? 1 : 0,
  duration_ms: 1 + ((index * 7_919) % 4_000),
  ttft_ms: index % 7 === 0 ? null : 1 + ((index * 31) % 900),
  tokens_in: 100 + index,
  tokens_out: index,
  cache_tokens: index % 2 === 0 ? 10 : null,
  cost_nano_usd: index % 12 === 0 ? null : 1_234_567 * index,
  metadata: index % 3 === 0 ? JSON.stringify({ team: `team-${index % 9}`, 'a.b': true }) : null,
}));

/** The nearest rank among the times themselves. */
function exactPercentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1] ?? Number.NaN;
}

function checkPercentiles(told: Json, times: readonly number[]): void {
  for (const [name, part] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const exact = exactPercentile(times, part);
    assert.ok(Math.abs(told[name] - exact) <= 0.05 * exact, `${name}: ${told[name]}, ${exact}`);
  }
}

/** What the totals of these exchanges are to be. */
function checkFigures({ duration, ttft, ...told }: Json, exchanges: readonly Logged[]): void {
  const sum = (of: (exchange: Logged) => number): number =>
    exchanges.reduce((total, exchange) => total + of(exchange), 0);
  const nanoUsd = sum(({ cost_nano_usd: cost }) => cost ?? 0);
  assert.deepEqual(told, {
    requests: exchanges.length,
    errors: sum(({ success }) => 1 - (success ?? 1)),
    cached: sum(({ cached }) => cached ?? 0),
    tokens_in: sum(({ tokens_in: tokens }) => tokens ?? 0),
    tokens_out: sum(({ tokens_out: tokens }) => tokens ?? 0),
    cache_tokens: sum(({ cache_tokens: tokens }) => tokens ?? 0),
    cost: nanoUsd / 1e9,
    requests_with_estimate: 0,
    requests_without_cost: sum(({ cost_nano_usd: cost }) => (cost === null ? 1 : 0)),
  });
  checkPercentiles(
    duration,
    exchanges.map(({ duration_ms: ms }) => ms ?? Number.NaN),
  );
  const ttfts = exchanges.map(({ ttft_ms: ms }) => ms ?? null).filter((ms) => ms !== null);
  checkPercentiles(ttft, ttfts);
}

const metadataOf = ({ metadata }: Logged, key: string): string | null => {
  const value = (JSON.parse(metadata ?? '{}') as Record<string, string | boolean>)[key];
  return value === undefined ? null : String(value);
};

const groupings: [groupBy: string, valueOf: (exchange: Logged) => string | null][] = [
  ['none', () => null],
  ['model', ({ model }) => model ?? null],
  ['provider', ({ provider }) => provider ?? null],
  ['token', (exchange) => exchange.token_id ?? null],
  ['user', (exchange) => exchange.user_id ?? null],
  ['oauth_client', (exchange) => exchange.oauth_client_id ?? null],
  ['status', (exchange) => String(exchange.status_code)],
  ['metadata.team', (exchange) => metadataOf(exchange, 'team')],
  ['metadata.a.b', (exchange) => metadataOf(exchange, 'a.b')],
  ['metadata.none', () => null],
  ['tag.none', () => null],
];

onEachDatabase((database) => {
  let bench: AnalyticsBench;
  before(async () => {
    bench = await startAnalytics(database, ['main', 'small', 'live', 'silent']);
    await bench.log('main', ...EXCHANGES);
  });
  after(() => bench.stop());

  for (const [groupBy, valueOf] of groupings) {
    test(`by ${groupBy}: totals, and a series, of each group`, async () => {
      const result = await bench.analytics('main', `?group_by=${groupBy}`);
      assert.equal(result.group_by, groupBy);
      assert.equal(result.interval, 'hour');
      checkFigures(result.totals, EXCHANGES);
      const expected = Map.groupBy(EXCHANGES, valueOf);
      assert.deepEqual(
        new Set(result.groups.map(({ value }: Json) => value)),
        new Set(expected.keys()),
      );
      for (const { value, is_other: isOther, totals, series } of result.groups) {
        assert.equal(isOther, false);
        const members = expected.get(value) ?? [];
        checkFigures(totals, members);
        const byHour = Map.groupBy(members, ({ agoMs = 0 }) => hourOf(bench.clock.now() - agoMs));
        const starts = series.map(({ start }: Json) => start);
        assert.deepEqual(starts, [...byHour.keys()].toSorted());
        for (const { start, ...figures } of series) {
          const exchanges = byHour.get(start) ?? [];
          if (exchanges.every(({ ttft_ms: ms }) => ms === null)) assert.equal(figures.ttft, null);
          else checkFigures(figures, exchanges);
        }
      }
    });
  }

  test('a call is counted right after it, with its metadata', async () => {
    await echo(bench.server, 'live', { 'cf-aig-metadata': '{"team":"blue"}' });
    await echo(bench.server, 'live', { 'cf-aig-metadata': '{"team":"blue"}' });
    await echo(bench.server, 'live');
    const result = await bench.analytics(
      'live',
      '?group_by=metadata.team&interval=minute&since=' + ago(HOUR_MS),
    );
    assert.deepEqual(requestsOf(result), [
      ['blue', 2],
      [null, 1],
    ]);
    const { duration, ttft, ...totals } = result.totals;
    assert.deepEqual(totals, {
      requests: 3,
      errors: 0,
      cached: 0,
      tokens_in: 3,
      tokens_out: 3,
      cache_tokens: 0,
      cost: 0,
      requests_without_cost: 0,
      requests_with_estimate: 0,
    });
    const none = { p50: 0, p95: 0, p99: 0 };
    assert.deepEqual([duration, ttft], [none, none]);
  });

  test('the groups with the most are told, all others are one', async () => {
    const rows: Logged[] = [
      ...Array.from({ length: 6 }, () => ({ model: 'busy', tokens_in: 1, tokens_out: 1 })),
      ...Array.from({ length: 3 }, () => ({ model: 'failing', success: 0 as const })),
      { model: 'dear', cost_nano_usd: 5_000_000_000, tokens_in: 1, tokens_out: 1 },
      { model: 'wordy', tokens_in: 50, tokens_out: 51, cost_nano_usd: 1 },
      { model: 'dull', agoMs: HOUR_MS },
    ];
    await bench.log('small', ...rows);
    const by = async (query: string) =>
      requestsOf(await bench.analytics('small', `?group_by=model&${query}`));
    assert.deepEqual(await by('limit=1'), [
      ['busy', 6],
      ['(other)', 6],
    ]);
    assert.deepEqual(await by('limit=1&order_by=errors'), [
      ['failing', 3],
      ['(other)', 9],
    ]);
    assert.deepEqual(await by('limit=1&order_by=cost'), [
      ['dear', 1],
      ['(other)', 11],
    ]);
    assert.deepEqual(await by('limit=2&order_by=tokens'), [
      ['wordy', 1],
      ['busy', 6],
      ['(other)', 5],
    ]);
    // Groups that are equal in it: in the order of their names.
    assert.deepEqual(await by('order_by=errors&limit=5'), [
      ['failing', 3],
      ['busy', 6],
      ['dear', 1],
      ['dull', 1],
      ['wordy', 1],
    ]);
    const { groups } = await bench.analytics('small', '?group_by=model&limit=4');
    assert.deepEqual(
      groups.at(-1).series.map(({ start, requests }: Json) => [start, requests]),
      [[hourOf(bench.clock.now()), 1]],
    );
    const { groups: all, totals } = await bench.analytics('small', '?group_by=model&limit=3');
    assert.equal(all.at(-1).value, null);
    assert.deepEqual(
      all.at(-1).series.map(({ requests }: Json) => requests),
      [1, 1],
    );
    assert.equal(totals.requests, 12);
  });

  test('values that were not kept apart are among all others', async () => {
    const users = Array.from({ length: 103 }, (_, index) => ({ user_id: `user-${index}` }));
    await bench.createGateway('crowd');
    await bench.log('crowd', ...users, { user_id: 'user-0' });
    const result = await bench.analytics('crowd', '?group_by=user&limit=100');
    assert.equal(result.groups.length, 101);
    assert.deepEqual(requestsOf(result)[0], ['user-0', 2]);
    assert.deepEqual(requestsOf(result).at(-1), ['(other)', 3]);
    assert.deepEqual(requestsOf(await bench.analytics('crowd', '?group_by=user&limit=1')), [
      ['user-0', 2],
      ['(other)', 102],
    ]);
  });

  test('a gateway through which nothing went has no groups', async () => {
    const none = {
      requests: 0,
      errors: 0,
      cached: 0,
      tokens_in: 0,
      tokens_out: 0,
      cache_tokens: 0,
      cost: 0,
      requests_without_cost: 0,
      requests_with_estimate: 0,
      duration: null,
      ttft: null,
    };
    const { groups, totals } = await bench.analytics('silent', '?group_by=model');
    assert.deepEqual([groups, totals], [[], none]);
  });

  test('a long stream that ends hours later counts when it came in', async () => {
    await bench.createGateway('late');
    await bench.log('late', { agoMs: 0 });
    const start = hourOf(bench.clock.now());
    bench.clock.advance(3 * HOUR_MS);
    await bench.log('late', { agoMs: 0 }, { agoMs: 3 * HOUR_MS, duration_ms: 3 * HOUR_MS });
    const { groups } = await bench.analytics('late', '?interval=hour');
    assert.deepEqual(
      groups[0].series.map((point: Json) => [point.start, point.requests]),
      [
        [start, 2],
        [hourOf(bench.clock.now()), 1],
      ],
    );
  });

  test('a gateway that was made again begins anew', async () => {
    await bench.createGateway('again');
    await bench.log('again', {}, {});
    const path = `${bench.server.account}/ai-gateway/gateways/again`;
    assert.equal((await bench.server.call('DELETE', path)).status, 200);
    bench.clock.advance(1);
    await bench.createGateway('again');
    assert.equal((await bench.analytics('again')).totals.requests, 0);
    await bench.log('again', {});
    assert.equal((await bench.analytics('again')).totals.requests, 1);
  });

  test('404 for a gateway that is not there, 403 without the permission to read gateways', async () => {
    const missing = await bench.ask('none');
    assert.deepEqual([missing.status, missing.code], [404, 7003]);
    const runs = await bench.createToken(['allow', ['ai-gateway.run']]);
    for (const gatewayId of ['main', undefined]) {
      const { status, code } = await bench.ask(gatewayId, '', runs);
      assert.deepEqual([status, code], [403, 10_000]);
    }
  });

  function ago(ms: number): string {
    return new Date(bench.clock.now() - ms).toISOString();
  }
});

/** When the hour began, as answers tell it. */
function hourOf(ms: number): string {
  return new Date(ms - (ms % HOUR_MS)).toISOString();
}
