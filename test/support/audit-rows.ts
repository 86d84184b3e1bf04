import type { AuditRow } from '../../src/iam/audit/audit-chain.ts';
import { appendToChain } from '../../src/iam/audit/audit-store.ts';
import { createUuidV7 } from '../../src/lib/ids.ts';
import type { Database } from '../../src/storage/database.ts';

export type AuditFields = Partial<Omit<AuditRow, 'chain_id' | 'seq' | 'hash'>>;

const PLAIN: Omit<AuditRow, 'chain_id' | 'seq' | 'hash' | 'id' | 'created_at'> = {
  account_name: null,
  action_type: 'update',
  action_result: 'success',
  action_description: 'Changed a thing',
  actor_type: 'system',
  actor_id: null,
  actor_email: null,
  actor_ip_address: null,
  actor_token_id: null,
  actor_token_name: null,
  actor_context: 'system',
  resource_type: 'thing',
  resource_id: null,
  resource_product: 'things',
  resource_scope: 'accounts',
  resource_request: null,
  resource_response: null,
  request_id: null,
  request_method: null,
  request_uri: null,
  request_status_code: null,
  request_user_agent: null,
};

/**
 * Appends rows to a chain, where thousands are needed or no operation writes such a row; in one
 * transaction. Answers their ids.
 */
export async function appendAuditRows(
  database: Database,
  chainId: string,
  rows: readonly AuditFields[],
): Promise<string[]> {
  const unlinked = rows.map((fields) => {
    const createdAtMs = fields.created_at ?? 1_000;
    return { id: createUuidV7(createdAtMs), created_at: createdAtMs, ...PLAIN, ...fields };
  });
  await database.transaction((tx) => appendToChain(tx, chainId, unlinked));
  return unlinked.map(({ id }) => id);
}

const ROWS_PER_STATEMENT = 500;

/** Writes rows without links, where tens of thousands are needed: no verification would pass. */
export async function insertUnlinkedRows(
  database: Database,
  chainId: string,
  rows: readonly AuditFields[],
): Promise<void> {
  const unlinked = rows.map((fields, index) => ({
    ...PLAIN,
    id: `row-${index}`,
    created_at: index,
    ...fields,
    chain_id: chainId,
    seq: index + 1,
    hash: '',
  }));
  await database.transaction(async (tx) => {
    for (let start = 0; start < unlinked.length; start += ROWS_PER_STATEMENT) {
      const batch = unlinked.slice(start, start + ROWS_PER_STATEMENT);
      await tx.insertInto('audit_logs').values(batch).execute();
    }
  });
}

/** Every row of a chain, oldest first. */
export function readAuditRows(database: Database, chainId: string): Promise<AuditRow[]> {
  return database.read
    .selectFrom('audit_logs')
    .selectAll()
    .where('chain_id', '=', chainId)
    .orderBy('seq')
    .execute();
}
