import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CONNECTIONS } from './figures.ts';
import { measureDashboard } from './dashboard.ts';
import { startLatchkey } from './latchkey.ts';
import { compareLatency } from './latency.ts';
import { measureLogs } from './logs.ts';
import { startStaticUpstream } from './nginx.ts';
import { type Bench, parseOptions } from './options.ts';
import { requirePrograms, stopAll } from './pinned-process.ts';
import { compareServing } from './serving.ts';
import { measureStreams } from './streams.ts';
import { compareStreaming } from './streaming.ts';
import { compareTags } from './tags.ts';
import { compareTokenExchange } from './token-exchange.ts';

/**
 * Measures Latchkey beside its peers: each has the same core for itself in turn, several rounds, and
 * the medians are compared. Absolute figures depend on the machine; the ratios are what counts.
 * `run.ts [name…]`, and the options of options.ts.
 */

type Comparison = (bench: Bench) => Promise<string[]>;

/** These share a Latchkey before the static upstream. */
const served: Readonly<Record<string, Comparison>> = {
  serving: compareServing,
  latency: compareLatency,
};

/** These start what they need. */
const others: Readonly<Record<string, Comparison>> = {
  tokens: compareTokenExchange,
  streaming: compareStreaming,
  streams: measureStreams,
  logs: measureLogs,
  tags: compareTags,
  dashboard: measureDashboard,
};

/** These bring all that they need along. */
const selfContained: readonly string[] = ['tokens', 'tags', 'dashboard'];

const options = parseOptions(process.argv.slice(2));
const names = [...Object.keys(served), ...Object.keys(others)];
const unknown = options.names.find((name) => !names.includes(name));
if (unknown !== undefined) {
  throw new Error(`there is no comparison ${unknown}, only ${names.join(', ')}`);
}
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

function benchOf(name: string): Bench {
  const own = path.join(directory, name);
  mkdirSync(own);
  return { ...options, directory: own };
}

async function runAll(comparisons: Readonly<Record<string, Comparison>>): Promise<string[]> {
  const tables: string[] = [];
  for (const [name, compare] of Object.entries(comparisons)) {
    if (isAsked(name)) tables.push(...(await compare(benchOf(name))));
  }
  return tables;
}

function isAsked(name: string): boolean {
  return options.names.length === 0 || options.names.includes(name);
}

async function runServed(): Promise<string[]> {
  if (!Object.keys(served).some(isAsked)) return [];
  const shared = benchOf('shared');
  const upstream = await startStaticUpstream(shared.directory);
  const latchkey = await startLatchkey(shared.directory);
  const tables = await runAll(served);
  await latchkey.stop();
  await upstream.stop();
  return tables;
}

try {
  if (names.some((name) => isAsked(name) && !selfContained.includes(name))) {
    requirePrograms('wrk', 'nginx');
  }
  const tables = [...(await runServed()), ...(await runAll(others))];
  const report = [
    `Node ${process.versions.node}, median of ${options.rounds} rounds of ${options.seconds} s (tokens: of a fixed`,
    `number of codes); ${CONNECTIONS} connections where nothing else is said; each contender alone on the same core.`,
    '',
    ...tables,
  ].join('\n');
  if (options.names.length === 0) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync('bench/results/latest.md', report);
  }
  process.stdout.write(report);
} finally {
  await cleanUp();
}
