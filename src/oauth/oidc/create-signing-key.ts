import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { MasterKey, Sealer } from '../../lib/sealing.ts';
import type { SigningAlg } from '../clients/client-store.ts';
import type { SigningKey } from './signing-key-store.ts';

// RFC 7518 section 3.3 demands at least so many.
const RSA_BITS = 2_048;

/** Seals the private halves; each opens only under the id of its key. */
export function signingKeySealer(masterKey: MasterKey): Sealer {
  return masterKey.sealer('oauth_signing_key');
}

/** Makes a new key. An RSA key takes a tenth of a second, in another thread. */
export async function createSigningKey(
  masterKey: MasterKey,
  alg: SigningAlg,
  nowMs: number,
  signsFromMs: number,
): Promise<SigningKey> {
  const pair = await generateKeyPair(alg, { modulusLength: RSA_BITS, extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const id = await calculateJwkThumbprint(publicJwk);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  return {
    id,
    alg,
    publicJwk: { ...publicJwk, kid: id, alg, use: 'sig' },
    sealedPrivateJwk: signingKeySealer(masterKey).seal(privateJwk, id),
    createdAtMs: nowMs,
    signsFromMs,
    publishedUntilMs: undefined,
  };
}
