import type { AuthenticationResponse } from './passkey-schemas.ts';
import type { Passkey } from './passkey-store.ts';
import { type RelyingParty, userHandleOf } from './relying-party.ts';
import { loadWebAuthn } from './web-authn.ts';

/**
 * What an answer proves.
 * - `proved`: the person holds the authenticator and has unlocked it
 * - `counter_went_back`: the signature is right, but the authenticator has signed more often before:
 *   somebody may have a copy of it (WebAuthn section 6.1.1)
 * - `wrong`: nothing
 */
export type Assertion =
  | { kind: 'proved'; signCount: number }
  | { kind: 'counter_went_back'; signCount: number }
  | { kind: 'wrong'; cause: unknown };

/**
 * Checks what an authenticator answered (WebAuthn section 7.2): challenge, origin, relying party,
 * user verification, signature and signature counter.
 */
export async function verifyAssertion(
  { id: credentialId, rawId, type, response }: AuthenticationResponse,
  challenge: string,
  { id, origin }: RelyingParty,
  passkey: Passkey,
): Promise<Assertion> {
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verifyAuthenticationResponse, isoBase64URL } = await loadWebAuthn();
  try {
    // Section 7.2 step 6: the person was not known before the answer, so it must say who it is.
    if (response.userHandle !== userHandleOf(passkey.userId)) {
      throw new Error('the user handle is missing or belongs to another user');
    }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: isoBase64URL.toBuffer(passkey.publicKey),
        // Checked below: here it would be checked before the signature is.
        counter: 0,
      },
      requireUserVerification: true,
    });
    if (!verified) throw new Error('the signature is wrong');
    const { newCounter: signCount } = authenticationInfo;
    const isCounted = signCount > 0 || passkey.signCount > 0;
    const hasGoneBack = isCounted && signCount <= passkey.signCount;
    return { kind: hasGoneBack ? 'counter_went_back' : 'proved', signCount };
  } catch (cause) {
    return { kind: 'wrong', cause };
  }
}
