import { type Log, readLogPage } from '../../api/gateway-logs.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import type { LogQuery } from '../../lib/log-query.ts';
import { csvOf } from '../../lib/csv.ts';

/** As many as a browser gets in a bearable time. */
export const MOST_EXPORTED = 10_000;

/** As many as the API gives at once. */
const LOGS_PER_REQUEST = 100;

/** In which form logs are kept. */
export type ExportFormat = 'jsonl' | 'csv';

/** The columns of a table of logs: all that the API tells of each. */
const COLUMNS = [
  'id',
  'created_at',
  'provider',
  'model',
  'model_type',
  'path',
  'request_type',
  'status_code',
  'success',
  'cached',
  'duration',
  'ttft',
  'tokens_in',
  'tokens_out',
  'cache_tokens',
  'cost',
  'custom_cost',
  'usage_source',
  'step',
  'attempts',
  'token_id',
  'user_id',
  'oauth_client_id',
  'event_id',
  'metadata',
  'feedback',
  'score',
  'request_content_type',
  'response_content_type',
] as const satisfies readonly (keyof Log)[];

/**
 * Reads logs page by page, in the order of the query, at most {@link MOST_EXPORTED}.
 * @param onProgress told how many there are so far
 */
export async function readForExport(
  place: GatewayPlace,
  query: LogQuery,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<Log[]> {
  const all: Log[] = [];
  let position: Parameters<typeof readLogPage>[2];
  do {
    const left = Math.min(LOGS_PER_REQUEST, MOST_EXPORTED - all.length);
    // oxlint-disable-next-line no-await-in-loop -- where a page begins is told by the one before
    const { logs, next } = await readLogPage(place, query, position, left, signal);
    all.push(...logs);
    onProgress(all.length);
    position = next;
  } while (position !== undefined && all.length < MOST_EXPORTED);
  return all;
}

/** Logs as the text of a file. */
export function formatLogs(logs: readonly Log[], format: ExportFormat): string {
  if (format === 'jsonl') return logs.map((log) => `${JSON.stringify(log)}\n`).join('');
  return csvOf([COLUMNS, ...logs.map((log) => COLUMNS.map((column) => log[column] ?? null))]);
}
