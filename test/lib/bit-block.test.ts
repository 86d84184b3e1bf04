import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BLOCK_PLACES, BitBlock, blockOf } from '../../src/lib/bit-block.ts';

const place = fc.oneof(
  fc.integer({ min: 0, max: BLOCK_PLACES - 1 }),
  // Ends of bytes, of words, of the block.
  fc.constantFrom(0, 7, 8, 31, 32, 255, 256, BLOCK_PLACES - 1),
);
/** A few places, or a block full of them but for a few: both forms in which sets are stored. */
const places = fc
  .tuple(fc.uniqueArray(place, { maxLength: 40 }), fc.boolean())
  .map(([some, isFull]) => (isFull ? allBut(some) : new Set(some)));

function allBut(some: readonly number[]): Set<number> {
  const all = new Set(Array.from({ length: BLOCK_PLACES }, (_, i) => i));
  for (const one of some) all.delete(one);
  return all;
}

function blockWith(members: Iterable<number>): BitBlock {
  const block = new BitBlock();
  for (const member of members) block.add(member);
  return block;
}

const ascending = (members: Iterable<number>): number[] => [...members].sort((a, b) => a - b);

function assertSame(block: BitBlock, expected: ReadonlySet<number>): void {
  assert.deepEqual(block.places(), ascending(expected));
  assert.equal(block.isEmpty, expected.size === 0);
}

test('a block does what a set of numbers does', () => {
  const step = fc.record({ place, isAdded: fc.boolean() });
  fc.assert(
    fc.property(places, fc.array(step, { maxLength: 30 }), (members, steps) => {
      const block = blockWith(members);
      const expected = new Set(members);
      for (const { place: one, isAdded } of steps) {
        if (isAdded) block.add(one);
        else block.remove(one);
        if (isAdded) expected.add(one);
        else expected.delete(one);
        assert.equal(block.has(one), isAdded);
      }
      assertSame(block, expected);
      for (const one of [0, 31, 32, BLOCK_PLACES - 1])
        assert.equal(block.has(one), expected.has(one));
    }),
  );
});

test('blocks are combined as sets are, and the other one stays as it is', () => {
  fc.assert(
    fc.property(places, places, (a, b) => {
      const other = blockWith(b);
      const both = blockWith(a);
      both.intersect(other);
      assertSame(both, a.intersection(b));
      const rest = blockWith(a);
      rest.subtract(other);
      assertSame(rest, a.difference(b));
      const either = blockWith(a);
      const stored = other.toStored();
      if (stored !== undefined) either.addStored(stored);
      assertSame(either, a.union(b));
      assertSame(other, b);
    }),
  );
});

test('what is stored comes back, from wherever in memory it lies', () => {
  fc.assert(
    fc.property(
      places,
      fc.integer({ min: 0, max: 9 }),
      fc.boolean(),
      (members, offset, isBuffer) => {
        const stored = blockWith(members).toStored();
        assert.equal(stored === undefined, members.size === 0);
        if (stored === undefined) return;
        // A driver cuts its buffers out of larger ones.
        const memory = new Uint8Array(stored.length + 20).fill(0xff);
        memory.set(stored, offset);
        const cut = isBuffer
          ? Buffer.from(memory.buffer, offset, stored.length)
          : memory.subarray(offset, offset + stored.length);
        const read = BitBlock.from(cut);
        assertSame(read, members);
        assert.deepEqual(read.toStored(), stored);
      },
    ),
  );
  assertSame(BitBlock.from(undefined), new Set());
  assert.equal(new BitBlock().toStored(), undefined);
});

test('a list up to 255 places, then a bit for each', () => {
  for (const [count, bytes] of [
    [1, 2],
    [2, 4],
    [255, 510],
    [256, 512],
    [257, 512],
    [BLOCK_PLACES, 512],
  ] as const) {
    // From the end of the block, where a place takes both bytes.
    const members = new Set(Array.from({ length: count }, (_, i) => BLOCK_PLACES - 1 - i));
    const stored = blockWith(members).toStored();
    assert.equal(stored?.length, bytes, String(count));
    assertSame(BitBlock.from(stored), members);
  }
});

test('the two forms are what other versions read and write', () => {
  assert.deepEqual(blockWith([4_095, 1, 256]).toStored(), new Uint8Array([1, 0, 0, 1, 0xff, 0x0f]));
  const every = blockWith(Array.from({ length: 512 }, (_, i) => i * 8 + (i % 8))).toStored();
  assert.deepEqual(
    every,
    Uint8Array.from({ length: 512 }, (_, i) => 1 << (i % 8)),
  );
});

test('what is stored does not change with the block that it came from', () => {
  const full = blockWith(allBut([]));
  const stored = full.toStored();
  full.remove(0);
  assert.equal(stored?.[0], 0xff);
  const copy = BitBlock.from(stored);
  copy.remove(9);
  assert.equal(stored?.[1], 0xff);
});

test('numbers belong to blocks, also beyond 32 bits', () => {
  for (const [number, block] of [
    [0, 0],
    [BLOCK_PLACES - 1, 0],
    [BLOCK_PLACES, 1],
    [2 ** 31 + 5, 2 ** 19],
    [Number.MAX_SAFE_INTEGER, 2 ** 41 - 1],
  ] as const) {
    assert.equal(blockOf(number), block);
  }
});
