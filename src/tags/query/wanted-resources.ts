import { checkResourceType } from '../tag-limits.ts';
import { parseTagFilters } from './tag-filter.ts';
import type { ResourceQuery } from './tag-match.ts';

/** How many ids a query may name. */
export const MAX_IDS = 50;

/** Which resources a caller means, apart from those that the caller must not see. */
export type WantedResources = Omit<ResourceQuery, 'hiddenGateways'>;

/** The parameters of a search, in a query or in a body. */
interface SearchParameters {
  tag?: string[];
  type?: string[];
  id?: string[];
  name?: string;
  case_insensitive?: boolean;
}

/**
 * Reads what a search asks for. The contract does not place 1006: here it comes last, after the whole
 * list of checks on filters.
 * @throws ApiError 1010, 1007, 1013, 1011, 1014, 1012 or 1006
 */
export function readWanted(
  { tag = [], type, id, name = '', case_insensitive: caseInsensitive = false }: SearchParameters,
  resourceTypes: ReadonlySet<string>,
): WantedResources {
  const filters = parseTagFilters(tag);
  const types = [...new Set(type)];
  for (const one of types) checkResourceType(one, resourceTypes);
  return { filters, types, ids: [...new Set(id)], name, caseInsensitive };
}
