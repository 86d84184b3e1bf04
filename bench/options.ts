import { parseArgs } from 'node:util';

/** What a run measures, and for how long. */
export interface BenchOptions {
  /** Comparisons asked for; empty: all. */
  names: string[];
  /** Measurements of each contender, of which the median counts. */
  rounds: number;
  /** Length of one measurement. */
  seconds: number;
  /** Streams at a time in the streaming comparison. */
  streams: number;
  /** Streams that Latchkey holds at a time, and for how long. */
  heldStreams: number;
  holdSeconds: number;
  /** Rows that the log has. */
  logRows: number;
  /** Resources with tags, at most: it begins with fewer. */
  tagResources: number;
}

/** What a comparison is given: the options, and a directory that is empty at first and goes away. */
export interface Bench extends BenchOptions {
  directory: string;
}

const defaults = {
  rounds: '3',
  seconds: '4',
  streams: '1000',
  'held-streams': '10000',
  'hold-seconds': '60',
  'log-rows': '10000000',
  'tag-resources': '1000000',
};

/**
 * `[name…] [--rounds=3] [--seconds=4] [--streams=1000] [--held-streams=10000] [--hold-seconds=60]
 * [--log-rows=10000000] [--tag-resources=1000000]`
 * @throws TypeError for an option that does not exist, Error for a value that is not a whole number from 1
 */
export function parseOptions(args: string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: defaults.rounds },
      seconds: { type: 'string', default: defaults.seconds },
      streams: { type: 'string', default: defaults.streams },
      'held-streams': { type: 'string', default: defaults['held-streams'] },
      'hold-seconds': { type: 'string', default: defaults['hold-seconds'] },
      'log-rows': { type: 'string', default: defaults['log-rows'] },
      'tag-resources': { type: 'string', default: defaults['tag-resources'] },
    },
  });
  const count = (name: keyof typeof defaults): number => {
    const value = values[name];
    if (!/^[1-9]\d{0,7}$/.test(value)) throw new Error(`--${name} is a whole number from 1`);
    return Number(value);
  };
  return {
    names: positionals,
    rounds: count('rounds'),
    seconds: count('seconds'),
    streams: count('streams'),
    heldStreams: count('held-streams'),
    holdSeconds: count('hold-seconds'),
    logRows: count('log-rows'),
    tagResources: count('tag-resources'),
  };
}
