import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { completionTargets } from './completions.ts';
import { type Result, failuresOf, measureInRounds, median } from './figures.ts';
import { startLatchkey } from './latchkey.ts';
import { startNginxProxy } from './nginx.ts';
import type { Bench } from './options.ts';
import type { Outcome } from './outcome.ts';
import type { PinnedProcess } from './pinned-process.ts';
import { startPortkey } from './portkey.ts';
import { usageOf } from './process-usage.ts';
import type { StreamFigures } from './stream-load.ts';
import { runStreams, startStreamingUpstream } from './streaming-load.ts';
import type { Target } from './target.ts';

const TITLE = 'Streams at a time, a chunk each 20 ms';
const CHUNKS = 100;
const GAP_MS = 20;
// As long as a stream, so that at any time as many end as begin.
const RAMP_MS = CHUNKS * GAP_MS;
const WARM_UP_STREAMS = 50;
const WARM_UP_SECONDS = 2;
// Load and upstream share a core. Above that they are themselves what is slow, and fewer streams are measured.
const MAX_OWN_P99_MS = 3;
const FEWER = 0.75;
const MIN_STREAMS = 50;
const BYTES_PER_KIB = 1024;
const BYTES_PER_MIB = 1024 * 1024;

interface Way {
  target: Target;
  /** Each round has a fresh process, so that memory of an earlier one does not count. */
  start?: (directory: string) => Promise<PinnedProcess>;
}

interface Streamed extends StreamFigures {
  /** Undefined where there is no process between load and upstream. */
  memory: { idleBytes: number; beforeBytes: number; openBytes: number } | undefined;
}

/** Many streams at a time: the delay of each chunk, and the memory that a stream takes. */
export async function compareStreaming(bench: Bench): Promise<Outcome> {
  const { latchkey, portkey, nginx, direct } = completionTargets({ stream: true });
  const upstream = await startStreamingUpstream({ chunks: CHUNKS, gapMs: GAP_MS });
  const streams = await bearableStreams(bench, direct);
  const ways: Way[] = [
    { target: direct },
    { target: latchkey, start: startLatchkey },
    { target: nginx, start: (directory) => startNginxProxy(directory, 'off') },
    { target: portkey, start: startPortkey },
  ];
  const results = await measureInRounds(
    TITLE,
    ways.map((way) => ({
      name: way.target.name,
      measure: () => measureWay(bench, way, streams),
    })),
    bench.rounds,
  );
  await upstream.stop();
  return report(results, streams, bench.streams);
}

/** As many as were asked for, or as many as load and upstream can do on their own. */
async function bearableStreams({ streams, seconds }: Bench, target: Target): Promise<number> {
  for (let some = streams; ; some = Math.ceil(some * FEWER)) {
    process.stderr.write(`${TITLE}: whether load and upstream can do ${some}\n`);
    const { figures } = await runStreams(planOf(target, some, seconds));
    if (figures.p99Ms <= MAX_OWN_P99_MS || some <= MIN_STREAMS) return some;
  }
}

function planOf(target: Target, streams: number, seconds: number) {
  return { target, streams, chunks: CHUNKS, rampMs: RAMP_MS, seconds };
}

async function measureWay(bench: Bench, way: Way, streams: number): Promise<Streamed> {
  const plan = planOf(way.target, streams, bench.seconds);
  if (way.start === undefined) {
    const { figures } = await runStreams(plan);
    return { ...figures, memory: undefined };
  }
  const directory = mkdtempSync(path.join(bench.directory, 'round-'));
  const server = await way.start(directory);
  try {
    const idleBytes = usageOf(server.pid).residentBytes;
    await runStreams(planOf(way.target, Math.min(streams, WARM_UP_STREAMS), WARM_UP_SECONDS));
    const beforeBytes = usageOf(server.pid).residentBytes;
    const { figures, usage } = await runStreams(plan, { pid: server.pid });
    const openBytes = usage?.residentBytes ?? Number.NaN;
    return { ...figures, memory: { idleBytes, beforeBytes, openBytes } };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function report(results: readonly Result<Streamed>[], streams: number, asked: number): Outcome {
  const base = results[0]?.rounds ?? [];
  const p99 = (rounds: readonly Streamed[]) => median(rounds, (one) => one.p99Ms);
  const added = (rounds: readonly Streamed[]): number => p99(rounds) - p99(base);
  const memory = (rounds: readonly Streamed[], which: keyof NonNullable<Streamed['memory']>) =>
    median(rounds, (one) => one.memory?.[which] ?? 0);
  const kibPerStream = (rounds: readonly Streamed[]): number =>
    (memory(rounds, 'openBytes') - memory(rounds, 'beforeBytes')) / streams / BYTES_PER_KIB;
  const mib = (bytes: number): string => (bytes / BYTES_PER_MIB).toFixed(0);
  const ours = results[1]?.rounds ?? [];
  const fewer =
    streams < asked
      ? `\nThere were to be ${asked}: of those, load and upstream on their own had more than ${MAX_OWN_P99_MS} ms at p99.`
      : '';
  return {
    measured: {
      'streams at a time': { value: streams },
      'delay added to a chunk, p99': { value: added(ours), failures: failuresOf(ours) },
      'memory a stream': { value: kibPerStream(ours), failures: failuresOf(ours) },
    },
    tables: [
      {
        title: `${streams} streams at a time, ${CHUNKS} chunks each, one each ${GAP_MS} ms`,
        text: `Memory a stream is above what the process takes warm. In step with the upstream it is about ${Math.round((streams * 1_000) / GAP_MS)} chunks/s.${fewer}`,
        head: [
          '',
          'chunks/s',
          'p50 ms',
          'p99 ms',
          'most ms',
          'added p99 ms',
          'MiB idle',
          'MiB warm',
          'MiB at most',
          'KiB a stream',
          'streams done',
          'failures',
        ],
        rows: results.map(({ name, rounds }) => [
          name,
          String(Math.round(median(rounds, (one) => one.chunksPerSecond))),
          median(rounds, (one) => one.p50Ms).toFixed(2),
          p99(rounds).toFixed(2),
          median(rounds, (one) => one.maxMs).toFixed(1),
          ...(rounds === base
            ? ['', '', '', '', '']
            : [
                added(rounds).toFixed(2),
                mib(memory(rounds, 'idleBytes')),
                mib(memory(rounds, 'beforeBytes')),
                mib(memory(rounds, 'openBytes')),
                kibPerStream(rounds).toFixed(1),
              ]),
          String(median(rounds, (one) => one.streamsDone)),
          String(failuresOf(rounds)),
        ]),
      },
    ],
  };
}
