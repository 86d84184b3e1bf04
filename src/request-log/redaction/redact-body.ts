import { redactForms } from '../../lib/credential-forms.ts';
import { redactMembers } from './credential-members.ts';

/**
 * A body as the log may keep it: without the credentials that its JSON names as such (see
 * credential-members.ts), and without anything that has the form of a known one (see
 * lib/credential-forms.ts). Everything else stays byte for byte, whatever it is: JSON, events, broken or cut
 * off. It takes time in proportion to the body's length, and may give out up to twice as much.
 * @returns the body itself when there is nothing to redact
 */
export function redactBody(body: Uint8Array): Uint8Array {
  return redactForms(redactMembers(body));
}

/** Of all forms of credentials that are known. */
const MIN_CREDENTIAL_LENGTH = 20;

/** Ids and numbers: no known form of a credential, and no name of one, is written with these alone. */
const HARMLESS = /^[\da-f.:-]*$/;

/** The same for a short text, such as a model, a path or the value of a header. */
export function redactText(text: string): string {
  if (text.length < MIN_CREDENTIAL_LENGTH && !text.includes('"')) return text;
  if (HARMLESS.test(text)) return text;
  const bytes = Buffer.from(text);
  const redacted = redactBody(bytes);
  return redacted === bytes ? text : Buffer.from(redacted).toString();
}
