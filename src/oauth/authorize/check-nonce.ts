import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * What ties an ID token to the request (OpenID Connect Core section 3.1.2.1).
 * @throws ProtocolError invalid_request for control characters, which databases refuse
 */
export function checkNonce(parameters: Parameters): string | undefined {
  const nonce = parameters.get('nonce');
  if (nonce !== undefined && /\p{Cc}/u.test(nonce)) {
    throw new ProtocolError('invalid_request', 'nonce must not contain control characters');
  }
  return nonce;
}
