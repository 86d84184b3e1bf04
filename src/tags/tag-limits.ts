import { apiError } from '../http/errors.ts';
import { tagErrors } from './tag-errors.ts';

// The limits of seed section 8. Lengths count characters, that is code points.
export const MAX_KEY_CHARACTERS = 256;
export const MAX_VALUE_CHARACTERS = 1_024;
export const MAX_FILTERS = 20;
export const MAX_VALUES_IN_FILTER = 10;

/** A set of this size is processed within one turn of the event loop. */
export const MAX_TAGS_PER_RESOURCE = 1_000;

// Letters with their marks, such as the vowel signs of Hindi and Thai, and digits of all scripts.
const KEY = /^[\p{L}\p{M}\p{Nd}_.-]+$/u;

/** Returns a key as it is stored: the composed and the decomposed form are one key (Unicode NFC). */
export function normalizedKey(key: string): string {
  return key.normalize('NFC');
}

/** Whether a well-formed text has more than so many code points. */
export function isLongerThan(text: string, characters: number): boolean {
  // A code point is one or two UTF-16 units, which settles nearly every case without counting.
  if (text.length <= characters) return false;
  return text.length > 2 * characters || Array.from(text).length > characters;
}

/**
 * @param key see {@link normalizedKey}
 * @throws ApiError 1011 or 1014
 */
export function checkKey(key: string): void {
  if (isLongerThan(key, MAX_KEY_CHARACTERS)) throw apiError(tagErrors.keyTooLong);
  if (!KEY.test(key)) throw apiError(tagErrors.invalidKey);
}

/** @throws ApiError 1012 */
export function checkValue(value: string): void {
  if (isLongerThan(value, MAX_VALUE_CHARACTERS)) throw apiError(tagErrors.valueTooLong);
}

/** @throws ApiError 1006 */
export function checkResourceType(type: string, known: ReadonlySet<string>): void {
  if (!known.has(type)) throw apiError(tagErrors.invalidResourceType);
}
