import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { TestDatabase } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestScope, createInstallation } from '../../support/server-process.ts';
import type { Proof } from '../proof.ts';
import { OPEN_GATEWAY, type SoakWorld, allActivities, prepareWorld } from './activities.ts';
import { SoakClient } from './client.ts';
import { type Activity, SteadyLoad } from './load.ts';
import { SOAK_EMAIL, SOAK_PASSWORD, SoakPerson } from './person.ts';
import { describeSoak, drawSamples } from './report.ts';
import { type Sample, type Watched, countDescriptors, readMetrics, takeSample } from './samples.ts';
import { type Counted, type Finding, judge } from './verdict.ts';

export interface SoakOptions {
  database: TestDatabase;
  seconds: number;
  /** Between two samples. */
  sampleSeconds: number;
  /** Between the first requests and the load: connections that rest for long are closed meanwhile. */
  restSeconds: number;
  /** Told each sample, and what went wrong so far: the first of it. */
  progress?: ((sample: Sample, failures: readonly string[]) => void) | undefined;
}

export interface Soaked {
  samples: readonly Sample[];
  counted: Counted;
  failures: readonly string[];
  activities: readonly Activity[];
}

const IMAGES = new URL('../../../docs/images/', import.meta.url);
const SAMPLE_SECONDS = 5;
const REST_SECONDS = 15;
const SECONDS_PER_MINUTE = 60;
const PROGRESS_EVERY_SAMPLES = 12;
const LOG_LIMIT_MS = 60_000;
/** Connections that rest, to clients, providers and PostgreSQL, are closed after a while. */
const DESCRIPTORS_LIMIT_MS = 120_000;
const BYTES_PER_MIB = 1024 * 1024;

/** Puts a server under mixed load for a while. */
export async function soak(t: TestScope, options: SoakOptions): Promise<Soaked> {
  const { database, seconds, sampleSeconds, restSeconds, progress } = options;
  const installation = await createInstallation(t, database, {
    PROVIDER_OPENAI_BASE_URL: await startUpstream(t),
    TRUST_PROXY: '127.0.0.1',
    PROVIDER_OPENAI_API_KEY: 'sk-soak',
    BOOTSTRAP_EMAIL: SOAK_EMAIL,
    BOOTSTRAP_PASSWORD: SOAK_PASSWORD,
  });
  const { origin, process } = await installation.start();
  const { accountId, token, dataDir, postgresUrl } = installation;
  const client = new SoakClient(origin, token);
  t.after(() => client.close());
  const watched: Watched = {
    pid: process.child.pid ?? 0,
    dataDir,
    databaseBytes: postgresUrl === undefined ? undefined : () => sizeOf(postgresUrl),
  };
  const person = await SoakPerson.create(client, accountId);
  const world: SoakWorld = { client, accountId, person, exchanges: 0 };
  await prepareWorld(world);
  const activities = allActivities(world);
  // Each once: whatever stays open for good, such as files and connections of a pool, is open then.
  for (const { act } of activities) await act();
  await client.rest();
  await delay(restSeconds * 1_000);
  const descriptorsBefore = countDescriptors(watched.pid);

  client.take();
  const load = new SteadyLoad(activities);
  t.after(() => load.stop());
  const samples = await sampleAll(watched, client, load, { seconds, sampleSeconds, progress });
  await load.stop();
  const logRows = await countLogRows(world);
  const metrics = await readMetrics(client);
  await client.rest();
  const counted: Counted = {
    done: load.done,
    failed: load.failed,
    heldUp: load.heldUp,
    descriptorsBefore,
    descriptorsAfter: await descriptorsAtRest(watched.pid, descriptorsBefore),
    exchanges: world.exchanges,
    logRows,
    lostLogRows: metrics.get('latchkey_gateway_log_rows_dropped_total') ?? Number.NaN,
  };
  return { samples, counted, failures: load.failures, activities };
}

async function startUpstream(t: TestScope): Promise<string> {
  const file = path.join(import.meta.dirname, 'upstream.ts');
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return `http://127.0.0.1:${port}/v1`;
}

async function sizeOf(postgresUrl: string): Promise<number> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ size: string }>(
      'select pg_database_size(current_database()) as size',
    );
    return Number(rows[0]?.size);
  } finally {
    await client.end();
  }
}

