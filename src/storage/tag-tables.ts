import type { TimeMs } from './column-types.ts';

// The tables of resource tags, see migrations/0004-tags.ts and 0011-tag-postings.ts.

export interface TaggedResourcesTable {
  account_id: string;
  /** Place in every list, from 1 on without gaps; given once and never again. */
  seq: number;
  resource_type: string;
  resource_id: string;
  name: string;
  /** See tags/store/fold.ts; so are all folded columns below. */
  name_folded: string;
  etag: string;
  tags_updated_at: TimeMs;
  worker_id: string | null;
  zone_id: string | null;
  access_application_id: string | null;
  /** Canonical JSON (RFC 8785) of all tags. */
  tags: string;
}

export interface TagHeadsTable {
  account_id: string;
  /** The greatest `seq` that was given to a resource. */
  last_seq: number;
  /** The greatest `position` that was given to a change. */
  last_position: number;
  /** Changes up to this one are deleted. */
  purged_position: number;
}

export interface TagPostingsTable {
  account_id: string;
  /** What all resources of the set have in common, see tags/store/tag-terms.ts. */
  term: string;
  /** See lib/bit-block.ts: resources with `seq` from 4096 * block on. */
  block: number;
  /** Their places in the block; never empty. */
  places: Uint8Array;
}

export interface TagChangesTable {
  account_id: string;
  /** Greater than that of every change that was committed before. */
  position: number;
  resource_type: string;
  resource_id: string;
  name: string;
  /** After the change; that of the empty set when no tags are left. */
  etag: string;
  /** JSON merge patch (RFC 7396): what became of each tag that changed. */
  patch: string;
  changed_at: TimeMs;
  /** Id of the request that made the change; null when none did. */
  request_id: string | null;
}

export interface TagKeysTable {
  account_id: string;
  key: string;
  resource_type: string;
  key_folded: string;
  /** Resources of the type that have the key. */
  resource_count: number;
}

export interface TagValuesTable {
  account_id: string;
  key: string;
  value_key: string;
  resource_type: string;
  value: string;
  key_folded: string;
  /** Value key of the folded value. */
  value_folded: string;
  /** Resources of the type that have the key with the value. */
  resource_count: number;
}

export interface TaggedTypesTable {
  account_id: string;
  resource_type: string;
  /** Resources of the type that have tags. */
  resource_count: number;
}
