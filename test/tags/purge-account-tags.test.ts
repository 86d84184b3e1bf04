import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '../../src/storage/schema.ts';
import { purgeAccountTags } from '../../src/tags/purge-account-tags.ts';
import { appendChanges } from '../../src/tags/store/tag-feed.ts';
import { storeResources } from '../../src/tags/store/tag-store.ts';
import { TagSet } from '../../src/tags/tag-set/tag-set.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer } from '../support/server.ts';

const ROWS = 8;
const STEP_BYTES = 2 * 1024 * 1024;
const text = JSON.stringify({ a: 'v'.repeat(800_000) });

onEachDatabase((database) => {
  test('the tags of an account that is gone go in small steps, however large they are', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { database: own } = server.app;
    const ids = Array.from({ length: ROWS }, (_, i) => ({ n: i + 1, id: `r${i}`, name: `r${i}` }));
    for (const accountId of ['gone', 'kept']) {
      await own.transaction(async (tx) => {
        const nowMs = Date.now();
        const known = { type: 'worker', etag: 'v1:x', tagsUpdatedAtMs: nowMs, changedAtMs: nowMs };
        const facts = { workerId: undefined, zoneId: undefined, accessApplicationId: undefined };
        const shared = { ...known, ...facts, accountId, requestId: undefined };
        const tagSet = new TagSet(text, known.etag);
        const resources = ids.map(({ n, ...named }) => ({ ...shared, ...named, seq: n, tagSet }));
        await storeResources(tx, accountId, resources);
        const changes = ids.map(({ n, ...named }) => ({ ...shared, ...named, position: n }));
        await appendChanges(
          tx,
          accountId,
          changes.map((change) => ({ ...change, patch: text })),
        );
      });
    }

    let left = await bytesLeft(own.read, 'gone');
    while (await purgeAccountTags(own, 'gone')) {
      const now = await bytesLeft(own.read, 'gone');
      assert.ok(left - now <= STEP_BYTES + text.length, `${left - now} bytes at once`);
      left = now;
    }
    assert.equal(left, 0);
    assert.equal(await bytesLeft(own.read, 'kept'), 2 * ROWS * text.length);
  });
});

async function bytesLeft(db: Db, accountId: string): Promise<number> {
  const [resources, changes] = await Promise.all([
    db
      .selectFrom('tagged_resources')
      .select('tags as text')
      .where('account_id', '=', accountId)
      .execute(),
    db
      .selectFrom('tag_changes')
      .select('patch as text')
      .where('account_id', '=', accountId)
      .execute(),
  ]);
  return [...resources, ...changes].reduce((sum, row) => sum + row.text.length, 0);
}
