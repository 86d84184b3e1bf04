import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { gatewayAnnouncement } from './gateway-directory.ts';

/** Deletes the gateways of an account that is deleted itself: those without authentication too. */
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
  for (const { id } of rows) announce(gatewayAnnouncement(accountId, id));
}
