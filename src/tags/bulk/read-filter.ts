import { type ApiError, apiError } from '../../http/errors.ts';
import { parseTagFilters } from '../query/tag-filter.ts';
import type { ResourceQuery } from '../query/tag-match.ts';
import { tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import type { FilterInput } from './bulk-schemas.ts';

/** Which resources a caller means, apart from those that the caller must not see. */
export type WantedResources = Omit<ResourceQuery, 'hiddenGateways'>;

/**
 * Reads the filter of a bulk request.
 * @throws ApiError 1002 for one that says nothing: it would mean the whole account; else what the list
 *   of tagged resources refuses it with
 */
export function readFilter(
  {
    tag,
    type = [],
    id = [],
    name = '',
    case_insensitive: caseInsensitive = false,
    all,
  }: FilterInput,
  resourceTypes: ReadonlySet<string>,
): WantedResources {
  const filters = parseTagFilters(tag ?? []);
  const types = [...new Set(type)];
  for (const one of types) checkResourceType(one, resourceTypes);
  const isNarrow = filters.length > 0 || types.length > 0 || id.length > 0 || name !== '';
  if (all === true && isNarrow) throw badFilter('all stands alone');
  if (all === undefined && !isNarrow) {
    throw badFilter('it says nothing; {"all":true} means every tagged resource of the account');
  }
  return { filters, types, ids: [...new Set(id)], name, caseInsensitive };
}

function badFilter(fault: string): ApiError {
  return apiError(tagErrors.invalidSetPayload, {
    message: `${tagErrors.invalidSetPayload.message}: filter: ${fault}`,
    pointer: '/filter',
  });
}
