import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { deleteDeferredCalls } from '../../gateway/deferred/deferred-call-store.ts';
import {
  gatewayAnnouncement,
  keysAnnouncement,
  customProviderAnnouncement,
} from '../snapshot-topics.ts';

/**
 * Deletes the gateways of an account that is deleted itself, those without authentication too, with the
 * keys that they keep, and its custom providers.
 */
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
  await deleteDeferredCalls(tx, accountId);
  // The account's logs are purged as a whole.
  await tx.deleteFrom('deleted_gateways').where('account_id', '=', accountId).execute();
  const providers = await tx
    .deleteFrom('custom_providers')
    .where('account_id', '=', accountId)
    .returning('slug')
    .execute();
  for (const { slug } of providers) announce(customProviderAnnouncement(accountId, slug));
}
