import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Histogram } from '../../src/http/histogram.ts';

const BOUNDS = [1, 10];

function linesOf(values: readonly number[], label = 'a'): string[] {
  const histogram = new Histogram<'name'>('size', 'Sizes', BOUNDS);
  for (const value of values) histogram.series({ name: label }).observe(value);
  return histogram.text().trimEnd().split('\n');
}

describe('histograms', () => {
  test('a bucket contains its bound, and all values below it', () => {
    assert.deepEqual(linesOf([0.5, 1, 1.5, 10, 11]), [
      '# HELP size Sizes',
      '# TYPE size histogram',
      'size_bucket{le="1",name="a"} 2',
      'size_bucket{le="10",name="a"} 4',
      'size_bucket{le="+Inf",name="a"} 5',
      'size_sum{name="a"} 24',
      'size_count{name="a"} 5',
    ]);
  });

  test('label values are escaped, and each combination is one series', () => {
    const [, , first] = linesOf([1], 'a"\\\n');
    assert.equal(first, String.raw`size_bucket{le="1",name="a\"\\\n"} 1`);
    const histogram = new Histogram<'name'>('size', 'Sizes', BOUNDS);
    assert.equal(histogram.series({ name: 'a' }), histogram.series({ name: 'a' }));
    assert.notEqual(histogram.series({ name: 'a' }), histogram.series({ name: 'b' }));
  });

  test('observe() rejects values that are not finite, and keeps the series unchanged', () => {
    const histogram = new Histogram<'name'>('size', 'Sizes', BOUNDS);
    const series = histogram.series({ name: 'a' });
    series.observe(2);
    const before = histogram.text();
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      assert.throws(() => series.observe(value), TypeError);
    }
    assert.equal(histogram.text(), before);
  });

  test('for all values and labels: counts increase from bucket to bucket, and a label adds no lines', () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { maxLength: 20 });
    fc.assert(
      fc.property(
        values,
        fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', '{', 'a') }),
        (observed, label) => {
          const lines = linesOf(observed, label);
          assert.equal(lines.length, observed.length === 0 ? 2 : 2 + BOUNDS.length + 3);
          const counts = lines.filter((line) => line.startsWith('size_bucket'));
          const numbers = counts.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
          assert.deepEqual(
            numbers,
            numbers.toSorted((a, b) => a - b),
          );
          if (observed.length > 0) assert.equal(numbers.at(-1), observed.length);
        },
      ),
    );
  });
});
