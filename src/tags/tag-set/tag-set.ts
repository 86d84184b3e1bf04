import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalObject } from './canonical-object.ts';
import { EMPTY_ETAG, etagOf } from './etag.ts';
import { pauseIfLarge } from '../event-loop-turns.ts';

/**
 * The tags of one resource by key. Made by JSON.parse alone, which keeps `__proto__` an ordinary key:
 * look keys up in a {@link TagMap}, and never assign to this.
 */
export type Tags = Readonly<Record<string, string>>;

/** The same in a form that is safe to look keys up in. */
export type TagMap = ReadonlyMap<string, string>;

export const NO_TAGS: TagMap = new Map();

/** Parsing so many characters takes less than 2 ms. */
const LARGE_TEXT = 65_536;

/** A set of tags with all that storing it takes. What is not known yet is worked out when it is used. */
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

  /** Works out all of it, one step a turn when the set is large. */
  async unfold(): Promise<void> {
    if (this.#tags === undefined) {
      if (this.canonical.length > LARGE_TEXT) await nextTurn();
      this.#tags = parseTags(this.canonical);
    }
    if (this.#byKey === undefined) {
      if (this.canonical.length > LARGE_TEXT) await nextTurn();
      this.#byKey = tagMapOf(this.#tags);
    }
  }
}

/** Works out what storing a set takes, before a transaction that others may wait for. */
export async function tagSetOf(byKey: TagMap): Promise<TagSet> {
  const canonical = await canonicalObject(byKey);
  await pauseIfLarge(byKey.size);
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
