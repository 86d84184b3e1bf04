import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureDashboard } from './dashboard.ts';
import { startLatchkey } from './latchkey.ts';
import { compareLatency } from './latency.ts';
import { measureLogs } from './logs.ts';
import { startStaticUpstream } from './nginx.ts';
import { type Bench, parseOptions } from './options.ts';
import { type Outcome, toMarkdown } from './outcome.ts';
import { requirePrograms, stopAll } from './pinned-process.ts';
import { benchmarksPage, resultsPage } from './report.ts';
import { describeMachine, keepResult, readVersions } from './results.ts';
import { compareSpendLimits } from './spend.ts';
import { compareServing } from './serving.ts';
import { compareStart } from './start.ts';
import { measureStreams } from './streams.ts';
import { compareStreaming } from './streaming.ts';
import { compareTags } from './tags.ts';
import { compareTokenExchange } from './token-exchange.ts';

/**
 * Measures Latchkey beside its peers: each has the same core for itself in turn, several rounds, and
 * the medians are compared. What each comparison finds is kept in bench/results, and docs/benchmarks.md made of
 * it. `run.ts [name…]`, and the options of options.ts.
 */

interface Comparison {
  run: (bench: Bench) => Promise<Outcome>;
  /** Those of Debian, not of npm. */
  programs?: readonly string[];
}

const programs = ['nginx', 'wrk'];

/** In order of how long they take. */
const comparisons: Readonly<Record<string, Comparison>> = {
  start: { run: compareStart },
  serving: { run: withServer(compareServing), programs },
  spend: { run: withServer(compareSpendLimits), programs: ['nginx'] },
  latency: { run: withServer(compareLatency), programs },
  tokens: { run: compareTokenExchange },
  streaming: { run: compareStreaming, programs: ['nginx'] },
  streams: { run: measureStreams },
  dashboard: { run: measureDashboard },
  logs: { run: measureLogs, programs },
  tags: { run: compareTags },
};

/** With a Latchkey before the static upstream. */
function withServer(compare: Comparison['run']): Comparison['run'] {
  return async (bench) => {
    const upstream = await startStaticUpstream(bench.directory);
    const latchkey = await startLatchkey(bench.directory);
    const outcome = await compare(bench);
    await latchkey.stop();
    await upstream.stop();
    return outcome;
  };
}

const { names, options, isQuick } = parseOptions(process.argv.slice(2));
const unknown = names.find((name) => !(name in comparisons));
if (unknown !== undefined) {
  throw new Error(`there is no ${unknown}, only ${Object.keys(comparisons).join(', ')}`);
}
const asked = Object.entries(comparisons).filter(
  ([name]) => names.length === 0 || names.includes(name),
);
const directory = mkdtempSync(path.join(tmpdir(), 'latchkey-bench-'));
// For root PostgreSQL runs as another user, who must get to its own directory below.
chmodSync(directory, 0o711);

async function cleanUp(): Promise<void> {
  await stopAll();
  rmSync(directory, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

async function measure(name: string, { run }: Comparison): Promise<void> {
  const own = path.join(directory, name);
  mkdirSync(own);
  const outcome = await run({ ...options, directory: own });
  rmSync(own, { recursive: true, force: true });
  process.stdout.write(`${outcome.tables.map(toMarkdown).join('\n\n')}\n\n`);
  const day = new Date().toISOString().slice(0, 10);
  const surroundings = { machine: describeMachine(), versions: readVersions() };
  const isKept = keepResult({ name, day, options, isQuick, ...surroundings, ...outcome });
  if (!isKept) process.stderr.write(`${name}: not kept, since there are figures that count\n`);
}

try {
  requirePrograms(...new Set(asked.flatMap(([, comparison]) => comparison.programs ?? [])));
  // Each is kept as soon as it is there.
  for (const [name, comparison] of asked) await measure(name, comparison);
  writeFileSync('docs/benchmarks.md', benchmarksPage());
  writeFileSync('bench/results/README.md', resultsPage());
} finally {
  await cleanUp();
}
