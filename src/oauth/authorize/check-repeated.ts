import type { Parameters } from '../parameters.ts';

/**
 * RFC 6749 section 3.1: no parameter comes twice.
 * @throws ProtocolError invalid_request
 */
export function checkRepeated(parameters: Parameters): void {
  parameters.refuseRepeated();
}
