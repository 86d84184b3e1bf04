import { canonicalObject } from './canonical-object.ts';
import { EMPTY_ETAG, etagOf } from './etag.ts';

/**
 * The tags of one resource by key. Made by JSON.parse alone, which keeps `__proto__` an ordinary key:
 * look keys up in a {@link TagMap}, and never assign to this.
 */
export type Tags = Readonly<Record<string, string>>;

/** The same in a form that is safe to look keys up in. */
export type TagMap = ReadonlyMap<string, string>;

export const NO_TAGS: TagMap = new Map();

/** A set of tags in the forms that are stored. It parses the canonical form on first use. */
export class TagSet {
  /** As RFC 8785 (JCS) writes it: one text for one set, whatever the order of its keys. */
  readonly canonical: string;
  readonly etag: string;
  #tags: Tags | undefined;
  #byKey: TagMap | undefined;

  constructor(canonical: string, etag: string, known: { tags?: Tags; byKey?: TagMap } = {}) {
    this.canonical = canonical;
    this.etag = etag;
    this.#tags = known.tags;
    this.#byKey = known.byKey;
  }

  get tags(): Tags {
    return (this.#tags ??= parseTags(this.canonical));
  }

  get byKey(): TagMap {
    return (this.#byKey ??= tagMapOf(this.tags));
  }
}

/** Returns the set of these tags, with its canonical form and its ETag. */
export function tagSetOf(byKey: TagMap): TagSet {
  const canonical = canonicalObject(byKey);
  return new TagSet(canonical, etagOf(canonical), { byKey });
}

/** The set of a resource without tags. */
export const EMPTY_SET: TagSet = new TagSet('{}', EMPTY_ETAG, { byKey: NO_TAGS });

export function tagMapOf(tags: Tags): TagMap {
  const byKey = new Map<string, string>();
  // Object.entries takes twice as long for a large set. Reading an own `__proto__` is safe.
  for (const key of Object.keys(tags)) byKey.set(key, tags[key] as string);
  return byKey;
}

/** @param canonical see {@link TagSet} */
export function parseTags(canonical: string): Tags {
  return JSON.parse(canonical) as Tags;
}
