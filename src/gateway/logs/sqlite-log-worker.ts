import { parentPort, workerData } from 'node:worker_threads';
import type { PageRequest } from '../../http/paging.ts';
import { systemClock } from '../../lib/clock.ts';
import { migrate } from '../../storage/migrate.ts';
import { logMigrations } from '../../storage/migrations/index.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import {
  type LogValues,
  createInsertLogs,
  listLogs,
  purgeAccountLogs,
  purgeGatewayLogs,
} from './log-queries.ts';
import type { LogQuery } from './log-store.ts';

/** The thread that owns the file of the gateway logs; see sqlite-log-store.ts for its other end. */

export type WorkerCall =
  /** Rows as JSON: to copy them from thread to thread as objects takes ten times as long. */
  | { kind: 'insert'; rows: string }
  | { kind: 'list'; query: LogQuery; page: PageRequest }
  | { kind: 'purge-account'; accountId: string }
  | { kind: 'purge-gateway'; accountId: string; gatewayId: string; beforeMs: number }
  | { kind: 'ping' }
  | { kind: 'close' };

export interface WorkerAnswer {
  id: number;
  result?: unknown;
  error?: string;
}

const dialect = openSqlite(workerData as string);
const insertLogs = createInsertLogs();
const ready = migrate(dialect, systemClock, logMigrations);
// Each call hears of a failure; without one waiting it would end the thread.
ready.catch(() => {});

function insert(rows: LogValues[]): Promise<void> {
  return dialect.writer.transaction().execute((tx) => insertLogs(tx, rows));
}

async function perform(call: WorkerCall): Promise<unknown> {
  await ready;
  switch (call.kind) {
    case 'insert':
      return insert(JSON.parse(call.rows) as LogValues[]);
    case 'list':
      return listLogs(dialect.reader, call.query, call.page);
    case 'purge-account':
      return dialect.writer.transaction().execute((tx) => purgeAccountLogs(tx, call.accountId));
    case 'purge-gateway': {
      const { accountId, gatewayId, beforeMs } = call;
      return dialect.writer
        .transaction()
        .execute((tx) => purgeGatewayLogs(tx, accountId, gatewayId, beforeMs));
    }
    case 'ping':
      return undefined;
    case 'close':
      return dialect.close();
  }
}

async function answer(id: number, call: WorkerCall): Promise<void> {
  const reply: WorkerAnswer = { id };
  try {
    reply.result = await perform(call);
  } catch (error) {
    reply.error = error instanceof Error ? error.message : String(error);
  }
  parentPort?.postMessage(reply);
}

parentPort?.on('message', ({ id, call }: { id: number; call: WorkerCall }) => {
  void answer(id, call);
});
