import { hasPasskeys, requestPasskey } from '../../../src/iam/pages/assets/webauthn.js';
import { plainApi, resultOf } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import type { Person } from './presence.ts';

export { hasPasskeys };

/** What the person is told when the browser came back without a passkey. */
export function noPasskey(message: string): ApiFailure {
  return new ApiFailure(0, [{ code: 0, message }]);
}

/**
 * Signs a person in by a passkey, which is both factors: the session afterwards is complete and fresh.
 * @throws ApiFailure also when the person does not use one, or uses somebody else's
 */
export async function signInWithPasskey({ id, email }: Person): Promise<void> {
  const { state, options } = await resultOf(plainApi.POST('/user/sessions/passkey_options'));
  const response = await requestPasskey(options).catch(() => {
    throw noPasskey('No passkey was used.');
  });
  const { userHandle } = response.response;
  // Asked here, for the server would sign that person in.
  if (userHandle !== undefined && idOf(userHandle) !== id) {
    throw noPasskey(`This passkey doesn't belong to ${email}.`);
  }
  await plainApi.POST('/user/sessions/passkey', {
    body: { state, response },
  });
}

/** The id of the person that an authenticator keeps with a passkey. */
function idOf(userHandle: string): string {
  const bytes = atob(userHandle.replaceAll('-', '+').replaceAll('_', '/'));
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
