import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CONNECTIONS, type Figures } from './figures.ts';
import { runPinned } from './pinned-process.ts';
import type { Target } from './target.ts';

/** Loads a target as fast as it answers, from a fixed number of connections. */
export async function runWrk(
  directory: string,
  { name, url, method, headers, body }: Target,
  seconds: number,
): Promise<Figures> {
  const script = path.join(directory, 'load.lua');
  const lua = (text: string): string => `[==[${text}]==]`;
  writeFileSync(
    script,
    [
      `wrk.method = "${method}"`,
      ...(body === undefined ? [] : [`wrk.body = ${lua(body)}`]),
      ...Object.entries(headers).map(
        ([header, value]) => `wrk.headers["${header}"] = ${lua(value)}`,
      ),
      'function done(summary, latency)',
      '  local errors = summary.errors',
      '  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status',
      '  io.write(string.format(\'{"requestsPerSecond":%f,"p50Ms":%f,"p99Ms":%f,"failures":%d}\',',
      '    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,',
      '    latency:percentile(99) / 1e3, failures))',
      'end',
    ].join('\n'),
  );
  const load = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url];
  const figures = (await runPinned(1, load)).split('\n').findLast((line) => line.startsWith('{'));
  if (figures === undefined) throw new Error(`no figures for ${name}`);
  return JSON.parse(figures) as Figures;
}
