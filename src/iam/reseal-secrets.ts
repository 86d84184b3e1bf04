import type { Resealing } from '../lib/sealing.ts';
import type { Transaction } from '../storage/schema.ts';
import { mailSealer, sealingContextOfMail } from './mail/mail-store.ts';

/** Takes the secrets of authenticator apps, and mail that waits, to another master key. */
export async function resealPeoplesSecrets(tx: Transaction, resealing: Resealing): Promise<void> {
  const factors = await tx
    .selectFrom('totp_factors')
    .select(['user_id', 'sealed_secret'])
    .execute();
  for (const { user_id: userId, sealed_secret: sealed } of factors) {
    await tx
      .updateTable('totp_factors')
      .set({ sealed_secret: resealing.reseal(sealed, (key) => key.sealer('totp'), userId) })
      .where('user_id', '=', userId)
      .execute();
  }
  const mails = await tx
    .selectFrom('outgoing_mail')
    .select(['id', 'recipient', 'sealed'])
    .execute();
  for (const { id, recipient, sealed } of mails) {
    const context = sealingContextOfMail(id, recipient);
    await tx
      .updateTable('outgoing_mail')
      .set({ sealed: resealing.reseal(sealed, mailSealer, context) })
      .where('id', '=', id)
      .execute();
  }
}
