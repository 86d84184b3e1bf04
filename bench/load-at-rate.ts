import type { Figures } from './figures.ts';
import type { LoadPlan } from './load-generator.ts';
import type { Bench } from './options.ts';
import { runPinned } from './pinned-process.ts';
import type { Target } from './target.ts';
import { runWrk } from './wrk.ts';

/** In requests per second, after a warm-up. */
export async function halfOfThroughput(
  title: string,
  { directory, seconds }: Bench,
  target: Target,
): Promise<number> {
  process.stderr.write(`${title}: throughput, ${target.name}\n`);
  await runWrk(directory, target, seconds);
  const { requestsPerSecond } = await runWrk(directory, target, seconds);
  return Math.max(1, Math.round(requestsPerSecond / 2));
}

/** Sends requests at even intervals, in a process of its own. */
export async function sendAtRate(plan: LoadPlan): Promise<Figures> {
  const load = [process.execPath, 'bench/load-generator.ts'];
  return JSON.parse(await runPinned(1, load, { PLAN: JSON.stringify(plan) })) as Figures;
}
