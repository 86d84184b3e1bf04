import canonicalize from 'canonicalize';
import { etagOf } from './etag.ts';
import { pauseIfLarge } from './event-loop-turns.ts';

/**
 * The tags of one resource by key. Made by JSON.parse alone, which keeps `__proto__` an ordinary key:
 * look keys up in a {@link TagMap}, and never assign to this.
 */
export type Tags = Readonly<Record<string, string>>;

/** The same in a form that is safe to look keys up in. */
export type TagMap = ReadonlyMap<string, string>;

export const NO_TAGS: TagMap = new Map();

/** A set of tags with all that storing it takes. */
export interface TagSet {
  tags: Tags;
  byKey: TagMap;
  /** See {@link canonicalTags}. */
  canonical: string;
  etag: string;
}

/** Works out what storing a set takes, before a transaction that others may wait for. */
export async function tagSetOf(tags: Tags, byKey: TagMap): Promise<TagSet> {
  await pauseIfLarge(byKey.size);
  const canonical = canonicalTags(tags);
  await pauseIfLarge(byKey.size);
  return { tags, byKey, canonical, etag: etagOf(canonical) };
}

export function tagMapOf(tags: Tags): TagMap {
  const byKey = new Map<string, string>();
  // Object.entries takes twice as long for a large set. Reading an own `__proto__` is safe.
  for (const key of Object.keys(tags)) byKey.set(key, tags[key] as string);
  return byKey;
}

/** The tags as RFC 8785 (JCS) writes them: one text for one set, whatever the order of its keys. */
export function canonicalTags(tags: Tags): string {
  return canonicalize(tags) ?? '{}';
}

/** @param canonical what {@link canonicalTags} made */
export function parseTags(canonical: string): Tags {
  return JSON.parse(canonical) as Tags;
}
