import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { apiError } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { RegistrationResponse } from './passkey-schemas.ts';
import { ALGORITHMS, type RelyingParty } from './relying-party.ts';
import { type WebAuthn, loadWebAuthn } from './web-authn.ts';

/** What is kept of a new credential. */
export interface NewCredential {
  /** base64url */
  credentialId: string;
  /** COSE key, base64url. */
  publicKey: string;
  signCount: number;
}

/**
 * Checks what an authenticator answered when it made a credential (WebAuthn section 7.1): challenge,
 * origin, relying party, and that it knew its person.
 * @throws ApiError 3067
 */
export async function verifyRegistration(
  response: RegistrationResponse,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<NewCredential> {
  const library = await loadWebAuthn();
  try {
    refuseCertificates(library, response.response.attestationObject);
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: toLibrary(response),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw new Error('the attestation is wrong');
    const { credential } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: library.isoBase64URL.fromBuffer(credential.publicKey),
      signCount: credential.counter,
    };
  } catch (error) {
    throw apiError(iamErrors.passkeyUnacceptable, { cause: error });
  }
}

/** The transports are for whoever asks for the passkey later: what is checked here is signed. */
function toLibrary({ id, rawId, type, response }: RegistrationResponse): RegistrationResponseJSON {
  const { clientDataJSON, attestationObject } = response;
  return {
    id,
    rawId,
    type,
    response: { clientDataJSON, attestationObject },
    clientExtensionResults: {},
  };
}

/**
 * No attestation was asked for, so browsers send none but what an authenticator signed by itself. To
 * check certificates would mean to fetch what they point at, on the word of whoever made them.
 */
function refuseCertificates(
  { decodeAttestationObject, isoBase64URL }: WebAuthn,
  attestationObject: string,
): void {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get('fmt');
  const isSelfSigned = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelfSigned) throw new Error('there is an attestation');
}
