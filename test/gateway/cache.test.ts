import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ResponseCache,
  type ResponseCacheParts,
} from '../../src/gateway/response/cache/response-cache.ts';
import { UNKNOWN_USAGE, type Usage } from '../../src/gateway/usage/usage.ts';
import { ManualClock } from '../support/manual-clock.ts';

const TTL_MS = 60_000;
const HEAD = { status: 200, headers: { 'content-type': 'text/event-stream' } };
const USAGE: Usage = { ...UNKNOWN_USAGE, tokensIn: 3, tokensOut: 5 };
const MIB = 1024 * 1024;

function createCache(parts: Partial<ResponseCacheParts> = {}) {
  const clock = new ManualClock();
  const bounds = { maxBytes: 8 * MIB, maxRecordingBytes: 4 * MIB };
  const cache = new ResponseCache({ clock, ...bounds, ...parts });
  const record = (key: string, ...chunks: Buffer[]) => {
    const recording = cache.record(key, TTL_MS, HEAD);
    for (const chunk of chunks) recording?.onChunk(chunk);
    return recording;
  };
  const store = (key: string, ...chunks: Buffer[]) => record(key, ...chunks)?.onEnd(USAGE);
  return { cache, clock, record, store };
}

test('an answer is found as it was given: status, headers, chunks, usage', () => {
  const { cache, store } = createCache();
  store('key', Buffer.from('data: eins\n\n'), Buffer.from('data: zw'), Buffer.from('ei\n\n'));
  const found = cache.find('key');
  assert.deepEqual(found?.chunks.map(String), ['data: eins\n\ndata: zwei\n\n']);
  assert.deepEqual([found?.status, found?.headers, found?.usage], [200, HEAD.headers, USAGE]);
  assert.equal(cache.find('other'), undefined);
  const { hits, misses, entries, recordingBytes } = cache.stats;
  assert.deepEqual([hits, misses, entries, recordingBytes], [1, 1, 1, 0]);
});

test('an answer is found when it is complete, not before, and not when it broke off', () => {
  const { cache, record } = createCache();
  const recording = record('key', Buffer.from('a'));
  assert.equal(cache.find('key'), undefined);
  recording?.onAbort();
  recording?.onChunk(Buffer.from('b'));
  recording?.onEnd(USAGE);
  assert.equal(cache.find('key'), undefined);
  assert.equal(cache.stats.recordingBytes, 0);
});

test('what happens to a recording after its end changes nothing', () => {
  const { cache, record } = createCache();
  const recording = record('key', Buffer.from('a'));
  recording?.onEnd(USAGE);
  recording?.onChunk(Buffer.from('b'));
  recording?.onAbort();
  recording?.onEnd(UNKNOWN_USAGE);
  assert.deepEqual(cache.find('key')?.chunks.map(String), ['a']);
  assert.deepEqual(cache.find('key')?.usage, USAGE);
  assert.equal(cache.stats.recordingBytes, 0);
});

test('a later answer takes the place of an earlier one', () => {
  const { cache, store } = createCache();
  store('key', Buffer.from('a'));
  store('key', Buffer.from('b'));
  assert.deepEqual(cache.find('key')?.chunks.map(String), ['b']);
  assert.equal(cache.stats.entries, 1);
});

test('an answer lives as long as it was said, from when it was complete', () => {
  const { cache, clock, record } = createCache();
  const recording = record('key', Buffer.from('a'));
  clock.advance(TTL_MS);
  recording?.onEnd(USAGE);
  clock.advance(TTL_MS - 1);
  assert.ok(cache.find('key'));
  clock.advance(1);
  assert.equal(cache.find('key'), undefined);
  assert.deepEqual([cache.stats.entries, cache.stats.bytes], [0, 0]);
});

test('a clock that is set back does not make an answer live longer', () => {
  const { cache, clock, store } = createCache();
  store('key', Buffer.from('a'));
  clock.advance(TTL_MS / 2);
  assert.ok(cache.find('key'));
  clock.advance(-TTL_MS);
  assert.ok(cache.find('key'));
  clock.advance(TTL_MS / 2 - 1);
  assert.ok(cache.find('key'));
  clock.advance(1);
  assert.equal(cache.find('key'), undefined);
});

test('an answer that would live no time is not recorded', () => {
  assert.equal(createCache().cache.record('key', 0, HEAD), undefined);
});

test('an answer is kept up to 25 MiB, and not above', () => {
  const { cache, record } = createCache({ maxBytes: 64 * MIB, maxRecordingBytes: 64 * MIB });
  const mebibyte = Buffer.alloc(MIB);
  const whole = record('whole', ...Array.from({ length: 25 }, () => mebibyte));
  whole?.onEnd(USAGE);
  assert.equal(cache.find('whole')?.chunks.length, 25);
  const larger = record('larger', ...Array.from({ length: 25 }, () => mebibyte), Buffer.alloc(1));
  assert.equal(cache.stats.recordingBytes, 0);
  larger?.onEnd(USAGE);
  assert.equal(cache.find('larger'), undefined);
});

