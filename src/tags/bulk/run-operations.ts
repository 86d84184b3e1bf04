import type { Reply } from '../../http/route.ts';
import type { TagOperationServices } from '../tag-services.ts';
import type { BriefOutcome } from '../write/tag-write.ts';
import { bulkReply, outcomeItem, refusedItem } from './bulk-result.ts';
import type { BulkResult } from './bulk-schemas.ts';
import { type BulkRequest, carryOut } from './carry-out.ts';
import { type ReadOperation, readOperations } from './read-operations.ts';
import { checkStoredSize } from './stored-size.ts';

/** Does what a list of operations says, in its order. */
export async function runOperations(
  services: TagOperationServices,
  bulk: BulkRequest,
  operations: readonly unknown[],
): Promise<Reply<BulkResult>> {
  const read = await readOperations(operations, services.resourceTypes, bulk);
  const writes = read.flatMap((one) => ('write' in one ? [one] : []));
  return carryOut(services, bulk, {
    writes,
    check(db) {
      const all = writes.map(({ write }) => write);
      return checkStoredSize(db, bulk.accountId, all);
    },
    replyTo: (outcomes) =>
      bulkReply(bulk.body, { items: itemsOf(read, outcomes), next: undefined }),
  });
}

/** @param outcomes of those that were not refused before, in their order */
function itemsOf(read: readonly ReadOperation[], outcomes: readonly BriefOutcome[]) {
  const inOrder = outcomes.values();
  return read.map((one) => {
    if ('refusal' in one) return refusedItem(one.asked, one.refusal);
    const { value } = inOrder.next();
    if (value === undefined) throw new Error('an operation has no outcome');
    return outcomeItem(one.write.resource, value);
  });
}
