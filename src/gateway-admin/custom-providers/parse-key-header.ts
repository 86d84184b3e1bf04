import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { apiError } from '../../http/errors.ts';

/** Header names by RFC 9110 section 5.6.2, without signs that are never in the header of a key. */
const NAME = /^[a-z\d][a-z\d_-]*$/;
/** Names of headers for keys. Others, such as `host`, have a meaning in HTTP or in the gateway. */
const OF_KEYS = /auth|key|token|secret|credential/;
const RESERVED = /^(?:cf-aig-|proxy-|sec-|x-latchkey-)/;

/**
 * Parses the name of the header for the key of a custom provider; an empty text: the default of its API.
 * @returns the name in lower case
 * @throws ApiError 5001 for a header that is not for keys
 */
export function parseKeyHeader(text: string): string | undefined {
  if (text === '') return undefined;
  const name = text.toLowerCase();
  if (NAME.test(name) && OF_KEYS.test(name) && !RESERVED.test(name)) return name;
  const { invalidField } = gatewayFieldErrors;
  throw apiError(invalidField, {
    message: `${invalidField.message}: key_header must be the name of a header for keys, such as api-key or x-auth-token`,
    pointer: '/key_header',
  });
}
