import { createHash } from 'node:crypto';

const MAX_VERBATIM_UNITS = 128;
const PREFIX_CHARACTERS = 100;

/**
 * Returns the key of a value in indexes, whose entries PostgreSQL limits to about 2,700 bytes: the value itself if it is
 * short, else its beginning and its SHA-256. The latter is longer than each value that is its own key. The composed and
 * the decomposed form of a value have the same key (Unicode NFC).
 */
export function valueKeyOf(value: string): string {
  const composed = value.normalize('NFC');
  if (composed.length <= MAX_VERBATIM_UNITS) return composed;
  const digest = createHash('sha256').update(composed).digest('base64url');
  return `${indexedPrefix(composed)}~${digest}`;
}

/** As much of a value, or of the beginning of one, as is found in the same place of its value key. */
export function indexedPrefix(text: string): string {
  return Array.from(text.slice(0, 2 * PREFIX_CHARACTERS))
    .slice(0, PREFIX_CHARACTERS)
    .join('');
}

const LAST_CODE_POINT = 0x10ffff;
const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;

/**
 * The least text after all those that begin with a prefix, in the order of code points, which is
 * that of UTF-8 bytes and so of both databases; undefined when nothing follows them.
 */
export function endOfPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (;;) {
    const last = characters.pop()?.codePointAt(0);
    if (last === undefined) return undefined;
    if (last === LAST_CODE_POINT) continue;
    const next = last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
}
