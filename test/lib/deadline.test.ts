import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settledWithin } from '../../src/lib/deadline.ts';

test('settledWithin tells whether the promise was settled in time, however it ended', async () => {
  assert.equal(await settledWithin(60_000, Promise.resolve(1)), true);
  assert.equal(await settledWithin(60_000, Promise.reject(new Error('no'))), true);
  assert.equal(await settledWithin(1, new Promise(() => {})), false);
});

test('settledWithin: a promise that is rejected too late disturbs nobody', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  assert.equal(await settledWithin(1, promise), false);
  reject(new Error('late'));
  await new Promise(setImmediate);
});