async function sampleAll(
  watched: Watched,
  client: SoakClient,
  load: SteadyLoad,
  { seconds, sampleSeconds, progress }: Pick<SoakOptions, 'seconds' | 'sampleSeconds' | 'progress'>,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const beganAtMs = performance.now();
  let lastAtMs = beganAtMs;
  // What was counted before the load is no part of the first sample.
  await readMetrics(client);
  for (let dueSeconds = sampleSeconds; dueSeconds <= seconds; dueSeconds += sampleSeconds) {
    await delay(Math.max(0, beganAtMs + dueSeconds * 1_000 - performance.now()));
    const nowMs = performance.now();
    const times = {
      atSeconds: (nowMs - beganAtMs) / 1_000,
      gapSeconds: (nowMs - lastAtMs) / 1_000,
    };
    lastAtMs = nowMs;
    const sample = await takeSample(watched, client, load, times);
    samples.push(sample);
    progress?.(sample, load.failures);
  }
  return samples;
}

/** How many rows the log has in the end: what the client hung up on is written a moment later. */
async function countLogRows({ client, accountId, exchanges }: SoakWorld): Promise<number> {
  const path_ = `/client/v4/accounts/${accountId}/ai-gateway/gateways/${OPEN_GATEWAY}/logs?per_page=1`;
  let rows = 0;
  const isComplete = async (): Promise<boolean> => {
    const { json } = await client.send({ group: 'logs', path: path_ });
    rows = json.result_info.total_count;
    return rows >= exchanges;
  };
  await eventually('all rows are there', isComplete, LOG_LIMIT_MS).catch(() => {});
  return rows;
}

/** How many there are once there are no more than expected, or all have had the time to go. */
async function descriptorsAtRest(pid: number, expected: number): Promise<number> {
  let count = 0;
  const isAtRest = async (): Promise<boolean> => {
    count = countDescriptors(pid);
    return count <= expected;
  };
  await eventually('all are closed', isAtRest, DESCRIPTORS_LIMIT_MS).catch(() => {});
  return count;
}

/** `npm run faults -- soak --minutes=60 --database=sqlite` */
export const prove: Proof = async (context) => {
  const minutes = context.count('minutes', 60);
  const database = context.word('database', 'sqlite');
  if (database !== 'sqlite' && database !== 'postgres') throw new Error('sqlite or postgres');
  const cleanUps: (() => unknown)[] = [];
  const scope: TestScope = { after: (cleanUp) => void cleanUps.unshift(cleanUp) };
  try {
    let taken = 0;
    let told = 0;
    const soaked = await soak(scope, {
      database,
      seconds: minutes * SECONDS_PER_MINUTE,
      sampleSeconds: SAMPLE_SECONDS,
      restSeconds: REST_SECONDS,
      progress(sample, failures) {
        for (; told < failures.length; told++) context.progress(failures[told] ?? '');
        if (taken++ % PROGRESS_EVERY_SAMPLES === 0) context.progress(describeSample(sample));
      },
    });
    return conclude(soaked, database, minutes);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
};

function describeSample(sample: Sample): string {
  const { atSeconds, residentBytes, heapBytes, descriptors, answeredPerSecond, failed } = sample;
  const mib = (bytes: number): string => (bytes / BYTES_PER_MIB).toFixed(0);
  return `${(atSeconds / SECONDS_PER_MINUTE).toFixed(1)} min: ${mib(residentBytes)} MiB, heap ${mib(heapBytes)} MiB, ${descriptors} descriptors, ${answeredPerSecond.toFixed(0)}/s, ${failed} failures`;
}

/** @throws Error when something does not hold that must */
function conclude(
  { samples, counted, failures, activities }: Soaked,
  database: TestDatabase,
  minutes: number,
): string {
  const findings: Finding[] = judge(samples, counted);
  const title = `${minutes} minutes of mixed load on ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`;
  const image = `soak-${database}.svg`;
  mkdirSync(IMAGES, { recursive: true });
  writeFileSync(new URL(image, IMAGES), drawSamples(title, samples));
  const report = describeSoak(title, `images/${image}`, samples, findings, activities);
  if (findings.every(({ holds }) => holds)) return report;
  throw new Error([report, ...failures].join('\n'));
}
