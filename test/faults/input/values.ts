import { RawJson } from './draft.ts';
import type { Random } from '../random.ts';

const DEEP = 200;

/** Texts that programs stumble over. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\t',
  'a\r\nx-injected: 1',
  '\u007F',
  '\u0085',
  '\u202Egnp.exe',
  '\u2066a\u2069',
  '\uFEFFa',
  '\u200B',
  '\u{1F30D}\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\u{10FFFF}',
  '\uFFFF',
  'é',
  'e\u0301',
  'ﷺ',
  'İıſK',
  "'; drop table users; --",
  '" or 1=1 --',
  '%',
  '%_%',
  '%00',
  '%2e%2e%2f',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/',
  '\\',
  '<script>alert(1)</script>',
  '{{7*7}}',
  // eslint-disable-next-line no-template-curly-in-string -- what others would fill in
  '${jndi:ldap://127.0.0.1/a}',
  '$&',
  '$1',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '0',
  '1e999',
  '0x10',
  '٣',
  '9007199254740993',
  '[object Object]',
  'a,b',
  'a=b',
  '!',
  '=',
  ',',
  '*',
  '\\,',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-01-01T00:00:00+99:99',
  '1970-01-01',
  '999999999999999999999',
  '127.0.0.1/33',
  '::ffff:1.2.3.4/129',
  'com.latchkey.api.account.*',
  'com.latchkey.api.user.x',
  'http://127.0.0.1:1/',
  'https://user:password@localhost/',
  'https://[::1]:99999/',
  'javascript:alert(1)',
  'data:text/html,a',
  'file://localhost/etc/passwd',
  'https://xn--a/',
  'https://é.invalid/',
  'a@b',
  '"a b"@example.com',
  `${'a'.repeat(65)}@example.com`,
  'a@example.com\n',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  'v1.AAAA',
  'v1:AAAA',
  'AAAA',
  '=?utf-8?q?a?=',
];

/** JSON that is a text which no JSON value of this language is. */
const RAW_TEXTS: readonly string[] = [
  String.raw`"\ud800"`,
  String.raw`"\udc00a"`,
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ud83c\udf0d"`,
  String.raw`"\u202e"`,
];

const RAW_NUMBERS: readonly string[] = [
  '1e999',
  '-1e999',
  '1e-999',
  '-0',
  '-0.0',
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890',
  '0.1e1',
  '1.0',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9223372036854775808',
  '1.7976931348623157e308',
  '5e-324',
  '1e21',
];

const NUMBERS = [0, -1, 1, 0.5, 1e15, 2 ** 31 - 1, 2 ** 53, -(2 ** 53), 253_402_300_800_000];

/** A text of one of the odd kinds, or a long one. */
export function oddText(random: Random): string {
  if (random.chance(0.85)) return random.pick(ODD_TEXTS);
  const length = random.pick([
    63, 64, 65, 128, 255, 256, 257, 512, 513, 1_024, 1_025, 2_049, 8_193,
  ]);
  return random.pick(['a', 'é', '\u{1F30D}', '%', ' ', '\u0301', '"']).repeat(length);
}

/** A JSON value where it does not belong. */
export function oddJson(random: Random): unknown {
  switch (random.below(12)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(NUMBERS);
    case 3:
      return new RawJson(random.pick(RAW_NUMBERS));
    case 4:
      return new RawJson(random.pick(RAW_TEXTS));
    case 5:
      return [];
    case 6:
      return {};
    case 7:
      return [oddText(random)];
    case 8:
      return { [random.pick(['a', 'id', '$ref', 'constructor'])]: oddText(random) };
    case 9:
      return new RawJson(
        random.pick([
          '{"__proto__":{"admin":true}}',
          '{"constructor":{"prototype":{}}}',
          '[[[[[]]]]]',
          '{"toString":1}',
          '{"length":-1}',
          '{"then":1}',
        ]),
      );
    case 10:
      return nested(random.pick([3, 30, 63, 64, 65, DEEP]), random.chance(0.5));
    default:
      return oddText(random);
  }
}

function nested(depth: number, isArray: boolean): RawJson {
  const [open, close] = isArray ? ['[', ']'] : ['{"a":', '}'];
  return new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`);
}

/** A value that is as large as it can get before the server must refuse it, or a little larger. */
export function hugeJson(random: Random): RawJson {
  const count = random.pick([101, 1_001, 5_000, 19_990, 20_001, 60_000]);
  switch (random.below(4)) {
    case 0:
      return new RawJson(`[${'1,'.repeat(count - 1)}1]`);
    case 1:
      return new RawJson(`[${'"a",'.repeat(count - 1)}"a"]`);
    case 2:
      return new RawJson(
        `{${Array.from({ length: count }, (_, index) => `"k${index}":""`).join(',')}}`,
      );
    default:
      return new RawJson(`[${'{},'.repeat(count - 1)}{}]`);
  }
}

const BROKEN_ESCAPES = [
  '%',
  '%2',
  '%zz',
  '%u0041',
  '%c0%af',
  '%ff',
  '%ed%a0%80',
  '%f0%9f',
  '%00',
  '%0d%0ax-injected:%201',
  '%252e',
  '%25',
  '+',
  '%2b',
  '%20',
  '%09',
  '%7f',
  '%e2%80%ae',
];

/** A text as it may stand in an address: mostly well encoded, sometimes not at all. */
export function oddEncoded(random: Random): string {
  if (random.chance(0.3)) return random.pick(BROKEN_ESCAPES);
  const text = oddText(random);
  if (random.chance(0.1)) return encodeURIComponent(encodeURIComponent(text.toWellFormed()));
  return encodeURIComponent(text.toWellFormed());
}

const DAY_MS = 86_400_000;
const BASE_MS = Date.UTC(2026, 0, 1);

/** A time in RFC 3339, within some years. */
export function someTime(random: Random): string {
  return new Date(BASE_MS + random.between(-400, 4_000) * DAY_MS).toISOString();
}
