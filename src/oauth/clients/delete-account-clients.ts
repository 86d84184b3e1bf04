import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';

/** Deletes the OAuth clients of an account that is deleted itself, with all that hangs on them. */
export async function deleteAccountClients(
  tx: Transaction,
  _announce: Announce,
  accountId: string,
): Promise<void> {
  await tx.deleteFrom('oauth_clients').where('account_id', '=', accountId).execute();
}
