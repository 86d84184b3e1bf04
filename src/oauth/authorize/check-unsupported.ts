import type { Parameters } from '../parameters.ts';
import { ProtocolError, type ProtocolErrorCode } from '../protocol-error.ts';

const UNSUPPORTED: readonly (readonly [string, ProtocolErrorCode])[] = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
];

/**
 * What would change the meaning of a request, if it were ignored (OpenID Connect Core sections 6 and
 * 7.2.1). A `request_uri` that this server has given out does not come here.
 * @throws ProtocolError which names it
 */
export function checkUnsupported(parameters: Parameters): void {
  for (const [name, code] of UNSUPPORTED) {
    if (parameters.get(name) !== undefined) {
      throw new ProtocolError(code, `${name} is not supported`);
    }
  }
}
