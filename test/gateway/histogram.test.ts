import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addBins,
  binOf,
  countInBin,
  percentileOf,
  sumOfBins,
  withoutBins,
} from '../../src/request-log/analytics/histogram.ts';

const HOUR_MS = 3_600_000;

function histogramOf(times: readonly number[]): number[] {
  const bins: number[] = [];
  for (const ms of times) countInBin(bins, binOf(ms));
  return bins;
}

/** The nearest rank among the times themselves. */
function exactPercentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1] ?? Number.NaN;
}

/** Numbers that look random and are the same in each run. */
function* numbers(): Generator<number, never> {
  for (let state = 1; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

test('one time is told with at most 5 % of error, from a millisecond to a day', () => {
  for (let ms = 1; ms <= 24 * HOUR_MS; ms = ms < 20_000 ? ms + 1 : Math.ceil(ms * 1.003)) {
    const told = percentileOf(histogramOf([ms]), 0.5) ?? Number.NaN;
    assert.ok(Math.abs(told - ms) <= 0.05 * ms, `${ms} ms is told as ${told} ms`);
  }
});

test('what took no time at all is told as that', () => {
  assert.equal(percentileOf(histogramOf([0]), 0.5), 0);
  assert.equal(percentileOf(histogramOf([0, 0, 1]), 0.99), 1);
});

test('what takes longer than any column holds is counted with the longest', () => {
  assert.equal(binOf(2 ** 31), binOf(Number.MAX_SAFE_INTEGER));
  assert.ok(binOf(Number.MAX_SAFE_INTEGER) < 250);
});

test('of nothing there is no percentile', () => {
  assert.equal(percentileOf([], 0.5), null);
});

test('percentiles are those of the times, within 5 %', () => {
  const random = numbers();
  for (const count of [1, 2, 19, 20, 100, 5_000]) {
    // A long tail, as that of answers of models.
    const times = Array.from({ length: count }, () =>
      Math.round(200 / (1.0001 - random.next().value)),
    );
    for (const part of [0.5, 0.95, 0.99, 1]) {
      const told = percentileOf(histogramOf(times), part) ?? Number.NaN;
      const exact = exactPercentile(times, part);
      assert.ok(Math.abs(told - exact) <= 0.05 * exact, `${part} of ${count}: ${told}, ${exact}`);
    }
  }
});

test('a histogram holds its bins in order, each with its count', () => {
  const bins: number[] = [];
  for (const bin of [7, 3, 7, 0, 9, 3, 7]) countInBin(bins, bin);
  assert.deepEqual(bins, [0, 1, 3, 2, 7, 3, 9, 1]);
});

test('histograms are added and taken from one another bin by bin', () => {
  const all = [3, 2, 7, 3];
  addBins(all, [1, 5, 7, 1, 9, 4]);
  assert.deepEqual(all, [1, 5, 3, 2, 7, 4, 9, 4]);
  assert.deepEqual(withoutBins(all, [3, 2, 7, 3]), [1, 5, 7, 1, 9, 4]);
  assert.deepEqual(withoutBins(all, all), []);
  assert.deepEqual(withoutBins(all, []), all);
});

test('the sum of many is what they make one after the other', () => {
  const all = [[], [3, 1, 7, 2], [0, 1], [7, 5, 210, 1], [3, 4]];
  const sum: number[] = [];
  for (const bins of all) addBins(sum, bins);
  assert.deepEqual(sumOfBins(all), sum);
  assert.deepEqual(sumOfBins([]), []);
});
