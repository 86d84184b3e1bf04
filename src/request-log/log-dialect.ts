import type { LogIdColumn } from '../storage/log-tables.ts';
import type { Db } from '../storage/schema.ts';

/**
 * The columns that identify the logs of a gateway, with their values: `.where((eb) => eb.and(scope))`,
 * `.values({ ...scope, … })`.
 */
export type LogScope = { gateway_key: number } | { account_id: string; gateway_id: string };

/** The differences of the log tables between SQLite and PostgreSQL. */
export interface LogDialect {
  readonly name: 'sqlite' | 'postgres';
  /** Undefined: the gateway has no logs. */
  findScope(db: Db, accountId: string, gatewayId: string): Promise<LogScope | undefined>;
  /** @param id a UUID */
  toColumn(id: string): LogIdColumn;
  toId(column: LogIdColumn): string;
}

const postgresDialect: LogDialect = {
  name: 'postgres',
  findScope: (_db, accountId, gatewayId) =>
    Promise.resolve({ account_id: accountId, gateway_id: gatewayId }),
  toColumn: (id) => id,
  toId: (column) => column as string,
};

const sqliteDialect: LogDialect = {
  name: 'sqlite',
  async findScope(db, accountId, gatewayId) {
    return db
      .selectFrom('gateway_log_gateways')
      .select('gateway_key')
      .where('account_id', '=', accountId)
      .where('gateway_id', '=', gatewayId)
      .executeTakeFirst();
  },
  toColumn: (id) => Buffer.from(id.replaceAll('-', ''), 'hex'),
  toId(column) {
    const { buffer, byteOffset, byteLength } = column as Uint8Array;
    const hex = Buffer.from(buffer, byteOffset, byteLength).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  },
};

/** The logs of one gateway in a database. */
export interface ScopedLogs {
  db: Db;
  dialect: LogDialect;
  scope: LogScope;
}

/** Returns the dialect of a kind of database. */
export function logDialectOf(name: 'sqlite' | 'postgres'): LogDialect {
  return name === 'sqlite' ? sqliteDialect : postgresDialect;
}
