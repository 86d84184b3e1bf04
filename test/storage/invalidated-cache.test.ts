import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CacheSize, InvalidatedCache } from '../../src/storage/invalidated-cache.ts';
import { createLocalInvalidation } from '../../src/storage/invalidation.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MINUTE_MS = 60_000;

interface Row {
  bytes: number;
}

/** A cache, and how often something had to be looked up. */
function setUp(maxEntries: number, size?: CacheSize<Row>) {
  const clock = new ManualClock();
  const cache = new InvalidatedCache<Row>(
    createLocalInvalidation(),
    clock,
    'row',
    maxEntries,
    size,
  );
  let loads = 0;
  const get = async (key: string, value: Row | undefined = { bytes: 0 }): Promise<number> => {
    await cache.get(key, () => {
      loads++;
      return Promise.resolve(value);
    });
    return loads;
  };
  return { cache, clock, get };
}

test('entries are limited by number', async () => {
  const { cache, get } = setUp(2);
  for (const key of ['a', 'b', 'c']) await get(key);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.isKnown(key)),
    [false, true, true],
  );
});

test('entries are limited by size where that is asked for', async () => {
  const { cache, get } = setUp(100, { maxBytes: 10_000, bytesOf: ({ bytes }) => bytes });
  await get('small', { bytes: 100 });
  await get('large', { bytes: 8_000 });
  assert.equal(cache.isKnown('small'), true);
  // Not both of the large ones.
  await get('larger', { bytes: 9_000 });
  assert.deepEqual(
    ['small', 'large', 'larger'].map((key) => cache.isKnown(key)),
    [true, false, true],
  );
  // What cannot be kept is answered all the same.
  assert.equal(await get('huge', { bytes: 20_000 }), 4);
  assert.equal(await get('huge', { bytes: 20_000 }), 5);
});

test('what does not exist takes room too', async () => {
  const { cache, get } = setUp(100, { maxBytes: 10_000, bytesOf: ({ bytes }) => bytes });
  await get('something', { bytes: 100 });
  for (let i = 0; i < 50; i++) await get(`nothing ${i}`, undefined);
  assert.equal(cache.isKnown('something'), false);
});

test('known is what memory can answer for, or what there was', async () => {
  const { cache, clock, get } = setUp(10);
  assert.equal(cache.isKnown('row'), false);
  await get('row');
  await cache.get('nothing', () => Promise.resolve(undefined));
  for (const key of ['row', 'nothing']) assert.equal(cache.isKnown(key), true, key);
  clock.advance(MINUTE_MS);
  assert.equal(cache.isKnown('row'), true);
  assert.equal(cache.isKnown('nothing'), false);
  assert.equal(await get('row'), 2);
});

test('what nobody asks for any more makes room for what comes', async () => {
  const { cache, clock, get } = setUp(100);
  for (const key of ['a', 'b', 'c', 'used']) await get(key);
  for (let minute = 0; minute < 14; minute++) {
    clock.advance(MINUTE_MS);
    await get('used');
  }
  clock.advance(MINUTE_MS - 1);
  await get('too early');
  assert.equal(cache.isKnown('a'), true);
  clock.advance(1);
  // Two for each that comes, those that were asked for longest ago first.
  await get('first');
  assert.deepEqual(
    ['b', 'c', 'a', 'used', 'first'].map((key) => cache.isKnown(key)),
    [false, false, true, true, true],
  );
  clock.advance(30 * MINUTE_MS);
  await get('used');
  await get('second');
  assert.equal(cache.isKnown('second'), true);
  assert.equal(cache.isKnown('used'), true);
});
