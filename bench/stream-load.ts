import { createHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { StreamConnection, type StreamEvents } from './stream-connection.ts';
import type { Target } from './target.ts';

/**
 * Keeps many streams open at a time and measures how long each chunk takes. It is told what to do by
 * `PLAN`, prints `open` when all are, `over` when it has measured, and at last the figures as JSON.
 */
export interface StreamPlan {
  target: Target;
  streams: number;
  /** Chunks that the upstream sends in each. */
  chunks: number;
  /** Over which the streams are opened, evenly. */
  rampMs: number;
  /** For how long all are open and measured. One that ends before is replaced. */
  seconds: number;
}

/** Chunks are those read while all streams were open; streams and failures are of the whole time. */
export interface StreamFigures {
  chunksPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  streamsDone: number;
  failures: number;
}

const PATIENCE_MS = 60_000;
const US_PER_MS = 1_000;

const plan = JSON.parse(process.env.PLAN ?? '{}') as StreamPlan;
const delaysUs = createHistogram();
const connections: StreamConnection[] = [];
const allOpen = Promise.withResolvers<void>();
const allDone = Promise.withResolvers<void>();
let phase: 'opening' | 'measuring' | 'ending' = 'opening';
let opened = 0;
let closed = 0;
let streamsDone = 0;
let failures = 0;

function countClosed(): void {
  closed++;
  if (closed === plan.streams) allDone.resolve();
}

function countOpened(): void {
  opened++;
  if (opened === plan.streams) allOpen.resolve();
}

function fail(reason: string): void {
  failures++;
  if (failures === 1) process.stderr.write(`${reason}\n`);
}

function createEvents(): StreamEvents {
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    countOpened();
  };
  return {
    onBegin: begin,
    onChunk(delayUs) {
      if (phase === 'measuring') delaysUs.record(Math.max(1, delayUs));
    },
    onWhole(chunks) {
      if (chunks === plan.chunks) streamsDone++;
      else fail(`a stream had ${chunks} chunks instead of ${plan.chunks}`);
      if (phase !== 'ending') return true;
      countClosed();
      return false;
    },
    onFailure(reason) {
      fail(reason);
      begin();
      countClosed();
    },
  };
}

/** Waits for something that must not take for ever, and then cuts off what still runs. */
async function patiently(promise: Promise<void>, limitMs: number): Promise<void> {
  const timer = setTimeout(() => {
    for (const connection of connections) connection.close('the stream takes too long');
  }, limitMs);
  await promise;
  clearTimeout(timer);
}

const beganAtMs = performance.now();
while (connections.length < plan.streams) {
  const due = ((performance.now() - beganAtMs) / plan.rampMs) * plan.streams;
  while (connections.length < Math.min(due, plan.streams)) {
    connections.push(new StreamConnection(plan.target, createEvents()));
  }
  await delay(1);
}
await patiently(allOpen.promise, PATIENCE_MS);
process.stdout.write('open\n');
phase = 'measuring';
const measuredFromMs = performance.now();
await delay(plan.seconds * 1_000);
phase = 'ending';
const measuredSeconds = (performance.now() - measuredFromMs) / 1_000;
process.stdout.write('over\n');
await patiently(allDone.promise, PATIENCE_MS);
const figures: StreamFigures = {
  chunksPerSecond: delaysUs.count / measuredSeconds,
  p50Ms: delaysUs.percentile(50) / US_PER_MS,
  p99Ms: delaysUs.percentile(99) / US_PER_MS,
  maxMs: delaysUs.max / US_PER_MS,
  streamsDone,
  failures,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
