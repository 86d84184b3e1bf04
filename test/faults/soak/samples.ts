import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { LOG_FILE } from '../../../src/storage/log-file.ts';
import type { Group, Served, SoakClient } from './client.ts';
import type { SteadyLoad } from './load.ts';

/** How the server was at one moment, and what it did since the one before. */
export interface Sample {
  /** Since the load began. */
  atSeconds: number;
  residentBytes: number;
  /** How much of it SQLite's page caches may hold: all of a file, up to what they are given. */
  pageCacheBytes: number;
  /** Of the main thread. */
  heapBytes: number;
  /** Of the main thread: buffers, and whatever else stands outside of its heap. */
  externalBytes: number;
  descriptors: number;
  threads: number;
  /** The 99th percentile. */
  eventLoopDelayMs: number;
  queuedLogRows: number;
  databaseBytes: number;
  /** What SQLite writes ahead; 0 on PostgreSQL. */
  walBytes: number;
  /** On PostgreSQL they are part of the database. */
  logBytes: number;
  answeredPerSecond: number;
  failed: number;
  latencies: Readonly<Record<Group, { p50Ms: number; p99Ms: number } | undefined>>;
}

/** The server that is looked at. */
export interface Watched {
  pid: number;
  dataDir: string;
  /** Of the database, where it is no file. */
  databaseBytes: (() => Promise<number>) | undefined;
}

// Of each connection; a file has one that writes and one that reads.
const MAX_PAGE_CACHE_BYTES = 64 * 1024 * 1024;
const CONNECTIONS_PER_FILE = 2;

// The histogram behind the metric counts a timer of 10 ms in.
const EVENT_LOOP_TIMER_SECONDS = 0.01;

/** What the server says of itself at `/metrics`: the values of series without labels, by name. */
export async function readMetrics({ origin }: SoakClient): Promise<ReadonlyMap<string, number>> {
  const text = await (
    await fetch(`${origin}/metrics`, { headers: { connection: 'close' } })
  ).text();
  const samples = text.matchAll(/^(\w+) (\S+)$/gm);
  return new Map(Array.from(samples, ([, name = '', value]) => [name, Number(value)]));
}

/** Open files and sockets of a process, as the system counts them. */
export function countDescriptors(pid: number): number {
  if (existsSync(`/proc/${pid}/fd`)) return readdirSync(`/proc/${pid}/fd`).length;
  const lines = execFileSync('lsof', ['-p', String(pid), '-F', 'f'])
    .toString()
    .split('\n');
  return lines.filter((line) => /^f\d/.test(line)).length;
}

function countThreads(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return Number.NaN;
  return Number(/^Threads:\s+(\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1]);
}

function bytesOf(dataDir: string, file: string): number {
  return statSync(path.join(dataDir, file), { throwIfNoEntry: false })?.size ?? 0;
}

/** @param sinceLast what was served since the sample before, which took so long */
export async function takeSample(
  { pid, dataDir, databaseBytes }: Watched,
  client: SoakClient,
  load: Pick<SteadyLoad, 'failed'>,
  { atSeconds, gapSeconds }: { atSeconds: number; gapSeconds: number },
): Promise<Sample> {
  const descriptors = countDescriptors(pid);
  const metrics = await readMetrics(client);
  const metric = (name: string): number => metrics.get(name) ?? Number.NaN;
  const { answered, latencies }: Served = client.take();
  const fileBytes = bytesOf(dataDir, 'latchkey.db');
  const logBytes = bytesOf(dataDir, LOG_FILE);
  const cached = [fileBytes, logBytes].map((bytes) => Math.min(bytes, MAX_PAGE_CACHE_BYTES));
  const delaySeconds = metric('nodejs_eventloop_lag_p99_seconds') - EVENT_LOOP_TIMER_SECONDS;
  return {
    atSeconds,
    residentBytes: metric('process_resident_memory_bytes'),
    pageCacheBytes: CONNECTIONS_PER_FILE * cached.reduce((sum, bytes) => sum + bytes, 0),
    heapBytes: metric('nodejs_heap_size_used_bytes'),
    externalBytes: metric('nodejs_external_memory_bytes'),
    descriptors,
    threads: countThreads(pid),
    eventLoopDelayMs: Math.max(0, delaySeconds * 1_000),
    queuedLogRows: metric('latchkey_gateway_log_queued_rows'),
    databaseBytes: (await databaseBytes?.()) ?? fileBytes,
    walBytes: bytesOf(dataDir, 'latchkey.db-wal') + bytesOf(dataDir, `${LOG_FILE}-wal`),
    logBytes,
    answeredPerSecond: answered / gapSeconds,
    failed: load.failed,
    latencies,
  };
}
