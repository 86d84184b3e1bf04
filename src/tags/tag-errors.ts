import { type ApiError, type ErrorDefinition, apiError, defineErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';

/** The errors of resource tags (seed section 7): 1002–1018. Clients compare the messages. */
export const tagErrors = defineErrors({
  invalidSetPayload: { status: 400, code: 1002, message: 'Invalid set payload' },
  resourceRequired: {
    status: 400,
    code: 1003,
    message: 'resource_type and resource_id are required',
  },
  /** Answered with the status that the installation has chosen, see {@link resourceNotFound}. */
  resourceNotFound: { status: 500, code: 1004, message: 'resource not found: type=TYPE id=ID' },
  invalidResourceType: { status: 400, code: 1006, message: 'Invalid resource type' },
  filterSyntax: {
    status: 400,
    code: 1007,
    message: 'tag parameter must be in format key, key=value, key=v1,v2, !key or key!=value',
  },
  keyRequired: { status: 400, code: 1009, message: 'tag_key is required' },
  tooManyFilters: { status: 400, code: 1010, message: 'too many tag filters (maximum 20)' },
  keyTooLong: { status: 400, code: 1011, message: 'tag key too long (maximum 256 characters)' },
  valueTooLong: {
    status: 400,
    code: 1012,
    message: 'tag value too long (maximum 1024 characters)',
  },
  tooManyValues: {
    status: 400,
    code: 1013,
    message: 'too many OR values in tag filter (maximum 10)',
  },
  invalidKey: { status: 400, code: 1014, message: 'Invalid tag key' },
  invalidDeletePayload: { status: 400, code: 1015, message: 'Invalid delete payload' },
  preconditionFailed: { status: 412, code: 1016, message: 'Precondition Failed' },
  setTooLarge: { status: 400, code: 1018, message: 'tag set too large (maximum 1000 tags)' },
  changesGone: {
    status: 410,
    code: 1017,
    message: 'changes after this cursor have been deleted: list the resources again',
  },
});

/** Whatever is wrong with the body of a set or a delete: one entry with the exact message. */
function terseFaults(definition: ErrorDefinition): BodyFaults {
  return { malformed: definition, invalid: definition, unknown: definition, terse: true };
}

export const setBodyFaults = terseFaults(tagErrors.invalidSetPayload);
export const deleteBodyFaults = terseFaults(tagErrors.invalidDeletePayload);

/** Both statuses of 1004, for the reference: 500 as published, 404 by a setting. */
export const resourceNotFoundVariants: readonly ErrorDefinition[] = [
  tagErrors.resourceNotFound,
  { ...tagErrors.resourceNotFound, status: 404 },
];

/**
 * The resource does not exist or has no tags. The published API answers 500 here (seed section 7,
 * other rule 1); clients must not take that for a fault that passes.
 */
export function resourceNotFound(status: 404 | 500, type: string, id: string): ApiError {
  return apiError(
    { ...tagErrors.resourceNotFound, status },
    {
      message: `resource not found: type=${type} id=${id}`,
      headers: { 'x-should-retry': 'false' },
    },
  );
}
