import { type PinnedProcess, runPinned, startPinned, untilReady } from './pinned-process.ts';
import { ports, upstreamUrl } from './ports.ts';
import { type Usage, UsageWatch } from './process-usage.ts';
import type { StreamFigures, StreamPlan } from './stream-load.ts';

export interface StreamRun {
  figures: StreamFigures;
  /** The most that the watched process used while all streams were open. */
  usage: Usage | undefined;
}

/** What to look at while the streams are open. */
export interface Watching {
  pid?: number | undefined;
  onOpen?: () => Promise<unknown>;
  onOver?: () => Promise<unknown>;
}

/** Starts the upstream that streams. */
export async function startStreamingUpstream(
  { chunks, gapMs }: { chunks: number; gapMs: number },
  command: readonly string[] = [],
): Promise<PinnedProcess> {
  const program = 'bench/contenders/streaming-upstream.ts';
  const upstream = startPinned(1, [...command, process.execPath, program], {
    PORT: String(ports.upstream),
    CHUNKS: String(chunks),
    GAP_MS: String(gapMs),
  });
  await untilReady(upstreamUrl, upstream);
  return upstream;
}

/** Opens streams, and holds them as the plan says. */
export async function runStreams(
  plan: StreamPlan,
  { pid, onOpen, onOver }: Watching = {},
  command: readonly string[] = [],
): Promise<StreamRun> {
  let watch: UsageWatch | undefined;
  let usage: Usage | undefined;
  const load = [...command, process.execPath, 'bench/stream-load.ts'];
  try {
    const output = await runPinned(1, load, { PLAN: JSON.stringify(plan) }, async (line) => {
      if (line === 'open') {
        if (pid !== undefined) watch = new UsageWatch(pid);
        await onOpen?.();
      }
      if (line === 'over') {
        usage = watch?.stop();
        await onOver?.();
      }
    });
    const figures = JSON.parse(output.split('\n').at(-1) ?? '') as StreamFigures;
    return { figures, usage };
  } finally {
    watch?.stop();
  }
}
