import { spawnSync } from 'node:child_process';
import { completionTargets } from './completions.ts';
import { describeLog, readMetrics, startLatchkey } from './latchkey.ts';
import type { Bench } from './options.ts';
import type { Outcome } from './outcome.ts';
import { usageOf } from './process-usage.ts';
import { runStreams, startStreamingUpstream } from './streaming-load.ts';

const TITLE = 'Streams held by Latchkey alone';
const GAP_MS = 5_000;
const STREAMS_OPENED_PER_SECOND = 1_000;
// To open them all may take longer than it should.
const RESERVE_SECONDS = 15;
const WARM_UP = { streams: 50, chunks: 50, gapMs: 20, rampMs: 200, seconds: 1 };
// Each stream is a connection to the client and one to the upstream.
const DESCRIPTORS_PER_STREAM = 2;
const OTHER_DESCRIPTORS = 200;
// The histogram behind the metrics counts a timer of 10 ms in.
const EVENT_LOOP_TIMER_SECONDS = 0.01;
const BYTES_PER_KIB = 1024;
const BYTES_PER_MIB = 1024 * 1024;

/** How many descriptors a process may have, and the command that raises the limit for what follows it. */
function raiseDescriptorLimit(wanted: number): { limit: number; command: string[] } {
  const script = 'ulimit -Sn "$(ulimit -Hn)"; ulimit -n "$0" 2>/dev/null';
  const tried = spawnSync('sh', ['-c', `${script}; ulimit -n`, String(wanted)]);
  const limit = Number(tried.stdout.toString().trim());
  return {
    limit: Number.isNaN(limit) ? wanted : limit, // "unlimited"
    command: ['sh', '-c', `${script}; exec "$@"`, String(wanted)],
  };
}

/** How Latchkey bears as many streams as there may be descriptors: memory, descriptors, event loop. */
export async function measureStreams(bench: Bench): Promise<Outcome> {
  const { heldStreams: asked, holdSeconds: seconds, directory } = bench;
  const { latchkey: target } = completionTargets({ stream: true });
  const { limit, command } = raiseDescriptorLimit(
    asked * DESCRIPTORS_PER_STREAM + OTHER_DESCRIPTORS,
  );
  const streams = Math.min(asked, Math.floor((limit - OTHER_DESCRIPTORS) / DESCRIPTORS_PER_STREAM));
  if (streams < asked) process.stderr.write(`${tooFew(asked, streams, limit)}\n`);
  const server = await startLatchkey(directory, command);
  const idle = usageOf(server.pid);
  const first = await startStreamingUpstream(WARM_UP);
  process.stderr.write(`${TITLE}: warm-up\n`);
  await runStreams({ target, ...WARM_UP });
  await first.stop();

  const before = usageOf(server.pid);
  const rampMs = Math.ceil((streams / STREAMS_OPENED_PER_SECOND) * 1_000);
  const lifeMs = rampMs + (seconds + RESERVE_SECONDS) * 1_000;
  const chunks = Math.ceil(lifeMs / GAP_MS);
  const upstream = await startStreamingUpstream({ chunks, gapMs: GAP_MS }, command);
  process.stderr.write(`${TITLE}: ${streams} for ${seconds} s\n`);
  let metrics: ReadonlyMap<string, number> = new Map();
  const { figures, usage = before } = await runStreams(
    { target, streams, chunks, rampMs, seconds },
    {
      pid: server.pid,
      // Each reading of the metrics is of the time since the one before.
      onOpen: readMetrics,
      onOver: async () => {
        metrics = await readMetrics();
      },
    },
    command,
  );
  const log = await describeLog();
  await server.stop();
  await upstream.stop();

  const mib = (bytes: number): string => `${(bytes / BYTES_PER_MIB).toFixed(0)} MiB`;
  const perStreamBytes = (usage.residentBytes - before.residentBytes) / streams;
  const lagMs = (which: string): string => {
    const delaySeconds = metrics.get(`nodejs_eventloop_lag_${which}_seconds`) ?? Number.NaN;
    return Math.max(0, (delaySeconds - EVENT_LOOP_TIMER_SECONDS) * 1_000).toFixed(1);
  };
  const { p50Ms, p99Ms, maxMs } = figures;
  return {
    measured: { 'streams held': { value: streams, failures: figures.failures } },
    tables: [
      {
        title: `${streams} streams held by Latchkey alone for ${seconds} s`,
        text: [
          `A chunk to each every ${GAP_MS / 1_000} s. ${log}`,
          ...(streams < asked ? [tooFew(asked, streams, limit)] : []),
        ].join('\n'),
        head: ['', ''],
        rows: [
          ['memory idle', mib(idle.residentBytes)],
          ['memory after a warm-up', mib(before.residentBytes)],
          ['memory at most', mib(usage.residentBytes)],
          [
            'memory a stream, above the warm-up',
            `${(perStreamBytes / BYTES_PER_KIB).toFixed(1)} KiB`,
          ],
          ['open descriptors', `${usage.descriptors} (idle: ${idle.descriptors})`],
          ['event-loop delay, p50, p99, most', `${['p50', 'p99', 'max'].map(lagMs).join(', ')} ms`],
          [
            'delay of a chunk, p50, p99, most',
            `${p50Ms.toFixed(2)}, ${p99Ms.toFixed(2)}, ${maxMs.toFixed(1)} ms`,
          ],
          ['streams done', String(figures.streamsDone)],
          ['failures', String(figures.failures)],
        ],
      },
    ],
  };
}

function tooFew(asked: number, streams: number, limit: number): string {
  return `${asked} streams take ${asked * DESCRIPTORS_PER_STREAM + OTHER_DESCRIPTORS} descriptors and a process may have ${limit} (\`ulimit -Hn\`): ${streams} are held.`;
}
