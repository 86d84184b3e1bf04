import { type TagFilter, readTagFilter, writeTagFilter } from './tag-filter.ts';
import { withList } from './tag-search.ts';
import type { TagQuery } from '../../../lib/tag-query.ts';

/** A query with one more condition. One that it has already is not added again. */
export function addFilter(query: TagQuery, filter: TagFilter): TagQuery {
  const text = writeTagFilter(filter);
  const { tag = [] } = query;
  return tag.includes(text) ? query : withList(query, 'tag', [...tag, text]);
}

/** A query with another condition in the place of one. */
export function replaceFilter(query: TagQuery, index: number, filter: TagFilter): TagQuery {
  const { tag = [] } = query;
  return withList(query, 'tag', tag.with(index, writeTagFilter(filter)));
}

/** A query without one of its conditions. */
export function removeFilter(query: TagQuery, index: number): TagQuery {
  const { tag = [] } = query;
  return withList(query, 'tag', tag.toSpliced(index, 1));
}

/** Place of the condition that asks for a key, with or without values; -1 when there is none. */
function placeOf(query: TagQuery, key: string): number {
  return (query.tag ?? []).findIndex((text) => {
    const filter = readTagFilter(text);
    return filter.key === key && !filter.isNegated;
  });
}

/** The values that a query asks for of a key. */
export function wantedValues(query: TagQuery, key: string): readonly string[] {
  const text = query.tag?.[placeOf(query, key)];
  return text === undefined ? [] : (readTagFilter(text).values ?? []);
}

/** Asks for one value of a key more, or for one less. */
export function toggleValue(query: TagQuery, key: string, value: string): TagQuery {
  const index = placeOf(query, key);
  const filter = { key, values: [value], isNegated: false };
  if (index === -1) return addFilter(query, filter);
  const before = wantedValues(query, key);
  const values = before.includes(value)
    ? before.filter((one) => one !== value)
    : [...before, value];
  return values.length === 0
    ? removeFilter(query, index)
    : replaceFilter(query, index, { ...filter, values });
}

/** Asks for one resource type more, or for one less. */
export function toggleType(query: TagQuery, type: string): TagQuery {
  const { type: before = [] } = query;
  const types = before.includes(type) ? before.filter((one) => one !== type) : [...before, type];
  return withList(query, 'type', types);
}
