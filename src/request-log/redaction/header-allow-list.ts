import { REDACTED } from '../../lib/credential-forms.ts';
import { isCredentialName, isPlainHeader } from '../../lib/credential-names.ts';
import { redactText } from './redact.ts';

// Ordinary requests stay far below these limits.
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 512;
/** Each credential takes a search of both bodies. */
const MAX_CREDENTIALS = 8;

/** An authentication scheme before a credential (RFC 9110 section 11.4). */
const SCHEME = /^(?:basic|bearer|token) +/i;

/**
 * Header fields for the log: a JSON object of all names, with the values of the fields that are known to be harmless.
 * Credentials may be in any other field. Builds the JSON field by field, because most fields are the same as in the request
 * before.
 */
export class LoggableHeaders {
  readonly #fields: Field[] = [];
  readonly #values: string[] = [];
  /** The values of repeated fields, by the position of the field. */
  #repeated: Map<number, string> | undefined;
  /** The first different credentials, of fields whose names say that they contain one. */
  readonly credentials: string[] = [];

  /** @param name in any case */
  add(name: string, value: string): void {
    const field = fieldOf(name);
    if (field.isCredential) this.#addCredential(value.replace(SCHEME, ''));
    const position = this.#positionOf(field);
    if (position >= 0) this.#repeat(position, loggableValue(field, value));
    else if (this.#fields.length < MAX_FIELDS) {
      this.#fields.push(field);
      this.#values.push(value);
    }
  }

  #addCredential(credential: string): void {
    const { credentials } = this;
    if (credentials.length < MAX_CREDENTIALS && !credentials.includes(credential)) {
      credentials.push(credential);
    }
  }

  #positionOf({ key }: Field): number {
    for (let i = 0; i < this.#fields.length; i++) if (this.#fields[i]?.key === key) return i;
    return -1;
  }

  #repeat(position: number, value: string): void {
    this.#repeated ??= new Map();
    const field = this.#fields[position] as Field;
    const before =
      this.#repeated.get(position) ?? loggableValue(field, this.#values[position] ?? '');
    const both = before === value ? value : `${before}, ${value}`.slice(0, MAX_VALUE_LENGTH);
    this.#repeated.set(position, both);
  }

  toJson(): string {
    let json = '{';
    for (let i = 0; i < this.#fields.length; i++) {
      const field = this.#fields[i] as Field;
      const repeated = this.#repeated?.get(i);
      if (i > 0) json += ',';
      json +=
        repeated === undefined
          ? memberOf(field, this.#values[i] ?? '')
          : memberWith(field, repeated);
    }
    return `${json}}`;
  }
}

function loggableValue({ isHarmless }: Field, value: string): string {
  return isHarmless ? loggable(value, MAX_VALUE_LENGTH) : REDACTED;
}

/** Returns a text without credentials and without the characters that databases reject. */
function loggable(text: string, maxLength: number): string {
  // Redacts before it truncates: the rest of a credential would not be recognized. Parsers limit the length of headers.
  return redactText(text.replaceAll('\0', '').toWellFormed()).slice(0, maxLength).toWellFormed();
}

/** Characters that JSON does not escape. */
const UNESCAPED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function memberWith({ name }: Field, value: string): string {
  return `${name}:${UNESCAPED.test(value) ? `"${value}"` : JSON.stringify(value)}`;
}

/** Returns a field as a member of JSON, from memory if its value is the same as the last time. */
function memberOf(field: Field, value: string): string {
  // The memory contains no credential, because all are redacted.
  const compared = field.isHarmless ? value : '';
  if (field.last?.value === compared) return field.last.member;
  const member = memberWith(field, loggableValue(field, compared));
  if (compared.length <= MAX_VALUE_LENGTH) field.last = { value: compared, member };
  return member;
}

interface Field {
  /** The name in the log. */
  key: string;
  /** The same in JSON. */
  name: string;
  isHarmless: boolean;
  isCredential: boolean;
  last: { value: string; member: string } | undefined;
}

// Requests repeat the same fields. Without this memory, the log of a request takes four times as long. Other fields must not
// fill it.
const MAX_KNOWN_FIELDS = 1_024;
const knownFields = new Map<string, Field>();

function fieldOf(name: string): Field {
  const known = knownFields.get(name);
  if (known !== undefined) return known;
  const key = loggable(name, MAX_NAME_LENGTH).toLowerCase();
  const isHarmless = isPlainHeader(key);
  const isCredential = !isHarmless && isCredentialName(key);
  const field = { key, name: JSON.stringify(key), isHarmless, isCredential, last: undefined };
  if (knownFields.size >= MAX_KNOWN_FIELDS) knownFields.clear();
  knownFields.set(name.slice(0, MAX_NAME_LENGTH), field);
  return field;
}
