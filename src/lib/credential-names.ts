/** Without signs, in lower case. */
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

/** What is one with anything in front: `GITHUB_ACCESS_TOKEN`, `db_password`. */
const CREDENTIAL_END =
  /(?:apikey|apitoken|authtoken|bottoken|accesstoken|githubtoken|gitlabtoken|hftoken|password|secret|secretkey|accesskey|accountkey|privatekey|clientkey|subscriptionkey)s?$/;

const SIGNS = /[-_\s.]/g;

/** Whether a member of that name holds a credential, in any of the ways to write the name. */
export function isCredentialName(name: string): boolean {
  const plain = name.replaceAll(SIGNS, '').toLowerCase();
  return CREDENTIALS.has(plain) || CREDENTIAL_END.test(plain);
}

/** What the name of a member says of its value. */
export type NameKind = 'credential' | 'headers' | 'other';

// The same names come again and again; others must not fill the memory.
const MAX_KNOWN_NAMES = 4_096;
const knownNames = new Map<string, NameKind>();

/** What the name of a member says of its value; it is known for names that came before. */
export function kindOfName(name: string): NameKind {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isHeaders = name.toLowerCase().endsWith('headers');
  const kind = isHeaders ? 'headers' : isCredentialName(name) ? 'credential' : 'other';
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
  knownNames.set(name, kind);
  return kind;
}

/** The header fields whose values say nothing that must not be kept. */
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

/** @param name in lower case */
export function isPlainHeader(name: string): boolean {
  if (name === 'cf-aig-authorization') return false;
  return PLAIN_HEADERS.has(name) || PLAIN_PREFIXES.some((prefix) => name.startsWith(prefix));
}
