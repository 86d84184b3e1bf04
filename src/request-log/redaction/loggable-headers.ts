import { REDACTED } from '../../lib/replacements.ts';
import { isPlainHeader } from '../../lib/credential-names.ts';
import { redactText } from './redact-body.ts';

// Ordinary requests stay far below both limits.
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 512;

/**
 * Returns header fields for the log: a JSON object of all names, with the values of the fields that are known to be
 * harmless. Credentials may be in any other field.
 * @param headers alternating names and values
 */
export function loggableHeaders(headers: readonly string[]): string {
  const kept = new KeptFields();
  for (let i = 0; i < headers.length; i += 2) kept.add(headers[i], headers[i + 1]);
  return kept.toJson();
}

/** Writes fields as JSON, field by field, because most are the same as in the previous request. */
class KeptFields {
  readonly #fields: Field[] = [];
  readonly #values: string[] = [];
  /** The values of repeated fields, by the position of the field. */
  #lists: Map<number, string> | undefined;

  add(name = '', value = ''): void {
    const field = fieldOf(name);
    const former = this.#placeOf(field);
    if (former !== undefined) this.#addTo(former, keptValue(field, value));
    else if (this.#fields.length < MAX_FIELDS) {
      this.#fields.push(field);
      this.#values.push(value);
    }
  }

  #placeOf({ key }: Field): number | undefined {
    for (let i = 0; i < this.#fields.length; i++) if (this.#fields[i]?.key === key) return i;
    return undefined;
  }

  #addTo(place: number, own: string): void {
    this.#lists ??= new Map();
    const field = this.#fields[place] as Field;
    const former = this.#lists.get(place) ?? keptValue(field, this.#values[place] ?? '');
    const list = former === own ? own : `${former}, ${own}`.slice(0, MAX_VALUE_LENGTH);
    this.#lists.set(place, list);
  }

  toJson(): string {
    let json = '{';
    for (let i = 0; i < this.#fields.length; i++) {
      const field = this.#fields[i] as Field;
      const list = this.#lists?.get(i);
      if (i > 0) json += ',';
      json += list === undefined ? memberOf(field, this.#values[i] ?? '') : member(field, list);
    }
    return `${json}}`;
  }
}

function keptValue({ isPlain }: Field, value: string): string {
  // Redacts before it truncates: the rest of a credential would not be recognized. Parsers limit the length of headers.
  return isPlain ? redactText(clean(value)).slice(0, MAX_VALUE_LENGTH).toWellFormed() : REDACTED;
}

/** Characters that JSON does not escape. */
const UNESCAPED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function member({ name }: Field, kept: string): string {
  return UNESCAPED.test(kept) ? `${name}:"${kept}"` : `${name}:${JSON.stringify(kept)}`;
}

/** Returns a field as a member of JSON, from memory if its value is the same as the last time. */
function memberOf(field: Field, value: string): string {
  // The memory contains no secret, because all are redacted.
  const told = field.isPlain ? value : '';
  if (field.last?.value === told) return field.last.member;
  const own = member(field, keptValue(field, told));
  if (told.length <= MAX_VALUE_LENGTH) field.last = { value: told, member: own };
  return own;
}

interface Field {
  /** The name in the log. */
  key: string;
  /** The same in JSON. */
  name: string;
  isPlain: boolean;
  last: { value: string; member: string } | undefined;
}

// Requests repeat the same fields. Other fields must not fill the memory.
const MAX_KNOWN_FIELDS = 1_024;
const knownFields = new Map<string, Field>();

function fieldOf(name: string): Field {
  const known = knownFields.get(name);
  if (known !== undefined) return known;
  const key = redactText(clean(name)).slice(0, MAX_NAME_LENGTH).toWellFormed().toLowerCase();
  const field: Field = {
    key,
    name: JSON.stringify(key),
    isPlain: isPlainHeader(key),
    last: undefined,
  };
  if (knownFields.size >= MAX_KNOWN_FIELDS) knownFields.clear();
  knownFields.set(name.slice(0, MAX_NAME_LENGTH), field);
  return field;
}

const NUL = '\0';

/** Removes NUL and lone surrogates, which databases reject. */
function clean(value: string): string {
  return value.includes(NUL) ? value.replaceAll(NUL, '').toWellFormed() : value.toWellFormed();
}
