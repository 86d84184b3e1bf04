import { Replacements } from './replacements.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Which bytes a kind of text is made of. */
function bytesIn(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_zero, byte) =>
    pattern.test(String.fromCharCode(byte)) ? 1 : 0,
  );
}

const ALPHANUMERIC = bytesIn(/[0-9A-Za-z]/);
const WORD = bytesIn(/[\w-]/);
const DOTTED = bytesIn(/[\w.-]/);
const TOKEN68 = bytesIn(/[\w.~+/=-]/);
const UPPER = bytesIn(/[0-9A-Z]/);
const PEM_BODY = bytesIn(/[0-9A-Za-z+/=\s:,-]/);
const LOWER = bytesIn(/[a-z]/);
const HEX = bytesIn(/[\dA-Fa-f]/);

/** What one issuer's credentials look like: a word that begins in a way of its own. */
interface Form {
  prefix: Uint8Array;
  /** What follows is made of these. */
  rest: Uint8Array;
  /** Shorter ones are none. */
  minRest: number;
  /** What follows holds this too. */
  holds?: Uint8Array;
}

const form = (prefix: string, rest: Uint8Array, minRest: number, holds?: string): Form => ({
  prefix: bytesOf(prefix),
  rest,
  minRest,
  ...(holds === undefined ? {} : { holds: bytesOf(holds) }),
});

const FORMS: readonly Form[] = [
  // OpenAI, Anthropic, DeepSeek, OpenRouter and many others.
  form('sk-', WORD, 20),
  form('csk-', WORD, 20), // Cerebras
  form('gsk_', ALPHANUMERIC, 20), // Groq
  form('xai-', WORD, 20),
  form('hf_', ALPHANUMERIC, 20),
  form('r8_', ALPHANUMERIC, 20), // Replicate
  form('fw_', ALPHANUMERIC, 20), // Fireworks
  form('pplx-', WORD, 20),
  form('nvapi-', WORD, 20),
  form('tgp_', WORD, 20), // Together
  form('AIza', WORD, 30), // Google
  form('ya29.', DOTTED, 20),
  form('AKIA', UPPER, 16), // AWS
  form('ASIA', UPPER, 16),
  form('ABSK', TOKEN68, 40), // Bedrock
  form('ghp_', ALPHANUMERIC, 20), // GitHub
  form('gho_', ALPHANUMERIC, 20),
  form('ghu_', ALPHANUMERIC, 20),
  form('ghs_', ALPHANUMERIC, 20),
  form('ghr_', ALPHANUMERIC, 20),
  form('github_pat_', WORD, 20),
  form('glpat-', WORD, 20),
  form('npm_', ALPHANUMERIC, 30),
  form('xoxb-', WORD, 20), // Slack
  form('xoxp-', WORD, 20),
  form('xapp-', WORD, 20),
  form('sk_live_', ALPHANUMERIC, 16), // Stripe
  form('sk_test_', ALPHANUMERIC, 16),
  form('rk_live_', ALPHANUMERIC, 16),
  form('whsec_', WORD, 20),
  // Signed tokens, RFC 7519.
  form('eyJ', DOTTED, 40, '.eyJ'),
];

const FORMS_BY_FIRST_BYTE: ReadonlyMap<number, readonly Form[]> = Map.groupBy(
  FORMS,
  ({ prefix }) => prefix[0] ?? 0,
);
/** What is one in the middle of a word, too, begins so: ours, and keys in PEM. */
const ANYWHERE = ['lk', '--'];
const BEARER_AND_BASIC = ['be', 'bE', 'Be', 'BE', 'ba', 'bA', 'Ba', 'BA'];
/** 1: a credential may begin with these two bytes. Nearly all words begin with others. */
const BEGINNINGS = new Uint8Array(2 ** 16);
for (const text of [...ANYWHERE, ...BEARER_AND_BASIC]) BEGINNINGS[pairAt(bytesOf(text), 0)] = 1;
for (const { prefix } of FORMS) BEGINNINGS[pairAt(prefix, 0)] = 1;

function pairAt(body: Uint8Array, position: number): number {
  return ((body[position] ?? 0) << 8) | (body[position + 1] ?? 0);
}

// Of each byte: what has to be looked at where it stands.
const CONTINUES_WORD = 1;
const LOOK = 2;
const LOOK_IN_WORD = 4;
const KINDS = Uint8Array.from({ length: 256 }, (_zero, byte) => {
  const isEscape = byte === 0x5c || byte === 0x25;
  const isAnywhere = /[l-]/.test(String.fromCharCode(byte));
  const begins =
    isAnywhere || /[bB]/.test(String.fromCharCode(byte)) || FORMS_BY_FIRST_BYTE.has(byte);
  return (
    (WORD[byte] === 1 ? CONTINUES_WORD : 0) |
    (isEscape || begins ? LOOK : 0) |
    (isEscape || isAnywhere ? LOOK_IN_WORD : 0)
  );
});

