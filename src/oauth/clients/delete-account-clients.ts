import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { clientAnnouncement } from './client-directory.ts';

/** Deletes the OAuth clients of an account that is deleted itself, with all that hangs on them. */
export async function deleteAccountClients(
  tx: Transaction,
  announce: Announce,
  accountId: string,
): Promise<void> {
  const deleted = await tx
    .deleteFrom('oauth_clients')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  for (const { id } of deleted) announce(clientAnnouncement(id));
}
