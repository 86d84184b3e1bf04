import type { Transaction } from '../../src/storage/schema.ts';

const ROWS_PER_STATEMENT = 500;

/** Writes tokens that nobody has the values of, where thousands are needed. */
export async function insertTokenRows(
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  const rows = ids.map((id) => ({
    id,
    account_id: accountId,
    name: 'any',
    digest: id,
    status: 'active' as const,
    policies: '[]',
    condition: null,
    not_before: null,
    expires_at: null,
    issued_at: 1,
    modified_at: 1,
    last_used_at: null,
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT);
    await tx.insertInto('api_tokens').values(some).execute();
  }
}
