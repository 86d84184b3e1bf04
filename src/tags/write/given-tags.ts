import { checkKey, checkValue } from '../tag-limits.ts';
import { inLargeChunks, isLarge } from '../event-loop-turns.ts';
import type { GivenFacts, TagPatch } from './tag-write.ts';

// What requests say of tags, and of the resources that have them.

/** The patch of a request. Made like a {@link TagMap}: `__proto__` is an ordinary key. */
export function patchOf(tags: Readonly<Record<string, string | null>>): TagPatch {
  const patch = new Map<string, string | null>();
  for (const key of Object.keys(tags)) patch.set(key, tags[key] as string | null);
  return patch;
}

/**
 * Checks all keys and values, in parts.
 * @throws ApiError 1011, 1014 or 1012
 */
export async function checkTags(tags: TagPatch): Promise<void> {
  if (!isLarge(tags.size)) return checkSome(tags);
  for await (const chunk of inLargeChunks([...tags])) checkSome(chunk);
}

function checkSome(tags: Iterable<readonly [key: string, value: string | null]>): void {
  for (const [key, value] of tags) {
    checkKey(key);
    if (value !== null) checkValue(value);
  }
}

/** What a request says of its resource. */
export function givenFacts(body: {
  name?: string | undefined;
  worker_id?: string | undefined;
  zone_id?: string | undefined;
  access_application_id?: string | undefined;
}): GivenFacts {
  return {
    name: body.name,
    workerId: body.worker_id,
    zoneId: body.zone_id,
    accessApplicationId: body.access_application_id,
  };
}
