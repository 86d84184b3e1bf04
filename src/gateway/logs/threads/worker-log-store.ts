import { existsSync } from 'node:fs';
import type { Clock } from '../../../lib/clock.ts';
import { unavailable } from '../../../http/errors.ts';
import { encodeBatch } from './log-batch.ts';
import type { LogRecord } from '../log-row.ts';
import type { LogStore } from '../log-store.ts';
import { LogStoreError } from './log-trouble.ts';
import type { LogPlace } from './log-worker.ts';
import { READ_TIMEOUT_MS } from './read-timeout.ts';
import type { ReadOperations } from '../read/read-operations.ts';
import { WorkerClient } from './worker-client.ts';
import type { WriteOperations } from '../write/write-operations.ts';

// Whoever looks at logs asks again soon, or not at all.
const READER_IDLE_MS = 60_000;
// A few milliseconds each, so that batches get their turn in between.
const ROWS_PER_DELETE = 500;

/**
 * Keeps the logs in a SQLite file of their own, or on PostgreSQL, behind two threads: one writes, the
 * other reads. Both come with their first call: who does not use the gateway need not wait for them at
 * each start, nor keep them in memory.
 */
export function createWorkerLogStore(place: LogPlace, clock: Clock): LogStore {
  const writer = new WorkerClient<WriteOperations>({ role: 'write', place });
  const reader = new WorkerClient<ReadOperations>({
    role: 'read',
    place,
    timeoutMs: READ_TIMEOUT_MS,
    idleMs: READER_IDLE_MS,
  });
  const numbers = new WeakMap<readonly LogRecord[], number>();
  let lastNumber = 0;
  // PostgreSQL is opened, migrated and watched already.
  const isThere = (): boolean => 'file' in place && existsSync(place.file);
  const mayHaveLogs = (): boolean => 'databaseUrl' in place || isThere();
  const ping = async (): Promise<void> => {
    // The thread answers its first call when the file is open and up to date.
    if (isThere()) await writer.call('ping', []);
  };
  const read: WorkerClient<ReadOperations>['call'] = async (name, parameters) => {
    // Only the thread that writes makes the file.
    if (!mayHaveLogs()) await writer.call('ping', []);
    return reader.call(name, parameters);
  };
  const purge = async (work: () => Promise<boolean>): Promise<boolean> => mayHaveLogs() && work();

  return {
    open: ping,
    ping,
    async insert(records) {
      const known = numbers.get(records);
      const number = known ?? ++lastNumber;
      numbers.set(records, number);
      const batch = encodeBatch(number, records, known !== undefined);
      return writer.call('insert', [batch, clock.now()], [batch.bytes.buffer]);
    },
    list: (query) => orRefuse(read('list', [query])),
    find: (...which) => orRefuse(read('find', which)),
    readPayload: (...which) => orRefuse(read('readPayload', which)),
    extremes: (...which) => orRefuse(read('extremes', which)),
    annotate: (...which) => orRefuse(writer.call('annotate', which)),
    deleteMatching: (query) => orRefuse(deleteMatching(query)),
    analyze: (query) => orRefuse(read('analyze', [query])),
    purgeAccount: (...which) => purge(() => writer.call('purgeAccount', which)),
    purgeGateway: (...which) => purge(() => writer.call('purgeGateway', which)),
    purgeOlder: (...which) => purge(() => writer.call('purgeOlder', which)),
    trim: (...which) => purge(() => writer.call('trim', which)),
    pruneRollups: (...which) => purge(() => writer.call('pruneRollups', which)),
    async prepare(nowMs) {
      if (mayHaveLogs()) await writer.call('prepare', [nowMs]);
    },
    async close() {
      await Promise.all([writer.close(), reader.close()]);
    },
  };

  async function deleteMatching(query: Parameters<LogStore['deleteMatching']>[0]): Promise<number> {
    const { accountId, gatewayId } = query;
    const ids = await read('selectIds', [query]);
    let deleted = 0;
    for (let start = 0; start < ids.length; start += ROWS_PER_DELETE) {
      const some = ids.slice(start, start + ROWS_PER_DELETE);
      deleted += await writer.call('deleteEntries', [accountId, gatewayId, some]);
    }
    return deleted;
  }
}

/** Makes what may go well later a refusal that says so. */
async function orRefuse<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof LogStoreError) || error.kind !== 'unavailable') throw error;
    throw unavailable('the log store is unavailable', error);
  }
}
