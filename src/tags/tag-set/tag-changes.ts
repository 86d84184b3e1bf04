import { setImmediate as nextTurn } from 'node:timers/promises';
import { inLargeChunks, isLarge } from '../event-loop-turns.ts';
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
  if (isLarge(before.size + after.size)) {
    await nextTurn();
    for await (const chunk of inLargeChunks([...before])) addLost(chunk, after, changes);
    for await (const chunk of inLargeChunks([...after])) addNew(chunk, before, changes);
  } else {
    addLost(before, after, changes);
    addNew(after, before, changes);
  }
  return changes;
}

type SomeTags = Iterable<readonly [key: string, value: string]>;

/** Adds those that have become others, or are gone. */
function addLost(some: SomeTags, after: TagMap, changes: TagChange[]): void {
  for (const [key, value] of some) {
    const next = after.get(key);
    if (next !== value) changes.push({ key, before: value, after: next });
  }
}

function addNew(some: SomeTags, before: TagMap, changes: TagChange[]): void {
  for (const [key, value] of some) {
    if (!before.has(key)) changes.push({ key, before: undefined, after: value });
  }
}
