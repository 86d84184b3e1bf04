// Passkeys in the browser, for the pages and the dashboard. All values are converted here: older browsers lack
// `parseRequestOptionsFromJSON`, and the credentials of password managers have no working `toJSON`.

/** True if the browser can use passkeys on this page. */
export const hasPasskeys =
  typeof globalThis.PublicKeyCredential === 'function' &&
  typeof navigator.credentials?.get === 'function';

/** Returns true if the browser offers passkeys in a field with `autocomplete="webauthn"`. */
export async function canAutofill() {
  return hasPasskeys && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/**
 * Asks for a passkey; returns the response as JSON (WebAuthn Level 3, `AuthenticationResponseJSON`).
 * @throws DOMException if the user does not use one
 */
export async function requestPasskey(options, settings = {}) {
  const { allowCredentials, challenge } = options;
  const publicKey = {
    ...options,
    challenge: toBytes(challenge),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(toDescriptor) }),
  };
  const credential = await navigator.credentials.get({ ...settings, publicKey });
  const { response } = requireCredential(credential);
  return {
    ...describe(credential),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(response.userHandle && { userHandle: toText(response.userHandle) }),
    },
  };
}

/**
 * Has the browser create a passkey; returns the response as JSON (`RegistrationResponseJSON`).
 * @throws DOMException if the user does not create one
 */
export async function createPasskey(options) {
  const { challenge, user, excludeCredentials = [] } = options;
  const publicKey = {
    ...options,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(toDescriptor),
  };
  const credential = await navigator.credentials.create({ publicKey });
  const { response } = requireCredential(credential);
  const transports = response.getTransports?.();
  return {
    ...describe(credential),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
      ...(transports && { transports }),
    },
  };
}

function requireCredential(credential) {
  if (credential?.response) return credential;
  throw new DOMException('The browser returned no passkey.', 'NotAllowedError');
}

function describe({ id, rawId }) {
  return { id, rawId: toText(rawId), type: 'public-key' };
}

function toDescriptor(descriptor) {
  return { ...descriptor, id: toBytes(descriptor.id) };
}

function toBytes(text) {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(characters, (character) => character.codePointAt(0));
}

/** Base64url of an ArrayBuffer or of a view of one. */
function toText(bytes) {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  const characters = Array.from(view, (byte) => String.fromCodePoint(byte)).join('');
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
