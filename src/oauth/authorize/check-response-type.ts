import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * RFC 6749 section 3.1.1: there is one response type, `code`.
 * @throws ProtocolError invalid_request when it is missing, unsupported_response_type otherwise
 */
export function checkResponseType(parameters: Parameters): void {
  if (parameters.require('response_type') === 'code') return;
  throw new ProtocolError('unsupported_response_type', 'response_type must be code');
}
