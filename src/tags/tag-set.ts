import canonicalize from 'canonicalize';

/**
 * The tags of one resource by key. Made by JSON.parse alone, which keeps `__proto__` an ordinary key:
 * look keys up in a {@link TagMap}, and never assign to this.
 */
export type Tags = Readonly<Record<string, string>>;

/** The same in a form that is safe to look keys up in. */
export type TagMap = ReadonlyMap<string, string>;

export const NO_TAGS: TagMap = new Map();

export function tagMapOf(tags: Tags): TagMap {
  return new Map(Object.entries(tags));
}

/** The tags as RFC 8785 (JCS) writes them: one text for one set, whatever the order of its keys. */
export function canonicalTags(tags: Tags): string {
  return canonicalize(tags) ?? '{}';
}

/** @param canonical what {@link canonicalTags} made */
export function parseTags(canonical: string): Tags {
  return JSON.parse(canonical) as Tags;
}
