import { shortenJson } from './shorten-json.ts';

// Names of fields that hold secrets wherever they appear in a body or an answer of this API.
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'api_key',
  'authorization',
  'client_secret',
  'code',
  'csrf_token',
  'current_password',
  'headers',
  'invitation_url',
  'key',
  'new_password',
  'password',
  'provisioning_uri',
  'recovery_code',
  'recovery_codes',
  'reset_url',
  'secret',
  'token',
  'totp_code',
  'value',
]);

export const REDACTED = '[redacted]';

// A body may be a thousand times as large; the log is kept for ever.
const MAX_LENGTH = 16_384;

/**
 * A body or an answer as the audit log may keep it: JSON without secrets. What is very long is
 * shortened: it keeps its form, and says how much was cut, and the digest of the whole.
 * @returns undefined for nothing, and for anything that is no object
 */
export function redact(content: unknown): string | undefined {
  // A bare text may be a secret by itself, such as the new value of a token.
  if (typeof content !== 'object' || content === null) return undefined;
  const json = JSON.stringify(content, (name, value: unknown) =>
    SECRET_FIELDS.has(name) && !isEmpty(value) ? REDACTED : value,
  );
  return json.length > MAX_LENGTH ? shortenJson(json, MAX_LENGTH) : json;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
