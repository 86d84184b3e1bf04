/** Replaces a credential. */
export const REDACTED = '[redacted]';

/** The form of the credentials of an issuer. */
interface IssuerForm {
  /** Alternatives of a regular expression. */
  prefix: string;
  /** The characters of the rest, without brackets. */
  rest: string;
  /** Minimum length of the rest. */
  min: number;
}

const ALPHANUMERIC = '0-9A-Za-z';
const WORD = String.raw`\w-`;
const DOTTED = String.raw`\w.-`;
/** RFC 9110 section 11.2. */
const TOKEN68 = String.raw`\w.~+/=-`;
const BASE64 = String.raw`\w+/-`;

const ISSUER_FORMS: readonly IssuerForm[] = [
  // OpenAI, Anthropic, DeepSeek, OpenRouter and many others; Cerebras.
  { prefix: 'c?sk-', rest: WORD, min: 20 },
  // xAI, Perplexity, NVIDIA, Together.
  { prefix: 'xai-|pplx-|nvapi-|tgp_', rest: WORD, min: 20 },
  // Groq, Hugging Face, Replicate, Fireworks.
  { prefix: 'gsk_|hf_|r8_|fw_', rest: ALPHANUMERIC, min: 20 },
  // Google.
  { prefix: 'AIza', rest: WORD, min: 30 },
  { prefix: String.raw`ya29\.`, rest: DOTTED, min: 20 },
  // AWS, and its service Bedrock.
  { prefix: 'AKIA|ASIA', rest: '0-9A-Z', min: 16 },
  { prefix: 'ABSK', rest: TOKEN68, min: 40 },
  // GitHub, GitLab, npm.
  { prefix: 'gh[oprsu]_', rest: ALPHANUMERIC, min: 20 },
  { prefix: 'github_pat_|glpat-', rest: WORD, min: 20 },
  { prefix: 'npm_', rest: ALPHANUMERIC, min: 30 },
  // Slack, Standard Webhooks, Stripe.
  { prefix: 'xox[bp]-|xapp-|whsec_', rest: WORD, min: 20 },
  { prefix: 'sk_live_|sk_test_|rk_live_', rest: ALPHANUMERIC, min: 16 },
];

/** JSON may write a character of {@link TOKEN68} as an escape. */
const ESCAPED = String.raw`\\(?:\/|u00(?:2[BDEFbdef]|3[\dDd]|[46][1-9A-Fa-f]|5[\dAFaf]|7[\dAEae]))`;

/** Pieces of a credential between escapes. Without a limit, long texts exhaust the stack of regular expressions. */
const MAX_PIECES = 2_000;

/** Returns the pattern of at least so many characters. */
function run(characters: string, min: number): string {
  return `(?=(?:[${characters}]|${ESCAPED}){${min}})(?:[${characters}]+|${ESCAPED}){1,${MAX_PIECES}}`;
}

/** The same for random characters: words that are joined by dashes contain no digit and no upper case. */
function randomRun(characters: string, min: number): string {
  return `(?=[\\\\${characters}]*?[0-9A-Z])${run(characters, min)}`;
}

// The letter of an escape, or the end of a percent code, is not part of the word after it.
const WORD_START = String.raw`(?<=^|[^\w-]|\\[bfnrt]|\\u[\dA-Fa-f]{4}|%[\dA-Fa-f]{2})`;
const PEM_BODY = String.raw`(?:[0-9A-Za-z+/=\s:,]+|-(?!----END )|\\{1,8}[bfnrt]){0,${MAX_PIECES}}`;

// Each pattern takes linear time: it begins with a fixed text, and its repeated parts do not overlap.

