import { pauseIfLarge } from '../event-loop-turns.ts';
import type { TagPatch } from '../write/tag-write.ts';
import { type TagSet, tagSetOf } from './tag-set.ts';

/** Some tags of a set changed (RFC 7396); the same set when that changes nothing. */
export async function mergeTags(tagSet: TagSet, patch: TagPatch): Promise<TagSet> {
  await tagSet.unfold();
  const changed = [...patch].filter(([key, value]) => (tagSet.byKey.get(key) ?? null) !== value);
  if (changed.length === 0) return tagSet;
  await pauseIfLarge(tagSet.byKey.size);
  const byKey = new Map(tagSet.byKey);
  for (const [key, value] of changed) {
    if (value === null) byKey.delete(key);
    else byKey.set(key, value);
  }
  return tagSetOf(byKey);
}
