import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// The largest multiple of 62 that a byte can hold: bytes from here up are rejected, so that every
// letter is equally likely.
const REJECTION_BOUND = 248;

// Random bytes are drawn in blocks: one call into the kernel serves some eighty secrets.
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let poolOffset = 0;

function randomByte(): number {
  if (poolOffset >= pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolOffset = 0;
  }
  const byte = pool[poolOffset] ?? 0;
  // What a secret was made from is not kept.
  pool[poolOffset++] = 0;
  return byte;
}

/** Uniformly random base62 text from a CSPRNG. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < REJECTION_BOUND) text += ALPHABET[byte % ALPHABET.length];
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
