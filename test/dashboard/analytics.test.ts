import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Figures } from '../../dashboard/src/api/analytics.ts';
import { parseAnalyticsSearch } from '../../dashboard/src/pages/analytics/analytics-search.ts';
import { breakdownCsv } from '../../dashboard/src/pages/analytics/breakdown-csv.ts';
import {
  FEWER,
  HIGHER,
  MORE,
  SLOWER,
  compareAmounts,
  compareShares,
} from '../../dashboard/src/pages/analytics/comparison.ts';
import { addFigures, periodBefore } from '../../dashboard/src/pages/analytics/period-before.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIDNIGHT = Date.UTC(2026, 5, 15);

const NOTHING: Figures = {
  requests: 0,
  errors: 0,
  cached: 0,
  tokens_in: 0,
  tokens_out: 0,
  cache_tokens: 0,
  cost: 0,
  requests_without_cost: 0,
  requests_with_estimate: 0,
  duration: null,
  ttft: null,
};

test('an address tells what is shown, and what makes no sense is left out', () => {
  const search = { range: '7d', by: 'metadata.team', split: 'yes', sort: 'cost' };
  assert.deepEqual(parseAnalyticsSearch(search), search);
  const custom = { range: 'custom', since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };
  assert.deepEqual(parseAnalyticsSearch(custom), custom);
  const odd = { range: '5y', since: '2026-01-01', by: 'metadata.', split: true, sort: ['x'] };
  assert.deepEqual(parseAnalyticsSearch(odd), {});
  assert.deepEqual(parseAnalyticsSearch({ by: 'model', sort: 'requests' }), {});
});

test('the time before is as long as what has passed, to the minute', () => {
  // A day and a half hour, of which 12 minutes are to come.
  const stretch = {
    interval: 'hour',
    sinceMs: MIDNIGHT,
    untilMs: MIDNIGHT + 25 * HOUR_MS,
  } as const;
  const nowMs = MIDNIGHT + 24 * HOUR_MS + 48 * MINUTE_MS;
  assert.deepEqual(periodBefore(stretch, nowMs), {
    whole: { interval: 'hour', sinceMs: MIDNIGHT - 24 * HOUR_MS, untilMs: MIDNIGHT },
    begin: {
      interval: 'minute',
      sinceMs: MIDNIGHT - 24 * HOUR_MS - 48 * MINUTE_MS,
      untilMs: MIDNIGHT - 24 * HOUR_MS,
    },
  });
  // What is over has passed as a whole, and minutes are not kept for ever.
  const later = periodBefore(stretch, nowMs + 9 * DAY_MS);
  assert.deepEqual(later.whole.sinceMs, MIDNIGHT - 25 * HOUR_MS);
  assert.equal(later.begin, undefined);
  const week = { ...stretch, untilMs: MIDNIGHT + 7 * DAY_MS };
  assert.equal(periodBefore(week, week.untilMs - 30 * MINUTE_MS).begin, undefined);
  // Of days, to the hour.
  const days = { interval: 'day', sinceMs: MIDNIGHT, untilMs: MIDNIGHT + 3 * DAY_MS } as const;
  assert.deepEqual(periodBefore(days, MIDNIGHT + 2 * DAY_MS + 5 * HOUR_MS).begin, {
    interval: 'hour',
    sinceMs: MIDNIGHT - 2 * DAY_MS - 5 * HOUR_MS,
    untilMs: MIDNIGHT - 2 * DAY_MS,
  });
  // Nothing is compared with no time at all.
  assert.equal(periodBefore(days, MIDNIGHT).whole.sinceMs, MIDNIGHT - DAY_MS);
});

test('figures are added, and times taken from what has any', () => {
  const duration = { p50: 1, p95: 2, p99: 3 };
  const one = { ...NOTHING, requests: 3, cost: 0.5 };
  const other = { ...NOTHING, requests: 4, cost: 0.25, duration };
  assert.deepEqual(addFigures([one, other]), { ...NOTHING, requests: 7, cost: 0.75, duration });
});

test('a change is told in words, and is good or bad only beyond doubt', () => {
  const told = (...given: Parameters<typeof compareAmounts>) => {
    const { words = '', tone = '' } = compareAmounts(...given) ?? {};
    return `${words} (${tone})`;
  };
  assert.equal(told(112, 100, FEWER), '12% more (neutral)');
  assert.equal(told(88, 100, FEWER), '12% fewer (neutral)');
  assert.equal(told(0, 100, MORE), '100% less (neutral)');
  assert.equal(told(0.001, 100, MORE), '99% less (neutral)');
  assert.equal(told(1_000, 999, MORE), 'about the same (neutral)');
  assert.equal(told(420, 100, FEWER), '4.2 times as many (neutral)');
  assert.equal(told(420, 100, MORE), '4.2 times as much (neutral)');
  assert.equal(told(5, 0, MORE), 'none in the previous period (neutral)');
  assert.equal(told(0, 0, MORE), 'none in both periods (neutral)');
  assert.equal(told(150, 100, SLOWER), '50% slower (danger)');
  assert.equal(told(80, 100, SLOWER), '20% faster (good)');
  assert.equal(told(104, 100, SLOWER), 'about the same (neutral)');
  assert.equal(compareAmounts(null, 100, SLOWER), undefined);
  const errors = { ...HIGHER, isUpBad: true };
  assert.equal(compareShares(0.05, 0.04, errors)?.words, '1 point higher');
  assert.equal(compareShares(0.05, 0.04, errors)?.tone, 'danger');
  assert.equal(compareShares(0.012, 0.036, errors)?.words, '2.4 points lower');
  assert.equal(compareShares(0.5, 0.500_1, errors)?.direction, 'same');
  assert.equal(compareShares(0.5, null, errors), undefined);
});

test('a spreadsheet gets values as they are, and no formula', () => {
  const csv = breakdownCsv([
    { name: 'a "b", c', value: 'x', totals: { ...NOTHING, requests: 2, cost: 0.5 } },
    { name: '=1+1', value: '', totals: { ...NOTHING, ttft: { p50: 1, p95: 2, p99: 3 } } },
  ]);
  const [head = '', first, second, rest] = csv.split('\r\n');
  assert.equal(head.split(',').length, 17);
  assert.equal(first, '"a ""b"", c",x,2,0,0,0,0,0,0.5,0,0,,,,,,');
  assert.equal(second, "'=1+1,,0,0,0,0,0,0,0,0,0,,,,1,2,3");
  assert.equal(rest, '');
});
