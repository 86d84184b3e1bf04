import type { Transaction } from '../../src/storage/schema.ts';
import { appendChanges } from '../../src/tags/store/tag-feed.ts';
import { lockTags, moveHead } from '../../src/tags/store/tag-head.ts';
import { EMPTY_ETAG } from '../../src/tags/tag-set/etag.ts';
import type { TestServer } from '../support/server.ts';

/** A change of a resource that is its own: `r` and its position. */
export interface MadeChange {
  /** Default: `queue`. */
  type?: string;
  changedAtMs: number;
}

/** Adds changes to the list, of which nothing else knows. */
export async function appendMade(
  tx: Transaction,
  accountId: string,
  made: readonly MadeChange[],
): Promise<void> {
  const head = await lockTags(tx, accountId);
  const changes = made.map(({ type = 'queue', changedAtMs }, index) => {
    const position = head.lastPosition + index + 1;
    const id = `r${position}`;
    const resource = { type, id, name: id, etag: EMPTY_ETAG, patch: '{}' };
    return { position, ...resource, changedAtMs, requestId: undefined };
  });
  await appendChanges(tx, accountId, changes);
  await moveHead(tx, accountId, { ...head, lastPosition: head.lastPosition + made.length });
}

/** The same in a transaction of its own. */
export function addMade(
  { app, accountId }: TestServer,
  made: readonly MadeChange[],
): Promise<void> {
  return app.database.transaction((tx) => appendMade(tx, accountId, made));
}
