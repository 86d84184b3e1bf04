import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { apiError } from '../../http/errors.ts';

/** RFC 9110 section 5.6.2, without the signs that no header of a key has. */
const NAME = /^[a-z\d][a-z\d_-]*$/;
/** Headers for keys say so. Others, such as `host`, have a meaning for HTTP or the gateway. */
const OF_KEYS = /auth|key|token|secret|credential/;
const RESERVED = /^(?:cf-aig-|proxy-|sec-|x-latchkey-)/;

/**
 * The request header in which a custom provider expects its key; an empty text means that of its API.
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
