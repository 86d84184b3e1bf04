/** Why a text was refused; the caller chooses the error of its domain. */
export class JsonSyntaxError extends Error {}

/**
 * Parses JSON from outside. Objects keep `__proto__` as an ordinary own key, which JSON.parse
 * guarantees; code that copies such objects key by key must not use plain assignment.
 * @param maxDepth nesting allowed, 1 for a flat object
 * @throws JsonSyntaxError when the text is not JSON, is nested too deep or holds what no database
 *   can store: a NUL character, or half of a surrogate pair, which would come back as another text
 */
export function parseJson(text: string, maxDepth: number): unknown {
  if (depthOf(text) > maxDepth) throw new JsonSyntaxError(`nested deeper than ${maxDepth} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonSyntaxError('not JSON', { cause: error });
  }
  // Both can only be written as an escape, so most bodies need no walk.
  if (SUSPICIOUS_ESCAPE.test(text) && holdsUnstorable(value)) {
    throw new JsonSyntaxError('a text holds a NUL character or half of a surrogate pair');
  }
  return value;
}

const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The deepest nesting of a text, without parsing it: brackets outside of strings. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) {
        if (text.charCodeAt(i) === BACKSLASH) i++;
      }
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
  return deepest;
}

function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (Array.isArray(value)) return value.some(holdsUnstorable);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => holdsUnstorable(key) || holdsUnstorable(item));
}
