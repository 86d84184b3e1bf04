import type { AuditWindow } from '../../api/audit-log.ts';
import { type AuditSearch, DEFAULT_RANGE, type TimeRange } from './audit-search.ts';
import { serverNow } from '../../lib/server-time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const LENGTHS_MS: Readonly<Record<Exclude<TimeRange, 'custom'>, number>> = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

/** The ranges to choose from, in words. */
export const RANGE_WORDS: Readonly<Record<TimeRange, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  custom: 'From … to …',
};

// The clock of this machine may be behind that of the server.
const AHEAD_MS = 5 * 60_000;

/** The window that a search asks for at this moment. */
export function windowOf({ range = DEFAULT_RANGE, since, before }: AuditSearch): AuditWindow {
  const nowMs = serverNow();
  const end = new Date(nowMs + AHEAD_MS).toISOString();
  if (range !== 'custom') {
    return { since: new Date(nowMs - LENGTHS_MS[range]).toISOString(), before: end };
  }
  const start = since === undefined ? nowMs - LENGTHS_MS['7d'] : Date.parse(since);
  return {
    since: new Date(start).toISOString(),
    before: before === undefined ? end : new Date(before).toISOString(),
  };
}

/** What tells windows apart, of which those that end now are one each. */
export function rangeKeyOf({ range = DEFAULT_RANGE, since, before }: AuditSearch): string {
  return range === 'custom' ? `${since}/${before}` : range;
}
