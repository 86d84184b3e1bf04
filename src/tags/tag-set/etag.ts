import { hash } from 'node:crypto';

const DIGEST_BYTES = 16;

/** @param canonical the tags as RFC 8785 writes them */
export function etagOf(canonical: string): string {
  const digest = hash('sha256', canonical, 'buffer');
  return `v1:${digest.toString('base64url', 0, DIGEST_BYTES)}`;
}

/** The ETag of a set without tags, which is also that of a resource that was never tagged. */
export const EMPTY_ETAG = etagOf('{}');

// An entity tag is quoted (RFC 9110 section 8.8.3), but clients also copy the bare one of the body.
const ENTITY_TAG = /(W\/)?"([^"]*)"|([^\s,"]+)/g;

/**
 * Whether an `If-Match` header lets a write go on (RFC 9110 section 13.1.1).
 * @param current of the resource's tags; undefined when it has none, and then `*` does not hold
 */
export function ifMatchHolds(header: string | undefined, current: string | undefined): boolean {
  if (header === undefined) return true;
  if (header.trim() === '*') return current !== undefined;
  const wanted = current ?? EMPTY_ETAG;
  for (const [, weak, quoted, bare] of header.matchAll(ENTITY_TAG)) {
    // The comparison is the strong one, which a weak entity tag never passes.
    if (weak === undefined && (quoted ?? bare) === wanted) return true;
  }
  return false;
}
