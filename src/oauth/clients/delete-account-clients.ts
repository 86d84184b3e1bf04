import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';

/** Deletes the OAuth clients of an account that is deleted itself, with their secrets. */
export async function deleteAccountClients(
  tx: Transaction,
  _announce: Announce,
  accountId: string,
): Promise<void> {
  const clients = tx.selectFrom('oauth_clients').select('id').where('account_id', '=', accountId);
  await tx.deleteFrom('oauth_client_secrets').where('client_id', 'in', clients).execute();
  await tx.deleteFrom('oauth_clients').where('account_id', '=', accountId).execute();
}
