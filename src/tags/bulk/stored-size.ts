import { apiError } from '../../http/errors.ts';
import type { Db } from '../../storage/schema.ts';
import { findSetSizes, resourceKey } from '../store/tag-store.ts';
import { tagErrors } from '../tag-errors.ts';
import type { TagWrite } from '../write/tag-write.ts';

/**
 * Tags that the writes of one request find or make, as JSON. On the embedded database nobody else writes
 * until those that change are written: some ten seconds at the worst, when all are short and change.
 */
export const MAX_STORED_BYTES = 4 * 1024 * 1024;

/**
 * Checks that writes do not find too many tags together: each goes through all that its resource has
 * when its turn comes.
 * @throws ApiError 1002
 */
export async function checkStoredSize(
  db: Db,
  accountId: string,
  writes: readonly TagWrite[],
): Promise<void> {
  const distinct = new Map(writes.map(({ resource }) => [resourceKey(resource), resource]));
  const sizes = await findSetSizes(db, accountId, [...distinct.values()]);
  let total = 0;
  for (const write of writes) {
    const key = resourceKey(write.resource);
    const bytes = sizes.get(key) ?? 0;
    total += bytes;
    sizes.set(key, sizeAfter(write, bytes));
  }
  if (total <= MAX_STORED_BYTES) return;
  throw apiError(tagErrors.invalidSetPayload, {
    message:
      `${tagErrors.invalidSetPayload.message}: these resources have more than ` +
      `${MAX_STORED_BYTES / 1024 / 1024} MiB of tags; send fewer operations at a time`,
    pointer: '/operations',
  });
}

/** How much a resource has after a write at most, which may be refused. */
function sizeAfter(write: TagWrite, before: number): number {
  switch (write.operation) {
    case 'put':
      return Buffer.byteLength(write.tagSet.canonical);
    case 'patch':
      return before + sizeOfPatch(write.patch);
    case 'delete':
      return 0;
  }
}

function sizeOfPatch(patch: ReadonlyMap<string, string | null>): number {
  let bytes = 0;
  for (const [key, value] of patch)
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value ?? '');
  return bytes;
}
