import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RollupRow, StepSeconds } from '../../src/request-log/analytics/analytics-query.ts';
import { binOf, countInBin } from '../../src/request-log/analytics/histogram.ts';
import { readExtremes } from '../../src/request-log/analytics/read-rollups.ts';
import { emptySums } from '../../src/request-log/rollups/rollup-sums.ts';
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
  readDay,
  writeBatch,
  writeStaged,
  writerIds,
} from './rollup-set-up.ts';

const MINUTE_MS = 60_000;
const FULL_DAY_MS = 86_400_000;

/** Exchanges of half a day, some of which share anything. */
function variedRows(): LogRow[] {
  return Array.from({ length: 300 }, (_, index) =>
    logRow({
      created_at: DAY_MS + index * 137_000,
      model: `model-${index % 3}`,
      provider: index % 2 === 0 ? 'openai' : 'anthropic',
      token_id: index % 5 === 0 ? null : `token-${index % 5}`,
      user_id: index % 4 === 0 ? 'user' : null,
      oauth_client_id: index % 7 === 0 ? 'client' : null,
      status_code: index % 10 === 0 ? 429 : 200,
      success: index % 10 === 0 ? 0 : 1,
      cached: index % 6 === 0 ? 1 : 0,
      duration_ms: (index * 7_919) % 3_000,
      ttft_ms: index % 9 === 0 ? null : index,
      tokens_in: index % 11 === 0 ? null : index,
      tokens_out: index % 11 === 0 ? null : 2 * index,
      cache_tokens: index % 2 === 0 ? index : null,
      cost_nano_usd: index % 3 === 0 ? null : 1_000 * index,
      metadata: index % 8 === 0 ? JSON.stringify({ team: `t${index % 16}`, beta: true }) : null,
    }),
  );
}

/** The same sums, without anything that was thought of for speed. */
function naively(
  rows: readonly LogRow[],
  stepSeconds: StepSeconds,
  valueOf: (row: LogRow) => string,
): RollupRow[] {
  const sums = new Map<string, RollupRow & { durations: number[]; ttfts: number[] }>();
  for (const row of rows) {
    const startMs = row.created_at - (row.created_at % (stepSeconds * 1_000));
    const value = valueOf(row);
    const { extremes: _, ...none } = emptySums();
    const sum = sums.get(`${startMs} ${value}`) ?? { startMs, value, ...none };
    sums.set(`${startMs} ${value}`, sum);
    sum.requests += 1;
    sum.errors += 1 - row.success;
    sum.cached += row.cached;
    sum.unpriced += row.tokens_in !== null && row.cost_nano_usd === null ? 1 : 0;
    sum.estimated += row.usage_source === 'estimate' ? 1 : 0;
    sum.tokensIn += row.tokens_in ?? 0;
    sum.tokensOut += row.tokens_out ?? 0;
    sum.cacheTokens += row.cache_tokens ?? 0;
    sum.costNanoUsd += row.cost_nano_usd ?? 0;
    countInBin(sum.durations, binOf(row.duration_ms));
    if (row.ttft_ms !== null) countInBin(sum.ttfts, binOf(row.ttft_ms));
  }
  return inOrder([...sums.values()]);
}

