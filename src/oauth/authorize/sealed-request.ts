import { openState, sealState } from '../../iam/short-lived-state.ts';
import { AUTHORIZATION_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** The page that continues a request after the sign-in. */
export const RESUME_PATH = '/oauth2/auth/resume';

const PURPOSE = 'authorization_request';

/** Returns the path that continues a request later. The path contains the whole request, so nothing is stored. */
export function resumePath(
  services: Pick<OAuthServices, 'masterKey'>,
  request: AuthorizationRequest,
): string {
  const expiresAtMs = request.requestedAtMs + AUTHORIZATION_MS;
  return `${RESUME_PATH}?request=${sealState(services, PURPOSE, request, expiresAtMs)}`;
}

/** Returns the request of {@link resumePath}, or undefined if it has expired or this server did not make it. */
export function openRequest(
  services: Pick<OAuthServices, 'masterKey' | 'clock'>,
  sealed: string,
): AuthorizationRequest | undefined {
  return openState(services, PURPOSE, sealed) as AuthorizationRequest | undefined;
}
