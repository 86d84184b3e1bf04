import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { completionTargets } from './completions.ts';
import { failuresOf, measureInRounds, median } from './figures.ts';
import {
  type FilledLogs,
  type LogDatabase,
  createDataDir,
  fillLogs,
  startFilledPostgres,
} from './filled-logs.ts';
import { describeLog, latchkey, startLatchkey } from './latchkey.ts';
import { halfOfThroughput, sendAtRate } from './load-at-rate.ts';
import { type Samples, createQueries } from './log-queries.ts';
import { gateways } from './log-rows.ts';
import { measureLogWriting } from './log-writing.ts';
import { startStaticUpstream } from './nginx.ts';
import type { Bench } from './options.ts';
import { type Outcome, type Table, joinOutcomes, worstOf } from './outcome.ts';
import { postgresUrl } from './postgres.ts';
import { askQueries } from './ask-queries.ts';
import type { Query, QueryFigures } from './query-load.ts';

const TITLE = 'The log';
const MAX_REQUESTS = 200;
const SAMPLE_PAGES = 5;
const MAX_SAMPLES = 50;
const PER_PAGE = 100;
// Of the load generator, which warms up for a second: all that it counts has a query beside it.
const LOAD_WARM_UP_SECONDS = 1;

const gatewayUrl = `${latchkey.accountUrl}/ai-gateway/gateways/${gateways[0]?.value}`;

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** What the log does that holds very many rows, and what that does to the gateway beside it. */
export async function measureLogs(bench: Bench): Promise<Outcome> {
  const writing = await measureLogWriting(bench);
  const upstream = await startStaticUpstream(bench.directory);
  const onSqlite = await measureFilled(bench, 'sqlite', bench.logRows);
  const onPostgres = await measureFilled(bench, 'postgres', bench.postgresLogRows);
  await upstream.stop();
  return joinOutcomes({ measured: {}, tables: [writing] }, onSqlite, onPostgres);
}

async function measureFilled(bench: Bench, database: LogDatabase, rows: number): Promise<Outcome> {
  const filled = await fillLogs(database, rows);
  const directory = path.join(bench.directory, database);
  mkdirSync(directory);
  const postgres = database === 'sqlite' ? undefined : await startFilledPostgres(directory, filled);
  await createDataDir(directory, filled);
  const server = await startLatchkey(directory, [], {
    // Otherwise it would delete the oldest rows at times.
    LATCHKEY_LOG_RETENTION_DAYS: '0',
    ...(postgres !== undefined && { LATCHKEY_DATABASE_URL: postgresUrl }),
  });
  const queries = createQueries(await findSamples(filled.untilMs));
  process.stderr.write(`${TITLE}: ${queries.length} queries\n`);
  const asked = await runQueries(queries, MAX_REQUESTS, bench.seconds);
  const beside = await compareBeside(bench, database, slowestOf(queries, asked));
  await server.stop();
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
  return joinOutcomes(
    {
      measured: {
        [`log queries, p50, ${databases[database]}`]: worstOf(
          asked.map(({ name, p50Ms, failures }) => ({ value: p50Ms, of: name, failures })),
        ),
      },
      tables: [reportQueries(asked, filled)],
    },
    beside,
  );
}

function slowestOf(queries: readonly Query[], asked: readonly QueryFigures[]): Query {
  const [slowest] = asked.toSorted((one, other) => other.p50Ms - one.p50Ms);
  const query = queries.find(({ name }) => name === slowest?.name);
  if (query === undefined) throw new Error('there is no query');
  return query;
}

interface ListedLog {
  id: string;
  event_id: string | null;
}

