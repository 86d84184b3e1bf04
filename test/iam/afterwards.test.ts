import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Afterwards } from '../../src/iam/afterwards.ts';

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reports: string[] = [];
  const afterwards = new Afterwards((error, message) => {
    reports.push(`${message}: ${error.message}`);
  });
  return { afterwards, reports };
}

test('work begins 0.2 to 2 seconds later, each at a time of its own', async (t) => {
  const { afterwards } = start(t);
  const begunAtMs: number[] = [];
  let nowMs = 0;
  for (let i = 0; i < 100; i++) {
    afterwards.run('noting the time', async () => begunAtMs.push(nowMs));
  }
  for (; nowMs < 2_000; nowMs++) t.mock.timers.tick(1);
  assert.equal(begunAtMs.length, 100);
  assert.ok(Math.min(...begunAtMs) >= 199, String(begunAtMs));
  // By chance, that a hundred come within half of the time happens once in 10^29.
  assert.ok(Math.max(...begunAtMs) - Math.min(...begunAtMs) > 900, String(begunAtMs));
  await afterwards.settled();
});

test('at the end, all of it is done at once', async (t) => {
  const { afterwards } = start(t);
  const done: number[] = [];
  for (let i = 0; i < 3; i++) {
    afterwards.run('counting', async () => {
      await Promise.resolve();
      done.push(i);
    });
  }
  assert.deepEqual(done, []);
  await afterwards.settled();
  assert.deepEqual(done, [0, 1, 2]);
  t.mock.timers.tick(2_000);
  assert.deepEqual(done, [0, 1, 2]);
});

test('trouble is reported, and so is what is unexpected', async (t) => {
  const { afterwards, reports } = start(t);
  let done = 0;
  afterwards.run('failing', async () => {
    throw new Error('no luck');
  });
  for (let i = 1; i < 1_000; i++) afterwards.run('counting', async () => void done++);
  assert.deepEqual(reports, []);
  afterwards.run('counting', async () => void done++);
  assert.deepEqual(reports, ['counting: left out: too much is waiting']);
  await afterwards.settled();
  assert.equal(done, 999);
  assert.deepEqual(reports.slice(1), ['failing: failed: no luck']);
  afterwards.run('counting', async () => void done++);
  await afterwards.settled();
  assert.equal(done, 1_000);
});
