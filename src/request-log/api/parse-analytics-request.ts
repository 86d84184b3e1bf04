import { type ApiError, apiError, httpErrors } from '../../http/errors.ts';
import { parseRfc3339 } from '../../lib/rfc3339.ts';
import { metadataText } from '../writer/metadata-pairs.ts';
import type { AnalyticsOrder, Dimension, StepSeconds } from '../analytics/analytics-query.ts';
import type { AnalyticsParametersGiven } from './analytics-schemas.ts';
import { KEPT_MS } from '../rollups/prune-rollups.ts';
import { ALL, METADATA_PREFIX } from '../rollups/rollup-dimensions.ts';

export type Interval = 'minute' | 'hour' | 'day';

/** Whole intervals. */
export interface AnalyticsRange {
  interval: Interval;
  stepSeconds: StepSeconds;
  sinceMs: number;
  untilMs: number;
}

/** The property that determines the groups. */
export type GroupBy = { name: string } & (
  | { by: 'dimension'; dimension: Dimension }
  | { by: 'gateway' }
  | { by: 'tag'; key: string }
);

export interface AnalyticsRequest {
  range: AnalyticsRange;
  groupBy: GroupBy;
  orderBy: AnalyticsOrder;
  limit: number;
}

const DAY_MS = 86_400_000;
const DEFAULT_GROUPS = 20;

// No chart has more.
const MAX_POINTS = 400;
// For all groups together. A larger response would block the event loop.
const MAX_POINTS_OF_ALL = 10_000;

// The shortest first.
const INTERVALS: readonly [Interval, StepSeconds][] = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
];

/** Groups by a column of the rows. */
const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  none: ALL,
  model: 'model',
  provider: 'provider',
  token: 'token',
  user: 'user',
  oauth_client: 'oauth_client',
  status: 'status',
};

const TAG_PREFIX = 'tag.';

/**
 * Parses a request for the analytics of one gateway, or of those of an account.
 * @throws ApiError 6010
 */
export function parseAnalyticsRequest(
  given: AnalyticsParametersGiven,
  of: 'gateway' | 'account',
  nowMs: number,
): AnalyticsRequest {
  const limit = given.limit ?? DEFAULT_GROUPS;
  const groupBy = parseGroupBy(given.group_by ?? 'none', of);
  const isWhole = groupBy.by === 'dimension' && groupBy.dimension === ALL;
  return {
    groupBy,
    range: parseRange(given, isWhole ? 1 : limit, nowMs),
    orderBy: given.order_by ?? 'requests',
    limit,
  };
}

function parseGroupBy(name: string, of: 'gateway' | 'account'): GroupBy {
  if (Object.hasOwn(DIMENSIONS, name)) {
    return { name, by: 'dimension', dimension: DIMENSIONS[name] ?? ALL };
  }
  if (name === 'gateway' && of === 'account') return { name, by: 'gateway' };
  const [metadataKey, tagKey] = [METADATA_PREFIX, TAG_PREFIX].map((prefix) =>
    name.startsWith(prefix) ? name.slice(prefix.length) : undefined,
  );
  if (metadataKey !== undefined) {
    return { name, by: 'dimension', dimension: METADATA_PREFIX + metadataText(metadataKey) };
  }
  if (tagKey !== undefined && tagKey !== '') return { name, by: 'tag', key: tagKey };
  const names = [...Object.keys(DIMENSIONS), ...(of === 'account' ? ['gateway'] : [])];
  throw invalid('group_by', `must be ${names.join(', ')}, metadata.<key> or tag.<key>`);
}

function parseRange(
  given: AnalyticsParametersGiven,
  groups: number,
  nowMs: number,
): AnalyticsRange {
  const untilMs = given.until === undefined ? nowMs : parseTime('until', given.until);
  const sinceMs = given.since === undefined ? untilMs - DAY_MS : parseTime('since', given.since);
  if (sinceMs >= untilMs) throw invalid('since', 'must be earlier than until');
  const fits = INTERVALS.filter(([name]) => (given.interval ?? name) === name).map(
    ([interval, stepSeconds]) => ({
      interval,
      stepSeconds,
      fault: faultOf(stepSeconds, { sinceMs, untilMs, groups, nowMs }),
    }),
  );
  const fitting = fits.find(({ fault }) => fault === undefined);
  if (fitting === undefined) throw fits.at(-1)?.fault ?? invalid('interval', 'is none');
  const { interval, stepSeconds } = fitting;
  const stepMs = stepSeconds * 1_000;
  return {
    interval,
    stepSeconds,
    sinceMs: Math.floor(sinceMs / stepMs) * stepMs,
    // Includes the current interval, also at its very start.
    untilMs: Math.ceil((given.until === undefined ? nowMs + 1 : untilMs) / stepMs) * stepMs,
  };
}

/** Returns the reason why intervals of a length are not available; undefined: they are. */
function faultOf(
  stepSeconds: StepSeconds,
  wanted: { sinceMs: number; untilMs: number; groups: number; nowMs: number },
): ApiError | undefined {
  const { sinceMs, untilMs, groups, nowMs } = wanted;
  const points = Math.ceil((untilMs - sinceMs) / (stepSeconds * 1_000));
  if (points > MAX_POINTS) {
    return invalid('interval', `would return ${points} points, more than ${MAX_POINTS}`);
  }
  if (points * groups > MAX_POINTS_OF_ALL) {
    const made = `${groups} series of ${points} points`;
    return invalid('limit', `would return ${made}, more than ${MAX_POINTS_OF_ALL} points in total`);
  }
  const keptMs = KEPT_MS[stepSeconds];
  if (sinceMs < nowMs - keptMs) {
    return invalid(
      'since',
      `is too early: intervals of this length are kept for ${keptMs / DAY_MS} days`,
    );
  }
  return undefined;
}

function parseTime(name: string, text: string): number {
  const timeMs = parseRfc3339(text);
  if (timeMs === undefined) throw invalid(name, 'must be an RFC 3339 date-time');
  return timeMs;
}

function invalid(name: string, what: string): ApiError {
  return apiError(httpErrors.invalidParameter, {
    message: `${httpErrors.invalidParameter.message}: ${name} ${what}`,
    pointer: name,
  });
}
