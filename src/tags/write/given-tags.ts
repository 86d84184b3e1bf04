import { apiError } from '../../http/errors.ts';
import { tagErrors } from '../tag-errors.ts';
import { MAX_TAGS_PER_RESOURCE, checkKey, checkValue, normalizedKey } from '../tag-limits.ts';
import type { TagMap, Tags } from '../tag-set/tag-set.ts';
import type { GivenFacts, TagPatch } from './tag-write.ts';

// Readers for the tags of a request and for the other members of its resource.

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
export function givenPatch(tags: Readonly<Record<string, string | null>>): TagPatch {
  const patch = normalizedTags(tags);
  checkTags(patch);
  return patch;
}

/**
 * Returns the tags of a request that replaces them, by key.
 * @throws ApiError 1002, 1011, 1014, 1012 or 1018
 */
export function givenTags(tags: Tags): TagMap {
  const byKey = normalizedTags(tags);
  checkTags(byKey);
  if (byKey.size > MAX_TAGS_PER_RESOURCE) throw apiError(tagErrors.setTooLarge);
  return byKey;
}

/** @throws ApiError 1011, 1014 or 1012 */
function checkTags(tags: TagPatch): void {
  for (const [key, value] of tags) {
    checkKey(key);
    if (value !== null) checkValue(value);
  }
}

/** Returns the members of a request that describe its resource. */
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
