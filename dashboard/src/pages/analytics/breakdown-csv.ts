import type { Figures } from '../../api/analytics.ts';
import { csvOf } from '../../lib/csv.ts';

interface CsvGroup {
  name: string;
  /** What the API calls it; empty for what has no value and for all others. */
  value: string;
  totals: Figures;
}

const COLUMNS: readonly [title: string, of: (group: CsvGroup) => string | number | null][] = [
  ['name', ({ name }) => name],
  ['value', ({ value }) => value],
  ['requests', ({ totals }) => totals.requests],
  ['errors', ({ totals }) => totals.errors],
  ['cached', ({ totals }) => totals.cached],
  ['tokens_in', ({ totals }) => totals.tokens_in],
  ['tokens_out', ({ totals }) => totals.tokens_out],
  ['cache_tokens', ({ totals }) => totals.cache_tokens],
  ['cost_usd', ({ totals }) => totals.cost],
  ['requests_without_cost', ({ totals }) => totals.requests_without_cost],
  ['requests_with_estimate', ({ totals }) => totals.requests_with_estimate],
  ['duration_p50_ms', ({ totals }) => totals.duration?.p50 ?? null],
  ['duration_p95_ms', ({ totals }) => totals.duration?.p95 ?? null],
  ['duration_p99_ms', ({ totals }) => totals.duration?.p99 ?? null],
  ['ttft_p50_ms', ({ totals }) => totals.ttft?.p50 ?? null],
  ['ttft_p95_ms', ({ totals }) => totals.ttft?.p95 ?? null],
  ['ttft_p99_ms', ({ totals }) => totals.ttft?.p99 ?? null],
];

/** Groups as a spreadsheet reads them. */
export function breakdownCsv(groups: readonly CsvGroup[]): string {
  const titles = COLUMNS.map(([title]) => title);
  return csvOf([titles, ...groups.map((group) => COLUMNS.map(([, of]) => of(group)))]);
}
