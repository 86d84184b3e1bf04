import { randomBytes } from 'node:crypto';

/** Characters of an identifier. */
export const ID_LENGTH = 32;

/** Matches the identifiers that {@link createId} makes: 32 lowercase hex digits. */
export const ID_PATTERN = `^[0-9a-f]{${ID_LENGTH}}$`;

const ID_REGEXP = new RegExp(ID_PATTERN);

/** A new identifier: 128 random bits as 32 lowercase hex digits. */
export function createId(): string {
  return randomBytes(16).toString('hex');
}

/** Whether a text has the form of an identifier; says nothing about its existence. */
export function isId(text: string): boolean {
  return ID_REGEXP.test(text);
}

// Random digits are drawn in blocks: one call into the kernel, and one that writes them out, serve 256 ids.
const DIGITS_PER_ID = 20;
const POOL_BYTES = (DIGITS_PER_ID / 2) * 256;
let pool = '';
let poolOffset = 0;

const MAX_COUNTER = 0xfff;
let countedMs: number | undefined;
/** The beginning of the ids of that millisecond. */
let countedTime = '';
let counter = 0;

/**
 * A UUIDv7 (RFC 9562 section 5.7): sorts by creation time, so that rows keyed by it are appended. Those that
 * this process makes one after the other in a millisecond sort in that order, too, at least the first
 * 2,048 (section 6.2, method 1).
 * @param nowMs milliseconds since the Unix epoch
 */
export function createUuidV7(nowMs: number): string {
  if (poolOffset >= pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    poolOffset = 0;
  }
  const random = pool.slice(poolOffset, (poolOffset += DIGITS_PER_ID));
  const timeMs = Math.trunc(nowMs);
  const isCounted = timeMs === countedMs && counter < MAX_COUNTER;
  // It begins in the lower half, so that there is room above.
  counter = isCounted ? counter + 1 : Number.parseInt(random.slice(0, 3), 16) >> 1;
  if (timeMs !== countedMs) {
    countedMs = timeMs;
    countedTime = timeOf(timeMs);
  }
  const variant = '89ab'[Number.parseInt(random.charAt(4), 16) & 3];
  const count = counter.toString(16).padStart(3, '0');
  return `${countedTime}-7${count}-${variant}${random.slice(5, 8)}-${random.slice(8)}`;
}

/** What no UUIDv7 from that moment on sorts before, and every earlier one does. */
export function leastUuidV7(timeMs: number): string {
  return `${timeOf(timeMs)}-7000-8000-000000000000`;
}

/** When a UUIDv7 was made, milliseconds since the Unix epoch. */
export function timeOfUuidV7(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function timeOf(timeMs: number): string {
  const time = Math.trunc(timeMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
