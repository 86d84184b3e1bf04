import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createPruneRollups,
  purgeGatewayRollups,
} from '../../src/request-log/rollups/prune-rollups.ts';
import { RollupWriter } from '../../src/request-log/rollups/rollup-writer.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  DAY_MS,
  logRow,
  openLogDatabase,
  readDay,
  scopeOf,
  writeBatch,
  writerIds,
} from './rollup-set-up.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const FULL_DAY_MS = 24 * HOUR_MS;

onEachDatabase((kind) => {
  test('minutes, hours and days are kept for as long as they are of use', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const writer = new RollupWriter();
    // Each with the whole stretch into which it falls.
    const ages = [
      3 * FULL_DAY_MS + MINUTE_MS,
      100 * FULL_DAY_MS + HOUR_MS,
      3_653 * FULL_DAY_MS + FULL_DAY_MS,
    ];
    const nowMs = DAY_MS + 3_653 * FULL_DAY_MS;
    const rows = ages.flatMap((age) =>
      ['main', 'other'].flatMap((id) => [
        logRow({ gateway_id: id, created_at: nowMs - age }),
        logRow({ gateway_id: id, created_at: nowMs - age - 1, metadata: '{"team":"a"}' }),
      ]),
    );
    await writeBatch(logs, writer, rows);
    const prune = createPruneRollups(logs.dialect);
    const pruneAll = async (): Promise<void> => {
      while (await logs.database.transact((tx) => prune(tx, nowMs)));
    };
    await pruneAll();
    await pruneAll();
    const left = await logs.database.reader
      .selectFrom('gateway_log_rollups')
      .select(['step_seconds', 'start_at'])
      .distinct()
      .orderBy('step_seconds')
      .orderBy('start_at', 'desc')
      .execute();
    assert.deepEqual(
      left.map(({ step_seconds: step, start_at: startMs }) => [step, nowMs - startMs]),
      [
        [60, 3 * FULL_DAY_MS + MINUTE_MS],
        [3_600, 3 * FULL_DAY_MS + HOUR_MS],
        [3_600, 100 * FULL_DAY_MS + HOUR_MS],
        [86_400, 4 * FULL_DAY_MS],
        [86_400, 101 * FULL_DAY_MS],
        [86_400, 3_654 * FULL_DAY_MS],
      ],
    );
  });

  test('old sums go a little at a time', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const rows = Array.from({ length: 501 }, (_, index) =>
      logRow({ created_at: DAY_MS + index * MINUTE_MS }),
    );
    await writeBatch(logs, new RollupWriter(), rows);
    const prune = createPruneRollups(logs.dialect);
    const nowMs = DAY_MS + 4 * FULL_DAY_MS;
    assert.equal(await logs.database.transact((tx) => prune(tx, nowMs)), true);
    assert.equal((await readDay(logs, { stepSeconds: 60 })).length, 1);
    while (await logs.database.transact((tx) => prune(tx, nowMs)));
    assert.equal((await readDay(logs, { stepSeconds: 60 })).length, 0);
    assert.equal((await readDay(logs, { stepSeconds: 3_600 })).length, 9);
  });

  test('the sums of a gateway that is gone are purged, and none of its successor', async (t) => {
    const logs = await openLogDatabase(t, kind);
    const { dialect, database } = logs;
    const writer = new RollupWriter();
    const createdAtMs = DAY_MS + 2 * HOUR_MS;
    const later = { gateway_created_at: createdAtMs, created_at: createdAtMs };
    const minutes = [0, 1, 2].map((minute) => logRow({ created_at: DAY_MS + minute * MINUTE_MS }));
    const rows = [...minutes, logRow(later), logRow({ gateway_id: 'other' })];
    await writeBatch(logs, writer, rows);
    const purge = () =>
      database.transact(async (tx) =>
        purgeGatewayRollups(tx, dialect, await scopeOf(tx, logs, 'main'), {
          beforeMs: createdAtMs,
          limit: 2,
        }),
      );
    assert.equal(await purge(), true);
    assert.equal((await readDay(logs, { stepSeconds: 60 })).length, 1);
    while (await purge());
    for (const stepSeconds of [60, 3_600, 86_400] as const) {
      assert.deepEqual(await readDay(logs, { stepSeconds }), []);
      assert.equal((await readDay(logs, { stepSeconds, createdAtMs })).length, 1);
      assert.equal((await readDay(logs, { stepSeconds, gatewayId: 'other' })).length, 1);
    }
  });
});

test('with more gateways than there is room for, those that are not used are forgotten', async (t) => {
  const logs = await openLogDatabase(t, 'sqlite');
  const writer = new RollupWriter();
  await writeBatch(logs, writer, [logRow()]);
  // Not written down: it is about what the writer knows.
  for (let index = 0; index < 4_500; index++) {
    writer.stage([logRow({ gateway_id: `gateway-${index}` })], DAY_MS).commit();
    if (index === 2_000) await writeBatch(logs, writer, [logRow()]);
  }
  assert.equal((await writerIds(logs)).length, 1);
  for (let index = 0; index < 2_500; index++) {
    writer.stage([logRow({ gateway_id: `further-${index}` })], DAY_MS).commit();
  }
  await writeBatch(logs, writer, [logRow()]);
  assert.equal((await writerIds(logs)).length, 2);
  assert.equal((await readDay(logs))[0]?.requests, 3);
});
