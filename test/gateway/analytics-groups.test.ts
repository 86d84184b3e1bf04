import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type {
  AnalyticsQuery,
  Bins,
  Sums,
} from '../../src/request-log/analytics/analytics-query.ts';
import { analyze } from '../../src/request-log/analytics/analyze.ts';
import { percentileOf } from '../../src/request-log/analytics/histogram.ts';
import { readRollups } from '../../src/request-log/analytics/read-rollups.ts';
import {
  type MutableTotals,
  addSums,
  emptySums,
} from '../../src/request-log/rollups/rollup-sums.ts';
import { RollupWriter } from '../../src/request-log/rollups/rollup-writer.ts';
import type { LogRow } from '../../src/request-log/record.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  ACCOUNT_ID,
  CREATED_MS,
  DAY_MS,
  type LogDatabase,
  logRow,
  openLogDatabase,
  writeBatch,
} from './rollup-set-up.ts';

const HOUR_MS = 3_600_000;

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);

const exchange = fc.record({
  gateway_id: oneOf('one', 'two'),
  created_at: oneOf(0, 1, 2).map((hour) => DAY_MS + hour * HOUR_MS),
  user_id: oneOf(null, 'ann', 'bob', 'cy', 'dot', '*'),
  metadata: oneOf(null, 'red', 'green', 'blue', 'all', '*').map((team) =>
    team === null ? null : JSON.stringify({ team }),
  ),
  success: oneOf(0, 1),
  tokens_in: oneOf(null, 3, 40),
  cost_nano_usd: oneOf(null, 5, 70, Number.MAX_SAFE_INTEGER),
  duration_ms: oneOf(1, 20, 300, 4_000),
  ttft_ms: oneOf(null, 2, 50),
}) as fc.Arbitrary<Partial<LogRow>>;

const question = fc.record({
  dimension: oneOf('user', 'metadata.team', 'metadata.none'),
  orderBy: oneOf('requests', 'errors', 'cost', 'tokens'),
  limit: oneOf(1, 2, 3, 5, 10),
}) as fc.Arbitrary<Pick<AnalyticsQuery, 'dimension' | 'orderBy' | 'limit'>>;

/** The groups as they follow from all sums of all values. */
async function groupsOf(logs: LogDatabase, query: AnalyticsQuery) {
  const values = new Map<string, { startMs: number; sums: Sums }[]>();
  for (const { id: gatewayId, createdAtMs } of query.gateways) {
    const which = { ...query, gatewayId, createdAtMs };
    for (const row of await readRollups(logs.database.reader, logs.dialect, which)) {
      const known = values.get(row.value) ?? [];
      values.set(row.value, [...known, { startMs: row.startMs, sums: row }]);
    }
  }
  const rankOf = (value: string): number => {
    const sums = sumOf(values.get(value)?.map((row) => row.sums) ?? []);
    const { requests, errors, costNanoUsd: cost, tokensIn, tokensOut } = sums;
    return { requests, errors, cost, tokens: tokensIn + tokensOut }[query.orderBy];
  };
  const ranked = [...values.keys()]
    .filter((value) => value !== '*')
    .toSorted((one, other) => rankOf(other) - rankOf(one) || (one < other ? -1 : 1));
  const others = [...ranked.slice(query.limit), '*'].filter((value) => values.has(value));
  return [
    ...ranked
      .slice(0, query.limit)
      .map((value) => groupOf(value.slice(1), values.get(value) ?? [])),
    ...(others.length > 0
      ? [
          groupOf(
            'others',
            others.flatMap((value) => values.get(value) ?? []),
          ),
        ]
      : []),
  ];
}

function groupOf(name: string, rows: readonly { startMs: number; sums: Sums }[]) {
  const starts = Map.groupBy(
    rows.toSorted((one, other) => one.startMs - other.startMs),
    ({ startMs }) => startMs,
  );
  return {
    name,
    totals: figuresOf(rows.map(({ sums }) => sums)),
    series: [...starts].map(([startMs, some]) => ({
      startMs,
      ...figuresOf(some.map(({ sums }) => sums)),
    })),
  };
}

function sumOf(parts: readonly Sums[]): MutableTotals {
  const sums = emptySums();
  for (const part of parts) addSums(sums, part);
  return sums;
}

