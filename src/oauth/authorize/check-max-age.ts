import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

// Three centuries; longer numbers would lose digits.
const SECONDS = /^[0-9]{1,10}$/;

/**
 * How long ago the person may have proved who they are (OpenID Connect Core section 3.1.2.1).
 * @throws ProtocolError invalid_request for what is no number of seconds
 */
export function checkMaxAge(parameters: Parameters): number | undefined {
  const maxAge = parameters.get('max_age');
  if (maxAge === undefined) return undefined;
  if (SECONDS.test(maxAge)) return Number(maxAge);
  throw new ProtocolError('invalid_request', 'max_age must be a whole number of seconds');
}
