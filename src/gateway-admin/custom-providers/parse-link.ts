import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { apiError } from '../../http/errors.ts';

/**
 * Parses the link to the documentation of a provider; an empty text: none.
 * @throws ApiError 5001 for anything but an http(s) URL, because pages show it as a link
 */
export function parseLink(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  if (isWeb && url.username === '' && url.password === '') return url.href;
  const { invalidField } = gatewayFieldErrors;
  throw apiError(invalidField, {
    message: `${invalidField.message}: link must be an http or https URL without user name and password`,
    pointer: '/link',
  });
}
