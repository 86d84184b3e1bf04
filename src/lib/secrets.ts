import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62, randomBase62 } from './base62.ts';

/**
 * The kinds of secret this server issues. The prefix tells a secret scanner, and a person, what it found.
 * `lkat_` account-owned API token · `lkut_` user-owned API token · `lkcs_` OAuth client secret ·
 * `lkoat_` OAuth access token · `lkort_` OAuth refresh token · `lkss_` session · `lkdv_` known device ·
 * `lkiv_` invitation · `lkot_` one-time secret.
 */
export type SecretPrefix =
  | 'lkat_'
  | 'lkut_'
  | 'lkcs_'
  | 'lkoat_'
  | 'lkort_'
  | 'lkss_'
  | 'lkdv_'
  | 'lkiv_'
  | 'lkot_';

const RANDOM_LENGTH = 40; // 238 bits
const CHECKSUM_LENGTH = 6; // 62^6 exceeds 2^32, so a CRC32 always fits

/** The form of every secret, published for secret scanners. */
export const SECRET_PATTERN = `lk[a-z]{2,3}_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}`;

const SECRET_REGEXP = new RegExp(`^${SECRET_PATTERN}$`);

function checksum(text: string): string {
  return encodeBase62(crc32(text), CHECKSUM_LENGTH);
}

/** A new secret: prefix, 40 random base62 characters, and a CRC32 over both as 6 more. */
export function createSecret(prefix: SecretPrefix): string {
  const body = prefix + randomBase62(RANDOM_LENGTH);
  return body + checksum(body);
}

/**
 * Whether a text has the form of a secret with that prefix and a right checksum. Tested before any
 * look-up: a typing error or a made-up token costs no query. It proves nothing about validity.
 */
export function isWellFormedSecret(text: string, prefix: SecretPrefix): boolean {
  if (!text.startsWith(prefix) || !SECRET_REGEXP.test(text)) return false;
  const bodyLength = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(0, bodyLength)) === text.slice(bodyLength);
}

/**
 * What is stored of a secret: SHA-256 in base64url. A fast hash suffices because the secret itself
 * has 238 random bits, so there is nothing to guess.
 */
export function digestSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
