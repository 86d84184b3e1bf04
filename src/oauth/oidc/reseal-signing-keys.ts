import type { Resealing } from '../../lib/sealing.ts';
import type { Transaction } from '../../storage/schema.ts';
import { signingKeySealer } from './create-signing-key.ts';

/** Takes the private halves of all signing keys to another master key. */
export async function resealSigningKeys(tx: Transaction, resealing: Resealing): Promise<void> {
  const rows = await tx.selectFrom('oauth_signing_keys').select(['id', 'private_jwk']).execute();
  for (const { id, private_jwk: sealed } of rows) {
    const resealed = resealing.reseal(sealed, signingKeySealer, id);
    await tx
      .updateTable('oauth_signing_keys')
      .set({ private_jwk: resealed })
      .where('id', '=', id)
      .execute();
  }
}