/** RFC 7468. A truncated key has no end. */
const PRIVATE_KEY = new RegExp(
  `-----BEGIN [0-9A-Z ]{0,32}PRIVATE KEY-----${PEM_BODY}(?:-----END [0-9A-Z ]{0,32}PRIVATE KEY-----)?`,
  'g',
);
const TOKEN = new RegExp(
  [
    // Credentials of this server, also within a word. See SECRET_PATTERN.
    'lk[a-z]{2,3}_[0-9A-Za-z]{46,}',
    // The check of the prefix costs less than the look behind, so it comes first.
    `(?=[Bb][Ee][Aa][Rr]|eyJ|${ISSUER_FORMS.map(({ prefix }) => prefix).join('|')})${WORD_START}(?:${[
      `([Bb][Ee][Aa][Rr][Ee][Rr] {1,16})${randomRun(TOKEN68, 16)}`,
      // Signed tokens (RFC 7519).
      String.raw`eyJ[\w.-]*?\.eyJ${run(DOTTED, 8)}`,
      ...ISSUER_FORMS.map(({ prefix, rest, min }) => `(?:${prefix})${randomRun(rest, min)}`),
    ].join('|')})`,
  ].join('|'),
  'g',
);
/** Minimum length of a match of {@link TOKEN}, without `Bearer`: `eyJ.eyJ` and eight characters. */
const MIN_RUN = 15;
/** `Bearer` with its spaces, which may come before a run. */
const MAX_BEARER_LENGTH = 22;
const RUN_CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.~+/=\\-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const BASIC = new RegExp(`([Bb][Aa][Ss][Ii][Cc] {1,16})(${run(BASE64, 8)}={0,2})`, 'g');
const MAX_BASIC_LENGTH = 1_024;
const NAME_AND_PASSWORD = /^[\x20-\x39\x3b-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/;

/**
 * Replaces everything that has the form of a known credential: credentials of this server and of well-known issuers, signed
 * tokens, HTTP credentials after `Bearer` and `Basic`, and private keys in PEM. JSON stays JSON. Takes linear time.
 * @returns the text itself if it contains no credential
 */
export function redactFormsIn(text: string): string {
  return redactTokens(text.replace(PRIVATE_KEY, REDACTED)).replace(BASIC, replaceBasic);
}

function redactTokens(text: string): string {
  let redacted = '';
  let copied = 0;
  let end = 0;
  for (let start = findRun(text, 0); start >= 0; start = findRun(text, end)) {
    end = endOfRun(text, start);
    const part = text.slice(0, end);
    TOKEN.lastIndex = Math.max(copied, start - MAX_BEARER_LENGTH);
    for (let match = TOKEN.exec(part); match !== null; match = TOKEN.exec(part)) {
      redacted += text.slice(copied, match.index) + replacementOf(match);
      copied = TOKEN.lastIndex;
    }
  }
  // A credential directly after another one now begins at the start of a word.
  return copied === 0 ? text : redactTokens(redacted + text.slice(copied));
}

/** Returns true for the characters of credentials and of their escapes. */
function isRunCharacter(code: number): boolean {
  return RUN_CHARACTERS[code] === 1;
}

/**
 * Finds the next run of characters that is long enough for a credential. Looks at few characters of ordinary text: it
 * reads each stretch of that length from its end, and skips it up to the first other character.
 * @param from a position outside of a run
 * @returns the start of the run, or -1
 */
function findRun(text: string, from: number): number {
  let start = from;
  while (start + MIN_RUN <= text.length) {
    let position = start + MIN_RUN - 1;
    while (position >= start && isRunCharacter(text.charCodeAt(position))) position--;
    if (position < start) return start;
    start = position + 1;
  }
  return -1;
}

function endOfRun(text: string, start: number): number {
  let end = start + MIN_RUN;
  while (isRunCharacter(text.charCodeAt(end))) end++;
  return end;
}

function replacementOf({ 0: credential, 1: bearer, index, input }: RegExpExecArray): string {
  if (bearer !== undefined) return bearer + REDACTED;
  // The letter after an odd number of backslashes belongs to an escape.
  return (isEscaped(input, index) ? credential.charAt(0) : '') + REDACTED;
}

function isEscaped(text: string, offset: number): boolean {
  let start = offset;
  while (text[start - 1] === '\\') start--;
  return (offset - start) % 2 === 1;
}

/** Replaces a name, a colon and a password in Base64 (RFC 7617). */
function replaceBasic(match: string, scheme: string, encoded: string): string {
  if (encoded.length > MAX_BASIC_LENGTH) return match;
  const decoded = Buffer.from(encoded, 'base64').toString('latin1');
  return NAME_AND_PASSWORD.test(decoded) ? scheme + REDACTED : match;
}
