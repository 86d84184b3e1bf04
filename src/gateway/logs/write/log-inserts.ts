import type {
  GatewayLogBodiesTable,
  GatewayLogContextsTable,
  GatewayLogEntriesTable,
  GatewayLogMetadataTable,
} from '../../../storage/log-tables.ts';
import { CONTEXT_COLUMNS, OWN_COLUMNS } from '../log-columns.ts';
import type { LogDialect } from '../log-dialect.ts';
import { RowInsert, placeholders } from './row-insert.ts';

const SCOPE_COLUMNS = {
  sqlite: ['gateway_key'],
  postgres: ['account_id', 'gateway_id'],
} as const;

// The order in which the values of a row are given, after those of its scope.
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

/** The statements that write what belongs to one exchange, for one kind of database. */
export interface LogInserts {
  entries: RowInsert;
  bodies: RowInsert;
  metadata: RowInsert;
  /** Adds to the count of a context that is there. */
  contexts: RowInsert;
}

export function createLogInserts({ name }: LogDialect): LogInserts {
  const scope = SCOPE_COLUMNS[name];
  return {
    entries: new RowInsert((db, rows) =>
      db
        .insertInto('gateway_log_entries')
        .values(placeholders<GatewayLogEntriesTable>(rows, [...scope, ...ENTRY_COLUMNS]))
        // A batch that is written again after a lost answer is recognized by it.
        .onConflict((conflict) => conflict.doNothing()),
    ),
    bodies: new RowInsert((db, rows) =>
      db
        .insertInto('gateway_log_bodies')
        .values(placeholders<GatewayLogBodiesTable>(rows, [...scope, ...BODY_COLUMNS])),
    ),
    metadata: new RowInsert((db, rows) =>
      db
        .insertInto('gateway_log_metadata')
        .values(placeholders<GatewayLogMetadataTable>(rows, [...scope, ...METADATA_COLUMNS]))
        // Two entries of a row may be equal as far as they are kept.
        .onConflict((conflict) => conflict.doNothing()),
    ),
    contexts: new RowInsert((db, rows) =>
      db
        .insertInto('gateway_log_contexts')
        .values(
          placeholders<GatewayLogContextsTable>(rows, [
            ...scope,
            'context_id',
            ...CONTEXT_COLUMNS,
            'log_count',
          ]),
        )
        .onConflict((conflict) =>
          conflict.columns([...scope, 'context_id']).doUpdateSet((set) => ({
            log_count: set('gateway_log_contexts.log_count', '+', set.ref('excluded.log_count')),
          })),
        ),
    ),
  };
}
