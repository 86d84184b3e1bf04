import { createHistogram } from 'node:perf_hooks';
import { Client } from 'undici';

/**
 * Asks one query after the other, each some times, one request at a time, and prints the figures as JSON.
 * It is told what to do by `PLAN`.
 */
export interface QueryPlan {
  origin: string;
  headers: Record<string, string>;
  queries: readonly Query[];
  /** So often at most, and for so long at most, is each asked; null: however often. */
  requests: number | null;
  seconds: number;
}

export interface Query {
  name: string;
  /** Asked in turn, so that not every answer is the same. */
  paths: readonly string[];
}

export interface QueryFigures {
  name: string;
  requests: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  failures: number;
  /** What `result_info` says of all pages together; undefined where there are no pages. */
  totalCount: number | undefined;
}

// What is slow is asked this often all the same.
const MIN_REQUESTS = 5;
const WARM_UP_REQUESTS = 5;
const PATIENCE_MS = 120_000;
const NS_PER_MS = 1e6;

const plan = JSON.parse(process.env.PLAN ?? '{}') as QueryPlan;
const client = new Client(plan.origin, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });

async function ask(path: string): Promise<{ isFailure: boolean; text: string }> {
  const answer = await client.request({ path, method: 'GET', headers: plan.headers });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) process.stderr.write(`${path}: ${answer.statusCode} ${text}\n`);
  return { isFailure: answer.statusCode !== 200, text };
}

async function measure({ name, paths }: Query): Promise<QueryFigures> {
  const latenciesNs = createHistogram();
  let asked = 0;
  const next = (): string => paths[asked++ % paths.length] ?? '';
  let latest = await ask(next());
  for (let count = 1; count < WARM_UP_REQUESTS && !latest.isFailure; count++) {
    latest = await ask(next());
  }
  const endMs = performance.now() + plan.seconds * 1_000;
  const isEnough = (): boolean =>
    latenciesNs.count >= MIN_REQUESTS &&
    (latenciesNs.count >= (plan.requests ?? Infinity) || performance.now() >= endMs);
  // What fails once would fail again, and be fast at it.
  while (!latest.isFailure && !isEnough()) {
    const beganAtMs = performance.now();
    latest = await ask(next());
    latenciesNs.record(Math.ceil((performance.now() - beganAtMs) * NS_PER_MS));
  }
  return {
    name,
    requests: latenciesNs.count,
    p50Ms: latenciesNs.percentile(50) / NS_PER_MS,
    p99Ms: latenciesNs.percentile(99) / NS_PER_MS,
    maxMs: latenciesNs.max / NS_PER_MS,
    failures: latest.isFailure ? 1 : 0,
    totalCount: totalCountOf(latest.text),
  };
}

function totalCountOf(text: string): number | undefined {
  const count = /"total_count":(\d+)/.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
}

const figures: QueryFigures[] = [];
for (const query of plan.queries) figures.push(await measure(query));
await client.close();
process.stdout.write(`${JSON.stringify(figures)}\n`);
