import { existsSync } from 'node:fs';
import type { Clock } from '../../lib/clock.ts';
import { unavailable } from '../../http/errors.ts';
import { encodeBatch } from './log-batch.ts';
import type { LogRecord } from '../record.ts';
import type { LogStore } from '../log-store.ts';
import { LogStoreError } from './log-store-error.ts';
import type { LogPlace } from './log-worker.ts';
import { READ_TIMEOUT_MS } from './read-timeout.ts';
import type { ReadOperations } from '../reader/read-operations.ts';
import { WorkerClient } from './worker-client.ts';
import type { WriteOperations } from '../writer/write-operations.ts';

// A user who reads logs soon reads again, or stops.
const READER_IDLE_MS = 60_000;
// A few milliseconds each, so that batches run in between.
const ROWS_PER_DELETE = 500;

/**
 * Stores the logs in a separate SQLite file, or on PostgreSQL, with a writer and a reader thread. The first call starts each
 * thread, so that installations without gateway requests neither wait for them nor need their memory.
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
  // The server has already opened and migrated PostgreSQL.
  const isThere = (): boolean => 'file' in place && existsSync(place.file);
  const mayHaveLogs = (): boolean => 'databaseUrl' in place || isThere();
  const ping = async (): Promise<void> => {
    // The first call resolves when the file is open and migrated.
    if (isThere()) await writer.call('ping', []);
  };
  const read: WorkerClient<ReadOperations>['call'] = async (name, parameters) => {
    // Only the writer thread creates the file.
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
      return writer.call('insert', [batch, clock.now()], [batch.bodies.buffer]);
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

/** Converts a temporary failure to a response with 503. */
async function orRefuse<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof LogStoreError) || error.kind !== 'unavailable') throw error;
    throw unavailable('the log store is unavailable', error);
  }
}
