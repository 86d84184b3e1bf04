import { REDACTED } from '../../../lib/replacements.ts';
import type { ResponseHeaders } from '../../outlet.ts';
import { isPlainHeader } from '../redaction/credential-names.ts';
import { redactText } from '../redaction/redact-body.ts';

// Both beyond what any ordinary request has.
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 512;

/**
 * The header fields of a request as the log keeps them: a JSON object of all names, with the values of
 * those that are known to be harmless. Nobody knows all the fields in which credentials travel.
 * @param rawHeaders names and values in turn
 */
export function keptRequestHeaders(rawHeaders: readonly string[]): string {
  const kept = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) keep(kept, rawHeaders[i], rawHeaders[i + 1]);
  return JSON.stringify(Object.fromEntries(kept));
}

/** The header fields of an answer, in the same way. */
export function keptResponseHeaders(headers: ResponseHeaders): string {
  const kept = new Map<string, string>();
  for (const name in headers) keep(kept, name, String(headers[name]));
  return JSON.stringify(Object.fromEntries(kept));
}

function keep(kept: Map<string, string>, name = '', value = ''): void {
  const { key, isPlain } = fieldOf(name);
  const former = kept.get(key);
  if (former === undefined && kept.size >= MAX_FIELDS) return;
  const own = isPlain ? redactText(clean(value.slice(0, MAX_VALUE_LENGTH))) : REDACTED;
  const isNew = former !== undefined && former !== own;
  kept.set(key, isNew ? `${former}, ${own}`.slice(0, MAX_VALUE_LENGTH) : own);
}

interface Field {
  /** The name as it is kept. */
  key: string;
  isPlain: boolean;
}

// The same fields come with each request; others must not fill the memory.
const MAX_KNOWN_FIELDS = 1_024;
const knownFields = new Map<string, Field>();

function fieldOf(name: string): Field {
  const known = knownFields.get(name);
  if (known !== undefined) return known;
  const key = redactText(clean(name.slice(0, MAX_NAME_LENGTH)).toLowerCase());
  const field = { key, isPlain: isPlainHeader(key) };
  if (knownFields.size >= MAX_KNOWN_FIELDS) knownFields.clear();
  knownFields.set(name.slice(0, MAX_NAME_LENGTH), field);
  return field;
}

const NUL = '\0';

/** Fit for any database. */
function clean(value: string): string {
  return value.includes(NUL) ? value.replaceAll(NUL, '').toWellFormed() : value.toWellFormed();
}
