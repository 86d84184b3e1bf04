import type { TagMap } from './tag-set.ts';

/** What becomes of one tag of a resource; undefined: there is none. */
export interface TagChange {
  key: string;
  before: string | undefined;
  after: string | undefined;
}

/** The tags that differ between two sets, by key. */
export function changesBetween(before: TagMap, after: TagMap): TagChange[] {
  const changes: TagChange[] = [];
  for (const [key, value] of before) {
    const next = after.get(key);
    if (next !== value) changes.push({ key, before: value, after: next });
  }
  for (const [key, value] of after) {
    if (!before.has(key)) changes.push({ key, before: undefined, after: value });
  }
  return changes.sort((a, b) => compareText(a.key, b.key));
}

/** An order of texts that is the same on every node. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
