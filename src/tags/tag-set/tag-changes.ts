import type { TagMap } from './tag-set.ts';

/** A change of one tag of a resource. Undefined: the resource does not have the tag. */
export interface TagChange {
  key: string;
  before: string | undefined;
  after: string | undefined;
}

/** Returns the tags that differ between two sets. */
export function changesBetween(before: TagMap, after: TagMap): TagChange[] {
  const changes: TagChange[] = [];
  for (const [key, value] of before) {
    const next = after.get(key);
    if (next !== value) changes.push({ key, before: value, after: next });
  }
  for (const [key, value] of after) {
    if (!before.has(key)) changes.push({ key, before: undefined, after: value });
  }
  return changes;
}
