import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Draft, bodyOf, setHeader, toJson } from './draft.ts';
import { CONTENT_TYPES, HEADERS, METHODS } from './headers.ts';
import { Random } from '../random.ts';
import { type Schema, mutateJson } from './schema.ts';
import { oddEncoded, oddText } from './values.ts';

/** One change of a request, which is the same whenever it is applied to the same draft. */
export interface Mutation {
  name: string;
  apply(draft: Draft): void;
}

/** What a mutation may know of the request besides the draft. */
export interface MutationFacts {
  body: Schema | undefined;
  /** Secrets, ids and cursors of others that may be put where they don't belong. */
  someText: (random: Random) => string;
}

type Change = (draft: Draft, random: Random, facts: MutationFacts) => void;

const HEADER_NAMES = Object.keys(HEADERS);

const changes: Readonly<Record<string, Change>> = {
  json(draft, random, { body }) {
    if (draft.json === undefined) draft.json = {};
    draft.json = mutateJson(draft.json, body, random);
  },
  'json again': (draft, random, facts) => changes.json?.(draft, random, facts),
  'json text'(draft, random) {
    const seed = random.bits();
    draft.textChanges.push((text) => changeText(text, new Random(seed)));
  },
  'form field'(draft, random, { someText }) {
    if (draft.form === undefined) return;
    const value = random.chance(0.5) ? oddEncoded(random) : encodeURIComponent(someText(random));
    const fields = draft.form;
    const field = fields.length === 0 ? undefined : random.pick(fields);
    const name = field?.[0] ?? 'a';
    if (random.chance(0.2)) draft.form = fields.filter((other) => other !== field);
    else if (random.chance(0.3) || field === undefined) fields.push([name, value]);
    else field[1] = value;
  },
  query(draft, random, { someText }) {
    const { query } = draft;
    const value = random.chance(0.7) ? oddEncoded(random) : encodeURIComponent(someText(random));
    const pair = query.length === 0 ? undefined : random.pick(query);
    const name = pair?.[0] ?? random.pick(['page', 'limit', 'cursor', 'a']);
    switch (random.below(7)) {
      case 0:
        query.push([name, value]);
        break;
      case 1:
        query.push([
          random.pick([
            `${name}[]`,
            `${name}[a]`,
            `${name}.a`,
            '__proto__',
            '__proto__[a]',
            '',
            oddEncoded(random),
          ]),
          value,
        ]);
        break;
      case 2:
        draft.query = query.filter((other) => other !== pair);
        break;
      case 3:
        for (let count = random.pick([2, 21, 51, 300]); count > 0; count--)
          query.push([name, pair?.[1] ?? value]);
        break;
      default:
        if (pair === undefined) query.push([name, value]);
        else pair[1] = value;
    }
  },
  path(draft, random, { someText }) {
    draft.isElsewhere = true;
    const parts = draft.path.split('/');
    const index = random.between(1, parts.length - 1);
    const part = parts[index] ?? '';
    const odd = random.chance(0.7) ? oddEncoded(random) : encodeURIComponent(someText(random));
    parts[index] = random.pick([
      odd,
      odd,
      odd,
      `${part}${odd}`,
      part.toUpperCase(),
      '',
      '..',
      '.',
      '%2e%2e',
      `${part};a=b`,
      part.replace(/./, (first) => `%${first.charCodeAt(0).toString(16)}`),
      'a'.repeat(random.pick([255, 3_072, 3_073, 9_000])),
      `${part}%2f`,
      `${part}/`,
      '*',
      ':account_id',
    ]);
    draft.path = parts.join('/');
  },
  target(draft, random) {
    draft.isElsewhere = true;
    const whole = draft.path;
    draft.target = random.pick([
      `http://localhost${whole}`,
      `https://a.invalid:1${whole}`,
      '*',
      `/${whole}`,
      `${whole}/`,
      `${whole}#a`,
      `${whole}??a=b`,
      `${whole}?`,
      `${whole}?&&&=&`,
      `/../..${whole}`,
      `${whole}\\..\\`,
      'localhost:80',
      whole.slice(1),
      `${whole}?${'a'.repeat(14_000)}`,
      `${whole}?${'a=b&'.repeat(3_000)}`,
      '//',
      '/%',
      '/?',
      `\u00ff${whole}`,
    ]);
  },
  method(draft, random) {
    draft.isElsewhere = true;
    draft.method = random.pick(METHODS);
  },
  header(draft, random) {
    const name = random.pick(HEADER_NAMES);
    const value = random.pick(HEADERS[name] ?? ['']);
    if (random.chance(0.8)) setHeader(draft, name, value);
    else draft.headers.push([name, value]);
  },
  'header again': (draft, random, facts) => changes.header?.(draft, random, facts),
  'secret elsewhere'(draft, random, { someText }) {
    const text = someText(random).replaceAll(/[^\x20-\x7e]/g, '');
    setHeader(
      draft,
      random.pick([
        'authorization',
        'cf-aig-authorization',
        'x-api-key',
        'cookie',
        'if-match',
        'idempotency-key',
        'x-csrf-token',
      ]),
      random.pick([`Bearer ${text}`, text, `latchkey_session=${text}`]),
    );
  },
  'many headers'(draft, random) {
    const count = random.pick([50, 200, 900, 1_500]);
    for (let index = 0; index < count; index++) draft.headers.push([`x-a${index}`, 'b']);
  },
  'long header'(draft, random) {
    draft.headers.push(['x-long', 'a'.repeat(random.pick([1_000, 15_000, 17_000, 70_000]))]);
  },
  'content type'(draft, random) {
    setHeader(draft, 'content-type', random.pick(CONTENT_TYPES));
  },
  'no content type'(draft) {
    draft.headers = draft.headers.filter(([name]) => name !== 'content-type');
  },
  body(draft, random) {
    const text = draft.json === undefined ? '{"a":1}' : toJson(draft.json);
    draft.bytes = oddBody(text, random);
  },
  compressed(draft, random) {
    const bytes = bodyOf(draft) ?? Buffer.from('{}');
    const [encoding, compress] = random.pick([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', (input: Buffer) => input],
      ['gzip, gzip', gzipSync],
      ['identity', (input: Buffer) => input],
      ['x', (input: Buffer) => input],
    ] as const);
    draft.bytes = random.chance(0.05) ? BOMB : compress(bytes);
    setHeader(draft, 'content-encoding', encoding);
  },
  chunked(draft) {
    draft.framing = 'chunked';
  },
  'large body'(draft, random) {
    if (!random.chance(0.1)) return;
    draft.bytes = Buffer.alloc(
      random.pick([16_384, 32_769, 1_048_576, 1_048_577, 1_300_000]),
      random.pick([' ', '[', '{"a":', 'a=b&', '"']),
    );
  },
  framing(draft, random) {
    const body = bodyOf(draft) ?? Buffer.from('{}');
    draft.bytes = body;
    draft.framing = 'broken';
    const { length } = body;
    const [name, value] = random.pick([
      ['content-length', String(length + 5)],
      ['content-length', String(Math.max(0, length - 1))],
      ['content-length', '-1'],
      ['content-length', `+${length}`],
      ['content-length', '99999999999999999999'],
      ['content-length', `${length}, ${length}`],
      ['content-length', ''],
      ['content-length', '0x2'],
      ['transfer-encoding', 'chunked'],
      ['transfer-encoding', 'gzip, chunked'],
      ['transfer-encoding', 'identity'],
      ['transfer-encoding', 'xchunked'],
      ['connection', 'content-length'],
    ] as const);
    draft.headers.push([name, value]);
    if (random.chance(0.3)) draft.headers.push(['content-length', String(length)]);
    if (random.chance(0.2)) draft.headers.push(['transfer-encoding', 'chunked']);
  },
};

