import { SECRET_PATTERN, type SecretPrefix, isWellFormedSecret } from '../../src/lib/secrets.ts';

/**
 * Nothing secret may be in any log line. Secrets of ours and signed tokens are known by their form;
 * whatever else is secret is noted as it goes over the wire, in either direction, by the tests' own
 * requests, their browsers, and the servers that stand for applications. Every server of the tests is looked
 * through when it stops, every process when it ends.
 */
const words = new Set<string>();
const phrases = new Set<string>();
/** Those of the words that a server created. What a test sends may be stored, such as a state like a secret. */
const created = new Set<string>();

// Fields of forms, bodies and answers, and parameters of addresses.
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'access_token',
  'client_secret',
  'code',
  'code_verifier',
  'csrf',
  'csrf_token',
  'current_password',
  'id_token',
  'id_token_hint',
  'new_password',
  'password',
  'recovery_code',
  'recovery_codes',
  'refresh_token',
  'secret',
  'token',
  'x-csrf-token',
]);

/** Errors of OpenAI have a `code`, too. */
const ERROR_CODE = /^[a-z_]+$/;

// A shorter one may stand in a line by chance.
const MIN_LENGTH = 10;
const WORD = /[\w-]{10,}/g;
const OWN_SECRET = new RegExp(SECRET_PATTERN);

/** Notes what must not be logged. */
export function noteSecret(secret: string, isCreated = false): void {
  if (secret.length < MIN_LENGTH) return;
  // Tests try addresses as passwords, and addresses are not secret.
  if (secret.endsWith('@example.com')) return;
  if (/[^\x21-\x7e]/.test(secret)) phrases.add(secret);
  else {
    // Of a signed token, the signature: the other parts say what may be said.
    const [longest] = (secret.match(WORD) ?? []).toSorted((a, b) => b.length - a.length);
    const word = /^eyJ[\w-]+\./.test(secret) ? secret.split('.').at(-1) : longest;
    if (word === undefined || word.length < MIN_LENGTH) return;
    words.add(word);
    if (isCreated) created.add(word);
  }
}

function noteFields(fields: Iterable<readonly [string, unknown]>, isCreated = false): void {
  for (const [name, value] of fields) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      noteFields(Object.entries(value), isCreated);
    } else if (SECRET_FIELDS.has(name)) {
      for (const secret of [value].flat())
        if (typeof secret === 'string') noteSecret(secret, isCreated && !ERROR_CODE.test(secret));
    }
  }
}

function noteContent(content: unknown, isCreated = false): void {
  if (typeof content !== 'object' || content === null) return;
  noteFields(Object.entries(content), isCreated);
}

/** Notes the secrets in the parameters of an address. */
export function noteAddress({ searchParams }: URL, isCreated = false): void {
  noteFields(searchParams, isCreated);
}

/**
 * Notes the secrets of a request before anybody can answer it: what was sent to a server that dies of
 * it is no less secret.
 * @param sent a form as text, or anything that goes as JSON
 */
export function noteRequest(url: string, headers: Headers, sent: unknown): void {
  noteAddress(new URL(url));
  noteFields(headers);
  const [, credentials] = /^Basic (.+)/.exec(headers.get('authorization') ?? '') ?? [];
  if (credentials !== undefined) noteSecret(credentials);
  if (typeof sent !== 'string') noteContent(sent);
  else if (/urlencoded/.test(headers.get('content-type') ?? '')) {
    noteFields(new URLSearchParams(sent));
  }
}

/**
 * Notes the secrets of an answer, such as the code in a redirect.
 * @param answer parsed, when it was JSON
 */
export function noteAnswer(url: string, headers: Headers, answer: unknown): void {
  noteContent(answer, true);
  const location = headers.get('location');
  if (location !== null && URL.canParse(location, url)) {
    noteAddress(new URL(location, url), true);
  }
}

/** A signed token, whoever has signed it. */
const SIGNED = /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]{40,}/;

function isSecret(word: string, known: ReadonlySet<string>): boolean {
  if (known.has(word)) return true;
  const [own] = OWN_SECRET.exec(word) ?? [];
  if (own === undefined) return false;
  return isWellFormedSecret(own, own.slice(0, own.indexOf('_') + 1) as SecretPrefix);
}

/** The lines that hold something secret. */
export function findLeaks(lines: readonly string[]): string[] {
  return lines.filter(
    (line) =>
      SIGNED.test(line) ||
      (line.match(WORD) ?? []).some((word) => isSecret(word, words)) ||
      [...phrases].some((phrase) => line.includes(phrase)),
  );
}

/** The rows of a database that hold a secret of ours, a signed token, or another secret that a server created. */
export function findStoredLeaks(rows: readonly string[]): string[] {
  return rows.filter(
    (row) => SIGNED.test(row) || (row.match(WORD) ?? []).some((word) => isSecret(word, created)),
  );
}

/**
 * Fails the process of the tests, and says which test file it was, when a log line holds something
 * secret. It does not throw: that would keep a hook from stopping its other servers.
 */
export function reportLeaks(source: string, place: string, leaks: readonly string[]): void {
  if (leaks.length === 0) return;
  process.exitCode = 1;
  process.stderr.write(`${source}: there are secrets in ${place}:\n${leaks.join('\n')}\n`);
}

/** The test file from which this is called. */
export function callingTest(): string {
  return /[^/]+\.test\.ts:\d+/.exec(new Error().stack ?? '')?.[0] ?? 'a test';
}
