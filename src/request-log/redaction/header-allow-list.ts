import { REDACTED } from '../../lib/credential-forms.ts';
import { isCredentialName, isPlainHeader } from '../../lib/credential-names.ts';
import { redactText } from './redact.ts';

// Ordinary requests stay far below these limits.
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 512;
/** Each credential takes a search of both bodies. */
const MAX_CREDENTIALS = 8;

/** Characters that JSON does not escape. */
const UNESCAPED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** An authentication scheme before a credential (RFC 9110 section 11.4). */
const SCHEME = /^(?:basic|bearer|token) +/i;

/** Header fields for the log. */
export interface LoggedHeaders {
  /** A JSON object of all names, with the values of the fields that are known to be harmless. */
  json: string;
  /** The first different credentials, of fields whose names say that they contain one. */
  credentials: readonly string[];
}

// Clients choose the names, so their number in memory is limited.
const MAX_KNOWN_FIELDS = 1_024;

/**
 * Reduces header fields to those that the log may contain. Credentials may be in any field that is not known to be harmless.
 * Requests repeat the same fields: without a memory of them, the log of a request takes four times as long.
 */
export class HeaderAllowList {
  readonly #known = new Map<string, Field>();
  #lastList = 0;

  /**
   * Returns the fields that the log may contain.
   * @param pairs alternating names, in any case, and values
   */
  apply(pairs: readonly string[]): LoggedHeaders {
    const members: string[] = [];
    const credentials: string[] = [];
    const list = ++this.#lastList;
    // The memory is cleared only here, because repeated fields of a list in progress must have one entry.
    if (this.#known.size >= MAX_KNOWN_FIELDS) this.#known.clear();
    for (let i = 0; i < pairs.length; i += 2) {
      const field = this.#fieldOf(pairs[i] ?? '');
      const value = pairs[i + 1] ?? '';
      if (field.isCredential) addCredential(credentials, value.replace(SCHEME, ''));
      if (field.list === list) {
        members[field.position] = repeatMember(members[field.position] ?? '', field, value);
      } else if (members.length < MAX_FIELDS) {
        field.list = list;
        field.position = members.length;
        members.push(memberOf(field, value));
      }
    }
    return { json: `{${members.join(',')}}`, credentials };
  }

  #fieldOf(name: string): Field {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    // Twice: the lower-case name may have the form of a credential.
    const key = loggable(loggable(name, MAX_NAME_LENGTH).toLowerCase(), MAX_NAME_LENGTH);
    const field = this.#known.get(key) ?? createField(key);
    this.#known.set(key, field);
    this.#known.set(name.slice(0, MAX_NAME_LENGTH), field);
    return field;
  }
}

function addCredential(credentials: string[], credential: string): void {
  if (credentials.length < MAX_CREDENTIALS && !credentials.includes(credential)) {
    credentials.push(credential);
  }
}

/** Appends the value of a repeated field (RFC 9110 section 5.3). */
function repeatMember(member: string, field: Field, value: string): string {
  const before = JSON.parse(member.slice(field.name.length + 1)) as string;
  const added = loggableValue(field, value);
  if (before === added) return member;
  return memberWith(field, `${before}, ${added}`.slice(0, MAX_VALUE_LENGTH));
}

function loggableValue({ isHarmless }: Field, value: string): string {
  return isHarmless ? loggable(value, MAX_VALUE_LENGTH) : REDACTED;
}

/** Returns a text without credentials and without the characters that databases reject. */
function loggable(text: string, maxLength: number): string {
  const clean = UNESCAPED.test(text) ? text : text.replaceAll('\0', '').toWellFormed();
  // Redacts before it truncates: the rest of a credential would not be recognized. Parsers limit the length of headers.
  const redacted = redactText(clean);
  return redacted.length <= maxLength ? redacted : redacted.slice(0, maxLength).toWellFormed();
}

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

/** Header fields of one name. */
interface Field {
  /** The name in JSON. */
  name: string;
  isHarmless: boolean;
  isCredential: boolean;
  last: { value: string; member: string } | undefined;
  /** Number of the last list that contains the field, and its position there. */
  list: number;
  position: number;
}

function createField(key: string): Field {
  const isHarmless = isPlainHeader(key);
  const isCredential = !isHarmless && isCredentialName(key);
  const name = JSON.stringify(key);
  return { name, isHarmless, isCredential, last: undefined, list: 0, position: 0 };
}
