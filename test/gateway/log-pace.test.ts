import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseWriter, slicesOf } from '../../src/request-log/writer/pace.ts';

const rowsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('the rows of a batch are written in slices, each once and in their order', () => {
  for (const count of [0, 1, 16, 17, 160, 161, 1_000]) {
    assert.deepEqual([...slicesOf(rowsOf(count))].flat(), rowsOf(count));
  }
});

test('slices are small as long as there is time for pauses between them', () => {
  const sizesOf = (count: number) => [...slicesOf(rowsOf(count))].map(({ length }) => length);
  assert.deepEqual(sizesOf(40), [16, 16, 8]);
  assert.deepEqual(sizesOf(210), [50, 50, 50, 50, 10]);
});

test('a thread that gives way sleeps for about a millisecond', () => {
  const usage = process.threadCpuUsage();
  const beganAtMs = performance.now();
  for (let i = 0; i < 50; i++) pauseWriter();
  assert.ok(performance.now() - beganAtMs >= 50);
  const { user, system } = process.threadCpuUsage(usage);
  assert.ok(user + system < 25_000, 'it must not wait in a loop');
});
