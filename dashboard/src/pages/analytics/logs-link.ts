import { type LogFilter, formatFilters } from '../../lib/log-filters.ts';
import type { LogSearch } from '../gateway-logs/log-search.ts';
import type { TimeSearch } from '../gateway-logs/time-range.ts';
import { type AnalyticsSearch, DEFAULT_RANGE } from './analytics-search.ts';
import { keyedGroup } from './group-words.ts';
import { windowOf } from './time-range.ts';

/** What logs call that by which figures are broken down. */
export const LOG_FIELDS: Readonly<Record<string, string>> = {
  model: 'model',
  provider: 'provider',
  token: 'token_id',
  user: 'user_id',
  oauth_client: 'oauth_client_id',
  status: 'status_code',
};

/** Which logs are those of a group; undefined: no filter says that. */
function logFiltersOf(by: string, value: string | null): LogFilter[] | undefined {
  const keyed = keyedGroup(by);
  if (keyed?.kind === 'metadata') {
    if (value === null) return undefined;
    return [{ field: 'metadata', metadataKey: keyed.key, operator: 'eq', values: [value] }];
  }
  const field = LOG_FIELDS[by];
  return field === undefined ? undefined : [{ field, operator: 'eq', values: [value ?? ''] }];
}

/** The time that is looked at, as the page of the logs has it. */
function timeOf(search: AnalyticsSearch): TimeSearch {
  const { range = DEFAULT_RANGE } = search;
  // Logs know of none so long.
  if (range === 'custom' || range === '90d') return { range: 'custom', ...windowOf(search) };
  return { range };
}

/** Where the logs of a group are. */
export interface LogsLink {
  to: '/accounts/$accountId/ai-gateway/gateways/$gatewayId/logs';
  params: { accountId: string; gatewayId: string };
  search: LogSearch;
}

/** Which logs are wanted. */
interface WantedLogs {
  accountId: string;
  gatewayId: string;
  /** What the figures are broken down by, and of which value. */
  by: string;
  value: string | null;
  /** The time that is looked at. */
  search: AnalyticsSearch;
}

/** Leads to the logs that a group of figures was summed up from; undefined: no filter finds them. */
export function logsLinkFor({
  accountId,
  gatewayId,
  by,
  value,
  search,
}: WantedLogs): LogsLink | undefined {
  const filters = by === 'gateway' ? [] : logFiltersOf(by, value);
  if (filters === undefined) return undefined;
  return {
    to: '/accounts/$accountId/ai-gateway/gateways/$gatewayId/logs',
    params: { accountId, gatewayId },
    search: { ...timeOf(search), ...(filters.length > 0 && { f: formatFilters(filters) }) },
  };
}
