import { countLogs, deleteLogs } from '../../api/gateway-logs.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import type { WrittenFilter } from '../../lib/log-query.ts';
import { serverNow } from '../../lib/server-time.ts';
import { type LogSearch, queryAt } from './log-search.ts';

/** As many as the API takes at once, a second or two: each request is an entry of the audit log. */
const LOGS_PER_REQUEST = 10_000;

/** What is to be deleted, as it was when it was counted. */
export interface Doomed {
  total: number;
  isEstimated: boolean;
  filters: readonly WrittenFilter[];
}

/**
 * Counts the logs that a search shows. The filters then name these alone: whatever is logged while somebody
 * thinks it over is not among them.
 */
export async function countDoomed(
  place: GatewayPlace,
  search: LogSearch,
  signal: AbortSignal,
): Promise<Doomed> {
  const query = queryAt(search, serverNow());
  const { total, isEstimated, newest } = await countLogs(place, query, signal);
  const until = newest === undefined ? serverNow() : Date.parse(newest.created_at) + 1;
  const bound = {
    key: 'created_at',
    operator: 'lt',
    values: [new Date(until).toISOString()],
  };
  return { total, isEstimated, filters: [...query.filters, bound] };
}

/**
 * Deletes them part by part.
 * @param onProgress told how many there were so far
 * @param isStopped asked before each part
 */
export async function deleteDoomed(
  place: GatewayPlace,
  { filters }: Doomed,
  onProgress: (count: number) => void,
  isStopped: () => boolean,
): Promise<void> {
  let done = 0;
  while (!isStopped()) {
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    const count = await deleteLogs(place, filters, LOGS_PER_REQUEST);
    done += count;
    onProgress(done);
    if (count < LOGS_PER_REQUEST) return;
  }
}
