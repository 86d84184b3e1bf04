import { type Static, Type } from 'typebox';
import { type ApiError, apiError } from '../../http/errors.ts';
import { SchemaCheck } from '../../http/schema-check.ts';
import { WORKER_VERSION } from '../resource-types.ts';
import { tagErrors } from '../tag-errors.ts';
import { DeleteOperationSchema, PatchOperationSchema, PutOperationSchema } from './bulk-schemas.ts';

type WithTags = Static<typeof PutOperationSchema> | Static<typeof PatchOperationSchema>;
/** One operation of a bulk request. */
export type Operation = WithTags | Static<typeof DeleteOperationSchema>;

// The values are checked apart, for an error that names the tag.
const tags = Type.Object({});
const closed = { additionalProperties: false };
const checks = new Map<unknown, SchemaCheck<unknown>>([
  ['put', SchemaCheck.of(Type.Object({ ...PutOperationSchema.properties, tags }, closed))],
  ['patch', SchemaCheck.of(Type.Object({ ...PatchOperationSchema.properties, tags }, closed))],
  ['delete', SchemaCheck.of(DeleteOperationSchema)],
]);

/**
 * Checks the form of what was sent as an operation.
 * @param index of the operation in its list
 * @throws ApiError 1002 that says what is wrong, and where
 */
export function checkShape(asked: unknown, index: number): Operation {
  const { op } = (asked ?? {}) as { op?: unknown };
  const check = checks.get(op);
  if (check === undefined) throw badShape(index, '/op', 'must be one of put, patch, delete');
  if (!check.matches(asked)) {
    const { pointer, reason } = check.faultOf(asked);
    throw badShape(index, pointer, reason);
  }
  const operation = asked as Operation;
  if (operation.op !== 'delete') checkValues(operation, index);
  const { resource_type: type, worker_id: workerId } = operation;
  if (op === 'put' && type === WORKER_VERSION && workerId === undefined) {
    throw badShape(index, '/worker_id', `is required for ${WORKER_VERSION}`);
  }
  return operation;
}

function checkValues({ op, tags }: WithTags, index: number): void {
  for (const key of Object.keys(tags)) {
    const value: unknown = tags[key];
    if (typeof value === 'string' || (op === 'patch' && value === null)) continue;
    const name = key.replaceAll('~', '~0').replaceAll('/', '~1');
    throw badShape(index, `/tags/${name}`, `must be string${op === 'patch' ? ' or null' : ''}`);
  }
}

/** Longer names are not repeated in the answer. */
const MAX_POINTER_LENGTH = 300;

function badShape(index: number, pointer: string, fault: string): ApiError {
  const place = pointer.length > MAX_POINTER_LENGTH ? '' : pointer;
  const name = place === '' ? 'the operation' : place.slice(1).replaceAll('/', '.');
  return apiError(tagErrors.invalidSetPayload, {
    message: `${tagErrors.invalidSetPayload.message}: ${name} ${fault}`,
    pointer: `/operations/${index}${place}`,
  });
}
