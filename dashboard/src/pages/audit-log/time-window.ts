import type { AuditWindow } from '../../api/audit-log.ts';
import { type AuditSearch, DEFAULT_RANGE, RANGES } from './audit-search.ts';
import { serverNow } from '../../lib/server-time.ts';
import { RANGE_MS, rangeWords } from '../../lib/time-range.ts';
import { MINUTE_MS } from '../../lib/time-units.ts';

/** The ranges to choose from, in words. */
export const RANGE_WORDS = rangeWords(RANGES);

// The clock of this machine may be behind that of the server.
const AHEAD_MS = 5 * MINUTE_MS;

/** The window that a search asks for at this moment. */
export function windowOf({ range = DEFAULT_RANGE, since, before }: AuditSearch): AuditWindow {
  const nowMs = serverNow();
  const end = new Date(nowMs + AHEAD_MS).toISOString();
  if (range !== 'custom') {
    return { since: new Date(nowMs - RANGE_MS[range]).toISOString(), before: end };
  }
  const start = since === undefined ? nowMs - RANGE_MS['7d'] : Date.parse(since);
  return {
    since: new Date(start).toISOString(),
    before: before === undefined ? end : new Date(before).toISOString(),
  };
}

/** What tells windows apart, of which those that end now are one each. */
export function rangeKeyOf({ range = DEFAULT_RANGE, since, before }: AuditSearch): string {
  return range === 'custom' ? `${since}/${before}` : range;
}
