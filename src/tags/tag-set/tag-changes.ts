import { inLargeChunks, pauseIfLarge } from '../event-loop-turns.ts';
import type { TagMap } from './tag-set.ts';

/** What becomes of one tag of a resource; undefined: there is none. */
export interface TagChange {
  key: string;
  before: string | undefined;
  after: string | undefined;
}

/** The tags that differ between two sets. */
export async function changesBetween(before: TagMap, after: TagMap): Promise<TagChange[]> {
  const changes: TagChange[] = [];
  await pauseIfLarge(before.size + after.size);
  for await (const chunk of inLargeChunks([...before])) {
    for (const [key, value] of chunk) {
      const next = after.get(key);
      if (next !== value) changes.push({ key, before: value, after: next });
    }
  }
  for await (const chunk of inLargeChunks([...after])) {
    for (const [key, value] of chunk) {
      if (!before.has(key)) changes.push({ key, before: undefined, after: value });
    }
  }
  return changes;
}
