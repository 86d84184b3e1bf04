import { runPinned } from './pinned-process.ts';
import type { QueryFigures, QueryPlan } from './query-load.ts';

/** Asks queries one after the other, in a process of its own. */
export async function askQueries(plan: QueryPlan): Promise<QueryFigures[]> {
  const load = [process.execPath, 'bench/query-load.ts'];
  return JSON.parse(await runPinned(1, load, { PLAN: JSON.stringify(plan) })) as QueryFigures[];
}
