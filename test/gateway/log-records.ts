import path from 'node:path';
import type { LogListQuery } from '../../src/request-log/log-query.ts';
import type { LogPayload, LogRecord, LogRow } from '../../src/request-log/record.ts';
import type { LogLimit } from '../../src/gateway-admin/snapshot.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import { createWorkerLogStore } from '../../src/request-log/threads/worker-log-store.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createUuidV7 } from '../../src/lib/ids.ts';
import type { TestServer } from '../support/server.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';

/** Opens the logs of a server beside it. */
export function openLogStore(server: TestServer, dataDir: string, clock: Clock): LogStore {
  const { postgresUrl: databaseUrl } = server;
  const place =
    databaseUrl === undefined ? { file: path.join(dataDir, LOG_FILE) } : { databaseUrl };
  return createWorkerLogStore(place, clock);
}

interface RecordOptions {
  row?: Partial<LogRow>;
  payload?: LogPayload | null;
  limit?: LogLimit | null;
}

/** A record of a request that came in then. */
export function logRecord(
  accountId: string,
  gatewayId: string,
  atMs: number,
  { row = {}, payload = null, limit = null }: RecordOptions = {},
): LogRecord {
  return {
    row: {
      account_id: accountId,
      gateway_id: gatewayId,
      gateway_created_at: 0,
      id: createUuidV7(atMs),
      created_at: atMs,
      duration_ms: 1,
      ttft_ms: null,
      provider: 'local',
      model: 'echo',
      model_type: null,
      path: '',
      status_code: 200,
      success: 1,
      tokens_in: null,
      tokens_out: null,
      request_type: 'rest',
      request_content_type: null,
      response_content_type: null,
      token_id: null,
      user_id: null,
      oauth_client_id: null,
      cached: 0,
      step: 0,
      attempts: 1,
      cache_tokens: null,
      cost_nano_usd: null,
      custom_cost: 0,
      usage_source: null,
      metadata: null,
      event_id: null,
      ...row,
    },
    payload,
    limit,
  };
}

/** The newest logs of a gateway. */
export function listQuery(accountId: string, gatewayId: string): LogListQuery {
  return {
    accountId,
    gatewayId,
    sinceMs: 0,
    filters: [],
    search: undefined,
    orderBy: 'created_at',
    direction: 'desc',
    offset: 0,
    limit: 100,
  };
}