const BACKSLASH = 0x5c;
const SPACE = 0x20;
const DASH = 0x2d;
const SLASH = 0x2f;
const LOWER_B = 0x62;
const LOWER_K = 0x6b;
const LOWER_L = 0x6c;
const LOWER_U = 0x75;
const UNDERSCORE = 0x5f;
const PERCENT = 0x25;
/** What may follow a backslash in JSON and is no part of the next word: b, f, n, r, t. */
const ESCAPES = bytesIn(/[bfnrt]/);
const BACKSLASHES = bytesIn(/\\/);

const OWN_PREFIX_LETTERS = 2;
// See SECRET_PATTERN.
const MIN_OWN_BYTES = 46;
const MIN_BEARER_BYTES = 16;
const MIN_BASIC_BYTES = 8;
const MAX_BASIC_BYTES = 1_024;
const NAME_AND_PASSWORD = /^[\x20-\x39\x3b-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/;
const BEARER = bytesOf('bearer ');
const BASIC = bytesOf('basic ');
const PEM_BEGIN = bytesOf('-----BEGIN ');
const PEM_KEY = bytesOf('PRIVATE KEY-----');
const PEM_END = bytesOf('-----END ');
const MAX_PEM_LABEL_BYTES = 32;

/**
 * Replaces what has the form of a known credential, wherever it stands: the tokens of this server, keys
 * of well-known issuers, signed tokens, what follows `Bearer`, and private keys in PEM. Each byte is
 * looked at a bounded number of times.
 */
export function redactForms(body: Uint8Array): Uint8Array {
  const replacements = new Replacements(body);
  let position = 0;
  let isInWord = false;
  while (position < body.length) {
    const byte = body[position] ?? 0;
    const kind = KINDS[byte] ?? 0;
    if ((kind & (isInWord ? LOOK_IN_WORD : LOOK)) === 0) {
      isInWord = (kind & CONTINUES_WORD) !== 0;
      position++;
      continue;
    }
    if (byte === BACKSLASH) {
      const start = endOfRun(body, position, BACKSLASHES);
      // Behind a backslash that is not an escape, the letter belongs to the credential: `\\npm_…`.
      const found = credentialAt(body, start, body[start] ?? 0, false);
      if (found !== undefined) {
        // In JSON, the letter behind an odd number of backslashes must stay for the escape.
        const isEscape = (start - position) % 2 === 1 && found.start === start;
        replacements.replace(isEscape ? start + 1 : found.start, found.end);
      }
      position = found?.end ?? behindEscape(body, start);
      isInWord = false;
      continue;
    }
    if (byte === PERCENT && isPercentCode(body, position)) {
      position += PERCENT_CODE_BYTES;
      isInWord = false;
      continue;
    }
    const mayBegin = BEGINNINGS[pairAt(body, position)] === 1;
    const found: Stretch | undefined = mayBegin
      ? credentialAt(body, position, byte, isInWord)
      : undefined;
    isInWord = found === undefined && (kind & CONTINUES_WORD) !== 0;
    if (found === undefined) {
      position++;
      continue;
    }
    replacements.replace(found.start, found.end);
    position = found.end;
  }
  return replacements.apply();
}

/** The same for a short text, such as the path of an address. */
export function redactFormsIn(text: string): string {
  const bytes = Buffer.from(text);
  const redacted = redactForms(bytes);
  return redacted === bytes ? text : Buffer.from(redacted).toString();
}

interface Stretch {
  start: number;
  end: number;
}

function credentialAt(
  body: Uint8Array,
  position: number,
  byte: number,
  isInWord: boolean,
): Stretch | undefined {
  // Ours is one wherever it stands: that is how it is looked for elsewhere too.
  if (byte === LOWER_L && body[position + 1] === LOWER_K) {
    const end = endOfOwn(body, position);
    if (end !== undefined) return { start: position, end };
  }
  if (byte === DASH && startsWith(body, position, PEM_BEGIN)) {
    const end = endOfPem(body, position);
    if (end !== undefined) return { start: position, end };
  }
  if (isInWord) return undefined;
  if ((byte | SPACE) === LOWER_B) {
    if (saysWord(body, position, BEARER)) return bearerToken(body, position);
    if (saysWord(body, position, BASIC)) return basicCredentials(body, position);
  }
  for (const one of FORMS_BY_FIRST_BYTE.get(byte) ?? []) {
    if (!startsWith(body, position, one.prefix)) continue;
    const end = endOfForm(body, position + one.prefix.length, one);
    if (end !== undefined) return { start: position, end };
  }
  return undefined;
}

const PERCENT_CODE_BYTES = 3;

/** In addresses and forms a quote, say, is written so: it is no part of the word behind it. */
function isPercentCode(body: Uint8Array, start: number): boolean {
  return HEX[body[start + 1] ?? 0] === 1 && HEX[body[start + 2] ?? 0] === 1;
}

/**
 * The end of an escape of JSON, or of what may be one: `\n` in front of a key is not part of it.
 * @param start behind the backslashes
 */
function behindEscape(body: Uint8Array, start: number): number {
  const byte = body[start] ?? 0;
  if (byte === LOWER_U && !Number.isNaN(codeAt(body, start + 1))) return start + 1 + CODE_DIGITS;
  return ESCAPES[byte] === 1 ? start + 1 : start;
}

function startsWith(body: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (body[start + i] !== text[i]) return false;
  return true;
}

function endOfRun(body: Uint8Array, start: number, bytes: Uint8Array): number {
  let end = start;
  while (bytes[body[end] ?? 0] === 1) end++;
  return end;
}

/** The same, where some of it may be written with escapes, as JSON allows. */
function endOfTokenRun(body: Uint8Array, start: number, bytes: Uint8Array): number {
  let end = endOfRun(body, start, bytes);
  while (body[end] === BACKSLASH) {
    const escaped = body[end + 1];
    if (escaped === SLASH && bytes[SLASH] === 1) end += 2;
    else if (escaped === LOWER_U && bytes[codeAt(body, end + 2)] === 1) end += 2 + CODE_DIGITS;
    else break;
    end = endOfRun(body, end, bytes);
  }
  return end;
}

const CODE_DIGITS = 4;

/** NaN where there is none. */
function codeAt(body: Uint8Array, start: number): number {
  const digits = Buffer.from(body.subarray(start, start + CODE_DIGITS)).toString('latin1');
  return /^[\dA-Fa-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
}

/** @returns undefined when it is no credential after all */
function endOfForm(body: Uint8Array, start: number, one: Form): number | undefined {
  const end = endOfTokenRun(body, start, one.rest);
  if (end - start < one.minRest) return undefined;
  if (one.holds !== undefined) {
    return holdsWithin(body, start, end, one.holds) ? end : undefined;
  }
  // Words that are joined by dashes are no key: those are drawn at random.
  return isRandom(body, start, end) ? end : undefined;
}

function isRandom(body: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (UPPER[body[i] ?? 0] === 1) return true;
  return false;
}

function holdsWithin(body: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  const at = Buffer.from(body.buffer, body.byteOffset, end).indexOf(text, start);
  return at >= 0;
}

/** `lkat_…` and its like: two or three letters, an underscore, and the secret. */
function endOfOwn(body: Uint8Array, start: number): number | undefined {
  let position = start + 2;
  while (position < start + 5 && LOWER[body[position] ?? 0] === 1) position++;
  if (position - start - 2 < OWN_PREFIX_LETTERS || body[position] !== UNDERSCORE) return undefined;
  const end = endOfRun(body, position + 1, ALPHANUMERIC);
  return end - position - 1 >= MIN_OWN_BYTES ? end : undefined;
}

/** @param word in lower case, which is not minded */
function saysWord(body: Uint8Array, start: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) {
    if (((body[start + i] ?? 0) | SPACE) !== word[i]) return false;
  }
  return true;
}

function bearerToken(body: Uint8Array, position: number): Stretch | undefined {
  let start = position + BEARER.length;
  while (body[start] === SPACE) start++;
  const end = endOfTokenRun(body, start, TOKEN68);
  return end - start >= MIN_BEARER_BYTES && isRandom(body, start, end) ? { start, end } : undefined;
}

/** RFC 7617: a name, a colon and a password in base64. */
function basicCredentials(body: Uint8Array, position: number): Stretch | undefined {
  let start = position + BASIC.length;
  while (body[start] === SPACE) start++;
  const end = endOfTokenRun(body, start, TOKEN68);
  if (end - start < MIN_BASIC_BYTES || end - start > MAX_BASIC_BYTES) return undefined;
  const encoded = Buffer.from(body.subarray(start, end)).toString('latin1');
  const said = Buffer.from(encoded, 'base64').toString('latin1');
  return NAME_AND_PASSWORD.test(said) ? { start, end } : undefined;
}

/** RFC 7468. One that is cut off ends where its text does. */
function endOfPem(body: Uint8Array, start: number): number | undefined {
  const label = start + PEM_BEGIN.length;
  let key = label;
  while (key < label + MAX_PEM_LABEL_BYTES && !startsWith(body, key, PEM_KEY)) {
    if (UPPER[body[key] ?? 0] !== 1 && body[key] !== SPACE) return undefined;
    key++;
  }
  if (!startsWith(body, key, PEM_KEY)) return undefined;
  let end = key + PEM_KEY.length;
  for (;;) {
    const byte = body[end] ?? 0;
    if (byte === DASH && startsWith(body, end, PEM_END)) return endOfPemEnd(body, end);
    if (byte === BACKSLASH) {
      const next = behindEscape(body, endOfRun(body, end, BACKSLASHES));
      const escaped = body[next - 1] ?? 0;
      // A quote behind backslashes ends the text, or stands in it: not ours to take.
      if (ESCAPES[escaped] !== 1) return end;
      end = next;
    } else if (end < body.length && PEM_BODY[byte] === 1) {
      end++;
    } else {
      return end;
    }
  }
}

function endOfPemEnd(body: Uint8Array, start: number): number {
  let position = start + PEM_END.length;
  const limit = position + MAX_PEM_LABEL_BYTES;
  while (position < limit && !startsWith(body, position, PEM_KEY)) position++;
  return startsWith(body, position, PEM_KEY) ? position + PEM_KEY.length : start;
}
