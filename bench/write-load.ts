import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { Figures } from './figures.ts';
import { createRandom } from './random.ts';
import { type BenchResource, drawResource, drawTags, ownerOf } from './tag-data.ts';

/**
 * Writes tags as fast as it is answered, over so many connections, and prints the figures as JSON. It is told
 * what to do by `PLAN`.
 */
export interface WritePlan {
  /** What the paths are below. */
  url: string;
  headers: Record<string, string>;
  kind: WriteKind;
  connections: number;
  /** Of one bulk request. */
  bulkOperations: number;
  seconds: number;
  /** How many resources there are, and a file with some of them as JSON. */
  resources: number;
  samplesFile: string;
  /** Others write other things. */
  seed: number;
}

export type WriteKind = 'put-new' | 'put-existing' | 'patch' | 'bulk';

const WARM_UP_SECONDS = 1;
const NS_PER_MS = 1e6;

const plan = JSON.parse(process.env.PLAN ?? '{}') as WritePlan;
const samples = JSON.parse(readFileSync(plan.samplesFile, 'utf8')) as BenchResource[];
const random = createRandom(plan.seed);
const { origin, pathname } = new URL(plan.url);
const pool = new Pool(origin, { connections: plan.connections, pipelining: 1 });
const headers = { ...plan.headers, 'content-type': 'application/json' };

interface WriteRequest {
  method: 'PUT' | 'PATCH' | 'POST';
  path: string;
  body: object;
}

const pickSample = (): BenchResource => {
  const sample = samples[Math.floor(random() * samples.length)];
  if (sample === undefined) throw new Error('there are no resources');
  return sample;
};

const bodyOf = ({ type, id, name }: BenchResource, tags: Record<string, string>): object => ({
  resource_type: type,
  resource_id: id,
  name,
  tags,
});

const putExisting = (resource: BenchResource): object =>
  bodyOf(resource, drawTags(random, plan.resources));

function createBulk(): object {
  const start = Math.floor(random() * samples.length);
  const operations = Array.from({ length: plan.bulkOperations }, (_, index) => {
    const sample = samples[(start + index) % samples.length] ?? pickSample();
    return { op: 'put', ...putExisting(sample) };
  });
  return { operations };
}

function createRequest(): WriteRequest {
  switch (plan.kind) {
    case 'put-new': {
      const resource = drawResource(random, plan.resources);
      return { method: 'PUT', path: '', body: bodyOf(resource, resource.tags) };
    }
    case 'put-existing':
      return { method: 'PUT', path: '', body: putExisting(pickSample()) };
    case 'patch': {
      const { type, id } = pickSample();
      const owner = ownerOf(Math.floor(random() * plan.resources));
      const body = { resource_type: type, resource_id: id, tags: { owner } };
      return { method: 'PATCH', path: '', body };
    }
    case 'bulk':
      return { method: 'POST', path: '/bulk', body: createBulk() };
  }
}

const latenciesNs = createHistogram();
let failures = 0;
const countFromMs = performance.now() + WARM_UP_SECONDS * 1_000;
const endMs = countFromMs + plan.seconds * 1_000;

async function send(): Promise<void> {
  const { method, path, body } = createRequest();
  const text = JSON.stringify(body);
  const beganAtMs = performance.now();
  const answer = await pool.request({ method, path: pathname + path, headers, body: text });
  const answered = await answer.body.text();
  const nowMs = performance.now();
  const isDone =
    answer.statusCode === 200 &&
    (plan.kind !== 'bulk' || answered.includes(`"succeeded":${plan.bulkOperations}`));
  if (!isDone && failures++ === 0) {
    process.stderr.write(`${method} ${path}: ${answer.statusCode} ${answered.slice(0, 500)}\n`);
  }
  if (nowMs >= countFromMs && nowMs < endMs) {
    latenciesNs.record(Math.ceil((nowMs - beganAtMs) * NS_PER_MS));
  }
}

await Promise.all(
  Array.from({ length: plan.connections }, async () => {
    while (performance.now() < endMs) await send();
  }),
);
await pool.close();
const figures: Figures = {
  requestsPerSecond: latenciesNs.count / plan.seconds,
  p50Ms: latenciesNs.percentile(50) / NS_PER_MS,
  p99Ms: latenciesNs.percentile(99) / NS_PER_MS,
  failures,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
