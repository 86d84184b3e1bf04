import { sql } from 'kysely';
import { timeOfUuidV7 } from '../../lib/ids.ts';
import type { LogIdColumn } from '../../storage/log-tables.ts';
import { CONTEXT_COLUMNS, OWN_COLUMNS } from '../columns.ts';
import type { ScopedLogs } from '../log-dialect.ts';
import type { StoredLog } from '../log-query.ts';
import { inScope } from './scope-condition.ts';

/** Maximum number of ids in one statement. */
const IDS_PER_STATEMENT = 500;

const ENTRY_COLUMNS = [
  ...OWN_COLUMNS,
  'feedback',
  'score',
  'request_size',
  'response_size',
] as const satisfies readonly (keyof StoredLog)[];

type EntryRow = Omit<StoredLog, 'id' | 'account_id' | 'gateway_id' | 'created_at'> & {
  id: LogIdColumn;
};

/** The gateway of rows. */
export interface GatewayName {
  accountId: string;
  gatewayId: string;
}

/** Reads logs in the order of their ids, without deleted ones. Uses the primary keys. */
export async function readEntries(
  logs: ScopedLogs,
  { accountId, gatewayId }: GatewayName,
  ids: readonly string[],
): Promise<StoredLog[]> {
  const { db, dialect, scope } = logs;
  const found = new Map<string, StoredLog>();
  const columns = [
    ...ENTRY_COLUMNS.map((column) => sql.ref(`e.${column}`)),
    ...CONTEXT_COLUMNS.map((column) => sql.ref(`c.${column}`)),
  ];
  for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT) {
    const some = ids.slice(start, start + IDS_PER_STATEMENT).map((id) => dialect.toColumn(id));
    const { rows } = await sql<EntryRow>`
      select e.id, ${sql.join(columns)}
      from gateway_log_entries as e join gateway_log_contexts as c
        on ${inScope(scope, 'c')} and c.context_id = e.context_id
      where ${inScope(scope, 'e')} and e.id in (${sql.join(some)})`.execute(db);
    for (const row of rows) {
      const id = dialect.toId(row.id);
      found.set(id, {
        ...row,
        account_id: accountId,
        gateway_id: gatewayId,
        id,
        created_at: timeOfUuidV7(id),
      });
    }
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}
