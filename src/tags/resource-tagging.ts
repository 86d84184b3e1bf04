import type { ResourceTagging } from '../iam/own-resources.ts';
import { findTags, findTagValues } from './query/find-tag-values.ts';
import { lockTags } from './store/tag-head.ts';
import { renameTaggedResource } from './store/tag-store.ts';
import { applyWrites } from './write/apply-writes.ts';
import type { WriteServices } from './write/evaluate-writes.ts';

/**
 * Keeps the tags of our own resources in step with the resources. Both operations lock the tags of the
 * account first, as setting tags does: a set that looks up the resource while the caller's transaction
 * runs is thus either seen here, or sees the end of that transaction.
 */
export function createResourceTagging(services: WriteServices): ResourceTagging {
  return {
    async renamed(tx, resource, name) {
      await lockTags(tx, resource.accountId);
      await renameTaggedResource(tx, resource, name);
    },
    async deleted(tx, resource, requestId) {
      await applyWrites(tx, services, resource.accountId, [
        {
          operation: 'delete',
          resource,
          workerId: undefined,
          ifMatch: undefined,
          requestId,
        },
      ]);
    },
    tagsOf: findTags,
    valuesOf: findTagValues,
  };
}