function inOrder(rows: readonly RollupRow[]): RollupRow[] {
  const keyOf = ({ startMs, value }: RollupRow): string => `${startMs} ${value}`;
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function metadataOf(row: LogRow, key: string): string {
  const metadata = JSON.parse(row.metadata ?? '{}') as Record<string, string | boolean>;
  return metadata[key] === undefined ? '' : `=${metadata[key]}`;
}

const orNone = (id: string | null): string => (id === null ? '' : `=${id}`);

const dimensions: [dimension: string, valueOf: (row: LogRow) => string][] = [
  ['all', () => ''],
  ['model', ({ model }) => `=${model}`],
  ['provider', ({ provider }) => `=${provider}`],
  ['token', (row) => orNone(row.token_id)],
  ['user', (row) => orNone(row.user_id)],
  ['oauth_client', (row) => orNone(row.oauth_client_id)],
  ['status', (row) => `=${row.status_code}`],
  ['metadata.team', (row) => metadataOf(row, 'team')],
  ['metadata.beta', (row) => metadataOf(row, 'beta')],
  ['metadata.none', () => ''],
];

/** The requests of a day by value. */
async function requestsBy(logs: LogDatabase, dimension: string): Promise<Record<string, number>> {
  const rows = await readDay(logs, { dimension });
  return Object.fromEntries(rows.map(({ value, requests }) => [value, requests]));
}

onEachDatabase((kind) => {
  test('rows are summed up by every dimension and step, however they are batched', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const writer = new RollupWriter();
    const rows = variedRows();
    for (let start = 0, size = 1; start < rows.length; start += size, size *= 2) {
      await writeBatch(logs, writer, rows.slice(start, start + size));
    }
    for (const [dimension, valueOf] of dimensions) {
      for (const stepSeconds of [60, 3_600, 86_400] as const) {
        const read = await readDay(logs, { dimension, stepSeconds });
        assert.deepEqual(inOrder(read), naively(rows, stepSeconds, valueOf), dimension);
      }
    }
  });

  test('only what lies within the bounds is read', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const at = [-1, 0, MINUTE_MS, 3 * MINUTE_MS - 1, 3 * MINUTE_MS];
    const rows = at.map((ms) => logRow({ created_at: DAY_MS + ms }));
    await writeBatch(logs, new RollupWriter(), rows);
    const bounds = { stepSeconds: 60, sinceMs: DAY_MS, untilMs: DAY_MS + 3 * MINUTE_MS } as const;
    const starts = (await readDay(logs, bounds)).map(({ startMs }) => startMs - DAY_MS);
    assert.deepEqual(starts, [0, MINUTE_MS, 2 * MINUTE_MS]);
  });

  test('a gateway of which nothing was ever logged has no sums', async (t) => {
    const logs = await openLogDatabase(t, kind);
    assert.deepEqual(await readDay(logs, { gatewayId: 'silent' }), []);
  });

  test('gateways do not see one another', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const writer = new RollupWriter();
    await writeBatch(logs, writer, [logRow(), logRow({ gateway_id: 'other' }), logRow()]);
    assert.equal((await readDay(logs))[0]?.requests, 2);
    assert.equal((await readDay(logs, { gatewayId: 'other' }))[0]?.requests, 1);
  });

  test('what several processes have written adds up', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const [one, other] = [new RollupWriter(), new RollupWriter()];
    await writeBatch(logs, one, [logRow(), logRow()]);
    await writeBatch(logs, other, [logRow({ model: 'gpt-5' })]);
    await writeBatch(logs, one, [logRow()]);
    assert.deepEqual(await requestsBy(logs, 'model'), { '=gpt-4o': 3, '=gpt-5': 1 });
    const [sums] = await readDay(logs);
    assert.deepEqual(
      { ...sums, durations: undefined, ttfts: undefined },
      {
        startMs: DAY_MS,
        value: '',
        requests: 4,
        errors: 0,
        cached: 0,
        unpriced: 0,
        estimated: 0,
        tokensIn: 40,
        tokensOut: 20,
        cacheTokens: 8,
        costNanoUsd: 4_000,
        durations: undefined,
        ttfts: undefined,
      },
    );
    assert.deepEqual(sums?.durations, [binOf(100), 4]);
  });

  describe('a batch that is not committed', () => {
    test('leaves nothing when its transaction is undone', async (t) => {
      const logs = await openLogDatabase(t, kind);
      const writer = new RollupWriter();
      await writeBatch(logs, writer, [logRow()]);
      const rows = [logRow(), logRow({ model: 'gpt-5' })];
      writer.stage(rows, DAY_MS);
      await writeBatch(logs, writer, rows);
      assert.deepEqual(await requestsBy(logs, 'model'), { '=gpt-4o': 2, '=gpt-5': 1 });
    });

    test('counts once when its answer got lost, and it comes again with more', async (t) => {
      const logs = await openLogDatabase(t, kind);
      const writer = new RollupWriter();
      await writeStaged(logs, writer.stage([logRow()], DAY_MS), [logRow()]);
      await writeBatch(logs, writer, [logRow(), logRow()]);
      assert.deepEqual(await requestsBy(logs, 'model'), { '=gpt-4o': 2 });
    });
  });

  test('a row that comes late is added under another name', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const writer = new RollupWriter();
    await writeBatch(logs, writer, [logRow()], DAY_MS);
    // Ten minutes after its end a minute is still known.
    const lastMs = DAY_MS + 11 * MINUTE_MS;
    await writeBatch(logs, writer, [], lastMs);
    await writeBatch(logs, writer, [logRow()], lastMs);
    assert.equal((await writerIds(logs)).length, 1);
    await writeBatch(logs, writer, [], lastMs + MINUTE_MS);
    await writeBatch(logs, writer, [logRow()], lastMs + MINUTE_MS);
    assert.equal(new Set(await writerIds(logs)).size, 2);
    const [minute] = await readDay(logs, { stepSeconds: 60 });
    assert.equal(minute?.requests, 3);
    const [day] = await readDay(logs);
    assert.equal(day?.requests, 3);
  });

  test('values beyond a hundred count together', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const writer = new RollupWriter();
    const users = (from: number, to: number): LogRow[] =>
      Array.from({ length: to - from }, (_, index) => logRow({ user_id: `user-${from + index}` }));
    await writeBatch(logs, writer, users(0, 99));
    assert.equal((await requestsBy(logs, 'user'))['*'], undefined);
    await writeBatch(logs, writer, users(90, 103));
    const requests = await requestsBy(logs, 'user');
    assert.equal(requests['=user-99'], 1);
    assert.equal(requests['=user-90'], 2);
    assert.equal(requests['=user-100'], undefined);
    assert.equal(requests['*'], 3);
    assert.equal(Object.keys(requests).length, 101);
  });

  test('keys of metadata beyond twenty are not summed up', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const writer = new RollupWriter();
    const keys = (from: number, to: number): LogRow[] =>
      Array.from({ length: to - from }, (_, index) =>
        logRow({ metadata: JSON.stringify({ [`key-${from + index}`]: 'x' }) }),
      );
    await writeBatch(logs, writer, keys(0, 19));
    await writeBatch(logs, writer, keys(19, 21));
    assert.deepEqual(await requestsBy(logs, 'metadata.key-19'), { '=x': 1, '': 20 });
    assert.deepEqual(await requestsBy(logs, 'metadata.key-20'), { '': 21 });
  });

  test('keys and values of metadata are cut as rows are found by them', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const long = '😀'.repeat(201);
    const metadata = JSON.stringify({ [long]: long, number: 1.5, nothing: null });
    await writeBatch(logs, new RollupWriter(), [logRow({ metadata })]);
    const cut = '😀'.repeat(200);
    assert.deepEqual(await requestsBy(logs, `metadata.${cut}`), { [`=${cut}`]: 1 });
    assert.deepEqual(await requestsBy(logs, 'metadata.number'), { '=1.5': 1 });
    assert.deepEqual(await requestsBy(logs, 'metadata.nothing'), { '=null': 1 });
  });

  test('values that look like our own are told from them', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const rows = ['*', '', 'all'].map((team) => logRow({ metadata: JSON.stringify({ team }) }));
    await writeBatch(logs, new RollupWriter(), [...rows, logRow()]);
    const expected = { '=*': 1, '=': 1, '=all': 1, '': 1 };
    assert.deepEqual(await requestsBy(logs, 'metadata.team'), expected);
  });

  test('a gateway does not see what an earlier one of its id did, not even that day', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const writer = new RollupWriter();
    const createdAtMs = DAY_MS + 30_000;
    const later = { gateway_created_at: createdAtMs, created_at: createdAtMs };
    await writeBatch(logs, writer, [logRow(), logRow(later), logRow(later), logRow()]);
    assert.equal((await readDay(logs, { createdAtMs }))[0]?.requests, 2);
    assert.equal((await readDay(logs))[0]?.requests, 2);
  });

  test('sums stay numbers that every database can hold, whatever callers claim', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const most = Number.MAX_SAFE_INTEGER;
    const absurd = logRow({ tokens_in: most, tokens_out: most, cost_nano_usd: most });
    await writeBatch(logs, new RollupWriter(), [absurd, absurd]);
    const [sums] = await readDay(logs);
    assert.deepEqual([sums?.tokensIn, sums?.tokensOut, sums?.costNanoUsd], [most, most, most]);
  });

  test('the extremes of a gateway are told over all its days', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const { dialect, database } = logs;
    const read = (createdAtMs = CREATED_MS) =>
      readExtremes(database.reader, dialect, {
        accountId: ACCOUNT_ID,
        gatewayId: 'main',
        createdAtMs,
      });
    const none = { tokens_in: null, tokens_out: null, tokens: null, cost_nano_usd: null };
    assert.deepEqual(await read(), { ...none, duration_ms: null });
    const writer = new RollupWriter();
    const unknown = { tokens_in: null, tokens_out: null, cost_nano_usd: null };
    await writeBatch(logs, writer, [logRow({ ...unknown, duration_ms: 70 })]);
    assert.deepEqual(await read(), { ...none, duration_ms: { min: 70, max: 70 } });
    await writeBatch(logs, writer, [
      logRow({ created_at: DAY_MS + FULL_DAY_MS, duration_ms: 5, tokens_in: 1, tokens_out: 9 }),
      logRow({ duration_ms: 90, tokens_in: 7, tokens_out: 8, cost_nano_usd: 0 }),
    ]);
    assert.deepEqual(await read(), {
      duration_ms: { min: 5, max: 90 },
      tokens_in: { min: 1, max: 7 },
      tokens_out: { min: 8, max: 9 },
      tokens: { min: 10, max: 15 },
      cost_nano_usd: { min: 0, max: 1_000 },
    });
    assert.equal((await read(DAY_MS)).duration_ms, null);
  });
});
