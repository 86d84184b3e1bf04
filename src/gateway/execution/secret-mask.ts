import type { IncomingHttpHeaders } from 'node:http';
import { CREDENTIAL_HEADERS } from '../http-headers.ts';
import type { HeaderPairs } from '../providers/provider.ts';

const ASTERISK = '*';
// A shorter text could be a part of ordinary words.
const LEAST_LENGTH = 8;
const SCHEME = /^\w+ /;

/**
 * Returns the texts that a response must not contain: the key that the gateway sent, in the forms that the provider has
 * seen.
 * @param secret the stored key, undefined if the client sent its own
 * @param headers of the request
 * @param credentialHeaders names of the provider's credential headers, in lower case
 */
export function sentSecrets(
  secret: string | undefined,
  headers: HeaderPairs,
  credentialHeaders: readonly string[],
): string[] {
  if (secret === undefined) return [];
  const found = new Set([secret]);
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (!CREDENTIAL_HEADERS.has(name) && !credentialHeaders.includes(name)) continue;
    found.add((headers[i + 1] ?? '').replace(SCHEME, ''));
  }
  return [...found].filter((text) => text.length >= LEAST_LENGTH);
}

/**
 * Replaces secrets in a response by asterisks of the same length, so that `content-length` stays true. It holds bytes
 * back only while they may be the beginning of a secret.
 */
export class SecretMask {
  readonly #secrets: readonly Buffer[];
  readonly #texts: readonly string[];
  #held: Buffer = Buffer.alloc(0);

  /** @param secrets at least one, not empty */
  constructor(secrets: readonly string[]) {
    this.#texts = secrets;
    this.#secrets = secrets.map((secret) => Buffer.from(secret));
  }

  /** Returns the headers of the response without the secrets. */
  maskHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const mask = (text: string): string =>
      this.#texts.reduce((masked, secret) => masked.replaceAll(secret, stars(secret.length)), text);
    const masked: IncomingHttpHeaders = {};
    for (const [name, value] of Object.entries(headers)) {
      masked[name] = Array.isArray(value) ? value.map(mask) : value && mask(value);
    }
    return masked;
  }

  /** Returns the bytes that can pass now. */
  feed(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const masked = this.#mask(bytes);
    const heldLength = Math.max(...this.#secrets.map((secret) => beginningAtEnd(masked, secret)));
    this.#held = masked.subarray(masked.length - heldLength);
    return masked.subarray(0, masked.length - heldLength);
  }

  /** Returns the bytes that are left at the end of the response. */
  end(): Buffer {
    return this.#held;
  }

  #mask(bytes: Buffer): Buffer {
    let masked = bytes;
    for (const secret of this.#secrets) {
      let at = masked.indexOf(secret);
      if (at !== -1 && masked === bytes) masked = Buffer.from(bytes);
      for (; at !== -1; at = masked.indexOf(secret, at + secret.length)) {
        masked.fill(ASTERISK, at, at + secret.length);
      }
    }
    return masked;
  }
}

const stars = (length: number): string => ASTERISK.repeat(length);

/** Returns the length of the longest end of the bytes with which a secret begins. */
function beginningAtEnd(bytes: Buffer, secret: Buffer): number {
  const [first = 0] = secret;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - secret.length + 1));
  for (; at !== -1; at = bytes.indexOf(first, at + 1)) {
    const length = bytes.length - at;
    if (bytes.compare(secret, 0, length, at) === 0) return length;
  }
  return 0;
}
