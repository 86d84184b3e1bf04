// An entity tag is quoted (RFC 9110 section 8.8.3), but clients also copy the bare one of a body.
const ENTITY_TAG = /(W\/)?"([^"]*)"|([^\s,"]+)/g;

/**
 * Returns true if an `If-Match` header lists the current entity tag, or is absent (RFC 9110 section 13.1.1).
 * @param current without quotes; undefined if there is no current representation, which `*` does not match
 * @param wanted the tag that a listed one has to equal. Default: the current one
 */
export function ifMatchHolds(
  header: string | undefined,
  current: string | undefined,
  wanted = current,
): boolean {
  if (header === undefined) return true;
  if (header.trim() === '*') return current !== undefined;
  if (!hasClosedQuotes(header)) return false;
  for (const [, weak, quoted, bare] of header.matchAll(ENTITY_TAG)) {
    // The comparison is the strong one, which a weak entity tag never passes.
    if (weak === undefined && (quoted ?? bare) === wanted) return true;
  }
  return false;
}

/**
 * Returns true if an `If-None-Match` header lists the current entity tag, so that the response is 304 (RFC 9110
 * section 13.1.2). The comparison is the weak one.
 * @param current with its quotes, as in the `ETag` header; undefined: none
 */
export function isNotModified(header: string | undefined, current: string | undefined): boolean {
  if (header === undefined || current === undefined) return false;
  if (header.trim() === '*') return true;
  if (!hasClosedQuotes(header)) return false;
  const opaque = current.slice(current.indexOf('"') + 1, -1);
  for (const [, , quoted, bare] of header.matchAll(ENTITY_TAG)) {
    if ((quoted ?? bare) === opaque) return true;
  }
  return false;
}

/** A header with an unclosed quote is malformed, so it lists no entity tag. */
function hasClosedQuotes(header: string): boolean {
  return header.split('"').length % 2 === 1;
}
