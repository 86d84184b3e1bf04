import { apiError } from '../../http/errors.ts';
import { tagErrors } from '../tag-errors.ts';
import { checkKey, checkValue, normalizedKey } from '../tag-limits.ts';
import type { TagMap, Tags } from '../tag-set/tag-set.ts';
import { inLargeChunks, isLarge } from '../event-loop-turns.ts';
import type { GivenFacts, TagPatch } from './tag-write.ts';

// What requests say of tags, and of the resources that have them.

/**
 * Returns the tags of a request by their keys in NFC. A map, because `__proto__` is an ordinary key.
 * @throws ApiError 1002 if two keys are equal in NFC
 */
function normalizedTags<Value>(tags: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  const byKey = new Map<string, Value>();
  const keys = Object.keys(tags);
  for (const key of keys) byKey.set(normalizedKey(key), tags[key] as Value);
  if (byKey.size < keys.length) throw apiError(tagErrors.invalidSetPayload);
  return byKey;
}

/**
 * Returns the patch of a request.
 * @throws ApiError 1002, 1011, 1014 or 1012
 */
export async function givenPatch(tags: Readonly<Record<string, string | null>>): Promise<TagPatch> {
  const patch = normalizedTags(tags);
  await checkTags(patch);
  return patch;
}

/**
 * Returns the tags of a request that replaces them, by key.
 * @throws ApiError 1002, 1011, 1014 or 1012
 */
export async function givenTags(tags: Tags): Promise<TagMap> {
  const byKey = normalizedTags(tags);
  await checkTags(byKey);
  return byKey;
}

/**
 * Checks all keys and values, in parts.
 * @throws ApiError 1011, 1014 or 1012
 */
async function checkTags(tags: TagPatch): Promise<void> {
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
