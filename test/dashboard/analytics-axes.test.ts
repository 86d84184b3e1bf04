import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startsBetween, ticksOf } from '../../dashboard/src/ui/chart/time-axis.ts';
import { greatestOf, valueTicks } from '../../dashboard/src/ui/chart/value-axis.ts';

const DAY_MS = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 5, 15);

test('values are marked at round numbers from nothing to beyond the greatest', () => {
  assert.deepEqual(valueTicks(30, 'count'), [0, 10, 20, 30]);
  assert.deepEqual(valueTicks(3, 'count'), [0, 1, 2, 3]);
  assert.deepEqual(valueTicks(4_321, 'count'), [0, 2_000, 4_000, 6_000]);
  assert.deepEqual(valueTicks(0.017, 'amount'), [0, 0.005, 0.01, 0.015, 0.02]);
  assert.deepEqual(valueTicks(0.3, 'amount'), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(valueTicks(0, 'amount'), [0, 1]);
  assert.deepEqual(valueTicks(0.98, 'share'), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(valueTicks(1, 'share'), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(valueTicks(170_000, 'milliseconds'), [0, 60_000, 120_000, 180_000]);
});

test('no axis has more than five marks, or ends below what it shows', () => {
  for (let greatest = 0.000_001; greatest < 1e9; greatest *= 1.37) {
    for (const quantity of ['count', 'amount', 'milliseconds'] as const) {
      const ticks = valueTicks(greatest, quantity);
      assert.ok(ticks.length <= 5, `${greatest} ${quantity}: ${ticks.join(' ')}`);
      assert.ok((ticks.at(-1) ?? 0) >= greatest * (1 - 1e-8), `${greatest} ${quantity}`);
    }
  }
});

test('bars are as high as all that stands on each other', () => {
  const series = [
    { id: 'a', name: 'a', color: 1, values: [1, 5] },
    { id: 'b', name: 'b', color: 2, values: [7, null] },
  ] as const;
  const data = { interval: 'day', starts: [0, 1], series, isLastOpen: false } as const;
  assert.equal(greatestOf(data, 'bars'), 8);
  assert.equal(greatestOf(data, 'lines'), 7);
});

test('every interval has its place, whether something happened in it or not', () => {
  assert.deepEqual(startsBetween(0, 180_000, 'minute'), [0, 60_000, 120_000]);
  assert.equal(startsBetween(MIDNIGHT, MIDNIGHT + 90 * DAY_MS, 'day').length, 90);
});

test('times are marked seldom, the last day among them', () => {
  const ranges = [
    ['minute', 60],
    ['minute', 400],
    ['hour', 25],
    ['hour', 169],
    ['hour', 400],
    ['day', 31],
    ['day', 91],
    ['day', 400],
  ] as const;
  const lengths = { minute: 60_000, hour: 3_600_000, day: DAY_MS };
  for (const [interval, count] of ranges) {
    const starts = startsBetween(MIDNIGHT, MIDNIGHT + count * lengths[interval], interval);
    const ticks = ticksOf(starts, interval);
    assert.ok(ticks.length >= 2 && ticks.length <= 7, `${interval} ${count}: ${ticks.length}`);
    assert.ok(ticks.every((tick) => starts.includes(tick)));
    if (interval === 'day') assert.equal(ticks.at(-1), starts.at(-1));
  }
  assert.deepEqual(ticksOf([MIDNIGHT], 'hour'), [MIDNIGHT]);
});
