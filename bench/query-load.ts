import { hash } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { Client, errors } from 'undici';

/**
 * Asks one query after the other, each some times, one request at a time, and prints the figures as JSON.
 * It is told what to do by `PLAN`.
 */
export interface QueryPlan {
  /** What the paths are below. */
  url: string;
  headers: Record<string, string>;
  queries: readonly Query[];
  /** So often at most, and for so long at most, is each asked; null: however often. */
  requests: number | null;
  seconds: number;
  /** For so long an answer is waited for; null: for two minutes. */
  patienceMs: number | null;
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
  /** No answer came in time, so that it was asked only once. */
  isTooSlow: boolean;
  /** What `result_info` says of all pages together; undefined where there are no pages. */
  totalCount: number | undefined;
  /** How much the first answer has; undefined when it is no list. */
  items: number | undefined;
  /** The same for two answers to the first path that name the same things in the same order. */
  digest: string;
}

// What is slow is asked this often all the same.
const MIN_REQUESTS = 3;
const WARM_UP_REQUESTS = 5;
// What takes longer needs no more warming up.
const SLOW_MS = 500;
const DEFAULT_PATIENCE_MS = 120_000;
const NS_PER_MS = 1e6;

const plan = JSON.parse(process.env.PLAN ?? '{}') as QueryPlan;
const patienceMs = plan.patienceMs ?? DEFAULT_PATIENCE_MS;
const { origin, pathname } = new URL(plan.url);
const client = new Client(origin, { headersTimeout: patienceMs, bodyTimeout: patienceMs });

interface Answer {
  isFailure: boolean;
  isTooSlow: boolean;
  text: string;
}

async function ask(path: string): Promise<Answer> {
  const beganAtMs = performance.now();
  try {
    const answer = await client.request({
      path: pathname + path,
      method: 'GET',
      headers: plan.headers,
    });
    const text = await answer.body.text();
    // The server may have given up just before.
    const isTooSlow = performance.now() - beganAtMs >= patienceMs;
    const isFailure = answer.statusCode !== 200;
    if (isFailure && !isTooSlow) process.stderr.write(`${path}: ${answer.statusCode} ${text}\n`);
    return { isFailure: isFailure || isTooSlow, isTooSlow, text: isFailure ? '' : text };
  } catch (error) {
    if (!(error instanceof errors.HeadersTimeoutError)) throw error;
    return { isFailure: true, isTooSlow: true, text: '' };
  }
}

async function measure({ name, paths }: Query): Promise<QueryFigures> {
  const latenciesNs = createHistogram();
  let asked = 0;
  const next = (): string => paths[asked++ % paths.length] ?? '';
  const firstAtMs = performance.now();
  const first = await ask(next());
  let latest = first;
  const warmUpRequests = performance.now() - firstAtMs > SLOW_MS ? 1 : WARM_UP_REQUESTS;
  for (let count = 1; count < warmUpRequests && !latest.isFailure; count++) {
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
    failures: latest.isFailure && !latest.isTooSlow ? 1 : 0,
    isTooSlow: latest.isTooSlow,
    totalCount: totalCountOf(latest.text),
    ...describe(first.text),
  };
}

/** Resources are named by their ids, changes by those of their resources, other things by all of them. */
function describe(text: string): Pick<QueryFigures, 'items' | 'digest'> {
  const { result } = JSON.parse(text === '' ? '{}' : text) as { result?: unknown };
  const names = [result].flat().map((item) => {
    if (typeof item !== 'object' || item === null) return item;
    const { id = null, resource_id: resourceId = null } = item as Record<string, unknown>;
    return (
      id ?? resourceId ?? Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1))
    );
  });
  return {
    items: Array.isArray(result) ? result.length : undefined,
    digest: hash('sha256', JSON.stringify(names)),
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
