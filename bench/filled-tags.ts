import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { TagContender } from './tag-contenders.ts';
import { type BenchResource, createResources } from './tag-data.ts';

// Not part of the repository.
const CACHE_DIR = 'bench/cache';
const FILLED = 'filled.json';
const SAMPLES_FILE = 'samples.json';
const MAX_SAMPLES = 20_000;

/** What a directory tells of itself once it is filled. */
interface Filled {
  seconds: number;
}

/** Changes with what the resources are. */
function dataLayout(): string {
  return readFileSync('bench/tag-data.ts', 'utf8');
}

/** Answers a directory that is kept from run to run, made anew when it would be another one now. */
async function keep(
  name: string,
  layout: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> {
  const directory = path.join(CACHE_DIR, `${name}-${hash('sha256', layout).slice(0, 8)}`);
  const description = path.join(directory, FILLED);
  if (existsSync(description)) return directory;
  for (const old of globSync(path.join(CACHE_DIR, `${name}-????????`))) {
    rmSync(old, { recursive: true, force: true });
  }
  process.stderr.write(`Filling ${name}\n`);
  mkdirSync(directory, { recursive: true });
  const beganAtMs = performance.now();
  await fill(directory);
  const filled: Filled = { seconds: (performance.now() - beganAtMs) / 1_000 };
  writeFileSync(`${description}.new`, JSON.stringify(filled));
  renameSync(`${description}.new`, description);
  process.stderr.write(`Filled ${name} in ${filled.seconds.toFixed(0)} s\n`);
  return directory;
}

/** So many resources, as each contender keeps them. The files are to be copied and not to be changed. */
export interface FilledTags {
  resources: number;
  /** JSON with some of the resources, evenly spread over all of them. */
  samplesFile: string;
  directories: ReadonlyMap<TagContender, string>;
}

/** Those of an earlier run, unless they would be others now. */
export async function fillTags(
  contenders: readonly TagContender[],
  resources: number,
): Promise<FilledTags> {
  const directories = new Map<TagContender, string>();
  for (const contender of contenders) {
    const directory = await keep(
      `tags-${contender.slug}-${resources}`,
      dataLayout() + contender.layout(),
      (directory) => contender.fill(directory, resources),
    );
    directories.set(contender, directory);
  }
  return { resources, samplesFile: await fillSamples(resources), directories };
}

async function fillSamples(resources: number): Promise<string> {
  const directory = await keep(`tags-samples-${resources}`, dataLayout(), (directory) => {
    const step = Math.max(1, Math.floor(resources / MAX_SAMPLES));
    const samples: BenchResource[] = [];
    let place = 0;
    for (const resource of createResources(resources)) {
      if (place++ % step === 0) samples.push(resource);
    }
    writeFileSync(path.join(directory, SAMPLES_FILE), JSON.stringify(samples));
    return Promise.resolve();
  });
  return path.join(directory, SAMPLES_FILE);
}

/** Makes a copy that may be changed, with the same owner: PostgreSQL may be another user. */
export function copyFilled(filled: string, directory: string): void {
  execFileSync('cp', ['-a', '--reflink=auto', filled, directory]);
}
