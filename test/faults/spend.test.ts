import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { SpendBench } from './spend/spend-attack.ts';

const CALLS = 600;
const PARALLEL = 16;
const LIMIT = 0.05;

onEachDatabase((database) => {
  let bench: SpendBench;
  before(async () => {
    bench = await SpendBench.start(database);
  });
  after(() => bench.stop());

  test('callers who know every way around are charged for what they were served', async () => {
    await bench.attack('attacked', CALLS, PARALLEL);
    assert.ok(bench.provider.calls.length > CALLS / 2);
  });

  test('calls with a bound never cost more than the limit, on whichever node', async () => {
    await bench.createGateway('limited', LIMIT);
    const before = bench.provider.usd;
    assert.equal(await bench.useUp('limited', PARALLEL), PARALLEL);
    const served = bench.provider.usd - before;
    assert.ok(served <= LIMIT, `$${served}`);
    // Little of the limit stays unused.
    assert.ok(served > LIMIT * 0.8, `$${served}`);
  });
});