test('those not used for longest give way when there are more than fit', () => {
  const { cache, store } = createCache();
  for (const key of ['a', 'b', 'c']) store(key, Buffer.alloc(2 * MIB));
  cache.find('a');
  store('d', Buffer.alloc(2 * MIB));
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => cache.find(key) !== undefined),
    [true, false, true, true],
  );
  assert.ok(cache.stats.bytes <= 8 * MIB);
});

test('small answers and small chunks count with what they take besides', () => {
  const { cache, store } = createCache({ maxBytes: MIB });
  for (let i = 0; i < 1_000; i++) store(`key ${i}`, Buffer.from('x'));
  assert.ok(cache.stats.entries < 300);
  const { cache: narrow, store: storeInIt } = createCache({ maxRecordingBytes: MIB });
  storeInIt('chunks', ...Array.from({ length: 5_000 }, () => Buffer.from('x')));
  assert.equal(narrow.find('chunks'), undefined);
});

test('small chunks are joined: a long stream is given out in a few', () => {
  const { cache, store } = createCache();
  const chunks = Array.from({ length: 10_000 }, (_, i) => Buffer.from(`data: ${i}\n\n`));
  store('stream', ...chunks);
  const found = cache.find('stream')?.chunks ?? [];
  assert.equal(found.length, 2);
  assert.ok(Buffer.concat(found).equals(Buffer.concat(chunks)));
  assert.ok(cache.stats.bytes < 140_000);
});

test('a recording that does not fit beside others is given up; they go on, and room is there again', () => {
  const { cache, record } = createCache();
  const first = record('first', Buffer.alloc(3 * MIB));
  const second = record('second', Buffer.alloc(MIB / 2));
  second?.onChunk(Buffer.alloc(MIB));
  second?.onEnd(USAGE);
  assert.equal(cache.find('second'), undefined);
  first?.onChunk(Buffer.alloc(MIB / 2));
  first?.onEnd(USAGE);
  assert.ok(cache.find('first'));
  assert.equal(cache.stats.recordingBytes, 0);
  record('second', Buffer.alloc(3 * MIB))?.onEnd(USAGE);
  assert.ok(cache.find('second'));
});

test('there is no recording when there is no room for one', () => {
  const { cache, record } = createCache({ maxRecordingBytes: 10_000 });
  const recordings = [record('a'), record('b'), record('c')];
  assert.deepEqual(
    recordings.map((recording) => recording !== undefined),
    [true, true, false],
  );
  recordings[0]?.onAbort();
  assert.ok(record('c'));
  assert.ok(cache.stats.recordingBytes <= 10_000);
});

test('a small chunk does not hold the large memory that it was cut from', () => {
  const { cache, store } = createCache();
  const read = Buffer.from('x'.repeat(64 * 1024));
  store('one', read.subarray(0, 3));
  store('several', read.subarray(0, 3), read.subarray(3, 5));
  read.fill('y', 0, 3);
  for (const [key, text] of Object.entries({ one: 'xxx', several: 'xxxxx' })) {
    const [chunk, ...others] = cache.find(key)?.chunks ?? [];
    assert.deepEqual([String(chunk), chunk?.buffer.byteLength], [text, text.length]);
    assert.equal(others.length, 0);
  }
});

test('headers that belong to the one request are left out', () => {
  const { cache } = createCache();
  const headers = {
    'content-type': 'application/json',
    'x-custom': ['a', 'b'],
    Date: 'Fri, 20 Nov 2026 17:00:00 GMT',
    'content-length': '2',
    'x-request-id': 'r',
    'request-id': 'r',
    'cf-aig-log-id': 'l',
    'x-ratelimit-remaining-tokens': '1',
    'anthropic-ratelimit-tokens-remaining': '1',
    'openai-organization': 'o',
  };
  cache.record('key', TTL_MS, { status: 201, headers })?.onEnd(USAGE);
  assert.deepEqual(cache.find('key')?.headers, {
    'content-type': 'application/json',
    'x-custom': ['a', 'b'],
  });
});

test('long headers take their place, too', () => {
  const { cache } = createCache();
  const record = (key: string, length: number) => {
    const before = cache.stats.bytes;
    const headers = { 'x-long': ['x'.repeat(length), 'y'] };
    cache.record(key, TTL_MS, { status: 200, headers })?.onEnd(USAGE);
    return cache.stats.bytes - before;
  };
  assert.equal(record('long', 15_000) - record('short', 0), 15_000);
});
