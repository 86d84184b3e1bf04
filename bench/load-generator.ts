import { createHistogram } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import type { Figures } from './figures.ts';
import type { Target } from './target.ts';

/**
 * Sends requests at a fixed rate, whether or not earlier ones were answered, and prints the figures as
 * JSON. It is told what to do by `PLAN`.
 */
export interface LoadPlan {
  target: Target;
  requestsPerSecond: number;
  seconds: number;
}

const WARM_UP_SECONDS = 1;
// More than the rate ever needs at once, unless the target does not keep up: then requests queue here,
// and the wait counts.
const MAX_CONNECTIONS = 128;
const NS_PER_MS = 1e6;

const { target, requestsPerSecond, seconds } = JSON.parse(process.env.PLAN ?? '{}') as LoadPlan;
const { origin, pathname: path } = new URL(target.url);
const { method, headers, body = null } = target;
const pool = new Pool(origin, { connections: MAX_CONNECTIONS, pipelining: 1 });
const latenciesNs = createHistogram();
let failures = 0;

async function send(isCounted: boolean): Promise<void> {
  const beganAtMs = performance.now();
  try {
    const answer = await pool.request({ path, method, headers, body });
    await answer.body.text();
    if (answer.statusCode !== 200) failures++;
  } catch {
    failures++;
  }
  if (isCounted) latenciesNs.record(Math.ceil((performance.now() - beganAtMs) * NS_PER_MS));
}

const running = new Set<Promise<void>>();
const pacer = new Worker(new URL('pacer.ts', import.meta.url), {
  workerData: { gapMs: 1_000 / requestsPerSecond },
});
const { promise: over, resolve: end } = Promise.withResolvers<void>();
const countFromMs = performance.now() + WARM_UP_SECONDS * 1_000;
let sent = 0;
pacer.on('message', () => {
  const nowMs = performance.now();
  if (nowMs >= countFromMs + seconds * 1_000) {
    end();
    return;
  }
  const isCounted = nowMs >= countFromMs;
  if (isCounted) sent++;
  const request = send(isCounted).finally(() => running.delete(request));
  running.add(request);
});
await over;
await pacer.terminate();
await Promise.all(running);
await pool.close();
const figures: Figures = {
  requestsPerSecond: sent / seconds,
  p50Ms: latenciesNs.percentile(50) / NS_PER_MS,
  p99Ms: latenciesNs.percentile(99) / NS_PER_MS,
  failures,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
