import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createWorkerLogStore } from '../../src/request-log/threads/worker-log-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createUuidV7 } from '../../src/lib/ids.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { logMigrations } from '../../src/storage/migrations/index.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { listQuery, logRecord } from '../gateway/log-records.ts';
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { createDataDir } from '../support/server.ts';
import { assertSound, readStoredLogs } from '../support/stored-logs.ts';

const OTHER_ACCOUNT = 'b'.repeat(32);
const ACCOUNT = 'a'.repeat(32);
const NOW_MS = Date.now();
const DAY_MS = 86_400_000;

/** A row of the table that there was before; beside what is listed, columns have one value. */
function oldRow(index: number) {
  const createdAtMs = NOW_MS - index * 3_600_000;
  return {
    account_id: index % 4 === 0 ? OTHER_ACCOUNT : ACCOUNT,
    gateway_id: index % 3 === 0 ? 'other' : 'main',
    id: createUuidV7(createdAtMs),
    created_at: createdAtMs,
    duration_ms: index,
    ttft_ms: index % 2 === 0 ? null : index,
    provider: 'openai',
    model: `model-${index % 5}`,
    path: 'chat/completions',
    status_code: index % 7 === 0 ? 500 : 200,
    success: index % 7 === 0 ? 0 : 1,
    tokens_in: index % 2 === 0 ? null : 3,
    tokens_out: null,
    request_type: 'rest',
    request_content_type: 'application/json',
    response_content_type: null,
    token_id: index % 2 === 0 ? 'c'.repeat(32) : null,
    cached: 0,
    step: 0,
    attempts: 1,
    cache_tokens: null,
    cost_nano_usd: 12_345_678_901,
    custom_cost: 0,
    metadata: index % 6 === 0 ? '{"team":"a","n":1.5,"ok":true,"none":null}' : null,
    event_id: index % 10 === 0 ? `event-${index}` : null,
    user_id: null,
    oauth_client_id: null,
  };
}

onEachDatabase((database) => {
  test('the rows of the old table are all there afterwards, and counted', async (t) => {
    const dataDir = await createDataDir();
    const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
    const file = path.join(dataDir, LOG_FILE);
    const place = postgres === undefined ? { file } : { databaseUrl: postgres.url };
    const dialect =
      postgres === undefined ? openSqlite(file, 5_000) : openPostgres(postgres.url, assert.fail);
    const store = createWorkerLogStore(place, systemClock);
    t.after(async () => {
      await store.close();
      await dialect.close();
      await postgres?.drop();
      await rm(dataDir, { recursive: true, force: true });
    });
    await migrate(dialect, systemClock, logMigrations.slice(0, 2));
    const rows = Array.from({ length: 60 }, (_, index) => oldRow(index));
    for (const row of rows) {
      await sql`
        insert into gateway_logs (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
        values (${sql.join(Object.values(row))})`.execute(dialect.writer);
    }
    assert.deepEqual(await migrate(dialect, systemClock, logMigrations), [
      'logs-0003-log-store',
      'logs-0004-usage-source',
    ]);

    for (const [account, gateway] of [
      [ACCOUNT, 'main'],
      [ACCOUNT, 'other'],
      [OTHER_ACCOUNT, 'main'],
      [OTHER_ACCOUNT, 'other'],
    ] as const) {
      const expected = rows.filter(
        ({ account_id: id, gateway_id: gatewayId }) => id === account && gatewayId === gateway,
      );
      const page = await store.list(listQuery(account, gateway));
      assert.equal(page.totalCount, expected.length);
      for (const [index, row] of expected.entries()) {
        assert.deepEqual(page.rows[index], {
          ...row,
          model_type: null,
          usage_source: null,
          feedback: null,
          score: null,
          request_size: null,
          response_size: null,
        });
      }
    }
    const found = await store.list({
      ...listQuery(ACCOUNT, 'other'),
      filters: [{ on: 'metadata.value', operator: 'eq', values: [1.5] }],
    });
    assert.equal(found.totalCount, 5);

    // Rows that come later stand beside them.
    await store.insert([logRecord(ACCOUNT, 'main', NOW_MS + 86_400_000 * 3)]);
    const page = await store.list(listQuery(ACCOUNT, 'main'));
    assert.equal(page.rows[0]?.model, 'echo');
    while (await store.purgeGateway(OTHER_ACCOUNT, 'other', NOW_MS + 1));
    const { totalCount } = await store.list(listQuery(OTHER_ACCOUNT, 'other'));
    assert.equal(totalCount, 0);
    await readStoredLogs({ dataDir, postgresUrl: postgres?.url }, async (stored) => {
      const error: unknown = await assertSound(stored).catch((reason: unknown) => reason);
      // There are no sums of the time before.
      assert.match(String(error), /days/);
      assert.doesNotMatch(String(error), /^[+-].*(gateways|contexts|bodies)/m);
    });
  });
});

test('a row from tomorrow, by the clock of another node, is moved with the others', async (t) => {
  const postgres = await createPostgresDatabase();
  const dialect = openPostgres(postgres.url, assert.fail);
  const store = createWorkerLogStore({ databaseUrl: postgres.url }, systemClock);
  t.after(async () => {
    await store.close();
    await dialect.close();
    await postgres.drop();
  });
  await migrate(dialect, systemClock, logMigrations.slice(0, 2));
  const newestMs = NOW_MS + 2 * DAY_MS;
  const hours = (newestMs - NOW_MS) / 3_600_000;
  const row = { ...oldRow(-hours), account_id: ACCOUNT, gateway_id: 'main' };
  assert.equal(row.created_at, newestMs);
  await sql`
    insert into gateway_logs (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})`.execute(dialect.writer);
  await migrate(dialect, systemClock, logMigrations);
  // What comes later finds its place before and beyond the day on which the old rows end.
  await store.prepare(NOW_MS);
  const later = [0, 1, 2, 3, 4].map((days) =>
    logRecord(ACCOUNT, 'main', NOW_MS + days * DAY_MS + 1),
  );
  await store.insert(later);
  const { rows } = await store.list(listQuery(ACCOUNT, 'main'));
  assert.deepEqual(
    rows.map(({ id }) => id),
    [...later.map((record) => record.row.id), row.id].sort().toReversed(),
  );
});
