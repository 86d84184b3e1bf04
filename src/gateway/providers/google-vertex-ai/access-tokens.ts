import { createHash } from 'node:crypto';
import { SignJWT, importPKCS8 } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Dispatcher, request } from 'undici';
import type { Awaitable } from '../../../lib/awaitable.ts';
import { upToEntries } from '../../../lib/cache-bound.ts';
import {
  numberIn,
  objectIn,
  parseObject,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';
import { type ServiceAccount, readServiceAccount } from './service-account.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

// The longest that Google allows.
const ASSERTION_LIFETIME_SECONDS = 3_600;
const EXCHANGE_TIMEOUT_MS = 10_000;
// Some kilobytes at most are a token.
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_REASON_LENGTH = 300;
// A token must last for the request that takes it.
const SAFETY_MARGIN_MS = 60_000;
const MAX_TOKENS = 1_000;

interface AccessToken {
  value: string;
  expiresAtMs: number;
}

/** Access tokens of Google service accounts, kept until a minute before their end. */
export class AccessTokens {
  readonly #ownOrigin: string | undefined;
  readonly #dispatcher: Dispatcher | undefined;
  readonly #tokens = new LRUCache<string, AccessToken>(upToEntries(MAX_TOKENS));
  /** However many requests wait for a token, it is fetched once. */
  readonly #exchanges = new Map<string, Promise<string>>();

  /**
   * @param ownOrigin of the operator, where keys may be exchanged as well
   * @param dispatcher connects to the token endpoint
   */
  constructor(ownOrigin: string | undefined, dispatcher?: Dispatcher) {
    this.#ownOrigin = ownOrigin;
    this.#dispatcher = dispatcher;
  }

  /**
   * @param key JSON, as Google gives it out
   * @returns the token, mostly from memory
   * @throws Error when the key is none, or is not exchanged
   */
  get(key: string, nowMs: number): Awaitable<string> {
    // Not the key itself, which nothing needs to keep.
    const id = createHash('sha256').update(key).digest('base64');
    const kept = this.#tokens.get(id);
    if (kept !== undefined && kept.expiresAtMs - SAFETY_MARGIN_MS > nowMs) return kept.value;
    const running = this.#exchanges.get(id);
    if (running !== undefined) return running;
    const exchange = this.#exchange(id, key, nowMs).finally(() => this.#exchanges.delete(id));
    this.#exchanges.set(id, exchange);
    return exchange;
  }

  async #exchange(id: string, key: string, nowMs: number): Promise<string> {
    const account = readServiceAccount(key, this.#ownOrigin);
    const assertion = await signAssertion(account, Math.floor(nowMs / 1_000));
    const answer = await fetchToken(account.tokenUri, assertion, this.#dispatcher);
    const value = textIn(answer.access_token);
    // It becomes a header.
    if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) {
      throw new Error('the response of the token endpoint has no access token');
    }
    const lifetimeSeconds = numberIn(answer.expires_in) ?? 0;
    this.#tokens.set(id, { value, expiresAtMs: nowMs + lifetimeSeconds * 1_000 });
    return value;
  }
}

/** RFC 7523 section 3, as Google wants it. */
async function signAssertion(account: ServiceAccount, nowSeconds: number): Promise<string> {
  const { clientEmail, privateKey, privateKeyId, tokenUri } = account;
  let key: CryptoKey;
  try {
    key = await importPKCS8(privateKey, 'RS256');
  } catch {
    // What the library says could quote the key.
    throw new Error('the private_key of the service account is not an RSA key in PKCS #8');
  }
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({
      alg: 'RS256',
      typ: 'JWT',
      ...(privateKeyId === undefined ? {} : { kid: privateKeyId }),
    })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + ASSERTION_LIFETIME_SECONDS)
    .sign(key);
}

async function fetchToken(
  tokenUri: string,
  assertion: string,
  dispatcher: Dispatcher | undefined,
): Promise<JsonObject> {
  const { statusCode, body } = await request(tokenUri, {
    ...(dispatcher !== undefined && { dispatcher }),
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'accept-encoding': 'identity',
    },
    body: new URLSearchParams({ grant_type: JWT_BEARER, assertion }).toString(),
    signal: AbortSignal.timeout(EXCHANGE_TIMEOUT_MS),
    // Once an hour: no reason to keep the connection.
    reset: true,
  });
  const answer = objectIn(parseObject(await readText(body)));
  if (statusCode === 200) return answer;
  const reason = [answer.error, answer.error_description].filter((one) => typeof one === 'string');
  throw new Error(
    `the token endpoint rejected the service account with status ${statusCode}: ${reason.join(': ').slice(0, MAX_REASON_LENGTH)}`,
  );
}

/** @throws Error when it is longer than any token */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > MAX_ANSWER_BYTES)
      throw new Error('the response of the token endpoint is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
