import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CapturedBody } from '../../src/gateway/capture/captured-body.ts';
import { PayloadBudget } from '../../src/gateway/capture/payload-budget.ts';

const MIB = 1024 * 1024;

/** Chunks as they come: with memory of their own, or slices of something larger. */
const chunks = fc.array(
  fc.record({
    length: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 9_000 }), fc.nat({ max: 70_000 })),
    isSlice: fc.boolean(),
    byte: fc.nat({ max: 255 }),
  }),
  { maxLength: 12 },
);

function bufferOf({ length, isSlice, byte }: { length: number; isSlice: boolean; byte: number }) {
  const whole = Buffer.alloc(isSlice ? 3 * length + 5 : length, byte);
  return isSlice ? whole.subarray(2, 2 + length) : whole;
}

describe('a body that is kept while it passes', () => {
  test('is kept as it came, up to its limit and as far as there is room', () => {
    fc.assert(
      fc.property(
        chunks,
        fc.nat({ max: 120_000 }),
        fc.nat({ max: 120_000 }),
        (list, limit, room) => {
          const all = new PayloadBudget(room);
          const body = new CapturedBody(all, limit);
          const buffers = list.map(bufferOf);
          for (const chunk of buffers) body.onChunk(chunk);
          const whole = Buffer.concat(buffers);
          assert.equal(body.size, whole.length);
          assert.ok(all.bytes <= room);
          const kept = Buffer.concat(body.take());
          assert.ok(kept.length <= limit && kept.length <= room);
          assert.ok(kept.equals(whole.subarray(0, kept.length)), 'it has a gap');
          if (whole.length <= Math.min(limit, room)) assert.equal(kept.length, whole.length);
          if (whole.length > limit && limit <= room) assert.equal(kept.length, limit);
          assert.equal(all.bytes, 0);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('does not hold the memory that small pieces are cut from', () => {
    const body = new CapturedBody(new PayloadBudget(MIB), MIB);
    for (let i = 0; i < 100; i++) body.onChunk(Buffer.alloc(64 * 1024, i).subarray(7, 107));
    const held = body.take().reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    assert.ok(held <= 4 * 100 * 100, `${held}`);
  });

  test('large chunks are not copied', () => {
    const body = new CapturedBody(new PayloadBudget(MIB), MIB);
    const chunk = Buffer.alloc(16 * 1024);
    body.onChunk(Buffer.from('begin'));
    body.onChunk(chunk);
    body.onChunk(Buffer.from('end'));
    assert.equal(body.take()[1], chunk);
  });

  test('what is released takes no room, and nothing comes behind it', () => {
    const room = new PayloadBudget(10);
    const body = new CapturedBody(room, MIB);
    body.onChunk(Buffer.from('0123456789'));
    assert.equal(room.bytes, 10);
    body.release();
    assert.equal(room.bytes, 0);
    body.onChunk(Buffer.from('more'));
    assert.deepEqual([room.bytes, body.size], [0, 14]);
  });
});
