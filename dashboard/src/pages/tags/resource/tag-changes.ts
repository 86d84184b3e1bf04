import type { TagMap, TagPatch } from '../../../api/resource-tags.ts';

/** What became of one tag; undefined: there is none. */
export interface TagChange {
  key: string;
  before: string | undefined;
  after: string | undefined;
}

/** The tags that differ between two sets, in the order of their keys. */
export function changesBetween(before: TagMap, after: TagMap): TagChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
    .filter((change) => change.before !== change.after)
    .toSorted((a, b) => compareKeys(a.key, b.key));
}

/** The patch that makes the changes. */
export function patchOf(changes: readonly TagChange[]): TagPatch {
  return Object.fromEntries(changes.map(({ key, after }) => [key, after ?? null]));
}

/** What is there after a patch. */
export function patched(tags: TagMap, patch: TagPatch): TagMap {
  const result = new Map(tags);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, value);
  }
  return result;
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The order in which tags are shown. */
export function compareKeys(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
