import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonCollector } from '../../src/gateway/json-collector.ts';

const MAX_BYTES = 1024 * 1024;
const WINDOW_BYTES = 64 * 1024;
const TEXT = randomBytes(2 * MAX_BYTES);

/** Lengths of pieces from a few bytes to more than a window. */
const lengths = fc.array(
  fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 70_000 }), fc.nat({ max: 400_000 })),
  { minLength: 1, maxLength: 60 },
);

test('a text is whole up to 1 MiB; of a longer one there are begin and end, however it came', () => {
  const collector = new JsonCollector();
  fc.assert(
    fc.property(lengths, (pieces) => {
      collector.reset();
      let length = 0;
      for (const piece of pieces) {
        const last = Math.min(TEXT.length, length + piece);
        collector.feed(TEXT.subarray(length, last));
        length = last;
        const text = TEXT.subarray(0, length);
        const { start, end } = collector.read();
        if (length <= MAX_BYTES) {
          assert.ok(start.equals(text));
          assert.equal(end, undefined);
        } else {
          assert.ok(start.equals(text.subarray(0, WINDOW_BYTES)));
          assert.ok(end?.equals(text.subarray(-WINDOW_BYTES)));
        }
      }
    }),
    { numRuns: 200 },
  );
});