// 10 MB of blanks.
const BOMB = gzipSync(Buffer.alloc(10_000_000, ' '));

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function oddBody(text: string, random: Random): Buffer {
  const whole = Buffer.from(text);
  switch (random.below(14)) {
    case 0:
      return Buffer.concat([BYTE_ORDER_MARK, whole]);
    case 1:
      return Buffer.from(text, 'utf16le');
    case 2:
      return whole.subarray(0, random.below(whole.length + 1));
    case 3:
      return Buffer.alloc(0);
    case 4:
      return random.bytes(random.between(1, 300));
    case 5:
      return Buffer.from(`${text}${text}`);
    case 6:
      return Buffer.from(`/* a */${text}`);
    case 7:
      return Buffer.from(text.replaceAll('"', "'"));
    case 8:
      return Buffer.concat([whole.subarray(0, -1), Buffer.from([0xff, 0xfe]), whole.subarray(-1)]);
    case 9:
      return Buffer.from('['.repeat(random.pick([64, 65, 10_000, 200_000])));
    case 10:
      return Buffer.from('{"a":'.repeat(random.pick([64, 65, 10_000])));
    case 11:
      return Buffer.from(`"${oddText(random)}"`);
    case 12:
      return Buffer.from(
        random.pick([
          'NaN',
          'Infinity',
          'undefined',
          '-',
          '1e999',
          'null',
          'true',
          '""',
          '[]',
          '{}',
          '0',
          ' ',
          '\n',
          '{"a":NaN}',
          '{a:1}',
          '{"a":1,}',
          '[1,]',
          '"\\ud800"',
          '"\t"',
        ]),
      );
    default: {
      const flipped = Buffer.from(whole);
      const at = random.below(Math.max(flipped.length, 1));
      flipped[at] = random.below(256);
      return flipped;
    }
  }
}

