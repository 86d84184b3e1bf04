import { redactFormsIn } from '../lib/credential-forms.ts';

const MAX_LENGTH = 256;

/**
 * A `user-agent` header as it may be stored: without credentials, in printable ASCII, at most 256
 * characters. Node bounds the length of the header itself.
 */
export function storableUserAgent(header: string): string {
  // Credentials first: a cut one would no longer have its form.
  return redactFormsIn(header)
    .slice(0, MAX_LENGTH)
    .replaceAll(/[^\x20-\x7e]/g, '?');
}
