import { randomInt } from 'node:crypto';
import type { ResourceTagging } from '../iam/own-resources.ts';
import { findTagValues } from './query/find-tag-values.ts';
import {
  deleteTags,
  lockResource,
  renameTaggedResource,
  unlockUntagged,
} from './store/tag-store.ts';

const MAX_LOCK_NUMBER = 2 ** 47;

/**
 * Keeps the tags of our own resources in step with the resources. Both operations lock the resource
 * first, as setting tags does: a set that looks up the resource while the caller's transaction runs
 * is thus either seen here, or sees the end of that transaction.
 */
export function createResourceTagging(): ResourceTagging {
  return {
    async renamed(tx, resource, name) {
      const locked = await lockResource(tx, resource, lockNumber);
      if (locked.etag === undefined) await unlockUntagged(tx, locked);
      else await renameTaggedResource(tx, locked, name);
    },
    async deleted(tx, resource) {
      const locked = await lockResource(tx, resource, lockNumber);
      if (locked.etag === undefined) await unlockUntagged(tx, locked);
      else await deleteTags(tx, resource);
    },
    valuesOf: findTagValues,
  };
}

/**
 * Place of a row that only locks, and is gone before the transaction ends: below zero it is nowhere
 * in a list, and hardly ever that of another lock, for which it would have to wait.
 */
function lockNumber(): number {
  return -randomInt(1, MAX_LOCK_NUMBER);
}
