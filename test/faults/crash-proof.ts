import assert from 'node:assert/strict';
import type { TestDatabase } from '../support/databases.ts';
import { type CrashFigures, crash } from './crash/crash.ts';
import { Random } from './random.ts';
import type { Proof, ProofContext } from './proof.ts';

const ROUNDS = 100;
const MOST_ANSWERS = 700;
const EARLY_DEATHS_PERCENT = 15;
const KILLS_PER_CHECK = 10;
// What is promised.
const MOST_LOSS_MS = 100;

/**
 * Kills a server under all kinds of writes: `--rounds=100` times, with `--database=sqlite`, `postgres` or
 * `both`. The moments come from `--seed`, though not what the server is at just then.
 */
export const prove: Proof = async (context) => {
  const kills = context.count('rounds', ROUNDS);
  const seed = context.count('seed', new Random().seed + 1);
  context.progress(`seed ${seed}`);
  // Side by side: most of the time each waits for a server to start.
  const seen = await Promise.all(
    databasesOf(context.word('database', 'both')).map(
      async (database) => [database, await run(context, database, kills, seed)] as const,
    ),
  );
  return report(new Map(seen), seed);
};

function databasesOf(word: string): TestDatabase[] {
  if (word === 'both') return ['sqlite', 'postgres'];
  assert.ok(word === 'sqlite' || word === 'postgres', '--database is sqlite, postgres or both');
  return [word];
}

async function run(
  context: ProofContext,
  database: TestDatabase,
  kills: number,
  seed: number,
): Promise<CrashFigures> {
  const ends: (() => unknown)[] = [];
  try {
    return await crash(
      { after: (work) => void ends.unshift(work) },
      {
        database,
        chance: new Random(seed),
        kills,
        mostAnswers: MOST_ANSWERS,
        earlyDeathsPercent: EARLY_DEATHS_PERCENT,
        killsPerCheck: KILLS_PER_CHECK,
        isPatient: true,
        mostLossMs: MOST_LOSS_MS,
        progress: (line) => context.progress(line),
      },
    );
  } finally {
    for (const end of ends) await end();
  }
}

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function report(seen: ReadonlyMap<TestDatabase, CrashFigures>, seed: number): string {
  const databases = [...seen.keys()];
  const figures = [...seen.values()];
  const row = (name: string, read: (figures: CrashFigures) => string | number): string =>
    `| ${name} | ${figures.map(read).join(' | ')} |`;
  const writers = figures[0]?.writers.all ?? [];
  const tallies = writers.map(({ name }, index) =>
    row(capitalize(name), ({ writers: { all } }) => {
      const { acknowledged, inDoubt, made } = all[index]?.tally ?? assert.fail();
      return `${acknowledged} · ${inDoubt} · ${made}`;
    }),
  );
  return [
    '## The server process is killed',
    '',
    'The test kills the server with `kill -9` at random moments, while clients send all kinds of writes. After each',
    'kill, the next server starts and the test checks:',
    '',
    '- The server is ready without repair and logs no warning.',
    '- Every acknowledged change is stored. A change without a response is stored completely or not at all.',
    '- Codes and refresh tokens work once. A repeated idempotency key returns the first response.',
    '- The audit log has one row per change, and its chains verify.',
    '- Counts and totals match the rows. Each host is verified once.',
    '',
    'SIGTERM ends the last server of each run under load. It loses no log row.',
    '',
    'Each row of writes shows three counts: acknowledged, without a response, and stored among those without a response.',
    '',
    `| | ${databases.map((database) => NAMES[database]).join(' | ')} |`,
    `| --- | ${databases.map(() => '---:').join(' | ')} |`,
    row('Kills under load', ({ kills }) => kills),
    row('Kills during startup', ({ earlyDeaths }) => earlyDeaths),
    row('Time to ready in ms, median · longest', ({ startMedianMs, startLongestMs }) =>
      [startMedianMs, startLongestMs].join(' · '),
    ),
    row('Responses with 503 (database busy)', ({ unavailable }) => unavailable),
    ...tallies,
    row('Lost log rows, all kills together', ({ writers: { logs } }) => logs.lost),
    row('Age of the oldest lost log row at the kill, ms', ({ writers: { logs } }) =>
      Math.round(logs.longestLossMs),
    ),
    row('Audit rows', ({ auditRows }) => auditRows),
    row('Verified hosts', ({ writers: { verifications } }) => verifications.verified),
    '',
    `Seed ${seed}. The load, the server and PostgreSQL share one machine.`,
  ].join('\n');
}
