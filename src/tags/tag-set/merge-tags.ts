import type { TagPatch } from '../write/tag-write.ts';
import { type TagSet, tagSetOf } from './tag-set.ts';

/** Applies a merge patch (RFC 7396) to a set. Returns the same set if the patch changes nothing. */
export function mergeTags(tagSet: TagSet, patch: TagPatch): TagSet {
  const changed = [...patch].filter(([key, value]) => (tagSet.byKey.get(key) ?? null) !== value);
  if (changed.length === 0) return tagSet;
  const byKey = new Map(tagSet.byKey);
  for (const [key, value] of changed) {
    if (value === null) byKey.delete(key);
    else byKey.set(key, value);
  }
  return tagSetOf(byKey);
}
