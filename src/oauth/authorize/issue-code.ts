import { randomBytes } from 'node:crypto';

const CODE_BYTES = 32;

/** A new authorization code: 256 random bits in base64url (RFC 6749 section 10.10). */
export function createCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}
