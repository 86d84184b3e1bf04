import { apiError } from '../../http/errors.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import {
  type BulkInput,
  BulkResultSchema,
  BulkSchema,
  type FilterInput,
  bulkBodyFaults,
} from '../bulk/bulk-schemas.ts';
import { runFilter } from '../bulk/run-filter.ts';
import { runOperations } from '../bulk/run-operations.ts';
import { tagErrors } from '../tag-errors.ts';
import { TAGS_SECTION } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';

export const bulkTagsRoute = (services: TagOperationServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/tags/bulk',
    operationId: 'bulk-tags',
    section: TAGS_SECTION,
    summary: 'Change the tags of many resources',
    description:
      'Send either a list of operations, each for one resource, or a filter and the tags to merge into every ' +
      'matching resource. Each item succeeds or fails independently and has its own result. ' +
      'All successful items are written together. With a filter, repeat the request with the cursor until ' +
      'the response has none; a filter also requires `tags.read`.',
    access: 'tags.write',
    params: AccountParams,
    body: BulkSchema,
    bodyFaults: bulkBodyFaults,
    result: BulkResultSchema,
    paging: 'cursor',
    errors: [
      tagErrors.invalidSetPayload,
      tagErrors.tooManyFilters,
      tagErrors.filterSyntax,
      tagErrors.tooManyValues,
      tagErrors.keyTooLong,
      tagErrors.invalidKey,
      tagErrors.valueTooLong,
      tagErrors.invalidResourceType,
    ],
    async handler({ principal, params, body, request }) {
      const bulk = { accountId: params.account_id, principal, request, body };
      const { operations, filter, tags } = checkForm(body);
      return operations === undefined
        ? runFilter(services, bulk, filter, tags)
        : runOperations(services, bulk, operations);
    },
  });

type Form =
  | { operations: readonly unknown[]; filter?: never; tags?: never }
  | { operations?: never; filter: FilterInput; tags: NonNullable<BulkInput['tags']> };

/** @throws ApiError 1002 for a body that is of both forms or of none */
function checkForm(body: BulkInput): Form {
  const { operations, filter, tags } = body;
  if (operations !== undefined) {
    const others = ['filter', 'tags', 'limit', 'cursor'] as const;
    const other = others.find((field) => body[field] !== undefined);
    if (other !== undefined) throw badForm(other, 'cannot be combined with operations');
    return { operations };
  }
  if (filter === undefined)
    throw badForm('operations', 'is required, unless filter and tags are present');
  if (tags === undefined) throw badForm('tags', 'is required');
  return { filter, tags };
}

function badForm(field: keyof BulkInput, fault: string): Error {
  return apiError(tagErrors.invalidSetPayload, {
    message: `${tagErrors.invalidSetPayload.message}: ${field} ${fault}`,
    pointer: `/${field}`,
  });
}
