import { GATEWAY } from '../gateway-denials.ts';
import { foldCase } from '../store/fold.ts';
import type { TaggedResource } from '../store/tag-store.ts';
import type { Tags } from '../tag-set/tag-set.ts';
import type { TagFilter } from './tag-filter.ts';

/** What a caller asks for; all of it must hold. Empty lists ask for nothing. */
export interface ResourceQuery {
  filters: readonly TagFilter[];
  types: readonly string[];
  ids: readonly string[];
  /** Search text: part of the name; case-insensitive. */
  name: string;
  caseInsensitive: boolean;
  /** Gateways that the caller must not see. */
  hiddenGateways: readonly string[];
}

/** Whether a resource, as it is, is what a query asks for. */
export type ResourceMatcher = (resource: TaggedResource) => boolean;

/** Has what a query asks for looked at once, for any number of resources. */
export function matcherOf(query: ResourceQuery): ResourceMatcher {
  const types = new Set(query.types);
  const ids = new Set(query.ids);
  const hidden = new Set(query.hiddenGateways);
  const name = foldCase(query.name);
  const tagsMatch = query.caseInsensitive
    ? matchInAnyCase(query.filters)
    : matchExactly(query.filters);
  return (resource) =>
    (types.size === 0 || types.has(resource.type)) &&
    (ids.size === 0 || ids.has(resource.id)) &&
    (name === '' || foldCase(resource.name).includes(name)) &&
    !(resource.type === GATEWAY && hidden.has(resource.id)) &&
    tagsMatch(resource.tags);
}

function matchExactly(filters: readonly TagFilter[]): (tags: Tags) => boolean {
  const composed = filters.map((filter) => ({
    ...filter,
    values: filter.values?.map((value) => value.normalize('NFC')),
  }));
  return (tags) =>
    composed.every(({ key, values, negated }) => {
      // A key such as `constructor` is there only when it is the resource's own.
      const value = Object.hasOwn(tags, key) ? tags[key]?.normalize('NFC') : undefined;
      return negated !== (value !== undefined && (values?.includes(value) ?? true));
    });
}

/** One of several spellings of a key is enough, and for a negation too many. */
function matchInAnyCase(filters: readonly TagFilter[]): (tags: Tags) => boolean {
  const folded = filters.map((filter) => ({
    ...filter,
    key: foldCase(filter.key),
    values: filter.values?.map(foldCase),
  }));
  const byKey = Map.groupBy(folded, ({ key }) => key);
  return (tags) => {
    // There may be many tags: each is looked at once, however many filters there are.
    const found = new Set<TagFilter>();
    for (const key of Object.keys(tags)) {
      for (const filter of byKey.get(foldCase(key)) ?? []) {
        if (filter.values?.includes(foldCase(tags[key] as string)) ?? true) found.add(filter);
      }
    }
    return folded.every((filter) => filter.negated !== found.has(filter));
  };
}
