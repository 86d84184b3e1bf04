import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogQueue } from '../../src/request-log/writer/log-queue.ts';
import type { LogRecord } from '../../src/request-log/record.ts';
import { logRecord } from './log-records.ts';

const MIB = 1024 * 1024;

/**
 * @param bytes size of both bodies together
 * @param headerBytes memory of the header fields
 */
function record(bytes = 0, headerBytes = 0): LogRecord {
  const bare = logRecord('a'.repeat(32), 'main', 1);
  if (bytes + headerBytes === 0) return bare;
  const half = new Uint8Array(bytes / 2);
  return {
    ...bare,
    payload: {
      request: half,
      response: [half],
      requestSize: half.length,
      responseSize: half.length,
      requestHeaders: 'x'.repeat(headerBytes / 4),
      responseHeaders: 'x'.repeat(headerBytes / 4),
      secrets: [],
    },
  };
}

test('a row beyond 50,000 finds no room', () => {
  const queue = new LogQueue();
  const one = record();
  for (let i = 0; i < 49_999; i++) assert.equal(queue.push(one), 'record');
  assert.equal(queue.push(one), 'record');
  assert.equal(queue.push(one), 'nothing');
  assert.equal(queue.rows, 50_000);
  queue.first();
  // The rows of a batch in progress count.
  assert.equal(queue.push(one), 'nothing');
  queue.replaceFirst();
  assert.equal(queue.push(one), 'record');
});

test('bodies beyond 64 MiB are left behind, and their rows kept', () => {
  const queue = new LogQueue();
  for (let i = 0; i < 7; i++) assert.equal(queue.push(record(8 * MIB)), 'record');
  assert.equal(queue.push(record(8 * MIB - 2)), 'record');
  assert.equal(queue.push(record(4)), 'row');
  assert.equal(queue.push(record(2)), 'record');
  assert.equal(queue.push(record(2)), 'row');
  assert.equal(queue.push(record()), 'record');
  assert.equal(queue.rows, 12);
  // A written batch frees its memory.
  queue.first();
  queue.replaceFirst();
  assert.equal(queue.push(record(8 * MIB)), 'record');
  const hasBodies: boolean[] = [];
  while (queue.rows > 0) {
    hasBodies.push(...queue.first().map(({ payload }) => payload !== null));
    queue.replaceFirst();
  }
  assert.deepEqual(hasBodies.slice(6), [true, false, true, false, false, true]);
});

test('header fields go with the bodies, and count with them', () => {
  const queue = new LogQueue();
  for (let i = 0; i < 16; i++) assert.equal(queue.push(record(2 * MIB, 2 * MIB - 4)), 'record');
  assert.equal(queue.push(record(0, 68)), 'row');
  assert.equal(queue.push(record(0, 64)), 'record');
  assert.equal(queue.push(record(0, 4)), 'row');
  const sizes: number[] = [];
  while (queue.rows > 0) {
    sizes.push(queue.first().length);
    queue.replaceFirst();
  }
  assert.deepEqual(sizes, [2, 2, 2, 2, 2, 2, 2, 3, 2]);
  assert.equal(queue.push(record(0, 64 * MIB)), 'record');
});

test('rows of 64 MiB find room, by what they take with their texts', () => {
  const queue = new LogQueue();
  const bare = logRecord('a'.repeat(32), 'main', 1, { row: { metadata: '' } });
  const bareBytes = 1_024;
  const long = (bytes: number): LogRecord =>
    logRecord('a'.repeat(32), 'main', 1, {
      row: { metadata: 'x'.repeat((bytes - bareBytes) / 2) },
    });
  for (let i = 0; i < 63; i++) assert.equal(queue.push(long(MIB)), 'record');
  assert.equal(queue.push(long(MIB - bareBytes)), 'record');
  assert.equal(queue.push(long(bareBytes + 2)), 'nothing');
  assert.equal(queue.push(bare), 'record');
  assert.equal(queue.push(bare), 'nothing');
  assert.equal(queue.rows, 65);
  while (queue.rows > 0) {
    queue.first();
    queue.replaceFirst();
  }
  assert.equal(queue.push(long(64 * MIB)), 'record');
});

test('a batch has 1,000 rows or 8 MiB of bodies at most, but for a single one that is larger', () => {
  const queue = new LogQueue();
  for (let i = 0; i < 1_001; i++) queue.push(record());
  assert.equal(queue.first().length, 1_000);
  queue.replaceFirst();
  assert.equal(queue.first().length, 1);
  queue.replaceFirst();
  for (const bytes of [4 * MIB, 4 * MIB, 10 * MIB, 8 * MIB, 2]) queue.push(record(bytes));
  for (const rows of [2, 1, 1, 1]) {
    assert.equal(queue.first().length, rows);
    queue.replaceFirst();
  }
  assert.equal(queue.rows, 0);
});

test('a batch stays as it is until it is replaced or removed', () => {
  const queue = new LogQueue();
  for (let i = 0; i < 3; i++) queue.push(record());
  const batch = queue.first();
  for (let i = 0; i < 2; i++) queue.push(record());
  assert.equal(queue.first(), batch);
  const single = batch.slice(1, 2);
  queue.replaceFirst(single, [], batch.slice(2));
  assert.equal(queue.rows, 4);
  assert.equal(queue.first(), single);
  queue.replaceFirst();
  assert.deepEqual(queue.first(), batch.slice(2));
  queue.replaceFirst();
  assert.equal(queue.first().length, 2);
  queue.replaceFirst();
  assert.equal(queue.rows, 0);
});

test('a batch that is postponed comes after the next one', () => {
  const queue = new LogQueue();
  for (let i = 0; i < 2; i++) queue.push(record());
  const batch = queue.first();
  queue.postponeFirst();
  assert.equal(queue.first(), batch);
  queue.push(record());
  queue.postponeFirst();
  const next = queue.first();
  assert.equal(next.length, 1);
  queue.postponeFirst();
  assert.equal(queue.first(), batch);
  queue.replaceFirst();
  assert.equal(queue.first(), next);
});
