import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { LogRecord } from '../../src/request-log/record.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import type { LogPlace } from '../../src/request-log/threads/log-worker.ts';
import { createWorkerLogStore } from '../../src/request-log/threads/worker-log-store.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import type { Dialect } from '../../src/storage/dialect.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type TestDatabase, createPostgresDatabase } from '../support/databases.ts';
import { createDataDir } from '../support/server.ts';
import { assertSound, readStoredLogs } from '../support/stored-logs.ts';
import { listQuery } from './log-records.ts';

export const ACCOUNT_ID = 'a'.repeat(32);

/** A log store without a server. */
export interface TestLogs {
  store: LogStore;
  /** The account of the gateways. */
  accountId: string;
  place: LogPlace;
  /** Opens the store of another node. */
  openAnother(): LogStore;
  /** Opens the tables. */
  openTables(): Dialect;
  count(gatewayId: string): Promise<number>;
  /** Returns the ids of a gateway, newest first. */
  ids(gatewayId: string): Promise<string[]>;
  /** Returns the requests of all gateways in the sums. */
  requests(): Promise<number>;
  /** Checks that all stored counts match the rows. */
  assertSound(): Promise<void>;
  /** Deletes the logs of the account and continues with a new account, of which no node has sums. */
  beginAnew(): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty store, which is deleted after the test. */
export async function openTestLogs(
  t: TestContext,
  database: TestDatabase,
  clock: Clock = systemClock,
): Promise<TestLogs> {
  const logs = await startTestLogs(database, clock);
  t.after(() => logs.close());
  return logs;
}

/** Opens an empty store for several tests, each of which calls `beginAnew`. */
export async function startTestLogs(
  database: TestDatabase,
  clock: Clock = systemClock,
): Promise<TestLogs> {
  const dataDir = await createDataDir();
  const postgres = database === 'postgres' ? await createPostgresDatabase('current') : undefined;
  const ends: (() => Promise<unknown>)[] = [];
  const file = path.join(dataDir, LOG_FILE);
  const place = postgres === undefined ? { file } : { databaseUrl: postgres.url };
  const where = { dataDir, postgresUrl: postgres?.url };
  const openAnother = (): LogStore => {
    const store = createWorkerLogStore(place, clock);
    ends.push(() => store.close());
    return store;
  };
  const store = openAnother();
  const list = (gatewayId: string) => store.list(listQuery(logs.accountId, gatewayId));
  const logs: TestLogs = {
    store,
    accountId: ACCOUNT_ID,
    place,
    openAnother,
    openTables() {
      const dialect =
        postgres === undefined ? openSqlite(file, 5_000) : openPostgres(postgres.url, assert.fail);
      ends.push(() => dialect.close());
      return dialect;
    },
    count: async (gatewayId) => (await list(gatewayId)).totalCount,
    ids: async (gatewayId) => (await list(gatewayId)).rows.map(({ id }) => id),
    requests: () =>
      readStoredLogs(where, async ({ db }) => {
        const rows = await db
          .selectFrom('gateway_log_rollups')
          .select('requests')
          .where('dimension', '=', 'all')
          .where('step_seconds', '=', 86_400)
          .execute();
        return rows.reduce((sum, { requests }) => sum + requests, 0);
      }),
    assertSound: () => readStoredLogs(where, assertSound),
    async beginAnew() {
      while (await store.purgeAccount(logs.accountId));
      logs.accountId = createId();
    },
    async close() {
      await Promise.all(ends.map((end) => end()));
      await postgres?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return logs;
}

/** Ids of records, newest first. */
export function idsOf(records: readonly LogRecord[]): string[] {
  return records
    .map(({ row }) => row.id)
    .sort()
    .toReversed();
}