function figuresOf(parts: readonly Sums[]) {
  const { durations, ttfts, extremes: _, ...figures } = sumOf(parts);
  return { ...figures, duration: percentilesOf(durations), ttft: percentilesOf(ttfts) };
}

function percentilesOf(bins: Bins) {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentileOf(bins, part));
  return p50 === null ? null : { p50, p95, p99 };
}

onEachDatabase((kind) => {
  test('groups are the same, however few of them are read by themselves', async (t) => {
    const logs = await openLogDatabase(t, kind);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(exchange, { maxLength: 40 }), question, async (rows, asked) => {
        const run = ++runs;
        // What lacks a key is ranked by what is left of all, and of absurd sums nothing is left.
        const mostCost = asked.dimension === 'user' ? Number.MAX_SAFE_INTEGER : 10 ** 12;
        const costOf = ({ cost_nano_usd: cost = null }: Partial<LogRow>): number | null =>
          cost === null ? null : Math.min(cost, mostCost);
        // By two processes, whose sums stand beside one another.
        const writers = [new RollupWriter(), new RollupWriter()];
        for (const [index, writer] of writers.entries()) {
          const some = rows
            .filter((_, at) => at % 2 === index)
            .map((row) =>
              logRow({
                ...row,
                gateway_id: `${row.gateway_id}-${run}`,
                cost_nano_usd: costOf(row),
              }),
            );
          if (some.length > 0) await writeBatch(logs, writer, some);
        }
        const query: AnalyticsQuery = {
          ...asked,
          accountId: ACCOUNT_ID,
          gateways: ['one', 'two'].map((id) => ({
            id: `${id}-${run}`,
            createdAtMs: CREATED_MS,
            group: undefined,
          })),
          stepSeconds: 3_600,
          sinceMs: DAY_MS,
          untilMs: DAY_MS + 24 * HOUR_MS,
        };
        const analytics = await analyze(logs.database.reader, logs.dialect, query);
        const groups = analytics?.groups.map(({ value, isOther, totals, series }) => ({
          name: isOther ? 'others' : (value ?? ''),
          totals,
          series,
        }));
        assert.deepEqual(groups, await groupsOf(logs, query));
      }),
      {
        numRuns: 60,
        // Nothing lacks the key, and all are equal: what lacks it is no group.
        examples: [
          [
            ['red', 'blue'].map((team) => ({
              gateway_id: 'one',
              metadata: JSON.stringify({ team }),
            })),
            { dimension: 'metadata.team', orderBy: 'errors', limit: 1 },
          ],
          // Both have stopped growing.
          [
            [
              { gateway_id: 'one', user_id: null, cost_nano_usd: Number.MAX_SAFE_INTEGER },
              { gateway_id: 'one', user_id: 'bob', cost_nano_usd: Number.MAX_SAFE_INTEGER },
              { gateway_id: 'one', user_id: 'bob', cost_nano_usd: 5 },
            ],
            { dimension: 'user', orderBy: 'cost', limit: 1 },
          ],
        ],
      },
    );
  });

  for (const count of [99, 100, 101, 102]) {
    test(`${count} values of a key that others lack: one group, what lacks it, and the others`, async (t) => {
      const logs = await openLogDatabase(t, kind);
      const numbers = Array.from({ length: count }, (_, index) => index);
      const rows = [...numbers, 7, 7].map((number) =>
        logRow({ metadata: JSON.stringify({ number }) }),
      );
      await writeBatch(logs, new RollupWriter(), [...rows, logRow(), logRow()]);
      const analytics = await analyze(logs.database.reader, logs.dialect, {
        accountId: ACCOUNT_ID,
        gateways: [{ id: 'main', createdAtMs: CREATED_MS, group: undefined }],
        dimension: 'metadata.number',
        orderBy: 'requests',
        limit: 2,
        stepSeconds: 3_600,
        sinceMs: DAY_MS,
        untilMs: DAY_MS + HOUR_MS,
      });
      assert.deepEqual(
        analytics?.groups.map(({ value, isOther, totals }) => [value, isOther, totals.requests]),
        [
          ['7', false, 3],
          [null, false, 2],
          [null, true, count - 1],
        ],
      );
    });
  }
});
