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

// The maximum of Google.
const ASSERTION_LIFETIME_SECONDS = 3_600;
const EXCHANGE_TIMEOUT_MS = 10_000;
// Tokens have a few kilobytes at most.
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_REASON_LENGTH = 300;
// A token must be valid until the provider has received the request.
const SAFETY_MARGIN_MS = 60_000;
const MAX_TOKENS = 1_000;

interface AccessToken {
  value: string;
  expiresAtMs: number;
}

/** Caches access tokens of Google service accounts until a minute before they expire. */
export class AccessTokens {
  readonly #ownOrigin: string | undefined;
  readonly #dispatcher: Dispatcher | undefined;
  readonly #tokens = new LRUCache<string, AccessToken>(upToEntries(MAX_TOKENS));
  /** The exchanges in progress, so that concurrent requests share one. */
  readonly #exchanges = new Map<string, Promise<string>>();

  /**
   * @param ownOrigin origin of the operator's token endpoint, for keys that name it
   * @param dispatcher connects to the token endpoint
   */
  constructor(ownOrigin: string | undefined, dispatcher?: Dispatcher) {
    this.#ownOrigin = ownOrigin;
    this.#dispatcher = dispatcher;
  }

  /**
   * Returns an access token for a key.
   * @param key the JSON file of a service account
   * @returns the token, mostly from memory
   * @throws Error for an invalid key, or if the exchange fails
   */
  get(key: string, nowMs: number): Awaitable<string> {
    // A hash, so that the cache does not contain keys.
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
    const response = await fetchToken(account.tokenUri, assertion, this.#dispatcher);
    const value = textIn(response.access_token);
    // It becomes a header.
    if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) {
      throw new Error('the response of the token endpoint has no access token');
    }
    const lifetimeSeconds = numberIn(response.expires_in) ?? 0;
    this.#tokens.set(id, { value, expiresAtMs: nowMs + lifetimeSeconds * 1_000 });
    return value;
  }
}

/** Creates the assertion of RFC 7523 section 3. */
async function signAssertion(account: ServiceAccount, nowSeconds: number): Promise<string> {
  const { clientEmail, privateKey, privateKeyId, tokenUri } = account;
  let key: CryptoKey;
  try {
    key = await importPKCS8(privateKey, 'RS256');
  } catch {
    // The message of the library could quote the key.
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
    // The next exchange is in an hour.
    reset: true,
  });
  const response = objectIn(parseObject(await readText(body)));
  if (statusCode === 200) return response;
  const reason = [response.error, response.error_description].filter(
    (one) => typeof one === 'string',
  );
  throw new Error(
    `the token endpoint rejected the service account with status ${statusCode}: ${reason.join(': ').slice(0, MAX_REASON_LENGTH)}`,
  );
}

/** @throws Error if the body is longer than any token */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // The error ends the connection.
    if (length > MAX_RESPONSE_BYTES)
      throw new Error('the response of the token endpoint is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
