/** Names of credentials, each as words in lower case. */
const CREDENTIALS = [
  'authorization',
  'aws session token',
  'bearer',
  'bearer token',
  'code verifier',
  'connection string',
  'cf aig authorization',
  'cookie',
  'cookie s',
  'credential',
  'credential s',
  'csrf token',
  'dsn',
  'encryption key',
  'id token',
  'jwt',
  'master key',
  'mfa code',
  'otp',
  'pass phrase',
  'pass wd',
  'proxy authorization',
  'pwd',
  'refresh token',
  'sas token',
  'secret token',
  'session token',
  'set cookie',
  'signature',
  'signing key',
  'ssh key',
  'token',
  'web hook url',
  'x amz security token',
];

/** Ends of names: `GITHUB_ACCESS_TOKEN`, `db_passwords`. */
const CREDENTIAL_ENDS = [
  'api key',
  'api token',
  'auth token',
  'bot token',
  'access token',
  'git hub token',
  'git lab token',
  'hf token',
  'pass word',
  'secret',
  'secret key',
  'access key',
  'account key',
  'private key',
  'client key',
  'subscription key',
];

const SEPARATORS = String.raw`[-_\s.]*`;
/** Between the words of a name may be separators. */
const CREDENTIAL_NAME = new RegExp(
  `(?:^${SEPARATORS}(?:${patternOf(CREDENTIALS)})|(?:${patternOf(CREDENTIAL_ENDS)})(?:${SEPARATORS}s)?)${SEPARATORS}$`,
  'i',
);

function patternOf(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(' ', SEPARATORS)).join('|');
}

const LETTER_A = 0x61;
const LETTER_S = 0x73;
const LETTER_Z = 0x7a;
const LOWER_CASE = 0x20;

/** The last three letters of these names, and of objects of header fields, each as one number. */
const LAST_LETTERS = new Set(
  ['headers', ...CREDENTIALS, ...CREDENTIAL_ENDS].map((words) => {
    const name = words.replaceAll(' ', '');
    return lettersBefore(name, name.length);
  }),
);

/** Returns the three letters before a position in lower case; undefined: not all are letters. */
function lettersBefore(text: string, end: number): number | undefined {
  let letters = 0;
  for (let i = end - 3; i < end; i++) {
    const letter = text.charCodeAt(i) | LOWER_CASE;
    if (letter < LETTER_A || letter > LETTER_Z) return undefined;
    letters = letters * 256 + letter;
  }
  return letters;
}

/**
 * Excludes most names by their last letters, which costs less than a copy of the name.
 * @param end position after the name
 * @returns false if the name is neither a name of a credential nor ends with `headers`
 */
export function mayBeCredentialName(text: string, end: number): boolean {
  const last = lettersBefore(text, end);
  // An escape of JSON or a separator.
  if (last === undefined || LAST_LETTERS.has(last)) return true;
  if ((last & 0xff) !== LETTER_S) return false;
  const lastBeforeS = lettersBefore(text, end - 1);
  return lastBeforeS === undefined || LAST_LETTERS.has(lastBeforeS);
}

/** Returns true if a member of this name contains a credential, in any spelling: `api_key`, `X-Api-Key`, `apiKey`. */
export function isCredentialName(name: string): boolean {
  return mayBeCredentialName(name, name.length) && CREDENTIAL_NAME.test(name);
}

/** Header fields whose values contain no credentials. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'age',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'anthropic-version',
  'apim-request-id',
  'cache-control',
  'cf-ray',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'host',
  'openai-beta',
  'openai-model',
  'openai-organization',
  'openai-processing-ms',
  'openai-project',
  'openai-version',
  'referrer-policy',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'server',
  'server-timing',
  'traceparent',
  'transfer-encoding',
  'user-agent',
  'vary',
  'via',
  'x-amzn-requestid',
  'x-client-request-id',
  'x-content-type-options',
  'x-frame-options',
  'x-goog-api-client',
  'x-ms-region',
  'x-request-id',
  'x-should-retry',
  'x-upstream-request-id',
]);
const PLAIN_PREFIXES = [
  'anthropic-ratelimit-',
  'cf-aig-',
  'ratelimit',
  'x-amzn-bedrock-',
  'x-ratelimit-',
  'x-stainless-',
];

/**
 * Returns true if the value of a header field is known to be harmless.
 * @param name in lower case
 */
export function isPlainHeader(name: string): boolean {
  if (name === 'cf-aig-authorization') return false;
  return PLAIN_HEADERS.has(name) || PLAIN_PREFIXES.some((prefix) => name.startsWith(prefix));
}
