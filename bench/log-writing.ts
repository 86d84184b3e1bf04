import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { FillFigures, FillPlan } from './contenders/fill-logs.ts';
import { measureInRounds, median } from './figures.ts';
import { runFill } from './filled-logs.ts';
import { ACCOUNT_ID } from './latchkey.ts';
import type { Bench } from './options.ts';
import type { Table } from './outcome.ts';
import { LOG_FILE } from '../src/storage/log-file.ts';

const TITLE = 'Writing log rows';
const MAX_ROWS = 50_000;
// The time that the rows tell of themselves; they are written as fast as possible.
const ROWS_PER_SECOND = 5_000;

/** How fast log rows are written into a file that is empty at first. */
export async function measureLogWriting(bench: Bench): Promise<Table> {
  const rows = Math.min(MAX_ROWS, bench.logRows);
  const contender = (name: string, batchRows: number, withBodies: number) => ({
    name,
    measure: () => fillEmpty(bench, { rows, batchRows, withBodies }),
  });
  const results = await measureInRounds(
    TITLE,
    [
      contender('batches of 250 rows', 250, 0),
      contender('batches of 1,000 rows', 1_000, 0),
      contender('batches of 1,000 rows with bodies', 1_000, rows),
    ],
    bench.rounds,
  );
  const figure = (rounds: readonly FillFigures[], pick: (one: FillFigures) => number): string =>
    median(rounds, pick).toFixed(0);
  return {
    title: TITLE,
    text: [
      `${rows} rows as they come in at ${ROWS_PER_SECOND} a second, with their metadata and sums, each batch on disk`,
      'before the next.',
    ].join('\n'),
    head: ['', 'rows/s', 'CPU µs a row', 'bytes a row'],
    rows: results.map(({ name, rounds }) => [
      name,
      figure(rounds, (one) => one.rowsPerSecond),
      figure(rounds, (one) => one.cpuUsPerRow),
      figure(rounds, (one) => one.bytes / rows),
    ]),
  };
}

async function fillEmpty(
  { directory }: Bench,
  { rows, batchRows, withBodies }: Pick<FillPlan, 'rows' | 'batchRows' | 'withBodies'>,
): Promise<FillFigures> {
  const own = mkdtempSync(path.join(directory, 'writing-'));
  const untilMs = Date.now();
  try {
    return await runFill({
      place: { file: path.join(own, LOG_FILE) },
      accountId: ACCOUNT_ID,
      rows,
      sinceMs: untilMs - (rows / ROWS_PER_SECOND) * 1_000,
      untilMs,
      withBodies,
      batchRows,
      isDurable: true,
    });
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
