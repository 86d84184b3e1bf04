import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { LogRecord } from '../../src/request-log/record.ts';
import type { LogLimit } from '../../src/gateway-admin/snapshot.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import { logRecord } from './log-records.ts';
import { type TestLogs, startTestLogs } from './log-store-set-up.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const NODES = 3;
const BATCHES = 12;
const ROWS_PER_BATCH = 60;
const TOTAL = NODES * BATCHES * ROWS_PER_BATCH;

let logs: TestLogs;
let nodes: LogStore[];
before(async () => {
  logs = await startTestLogs('postgres');
  nodes = Array.from({ length: NODES }, () => logs.openAnother());
});
beforeEach(() => logs.beginAnew());
after(() => logs.close());

/** Batches whose rows come from several gateways and contexts, in another order on each node. */
function batchOf(node: number, batch: number, limit: LogLimit | null): LogRecord[] {
  const records = Array.from({ length: ROWS_PER_BATCH }, (_, index) =>
    logRecord(logs.accountId, `g${index % 3}`, NOW_MS + batch * ROWS_PER_BATCH + index, {
      row: { model: `m${(index + batch) % 5}`, metadata: index % 4 === 0 ? '{"k":"v"}' : null },
      limit: index % 3 === 0 ? limit : null,
    }),
  );
  return node % 2 === 0 ? records : records.toReversed();
}

/** Every node writes its batches as fast as it can; answers how many rows were left out. */
async function writeOnAllNodes(limit: LogLimit | null): Promise<number> {
  const leftOut = await Promise.all(
    nodes.map(async (store, node) => {
      let sum = 0;
      for (let batch = 0; batch < BATCHES; batch++) {
        sum += (await store.insert(batchOf(node, batch, limit))).leftOut;
      }
      return sum;
    }),
  );
  return leftOut.reduce((sum, rows) => sum + rows, 0);
}

const counts = async (): Promise<number[]> =>
  Promise.all(['g0', 'g1', 'g2'].map((gateway) => logs.count(gateway)));

test('several nodes write the same gateways: every row is there and counted once', async () => {
  assert.equal(await writeOnAllNodes(null), 0);
  assert.deepEqual(await counts(), [TOTAL / 3, TOTAL / 3, TOTAL / 3]);
  await logs.assertSound();
});

test('several nodes together neither keep nor delete too much', async () => {
  assert.equal(await writeOnAllNodes({ maxRows: 50, strategy: 'DELETE_OLDEST' }), 0);
  assert.deepEqual(await counts(), [50, TOTAL / 3, TOTAL / 3]);
  assert.equal(await logs.requests(), TOTAL);
});

test('several nodes together stop at the limit', async () => {
  const leftOut = await writeOnAllNodes({ maxRows: 333, strategy: 'STOP_INSERTING' });
  assert.equal(leftOut, TOTAL / 3 - 333);
  assert.deepEqual(await counts(), [333, TOTAL / 3, TOTAL / 3]);
});

test('nodes that delete and nodes that write do not get into one another’s way', async () => {
  const trimmer = logs.store;
  const written = new AbortController();
  const trimming = (async () => {
    while (!written.signal.aborted) {
      for (const gateway of ['g2', 'g0', 'g1']) await trimmer.trim(logs.accountId, gateway, 20);
      await trimmer.purgeOlder(NOW_MS);
    }
  })();
  try {
    await writeOnAllNodes({ maxRows: 50, strategy: 'DELETE_OLDEST' });
  } finally {
    written.abort();
  }
  await trimming;
  for (const gateway of ['g0', 'g1', 'g2']) {
    while (await trimmer.trim(logs.accountId, gateway, 20));
  }
  assert.deepEqual(await counts(), [20, 20, 20]);
});
