import { auditedBody } from '../write/audited-tags.ts';
import { ApiError } from '../../http/errors.ts';
import { checkGateway, checkMerge } from '../gateway-denials.ts';
import { checkResourceType } from '../tag-limits.ts';
import { inSizedChunks } from '../event-loop-turns.ts';
import { givenFacts, givenPatch, givenTags } from '../write/given-tags.ts';
import { tagSetOf } from '../tag-set/tag-set.ts';
import type { TagWrite } from '../write/tag-write.ts';
import type { BulkRequest, BulkWrite } from './carry-out.ts';
import { type Operation, checkShape } from './operation-shape.ts';
import { MAX_SIZE_PER_TURN, operationSize } from './operation-size.ts';

/** An operation of a bulk request, checked as far as that can be done before reading. */
export type ReadOperation =
  | BulkWrite
  /** With what was sent, whatever that is. */
  | { asked: unknown; refusal: ApiError };

/**
 * Checks each operation by itself: a fault of one leaves the others alone. The order of the checks is
 * that of PUT; at last the permission for the resource.
 */
export async function readOperations(
  operations: readonly unknown[],
  resourceTypes: ReadonlySet<string>,
  bulk: BulkRequest,
): Promise<ReadOperation[]> {
  const read: ReadOperation[] = [];
  for await (const chunk of inSizedChunks(operations, operationSize, MAX_SIZE_PER_TURN)) {
    for (const operation of chunk) {
      read.push(readOperation(operation, read.length, resourceTypes, bulk));
    }
  }
  return read;
}

function readOperation(
  asked: unknown,
  index: number,
  resourceTypes: ReadonlySet<string>,
  bulk: BulkRequest,
): ReadOperation {
  try {
    const operation = checkShape(asked, index);
    checkResourceType(operation.resource_type, resourceTypes);
    return bulkWrite(operation, bulk);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { asked, refusal: error };
  }
}

/** @throws ApiError what one request on this resource would be refused with before it is read */
function bulkWrite(
  operation: Operation,
  { accountId, principal, request }: BulkRequest,
): BulkWrite {
  const resource = { accountId, type: operation.resource_type, id: operation.resource_id };
  const shared = { resource, ifMatch: operation.if_match, requestId: request.id };
  const check = (): void => checkGateway(principal, 'tags.write', resource);
  const done = (write: TagWrite, asked: unknown = operation): BulkWrite => ({ write, asked });
  switch (operation.op) {
    case 'put': {
      const byKey = givenTags(operation.tags);
      check();
      const tagSet = tagSetOf(byKey);
      const facts = givenFacts(operation);
      return done(
        { ...shared, operation: 'put', facts, tagSet },
        auditedBody(operation, byKey.size),
      );
    }
    case 'patch': {
      const patch = givenPatch(operation.tags);
      checkMerge(principal, resource);
      const facts = givenFacts(operation);
      return done(
        { ...shared, operation: 'patch', facts, patch },
        auditedBody(operation, patch.size),
      );
    }
    case 'delete':
      check();
      return done({ ...shared, operation: 'delete', workerId: operation.worker_id });
  }
}
