import { timeOfUuidV7 } from '../../lib/ids.ts';
import type { Dialect } from '../../storage/dialect.ts';
import type { Transaction } from '../../storage/schema.ts';
import { createPruneRollups } from '../rollups/prune-rollups.ts';
import { type EncodedBatch, decodeBatch } from '../threads/log-batch.ts';
import { type LogScope, logDialectOf } from '../log-dialect.ts';
import type { LogStore } from '../log-store.ts';
import { lacksPartition } from '../threads/log-store-error.ts';
import { annotateEntry } from '../reader/annotate-entry.ts';
import { deleteEntries } from './delete-entries.ts';
import { LogInserter, type Transact } from './log-inserter.ts';
import { dropOldPartition, makePartitions, preparePartitions } from './partitions.ts';
import {
  purgeAccountLogs,
  purgeGatewayLogs,
  purgeOlderLogs,
  trimGatewayLogs,
} from './purge-logs.ts';

/** The operations of the writer thread. */
export interface WriteOperations extends Pick<
  LogStore,
  | 'ping'
  | 'annotate'
  | 'purgeAccount'
  | 'purgeGateway'
  | 'purgeOlder'
  | 'trim'
  | 'prepare'
  | 'pruneRollups'
> {
  insert(batch: EncodedBatch, nowMs: number): Promise<{ leftOut: number }>;
  deleteEntries(accountId: string, gatewayId: string, ids: readonly string[]): Promise<number>;
}

// Other transactions make progress with each attempt. The caller repeats the operation later.
const MAX_ATTEMPTS = 5;

/**
 * @param database the log database
 * @param openMaintenanceConnection opens it for long statements; PostgreSQL only
 */
export function createWriteOperations(
  database: Dialect,
  openMaintenanceConnection: () => Dialect,
): WriteOperations {
  const dialect = logDialectOf(database.traits.name);
  const inserter = new LogInserter(dialect);
  const prune = createPruneRollups(dialect);
  const isPostgres = dialect.name === 'postgres';
  const transact: Transact = (work) => transactAgain(database, work);

  /** @returns `none` for a gateway without logs */
  const inScope = <T>(
    accountId: string,
    gatewayId: string,
    none: T,
    work: (tx: Transaction, scope: LogScope) => Promise<T>,
  ): Promise<T> =>
    transact(async (tx) => {
      const scope = await dialect.findScope(tx, accountId, gatewayId);
      return scope === undefined ? none : work(tx, scope);
    });

  return {
    ping: () => Promise.resolve(),
    async insert(encoded, nowMs) {
      const batch = decodeBatch(encoded);
      try {
        return { leftOut: await inserter.insert(transact, batch, nowMs) };
      } catch (error) {
        if (!isPostgres || !lacksPartition(error)) throw error;
      }
      const ids = batch.gateways.flatMap(({ records }) => records.map(({ row }) => row.id));
      await makePartitions(database, openMaintenanceConnection, ids.map(timeOfUuidV7));
      return { leftOut: await inserter.insert(transact, batch, nowMs) };
    },
    annotate: (key, annotation) => transact((tx) => annotateEntry(tx, dialect, key, annotation)),
    deleteEntries: (accountId, gatewayId, ids) =>
      inScope(accountId, gatewayId, 0, (tx, scope) =>
        deleteEntries(
          tx,
          dialect,
          scope,
          ids.map((id) => dialect.toColumn(id)),
        ),
      ),
    purgeAccount: (accountId) => transact((tx) => purgeAccountLogs(tx, dialect, accountId)),
    purgeGateway: (accountId, gatewayId, beforeMs) =>
      inScope(accountId, gatewayId, false, (tx, scope) =>
        purgeGatewayLogs(tx, dialect, scope, beforeMs),
      ),
    async purgeOlder(beforeMs) {
      if (!isPostgres) return transact((tx) => purgeOlderLogs(tx, dialect, beforeMs));
      const patient = openMaintenanceConnection();
      try {
        return await dropOldPartition(patient, beforeMs);
      } finally {
        await patient.close();
      }
    },
    trim: (accountId, gatewayId, maxRows) =>
      inScope(accountId, gatewayId, false, (tx, scope) =>
        trimGatewayLogs(tx, dialect, scope, maxRows),
      ),
    async prepare(nowMs) {
      if (isPostgres) await preparePartitions(database, openMaintenanceConnection, nowMs);
    },
    pruneRollups: (nowMs) => transact((tx) => prune(tx, nowMs)),
  };
}

/** Runs a transaction, and repeats it after a conflict with another node. */
async function transactAgain<T>(
  database: Dialect,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.writer.transaction().execute(work);
    } catch (error) {
      // On SQLite, it has already waited for its turn.
      const isOver = attempt === MAX_ATTEMPTS || database.traits.name === 'sqlite';
      if (isOver || !database.isConflict(error)) throw error;
    }
  }
}
