import { sql } from 'kysely';
import type {
  GatewayLogBodiesTable,
  GatewayLogEntriesTable,
  GatewayLogMetadataTable,
} from '../../storage/log-tables.ts';
import { RowStatement, columnList, insertInto } from '../../storage/row-statement.ts';
import { CONTEXT_COLUMNS, OWN_COLUMNS } from '../columns.ts';
import type { LogDialect } from '../log-dialect.ts';

const SCOPE_COLUMNS = {
  sqlite: ['gateway_key'],
  postgres: ['account_id', 'gateway_id'],
} as const;

// The order of the values of a row, after those of its scope.
const ENTRY_COLUMNS = [
  'id',
  'context_id',
  ...OWN_COLUMNS,
  'request_size',
  'response_size',
] as const satisfies readonly (keyof GatewayLogEntriesTable)[];

const BODY_COLUMNS = [
  'id',
  'request',
  'response',
  'request_is_whole',
  'response_is_whole',
  'request_headers',
  'response_headers',
] as const satisfies readonly (keyof GatewayLogBodiesTable)[];

const METADATA_COLUMNS = [
  'key',
  'value',
  'id',
] as const satisfies readonly (keyof GatewayLogMetadataTable)[];

/** The statements that write a row, for one kind of database. */
export interface LogInserts {
  entries: RowStatement;
  bodies: RowStatement;
  metadata: RowStatement;
  /** Adds to the count of an existing context. */
  contexts: RowStatement;
}

export function createLogInserts({ name }: LogDialect): LogInserts {
  const scope = SCOPE_COLUMNS[name];
  const entryColumns = [...scope, ...ENTRY_COLUMNS];
  const bodyColumns = [...scope, ...BODY_COLUMNS];
  const metadataColumns = [...scope, ...METADATA_COLUMNS];
  const contextKey = [...scope, 'context_id'];
  const contextColumns = [...contextKey, ...CONTEXT_COLUMNS, 'log_count'];
  return {
    entries: new RowStatement(
      entryColumns.length,
      // Recognizes a batch that is written again after a lost result.
      (rows) =>
        sql`${insertInto('gateway_log_entries', entryColumns, rows)} on conflict do nothing`,
    ),
    bodies: new RowStatement(bodyColumns.length, (rows) =>
      insertInto('gateway_log_bodies', bodyColumns, rows),
    ),
    metadata: new RowStatement(
      metadataColumns.length,
      // Two entries of a row may be equal after truncation.
      (rows) =>
        sql`${insertInto('gateway_log_metadata', metadataColumns, rows)} on conflict do nothing`,
    ),
    contexts: new RowStatement(
      contextColumns.length,
      (rows) => sql`${insertInto('gateway_log_contexts', contextColumns, rows)}
        on conflict (${columnList(contextKey)})
        do update set log_count = gateway_log_contexts.log_count + excluded.log_count`,
    ),
  };
}
