import { ProtocolError } from '../protocol-error.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

// Sealed into an address, this and what the browser adds have at most the 8,192 characters that a
// person may come back to after the sign-in, see iam/pages/return-to.ts.
export const MAX_REQUEST_BYTES = 5_900;

/**
 * Refuses a request that could not be kept while the person signs in, whether or not that is needed.
 * @throws ProtocolError invalid_request
 */
export function checkLength(request: AuthorizationRequest): void {
  if (Buffer.byteLength(JSON.stringify(request)) <= MAX_REQUEST_BYTES) return;
  throw new ProtocolError(
    'invalid_request',
    `the parameters are too long: together they may have some ${MAX_REQUEST_BYTES} bytes`,
  );
}
