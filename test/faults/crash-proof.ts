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

function report(seen: ReadonlyMap<TestDatabase, CrashFigures>, seed: number): string {
  const databases = [...seen.keys()];
  const figures = [...seen.values()];
  const row = (name: string, read: (figures: CrashFigures) => string | number): string =>
    `| ${name} | ${figures.map(read).join(' | ')} |`;
  const writers = figures[0]?.writers.all ?? [];
  const tallies = writers.map(({ name }, index) =>
    row(`${name}: answered · without an answer, of which made`, ({ writers: { all } }) => {
      const { acknowledged, inDoubt, made } = all[index]?.tally ?? assert.fail();
      return `${acknowledged} · ${inDoubt}, ${made}`;
    }),
  );
  return [
    '`kill -9` at random moments under all kinds of writes at once, each in several lanes. After each, the next',
    'server was ready without repair and had nothing to warn of; each change that was answered was there, each',
    'without an answer was there as a whole or not at all, and no other; codes and refresh tokens worked once, a',
    'creation with the same idempotency key gave the same answer; the audit log had one row for each change',
    'and its chains were whole; counts and totals were those of the rows; each host was verified, once. The last',
    'server of each run ended by SIGTERM under load and lost no row of the log.',
    '',
    `| | ${databases.map((database) => NAMES[database]).join(' | ')} |`,
    `| --- | ${databases.map(() => '---:').join(' | ')} |`,
    row('killed under load', ({ kills }) => kills),
    row('killed during the start', ({ earlyDeaths }) => earlyDeaths),
    row('ready after, median · longest, ms', ({ startMedianMs, startLongestMs }) =>
      [startMedianMs, startLongestMs].join(' · '),
    ),
    row('answered 503, database too busy', ({ unavailable }) => unavailable),
    ...tallies,
    row('log rows lost, all kills together', ({ writers: { logs } }) => logs.lost),
    row('longest before the kill that a lost one was answered, ms', ({ writers: { logs } }) =>
      Math.round(logs.longestLossMs),
    ),
    row('rows of the audit log', ({ auditRows }) => auditRows),
    row('hosts verified', ({ writers: { verifications } }) => verifications.verified),
    '',
    `Seed ${seed}. Everything ran on this one machine at the same time, the load and PostgreSQL too.`,
  ].join('\n');
}
