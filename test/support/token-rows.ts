import type { Transaction } from '../../src/storage/schema.ts';

/** Writes a token that nobody has the value of, where thousands are needed. */
export async function insertTokenRow(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<void> {
  await tx
    .insertInto('api_tokens')
    .values({
      id,
      account_id: accountId,
      name: 'any',
      digest: id,
      status: 'active',
      policies: '[]',
      condition: null,
      not_before: null,
      expires_at: null,
      issued_at: 1,
      modified_at: 1,
      last_used_at: null,
    })
    .execute();
}
