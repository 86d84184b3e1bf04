/** Names of credentials without separators, in lower case. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'awssessiontoken',
  'bearer',
  'bearertoken',
  'codeverifier',
  'connectionstring',
  'cfaigauthorization',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'csrftoken',
  'dsn',
  'encryptionkey',
  'idtoken',
  'jwt',
  'masterkey',
  'mfacode',
  'otp',
  'passphrase',
  'passwd',
  'proxyauthorization',
  'pwd',
  'refreshtoken',
  'sastoken',
  'secrettoken',
  'sessiontoken',
  'setcookie',
  'signature',
  'signingkey',
  'sshkey',
  'token',
  'webhookurl',
  'xamzsecuritytoken',
]);

/** Ends of names: `GITHUB_ACCESS_TOKEN`, `db_passwords`. */
const CREDENTIAL_ENDS = [
  'apikey',
  'apitoken',
  'authtoken',
  'bottoken',
  'accesstoken',
  'githubtoken',
  'gitlabtoken',
  'hftoken',
  'password',
  'secret',
  'secretkey',
  'accesskey',
  'accountkey',
  'privatekey',
  'clientkey',
  'subscriptionkey',
];
const CREDENTIAL_END = new RegExp(`(?:${CREDENTIAL_ENDS.join('|')})s?$`);

/** The last two letters of these names. */
const LAST_LETTERS = new Set(
  [...CREDENTIALS, ...CREDENTIAL_ENDS].map((name) =>
    pairOf(name.charCodeAt(name.length - 2), name.charCodeAt(name.length - 1)),
  ),
);
const LETTER_A = 0x61;
const LETTER_S = 0x73;
const LETTER_Z = 0x7a;
const LOWER_CASE = 0x20;

function pairOf(first: number, second: number): number {
  return first * 256 + second;
}

/**
 * Excludes most names by their last letters, which costs less than a copy of the name.
 * @param end position after the name
 * @returns false if the name is no name of a credential
 */
export function mayBeCredentialName(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1) | LOWER_CASE;
  const second = text.charCodeAt(end - 2) | LOWER_CASE;
  const isLetters =
    last >= LETTER_A && last <= LETTER_Z && second >= LETTER_A && second <= LETTER_Z;
  // An escape of JSON or a separator.
  if (!isLetters || LAST_LETTERS.has(pairOf(second, last))) return true;
  const third = text.charCodeAt(end - 3) | LOWER_CASE;
  return last === LETTER_S && LAST_LETTERS.has(pairOf(third, second));
}

const SEPARATOR = /[-_\s.]/;
const SEPARATORS = /[-_\s.]/g;

/** Returns true if a member of this name contains a credential, in any spelling: `api_key`, `X-Api-Key`, `apiKey`. */
export function isCredentialName(name: string): boolean {
  if (!mayBeCredentialName(name, name.length)) return false;
  const joined = SEPARATOR.test(name) ? name.replaceAll(SEPARATORS, '') : name;
  const plain = joined.toLowerCase();
  return CREDENTIALS.has(plain) || CREDENTIAL_END.test(plain);
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
