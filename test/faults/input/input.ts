import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import { CliProcess } from '../../support/cli.ts';
import {
  type TestDatabase,
  copySqliteTemplate,
  createPostgresDatabase,
} from '../../support/databases.ts';
import { bootServer, newInstallation } from '../../support/server.ts';
import { startUpstream } from '../../support/upstream-process.ts';
import { InputDriver, type FoundFault, type Tally } from './driver.ts';
import { inputSettings } from './server.ts';
import { setUpInputWorld } from './set-up.ts';
import { ServerWatch, type Standing, WATCHED } from './watch.ts';
import type { Proof, ProofContext } from '../proof.ts';

const CONNECTIONS = 48;
const SPARES = 100;
const LOOKS = 10;
// Some multiple of what the driver sends between two looks.
const PROGRESS_EVERY = 20_000;
const MEBIBYTE = 1_048_576;
// Caches have bounds, and fill up to them by and by; what leaks goes on.
const HEAP_SLACK_BYTES = 24 * MEBIBYTE;
const RESIDENT_SLACK_BYTES = 96 * MEBIBYTE;
const DESCRIPTOR_SLACK = 40;

interface Outcome {
  database: TestDatabase;
  seconds: number;
  tally: Tally;
  standings: Standing[];
  problems: string[];
}

/**
 * `npm run faults -- input --requests=1000000 --database=sqlite --seed=1`: generated requests over every
 * route, most of them wrong in some way, at one server process. Nothing may answer what no contract names.
 */
export const prove: Proof = async (context) => {
  const wanted = context.word('database', 'sqlite');
  const databases: TestDatabase[] =
    wanted === 'both' ? ['sqlite', 'postgres'] : [wanted as TestDatabase];
  const outcomes: Outcome[] = [];
  for (const database of databases) outcomes.push(await proveOn(database, context));
  const report = describeOutcomes(outcomes, context);
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  if (problems.length > 0) throw new Error(`${report}\n\n${problems.join('\n')}`);
  return report;
};

async function proveOn(database: TestDatabase, context: ProofContext): Promise<Outcome> {
  const upstream = await startUpstream('odd-upstream.ts');
  const dataDir = path.join(context.directory, `input-${database}`);
  await mkdir(dataDir);
  const postgres = database === 'postgres' ? await createPostgresDatabase('current') : undefined;
  if (postgres === undefined) await copySqliteTemplate(dataDir);
  const settings = {
    ...inputSettings(upstream.baseUrl),
    MASTER_KEY: randomBytes(32).toString('base64'),
  };
  try {
    const besides = newInstallation(postgres?.url ?? '');
    const installed = { ...besides, postgresUrl: postgres?.url };
    const server = await bootServer(database, { besides: installed, dataDir, settings });
    const facts = await setUpInputWorld(server, SPARES);
    await server.stop();
    const env = {
      ...settings,
      DATA_DIR: dataDir,
      PORT: '0',
      ...(postgres && { DATABASE_URL: postgres.url }),
    };
    const process = new CliProcess(['serve'], {
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => [`LATCHKEY_${name}`, value]),
      ),
      nodeArguments: WATCHED,
    });
    try {
      return await drive(database, context, process, facts);
    } finally {
      process.kill('SIGKILL');
    }
  } finally {
    await upstream.stop();
  }
}

async function drive(
  database: TestDatabase,
  context: ProofContext,
  process: CliProcess,
  facts: Awaited<ReturnType<typeof setUpInputWorld>>,
): Promise<Outcome> {
  const origin = await process.origin();
  const watch = await ServerWatch.create(process, origin);
  const requests = context.count('requests', 1_000_000);
  const seed = context.count('seed', 1);
  const standings: Standing[] = [];
  const startMs = Date.now();
  const driver = await InputDriver.create({
    origin,
    facts,
    seed,
    requests,
    connections: CONNECTIONS,
    onFault: (fault) => context.progress(describeFault(fault)),
    async everySome({ sent, faults }) {
      await watch.noteLoopDelay();
      if (sent % PROGRESS_EVERY === PROGRESS_EVERY - 1) context.progress(`${database}: ${sent}`);
      if (sent < (standings.length * requests) / LOOKS) return;
      const standing = await watch.look(sent);
      standings.push(standing);
      const perSecond = Math.round(sent / ((Date.now() - startMs) / 1_000));
      context.progress(
        `${database}: ${sent} requests, ${perSecond}/s, ${faults.length} faults; ${describeStanding(standing)}`,
      );
    },
  });
  const tally = await driver.run();
  const seconds = (Date.now() - startMs) / 1_000;
  context.progress(`never succeeded:\n  ${driver.neverSucceeded().join('\n  ')}`);
  const problems = tally.faults.map(describeFault);
  problems.push(...(await driver.timeSlowest()));
  standings.push(await watch.look(tally.sent));
  watch.close();
  problems.push(...judgeStandings(standings));
  process.kill('SIGTERM');
  const { code, stdout } = await process.result();
  if (code !== 0) problems.push(`the process ended with ${code}`);
  problems.push(...loggedErrors(stdout));
  return { database, seconds, tally, standings, problems };
}

