import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that says when to send: one message each `gapMs`. Timers of the event loop count whole
 * milliseconds and would send in bursts.
 */
const { gapMs } = workerData as { gapMs: number };
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const beganAtMs = performance.now();

for (let count = 1; ; count++) {
  const waitMs = beganAtMs + count * gapMs - performance.now();
  if (waitMs > 0) Atomics.wait(never, 0, 0, waitMs);
  parentPort?.postMessage(count);
}
