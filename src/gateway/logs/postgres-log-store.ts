import type { Database } from '../../storage/database.ts';
import {
  createInsertLogs,
  listLogs,
  logValues,
  purgeAccountLogs,
  purgeGatewayLogs,
} from './log-queries.ts';
import type { LogStore } from './log-store.ts';

/** Keeps the logs beside everything else on PostgreSQL. */
export function createPostgresLogStore(database: Database): LogStore {
  const insertLogs = createInsertLogs();
  return {
    // The database is opened, migrated and watched already.
    open: () => Promise.resolve(),
    ping: () => Promise.resolve(),
    insert: (rows) => database.transaction((tx) => insertLogs(tx, rows.map(logValues))),
    list: (query, page) => listLogs(database.read, query, page),
    purgeAccount: (accountId) => database.transaction((tx) => purgeAccountLogs(tx, accountId)),
    purgeGateway: (...which) => database.transaction((tx) => purgeGatewayLogs(tx, ...which)),
    close: () => Promise.resolve(),
  };
}