async function findSamples(untilMs: number): Promise<Samples> {
  const logs: ListedLog[] = [];
  for (let page = 1; page <= SAMPLE_PAGES; page++) {
    const url = `${gatewayUrl}/logs?per_page=${PER_PAGE}&page=${page}`;
    const answer = await fetch(url, { headers: latchkey.headers });
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    const { result } = (await answer.json()) as { result: ListedLog[] };
    logs.push(...result);
  }
  return {
    ids: logs.slice(0, MAX_SAMPLES).map(({ id }) => id),
    eventIds: logs.flatMap(({ event_id: id }) => (id === null ? [] : [id])),
    untilMs,
  };
}

async function runQueries(
  queries: readonly Query[],
  requests: number | null,
  seconds: number,
): Promise<QueryFigures[]> {
  const { headers } = latchkey;
  return askQueries({ url: gatewayUrl, headers, queries, requests, seconds, patienceMs: null });
}

function reportQueries(asked: readonly QueryFigures[], filled: FilledLogs): Table {
  const { database, rows, rowsWithBodies, figures } = filled;
  const bytes = figures.bytesWithoutBodies / (rows - rowsWithBodies);
  const bodies = (figures.bytes - figures.bytesWithoutBodies) / rowsWithBodies;
  return {
    title: `${databases[database]}: queries of a log of ${rows} rows, of which the gateway asked has ${gateways[0]?.share} %`,
    text: [
      'One query at a time; pages of 50 rows. A total is what `total_count` says.',
      `A row takes ${bytes.toFixed(0)} bytes of disk with its indexes and sums, and one of the ${rowsWithBodies}`,
      `newest, which have bodies, ${bodies.toFixed(0)}.`,
    ].join('\n'),
    head: ['', 'requests', 'p50 ms', 'p99 ms', 'most ms', 'total', 'failures'],
    rows: asked.map(({ name, requests, p50Ms, p99Ms, maxMs, totalCount, failures }) => [
      name,
      String(requests),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      maxMs.toFixed(1),
      String(totalCount ?? ''),
      String(failures),
    ]),
  };
}

/** A chat completion at half of the throughput, alone and while a query is asked again and again. */
async function compareBeside(bench: Bench, database: LogDatabase, query: Query): Promise<Outcome> {
  const { latchkey: target } = completionTargets({ stream: false });
  const requestsPerSecond = await halfOfThroughput(TITLE, bench, target);
  const { seconds } = bench;
  const complete = () => sendAtRate({ target, requestsPerSecond, seconds });
  const results = await measureInRounds(
    TITLE,
    [
      {
        name: 'nothing beside it',
        measure: async () => ({ ...(await complete()), query: undefined }),
      },
      {
        name: `"${query.name}" again and again`,
        measure: async () => {
          const asked = runQueries([query], null, seconds + LOAD_WARM_UP_SECONDS);
          const figures = await complete();
          return { ...figures, query: (await asked)[0] };
        },
      },
    ],
    bench.rounds,
  );
  const [alone = [], beside = []] = results.map(({ rounds }) => rounds);
  const p99 = (rounds: typeof alone): number => median(rounds, (one) => one.p99Ms);
  const failures = failuresOf([...alone, ...beside]);
  return {
    measured: {
      [`p99 added by a log query, ${databases[database]}`]: {
        value: p99(beside) - p99(alone),
        failures,
      },
    },
    tables: [
      {
        title: `${databases[database]}: a chat completion at half of the throughput, beside a query of the log`,
        text: `The query is the slowest of those above; all of the contender shares a core. ${await describeLog()}`,
        head: ['', 'requests/s', 'p50 ms', 'p99 ms', 'failures', 'queries', 'p50 ms of a query'],
        rows: results.map(({ name, rounds }) => [
          name,
          String(requestsPerSecond),
          median(rounds, (one) => one.p50Ms).toFixed(2),
          p99(rounds).toFixed(2),
          String(failuresOf(rounds)),
          ...(['requests', 'p50Ms'] as const).map((figure) =>
            rounds[0]?.query === undefined
              ? ''
              : median(rounds, (one) => one.query?.[figure] ?? 0).toFixed(0),
          ),
        ]),
      },
    ],
  };
}
