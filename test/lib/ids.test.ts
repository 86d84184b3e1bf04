import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createId, createUuidV7, isId } from '../../src/lib/ids.ts';

test('ids are 32 lowercase hex digits, each another', () => {
  const ids = Array.from({ length: 1_000 }, createId);
  assert.ok(ids.every(isId));
  assert.equal(new Set(ids).size, ids.length);
  const id = createId();
  for (const text of ['', 'x'.repeat(32), id.slice(1), `${id}0`, `${id}\n`, `A${id.slice(1)}`]) {
    assert.equal(isId(text), false, text);
  }
});

test('a UUIDv7 has the form of RFC 9562 and begins with its time', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(9_999), (seconds, fraction) => {
      const timeMs = seconds * 1_000 + fraction / 10;
      const id = createUuidV7(timeMs);
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(Number.parseInt(id.slice(0, 13).replace('-', ''), 16), Math.trunc(timeMs));
    }),
  );
});

test('UUIDs of one moment differ, also when the pool of random bytes is refilled', () => {
  const ids = Array.from({ length: 5_000 }, () => createUuidV7(0));
  assert.equal(new Set(ids).size, ids.length);
});

test('UUIDs of one millisecond sort in the order in which they were made', () => {
  // Moments of their own: the more of one have been made before, the nearer is the end of its order.
  for (let timeMs = 10_001; timeMs <= 10_200; timeMs++) {
    const ids = Array.from({ length: 2_048 }, (_, index) => createUuidV7(timeMs + index / 2_048));
    assert.deepEqual(ids.toSorted(), ids);
  }
});

test('UUIDs sort by time', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 47), fc.nat(2 ** 47), (a, b) => {
      fc.pre(a < b);
      assert.ok(createUuidV7(a) < createUuidV7(b));
    }),
  );
});
