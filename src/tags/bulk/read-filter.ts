import { type ApiError, apiError } from '../../http/errors.ts';
import { type WantedResources, readWanted } from '../query/wanted-resources.ts';
import { tagErrors } from '../tag-errors.ts';
import type { FilterInput } from './bulk-schemas.ts';

/**
 * Reads the filter of a bulk request.
 * @throws ApiError 1002 for one that says nothing: it would mean the whole account; else what the list
 *   of tagged resources refuses it with
 */
export function readFilter(
  { all, ...search }: FilterInput,
  resourceTypes: ReadonlySet<string>,
): WantedResources {
  const wanted = readWanted(search, resourceTypes);
  const { filters, types, ids, name } = wanted;
  const isNarrow = filters.length > 0 || types.length > 0 || ids.length > 0 || name !== '';
  if (all === true && isNarrow) throw badFilter('all cannot be combined with other members');
  if (all === undefined && !isNarrow) {
    throw badFilter('it is empty; {"all":true} selects every tagged resource of the account');
  }
  return wanted;
}

function badFilter(fault: string): ApiError {
  return apiError(tagErrors.invalidSetPayload, {
    message: `${tagErrors.invalidSetPayload.message}: filter: ${fault}`,
    pointer: '/filter',
  });
}
