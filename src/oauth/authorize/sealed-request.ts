import { SealError } from '../../lib/sealing.ts';
import { AUTHORIZATION_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** The page that goes on with a request when the person has signed in. */
export const RESUME_PATH = '/oauth2/auth/resume';

const PURPOSE = 'authorization_request';

/**
 * Where to go on with a request later. All of it is in the address, which only this server can make
 * and read: nothing is kept here for people who are not signed in.
 */
export function resumePath(
  { masterKey }: Pick<OAuthServices, 'masterKey'>,
  request: AuthorizationRequest,
): string {
  const sealed = masterKey.sealer(PURPOSE).seal(JSON.stringify(request), RESUME_PATH);
  return `${RESUME_PATH}?request=${sealed}`;
}

/** The request of {@link resumePath}; undefined when it is too old or was made up. */
export function openRequest(
  { masterKey, clock }: Pick<OAuthServices, 'masterKey' | 'clock'>,
  sealed: string,
): AuthorizationRequest | undefined {
  try {
    const text = masterKey.sealer(PURPOSE).open(sealed, RESUME_PATH);
    const request = JSON.parse(text) as AuthorizationRequest;
    return clock.now() < request.requestedAtMs + AUTHORIZATION_MS ? request : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