/** Names twice, numbers that no other language has, blanks between. */
function changeText(text: string, random: Random): string {
  const member = /"([^"\\]{1,40})":/.exec(text);
  switch (random.below(5)) {
    case 0:
      return member === null ? text : text.replace('{', () => `{${member[0]}null,`);
    case 1:
      return text.replace(
        /:(?:\d+|true|false|null)/,
        () => `:${random.pick(['1e999', '-0', 'NaN', '01', '.5', '1.', '+1', '9007199254740993'])}`,
      );
    case 2:
      return text.replaceAll(/[,:]/g, (sign) => `\n\t ${sign}\r\n`);
    case 3:
      return text.replace(
        /"([a-z])/,
        (_all, letter: string) => String.raw`"\u00${letter.charCodeAt(0).toString(16)}`,
      );
    default:
      return member === null ? text : text.replace(/\}$/, () => `,${member[0]}[]}`);
  }
}

/** Which changes come how often, for requests with a JSON body, with a form and without either. */
const FREQUENCIES = {
  json: 14,
  'json again': 5,
  'json text': 3,
  'form field': 12,
  query: 8,
  path: 4,
  target: 1,
  method: 1,
  header: 8,
  'header again': 3,
  'secret elsewhere': 1,
  'many headers': 0.1,
  'long header': 0.2,
  'content type': 1,
  'no content type': 0.5,
  body: 3,
  compressed: 0.5,
  chunked: 0.7,
  'large body': 0.3,
  framing: 0.2,
};

const ENTRIES = Object.entries(FREQUENCIES);

/** Picks a change that makes sense for the draft. */
export function pickMutation(draft: Draft, random: Random, facts: MutationFacts): Mutation {
  const fitting = ENTRIES.filter(([name]) => {
    if (name === 'form field') return draft.form !== undefined;
    if (name.startsWith('json')) return draft.json !== undefined || random.chance(0.02);
    if (name === 'body' || name === 'large body')
      return draft.method !== 'GET' || random.chance(0.1);
    return true;
  });
  const total = fitting.reduce((sum, [, weight]) => sum + weight, 0);
  let left = (random.below(1_000_000) / 1_000_000) * total;
  const chosen = fitting.find(([, weight]) => (left -= weight) < 0) ?? fitting[0];
  const name = chosen?.[0] ?? 'header';
  const seed = random.bits();
  return { name, apply: (target) => changes[name]?.(target, new Random(seed), facts) };
}
