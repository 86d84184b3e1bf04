import { rm } from 'node:fs/promises';
import type { LogRow } from '../../src/request-log/record.ts';
import type { LogPayload, LogRecord } from '../../src/request-log/record.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { TestDatabase } from '../support/databases.ts';
import {
  type Answer,
  type BootOptions,
  type Json,
  type TestServer,
  bootServer,
  createDataDir,
} from '../support/server.ts';
import { logRecord, openLogStore } from './log-records.ts';

/** A server whose logs a test writes itself. */
export interface LogBench {
  server: TestServer;
  /** `/accounts/{id}/ai-gateway/gateways`. */
  gateways: string;
  store: LogStore;
  createGateway(id: string): Promise<void>;
  /** Writes logs of a gateway, one a millisecond from its creation on. */
  write(gatewayId: string, rows: readonly WrittenLog[]): Promise<LogRecord[]>;
  list(gatewayId: string, query?: string): Promise<Answer>;
  ids(gatewayId: string, query?: string): Promise<string[]>;
  stop(): Promise<void>;
}

export type WrittenLog = Partial<LogRow> & { payload?: LogPayload };

/** Boots a server whose logs the test writes itself. */
export async function startLogBench(
  database: TestDatabase,
  options: BootOptions = {},
): Promise<LogBench> {
  const dataDir = await createDataDir();
  const server = await bootServer(database, { dataDir, ...options });
  const store = openLogStore(server, dataDir, systemClock);
  const gateways = `${server.account}/ai-gateway/gateways`;
  let lastMs = 0;
  const bench: LogBench = {
    server,
    gateways,
    store,
    async createGateway(id) {
      await server.call('POST', gateways, {
        body: {
          id,
          cache_invalidate_on_update: true,
          cache_ttl: null,
          collect_logs: true,
          rate_limiting_interval: null,
          rate_limiting_limit: null,
        },
      });
      lastMs = Math.max(lastMs, Date.now());
    },
    async write(gatewayId, rows) {
      const records = rows.map(({ payload = null, ...row }) =>
        logRecord(server.accountId, gatewayId, (lastMs += 1), { row, payload: payload ?? null }),
      );
      await store.insert(records);
      return records;
    },
    list: (gatewayId, query = '') => server.call('GET', `${gateways}/${gatewayId}/logs${query}`),
    async ids(gatewayId, query = '') {
      const { json } = await bench.list(gatewayId, query);
      return json.result.map(({ id }: Json) => id);
    },
    async stop() {
      await store.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return bench;
}

/** Filters as the public client writes them. */
export function filterQuery(
  ...filters: [key: string, operator: string, ...values: (string | number | boolean | null)[]][]
): string {
  const parts = filters.flatMap(([key, operator, ...values]) => [
    `filters.key=${encodeURIComponent(key)}`,
    `filters.operator=${operator}`,
    ...values.map((value) => `filters.value=${encodeURIComponent(String(value ?? ''))}`),
  ]);
  return `?per_page=100&${parts.join('&')}`;
}
