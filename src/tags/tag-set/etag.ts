import { hash } from 'node:crypto';
import { ifMatchHolds } from '../../http/entity-tags.ts';

const DIGEST_BYTES = 16;

/** @param canonical the tags as RFC 8785 writes them */
export function etagOf(canonical: string): string {
  const digest = hash('sha256', canonical, 'buffer');
  return `v1:${digest.toString('base64url', 0, DIGEST_BYTES)}`;
}

/** The ETag of a set without tags, which is also that of a resource that was never tagged. */
export const EMPTY_ETAG = etagOf('{}');

/**
 * Returns true if an `If-Match` header lets a write of tags go on.
 * @param current ETag of the tags; undefined for a resource without tags, which `*` does not match
 */
export function tagsMatch(header: string | undefined, current: string | undefined): boolean {
  return ifMatchHolds(header, current, current ?? EMPTY_ETAG);
}
