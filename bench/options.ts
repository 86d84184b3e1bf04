import { parseArgs } from 'node:util';

/** How much a run measures, and for how long. */
export interface BenchOptions {
  /** Measurements of each contender, of which the median counts. */
  rounds: number;
  /** Length of one measurement. */
  seconds: number;
  /** Authorization codes of a round, of which the first tenth is not counted. They live for a minute. */
  codes: number;
  /** Streams at a time in the streaming comparison. */
  streams: number;
  /** Streams that Latchkey holds at a time, and for how long. */
  heldStreams: number;
  holdSeconds: number;
  /** Rows that the log has on SQLite, and on PostgreSQL. */
  logRows: number;
  postgresLogRows: number;
  /** Resources with tags, at most: it begins with fewer. */
  tagResources: number;
}

/** What a comparison is given: the options, and a directory that is empty at first and goes away. */
export interface Bench extends BenchOptions {
  directory: string;
}

/** What a run is asked to do. */
export interface BenchRun {
  /** Comparisons; empty: all. */
  names: string[];
  options: BenchOptions;
  /** Less is measured than for figures that count. */
  isQuick: boolean;
}

type Name = keyof BenchOptions;

const flags: Readonly<Record<Name, { flag: string; full: number; quick: number }>> = {
  rounds: { flag: 'rounds', full: 3, quick: 1 },
  seconds: { flag: 'seconds', full: 4, quick: 1 },
  codes: { flag: 'codes', full: 6_000, quick: 300 },
  streams: { flag: 'streams', full: 1_000, quick: 100 },
  heldStreams: { flag: 'held-streams', full: 10_000, quick: 200 },
  holdSeconds: { flag: 'hold-seconds', full: 60, quick: 2 },
  logRows: { flag: 'log-rows', full: 10_000_000, quick: 20_000 },
  postgresLogRows: { flag: 'postgres-log-rows', full: 1_000_000, quick: 10_000 },
  tagResources: { flag: 'tag-resources', full: 1_000_000, quick: 10_000 },
};

const names = Object.keys(flags) as Name[];

/**
 * `[name…] [--quick] [--rounds=3] [--seconds=4] …`, see README.md
 * @throws TypeError for an option that does not exist, Error for a value that is not a whole number from 1
 */
export function parseOptions(args: string[]): BenchRun {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      ...Object.fromEntries(names.map((name) => [flags[name].flag, { type: 'string' as const }])),
    },
  });
  const given = values as Record<string, string | boolean | undefined>;
  const valueOf = (name: Name): number => {
    const { flag, full, quick } = flags[name];
    const value = given[flag] ?? String(given.quick === true ? quick : full);
    if (!/^[1-9]\d{0,7}$/.test(String(value)))
      throw new Error(`--${flag} is a whole number from 1`);
    return Number(value);
  };
  const options = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  return {
    names: positionals,
    options: options as Record<Name, number>,
    isQuick: names.some((name) => valueOf(name) < flags[name].full),
  };
}
