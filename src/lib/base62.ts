import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// The largest multiple of 62 that a byte can hold: bytes from here up are rejected, so that every
// letter is equally likely.
const REJECTION_BOUND = 248;

/** Uniformly random base62 text from a CSPRNG. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < REJECTION_BOUND && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** A non-negative integer below 62^width as exactly `width` base62 characters, zero-padded. */
export function encodeBase62(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < width; i++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
