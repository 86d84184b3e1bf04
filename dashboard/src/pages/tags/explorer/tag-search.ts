import type { TagQuery } from '../../../lib/tag-query.ts';
import { labels } from '../labels.ts';
import { MAX_FILTERS, TOO_MANY_FILTERS, faultOfFilter, readTagFilter } from './tag-filter.ts';

/** All that the address of the tag explorer tells: going back shows the same again. */
export interface TagSearch extends TagQuery {
  /** Where the page of results begins. */
  cursor?: string;
  /** The number of that page. */
  page?: number;
}

/** How many ids a request may have. */
export const MAX_IDS = 50;

// A few more than the API takes: somebody who has too many sees them, and can take some away.
const MOST_OF_EACH = 100;

const LISTS = ['tag', 'type', 'id'] as const;

/** Takes from an address what there is; what nobody knows is left out. */
export function parseTagSearch(search: Record<string, unknown>): TagSearch {
  const lists = LISTS.flatMap((name) => {
    const texts = textsOf(search[name]);
    return texts.length > 0 ? [[name, texts] as const] : [];
  });
  const [name = ''] = textsOf(search.name);
  const { case_insensitive: caseInsensitive, cursor, page } = search;
  return {
    ...Object.fromEntries(lists),
    ...(name !== '' && { name }),
    ...(caseInsensitive === true && { case_insensitive: true }),
    ...(typeof cursor === 'string' && cursor !== '' && { cursor }),
    ...(typeof cursor === 'string' && typeof page === 'number' && page > 1 && { page }),
  };
}

// In an address that somebody has typed, a text may look like a number.
function textsOf(value: unknown): string[] {
  return [value]
    .flat()
    .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
    .map(String)
    .slice(0, MOST_OF_EACH);
}

/** What resources an address is about, without which page of them. */
export function queryOf({ cursor: _cursor, page: _page, ...query }: TagSearch): TagQuery {
  return query;
}

/** Whether every tagged resource is wanted. */
export function isOfAll({ tag, type, id, name }: TagQuery): boolean {
  return [tag, type, id].every((list) => (list ?? []).length === 0) && (name ?? '') === '';
}

/** A query with another list in it; an empty one is left out. */
export function withList(
  query: TagQuery,
  name: (typeof LISTS)[number],
  list: readonly string[],
): TagQuery {
  const { [name]: _before, ...others } = query;
  return list.length === 0 ? others : { ...others, [name]: list };
}

/**
 * What the API would say of a query, the first fault that it would find; undefined when it has none.
 * @param knownTypes undefined while nobody has told them
 */
export function faultOfQuery(
  { tag = [], type = [], id = [] }: TagQuery,
  knownTypes: ReadonlySet<string> | undefined,
): string | undefined {
  // Ids are counted before anything is read.
  if (id.length > MAX_IDS) return tooManyIds;
  if (tag.length > MAX_FILTERS) return TOO_MANY_FILTERS;
  const ofFilter = tag.map((text) => faultOfFilter(readTagFilter(text))).find(isThere);
  if (ofFilter !== undefined) return ofFilter;
  const isUnknown = knownTypes !== undefined && type.some((one) => !knownTypes.has(one));
  return isUnknown ? INVALID_TYPE : undefined;
}

const tooManyIds = labels.invalidRequestParameterIdMust(MAX_IDS);

/** What the API says of a type that it does not know. */
const INVALID_TYPE = labels.invalidResourceType;

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
