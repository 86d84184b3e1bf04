import { formatTime } from '../src/lib/clock.ts';
import { DAY_MS, commonToken, rareToken } from './log-rows.ts';
import type { Query } from './query-load.ts';

/** Rows to ask for by what only they have. */
export interface Samples {
  /** Of rows with bodies. */
  ids: string[];
  eventIds: string[];
  /** When the newest row came in. */
  untilMs: number;
}

type Condition = readonly [key: string, operator: string, value: string];

const HOUR_MS = 3_600_000;

/** What somebody asks of the logs of a gateway, on paths below it. */
export function createQueries(samples: Samples): Query[] {
  return [...lists(samples), ...single(samples), ...analytics(samples)];
}

const filters = (conditions: readonly Condition[]): string =>
  conditions
    .map(
      ([key, operator, value]) =>
        `filters.key=${key}&filters.operator=${operator}&filters.value=${encodeURIComponent(value)}`,
    )
    .join('&');

const listed = (name: string, ...queries: string[]): Query => ({
  name,
  paths: queries.map((query) => `/logs?per_page=50&${query}`),
});

const filtered = (name: string, ...conditions: Condition[]): Query =>
  listed(name, filters(conditions));

function lists({ eventIds, untilMs }: Samples): Query[] {
  const time = (daysAgo: number): string => formatTime(untilMs - daysAgo * DAY_MS);
  return [
    listed('newest page', ''),
    listed('oldest page', 'order_by_direction=asc'),
    listed('page 100', 'page=100'),
    listed('newest page with meta_info', 'meta_info=true'),
    filtered('provider = openai', ['provider', 'eq', 'openai']),
    filtered('model = claude-opus-4-1 (0.1 %)', ['model', 'eq', 'claude-opus-4-1']),
    filtered('model contains mini', ['model', 'contains', 'mini']),
    filtered('status_code = 503 (0.2 %)', ['status_code', 'eq', '503']),
    filtered('success = false (2 %)', ['success', 'eq', 'false']),
    filtered('cached = true (10 %)', ['cached', 'eq', 'true']),
    filtered('token of many rows', ['token_id', 'eq', commonToken]),
    filtered('token of few rows', ['token_id', 'eq', rareToken]),
    filtered(
      'metadata team = search',
      ['metadata.key', 'eq', 'team'],
      ['metadata.value', 'eq', 'search'],
    ),
    filtered(
      'metadata user = user-4711 (0.006 %)',
      ['metadata.key', 'eq', 'user'],
      ['metadata.value', 'eq', 'user-4711'],
    ),
    listed('event_id', ...eventIds.map((id) => filters([['event_id', 'eq', id]]))),
    filtered('a day, 30 days ago', ['created_at', 'gt', time(30)], ['created_at', 'lt', time(29)]),
    filtered(
      'a week of errors of a provider',
      ['created_at', 'gt', time(37)],
      ['created_at', 'lt', time(30)],
      ['provider', 'eq', 'anthropic'],
      ['success', 'eq', 'false'],
    ),
    filtered('cost > 0.002 (45 %)', ['cost', 'gt', '0.002']),
    filtered('duration > 90 s (some 0.001 %)', ['duration', 'gt', '90000']),
    listed('search: a model', 'search=opus'),
    listed('search: metadata', 'search=user-4711'),
    listed('search: nothing has it', 'search=nobody-has-it'),
    listed('order_by model', 'order_by=model&order_by_direction=asc'),
    listed('order_by cost', 'order_by=cost&order_by_direction=desc'),
  ];
}

function single({ ids }: Samples): Query[] {
  return [
    { name: 'get a log', paths: ids.map((id) => `/logs/${id}`) },
    { name: 'its request', paths: ids.map((id) => `/logs/${id}/request`) },
    { name: 'its response', paths: ids.map((id) => `/logs/${id}/response`) },
  ];
}

function analytics({ untilMs }: Samples): Query[] {
  const counted = (name: string, durationMs: number, more = ''): Query => {
    const since = encodeURIComponent(formatTime(untilMs - durationMs));
    const until = encodeURIComponent(formatTime(untilMs));
    return { name, paths: [`/analytics?since=${since}&until=${until}${more}`] };
  };
  const week = 7 * DAY_MS;
  return [
    counted('analytics: an hour by minute', HOUR_MS),
    counted('analytics: 24 hours', DAY_MS),
    counted('analytics: 7 days', week),
    counted('analytics: 90 days', 90 * DAY_MS),
    ...['model', 'provider', 'token', 'status', 'metadata.team', 'metadata.user'].map((dimension) =>
      counted(`analytics: 7 days by ${dimension}`, week, `&group_by=${dimension}`),
    ),
    counted('analytics: 24 hours by model', DAY_MS, '&group_by=model'),
    counted('analytics: 90 days by model', 90 * DAY_MS, '&group_by=model'),
  ];
}
