import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import {
  gatewayAnnouncement,
  keysAnnouncement,
  customProviderAnnouncement,
} from '../snapshot-topics.ts';

/** Deletes the gateways of a deleted account with their provider keys, and its custom providers. */
export async function deleteAccountGateways(
  tx: Transaction,
  announce: Announce,
  accountId: string,
): Promise<void> {
  const rows = await tx
    .deleteFrom('gateways')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  for (const { id } of rows) {
    announce(gatewayAnnouncement(accountId, id));
    announce(keysAnnouncement(accountId, id));
  }
  // A job purges all logs of the account.
  await tx.deleteFrom('deleted_gateways').where('account_id', '=', accountId).execute();
  const providers = await tx
    .deleteFrom('custom_providers')
    .where('account_id', '=', accountId)
    .returning('slug')
    .execute();
  for (const { slug } of providers) announce(customProviderAnnouncement(accountId, slug));
}