function describeFault({ key, detail, request, mutations, count }: FoundFault): string {
  return `${key} (${count}×; ${mutations.join(', ')})\n  ${detail}\n  printf '%b' '${request}'`;
}

function describeStanding({
  heapBytes,
  residentBytes,
  descriptors,
  loopDelayMs,
}: Standing): string {
  return `heap ${mebibytes(heapBytes)}, resident ${mebibytes(residentBytes)}, ${descriptors} descriptors, event loop held ${loopDelayMs.toFixed(0)} ms at most`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
}

/** Whether the second half took no more than the first: the first fills the caches. */
function judgeStandings(standings: readonly Standing[]): string[] {
  const middle = standings[Math.floor(standings.length / 2)];
  const last = standings.at(-1);
  if (middle === undefined || last === undefined) return ['nothing was measured'];
  const grown: string[] = [];
  if (last.heapBytes > middle.heapBytes + HEAP_SLACK_BYTES) grown.push('the heap');
  if (last.residentBytes > middle.residentBytes + RESIDENT_SLACK_BYTES) grown.push('the memory');
  if (last.descriptors > middle.descriptors + DESCRIPTOR_SLACK)
    grown.push('the number of descriptors');
  return grown.map(
    (what) => `${what} grows: ${describeStanding(middle)}, then ${describeStanding(last)}`,
  );
}

const ERROR_LEVEL = 50;

/** What the server itself calls an error, each message once. */
function loggedErrors(stdout: string): string[] {
  const errors = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    const { level, msg, err } = JSON.parse(line) as {
      level: number;
      msg: string;
      err?: { message: string };
    };
    if (level >= ERROR_LEVEL) errors.set(`${msg}: ${err?.message}`, line);
  }
  return [...errors.values()].map((line) => `logged: ${line}`);
}

function describeOutcomes(outcomes: readonly Outcome[], context: ProofContext): string {
  const rows = outcomes.flatMap(({ database, seconds, tally, standings }) => {
    const { sent, statuses, succeeded, operations, faults } = tally;
    const [first] = standings;
    const middle = standings[Math.floor(standings.length / 2)];
    const last = standings.at(-1);
    const share = (from: number): string => {
      const count = [...statuses].reduce(
        (sum, [status, of]) => (Math.floor(status / 100) === from ? sum + of : sum),
        0,
      );
      return `${((100 * count) / sent).toFixed(1)} %`;
    };
    const course = (read: (standing: Standing) => string): string =>
      [first, middle, last]
        .map((standing) => (standing === undefined ? '' : read(standing)))
        .join(' → ');
    return [
      `| ${database} | ${sent} | ${Math.round(sent / seconds)}/s | ${succeeded.size} of ${operations} | ${share(2)} · ${share(3)} · ${share(4)} · ${share(5)} | ${faults.length} | ${course(({ heapBytes }) => mebibytes(heapBytes))} | ${course(({ residentBytes }) => mebibytes(residentBytes))} | ${course(({ descriptors }) => String(descriptors))} | ${Math.max(...standings.map(({ loopDelayMs }) => loopDelayMs)).toFixed(0)} ms |`,
    ];
  });
  return [
    '## Invalid input',
    '',
    '| Database | Requests | | Operations with a success | 2xx · 3xx · 4xx · 5xx | Faults | Heap: start → middle → end | Resident memory | Descriptors | Longest event-loop delay |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `The test sends generated requests to every route with every kind of credential (seed ${context.count('seed', 1)}). Some are valid, most have one error, and some are random bytes.`,
    '',
    'A fault is an undeclared status or response shape, an internal detail, a secret, a missing response, or an unexpected 5xx. Expected are 1004 (resource without tags), 2005 and 2006 (failed provider), and errors of the provider itself.',
  ].join('\n');
}
