import { REDACTED } from '../../lib/credential-forms.ts';
import { isCredentialName, isPlainHeader } from '../../lib/credential-names.ts';
import { redactText } from './redact.ts';

// Ordinary requests stay far below these limits.
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 512;

/** Shorter texts of these characters are no credentials, and every database accepts them. */
const PLAIN = /^[\w ./:;=,*+-]{0,19}$/;
/** Authentication schemes before a credential (RFC 9110 section 11.4). */
const SCHEME = /^(?:basic|bearer|token) +/i;

/**
 * Returns header fields for the log: a JSON object of all names, with the values of the fields that are known to be
 * harmless. Credentials may be in any other field.
 * @param headers alternating names and values
 */
export function loggableHeaders(headers: readonly string[]): string {
  const fields: Record<string, string> = { __proto__: null as never };
  let count = 0;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]?.toLowerCase() ?? '';
    const isHarmless = isPlainHeader(name);
    const key = isHarmless ? name : loggable(name, MAX_NAME_LENGTH);
    const value = isHarmless ? loggable(headers[i + 1] ?? '', MAX_VALUE_LENGTH) : REDACTED;
    const other = fields[key];
    if (other === undefined) {
      if (count++ < MAX_FIELDS) fields[key] = value;
    } else if (other !== value) {
      fields[key] = `${other}, ${value}`.slice(0, MAX_VALUE_LENGTH);
    }
  }
  return JSON.stringify(fields);
}

/** Returns a text without credentials and without the characters that databases reject. */
function loggable(text: string, maxLength: number): string {
  if (PLAIN.test(text)) return text;
  // Redacts before it truncates: the rest of a credential would not be recognized. Parsers limit the length of headers.
  return redactText(text.replaceAll('\0', '').toWellFormed()).slice(0, maxLength).toWellFormed();
}

/**
 * Returns the credentials in header fields.
 * @param headers alternating names and values
 */
export function credentialsIn(headers: readonly string[]): string[] {
  const credentials: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]?.toLowerCase() ?? '';
    if (isPlainHeader(name) || !isCredentialName(name)) continue;
    credentials.push((headers[i + 1] ?? '').replace(SCHEME, ''));
  }
  return credentials;
}
