import type { Measured, Table } from './outcome.ts';

/** Of one contender in one round. */
export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

export const CONNECTIONS = 32;

/** What is measured in each round. */
export interface Contender<Measured> {
  name: string;
  measure: () => Promise<Measured>;
}

/** All measurements of one contender. */
export interface Result<Measured> {
  name: string;
  rounds: Measured[];
}

/** Round by round, one contender after the other, so that drift of the machine hits all alike. */
export async function measureInRounds<Measured>(
  title: string,
  contenders: readonly Contender<Measured>[],
  rounds: number,
): Promise<Result<Measured>[]> {
  const results = contenders.map(({ name, measure }) => ({
    name,
    measure,
    rounds: [] as Measured[],
  }));
  for (let round = 1; round <= rounds; round++) {
    for (const result of results) {
      process.stderr.write(`${title}: round ${round} of ${rounds}, ${result.name}\n`);
      result.rounds.push(await result.measure());
    }
  }
  return results;
}

/** The median of one figure over all rounds. */
export function median<Measured>(
  rounds: readonly Measured[],
  pick: (one: Measured) => number,
): number {
  return rounds.map(pick).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
}

/** Failures are not averaged away: those of all rounds. */
export function failuresOf(rounds: readonly { failures: number }[]): number {
  return rounds.reduce((sum, one) => sum + one.failures, 0);
}

/** The median throughput of a contender. */
export function speedOf({ rounds }: Result<Figures>): number {
  return median(rounds, (one) => one.requestsPerSecond);
}

/** What was compared, and a table of it. */
export interface Comparison {
  table: Table;
  /** In the order of the contenders. */
  results: readonly Result<Figures>[];
  /** Our throughput by that of the contender at this place; ours is at 0. */
  ratioTo: (index: number) => Measured;
}

/** Compares throughput; the first contender is ours. */
export async function compare(
  title: string,
  text: string,
  contenders: readonly Contender<Figures>[],
  rounds: number,
): Promise<Comparison> {
  for (const { measure } of contenders) await measure(); // warm-up, not counted
  const results = await measureInRounds(title, contenders, rounds);
  const ratio = (result: Result<Figures> | undefined): number => {
    const [ours] = results;
    return ours === undefined || result === undefined
      ? Number.NaN
      : speedOf(ours) / speedOf(result);
  };
  return {
    results,
    ratioTo: (index) => ({
      value: ratio(results[index]),
      failures: failuresOf([results[0], results[index]].flatMap((result) => result?.rounds ?? [])),
    }),
    table: {
      title,
      text,
      head: ['', 'requests/s', 'p50 ms', 'p99 ms', 'failures', 'Latchkey ÷ this'],
      rows: results.map((result) => [
        result.name,
        String(Math.round(speedOf(result))),
        median(result.rounds, (one) => one.p50Ms).toFixed(2),
        median(result.rounds, (one) => one.p99Ms).toFixed(2),
        String(failuresOf(result.rounds)),
        ratio(result).toFixed(2),
      ]),
    },
  };
}
