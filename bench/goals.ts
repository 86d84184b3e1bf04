import type { BenchOptions } from './options.ts';
import type { Measured } from './outcome.ts';
import type { Result } from './results.ts';

/** A goal for one figure. */
export interface Goal {
  /** Also the heading of its section in misses.md. */
  key: string;
  what: string;
  /** The comparison that measures the figure, and the name of the figure there. */
  comparison: string;
  figure: string;
  unit: '×' | 'ms' | 's' | 'MiB' | 'KiB' | '/s' | '';
  better: 'more' | 'less';
  atLeast: number;
  stretch?: number;
  /** Minimum options; a run with smaller ones is only shown. */
  needs?: Partial<BenchOptions>;
}

const DATABASES = ['SQLite', 'PostgreSQL'] as const;

const million: Partial<BenchOptions> = { tagResources: 1_000_000 };

const tagGoals: readonly Goal[] = DATABASES.flatMap((database) => {
  const contender = `Latchkey, ${database}`;
  const of = { comparison: 'tags', needs: million } as const;
  const key = (name: string): string => `tags-${name}-${database.toLowerCase()}`;
  return [
    {
      ...of,
      key: key('p50'),
      what: `Tags on ${database}: slowest indexed query, p50`,
      figure: `tags, ordinary, p50, ${contender}`,
      unit: 'ms',
      better: 'less',
      atLeast: 1.5,
    },
    {
      ...of,
      key: key('p99'),
      what: `Tags on ${database}: slowest indexed query, p99`,
      figure: `tags, ordinary, p99, ${contender}`,
      unit: 'ms',
      better: 'less',
      atLeast: 5,
    },
    {
      ...of,
      key: key('growth'),
      what: `Tags on ${database}: largest p50 growth from 10,000 resources`,
      figure: `tags, growth, ${contender}`,
      unit: '×',
      better: 'less',
      atLeast: 1.5,
    },
    {
      ...of,
      key: key('disjoint'),
      what: `Tags on ${database}: broad filters with few common resources, p50`,
      figure: `tags, disjoint, p50, ${contender}`,
      unit: 'ms',
      better: 'less',
      atLeast: 20,
      stretch: 5,
    },
    {
      ...of,
      key: key('put'),
      what: `Tags on ${database}: PUTs of 5 tags`,
      figure: `PUTs of tags a second, ${contender}`,
      unit: '/s',
      better: 'more',
      atLeast: 3_000,
      stretch: 8_000,
    },
  ];
});

const logGoals: readonly Goal[] = DATABASES.flatMap((database) => {
  const needs: Partial<BenchOptions> =
    database === 'SQLite' ? { logRows: 10_000_000 } : { postgresLogRows: 1_000_000 };
  const rows = (needs.logRows ?? needs.postgresLogRows ?? 0).toLocaleString('en');
  const of = { comparison: 'logs', unit: 'ms', better: 'less', needs } as const;
  const key = (name: string): string => `logs-${name}-${database.toLowerCase()}`;
  return [
    {
      ...of,
      key: key('p50'),
      what: `Logs on ${database}, ${rows} rows: slowest query, p50`,
      figure: `log queries, p50, ${database}`,
      atLeast: 50,
      stretch: 20,
    },
    {
      ...of,
      key: key('beside'),
      what: `Logs on ${database}: latency that this query adds to completions, p99`,
      figure: `p99 added by a log query, ${database}`,
      atLeast: 1,
    },
  ];
});

/** All goals, in the order of the page. */
export const goals: readonly Goal[] = [
  {
    key: 'completion-nginx',
    what: 'Chat completions per second, relative to nginx `proxy_pass`',
    comparison: 'serving',
    figure: 'completion ÷ nginx',
    unit: '×',
    better: 'more',
    atLeast: 0.5,
    stretch: 0.65,
  },
  {
    key: 'completion-portkey',
    what: 'Chat completions per second, relative to Portkey',
    comparison: 'serving',
    figure: 'completion ÷ Portkey',
    unit: '×',
    better: 'more',
    atLeast: 8,
    stretch: 12,
  },
  {
    key: 'latency',
    what: 'Latency added to a chat completion at half load, p99',
    comparison: 'latency',
    figure: 'latency added, p99',
    unit: 'ms',
    better: 'less',
    atLeast: 1,
    stretch: 0.5,
  },
  {
    key: 'stream-delay',
    what: 'Delay added to a streamed chunk, p99',
    comparison: 'streaming',
    figure: 'delay added to a chunk, p99',
    unit: 'ms',
    better: 'less',
    atLeast: 5,
    needs: { streams: 1_000 },
  },
  {
    key: 'streams',
    what: 'Concurrent fast streams (a chunk every 20 ms)',
    comparison: 'streaming',
    figure: 'streams at a time',
    unit: '',
    better: 'more',
    atLeast: 1_000,
    needs: { streams: 1_000 },
  },
  {
    key: 'stream-memory',
    what: 'Memory per fast stream',
    comparison: 'streaming',
    figure: 'memory a stream',
    unit: 'KiB',
    better: 'less',
    atLeast: 64,
    needs: { streams: 1_000 },
  },
  {
    key: 'streams-held',
    what: 'Concurrent slow streams (a chunk every 5 s)',
    comparison: 'streams',
    figure: 'streams held',
    unit: '',
    better: 'more',
    atLeast: 1_000,
    stretch: 10_000,
    needs: { heldStreams: 10_000 },
  },
  {
    key: 'tokens-sqlite',
    what: 'Code exchanges per second, relative to `oidc-provider` with durable SQLite',
    comparison: 'tokens',
    figure: 'tokens ÷ oidc-provider, SQLite',
    unit: '×',
    better: 'more',
    atLeast: 3,
    stretch: 5,
  },
  {
    key: 'tokens-map',
    what: 'Code exchanges per second, relative to `oidc-provider` in memory',
    comparison: 'tokens',
    figure: 'tokens ÷ oidc-provider, Map',
    unit: '×',
    better: 'more',
    atLeast: 1.5,
    stretch: 2,
  },
  {
    key: 'management-get',
    what: 'Management GETs per second, relative to a bare Fastify route',
    comparison: 'serving',
    figure: 'management GET ÷ bare route',
    unit: '×',
    better: 'more',
    atLeast: 0.4,
    stretch: 0.6,
  },
  ...tagGoals,
  ...logGoals,
  {
    key: 'start',
    what: 'Startup time',
    comparison: 'start',
    figure: 'seconds to ready',
    unit: 's',
    better: 'less',
    atLeast: 1.5,
    stretch: 0.7,
  },
  {
    key: 'first-start',
    what: 'Startup time of a new installation',
    comparison: 'start',
    figure: 'seconds to ready, first start',
    unit: 's',
    better: 'less',
    atLeast: 1.5,
    stretch: 0.7,
  },
  {
    key: 'idle-memory',
    what: 'Idle memory',
    comparison: 'start',
    figure: 'idle MiB',
    unit: 'MiB',
    better: 'less',
    atLeast: 120,
    stretch: 80,
  },
];

/** The state of a goal. `shown`: the run was a quick one or smaller than the goal requires. */
export type Standing = 'stretch' | 'met' | 'missed' | 'shown' | 'not measured';

/** Compares a stored figure with its goal. */
export function judge(
  goal: Goal,
  results: ReadonlyMap<string, Result>,
): { standing: Standing; measured: Measured | undefined } {
  const result = results.get(goal.comparison);
  const measured = result?.measured[goal.figure];
  if (result === undefined || measured === undefined) {
    return { standing: 'not measured', measured: undefined };
  }
  return { standing: standingOf(goal, result, measured), measured };
}

function standingOf(goal: Goal, { isQuick, options }: Result, measured: Measured): Standing {
  const needs = Object.entries(goal.needs ?? {}) as [keyof BenchOptions, number][];
  if (isQuick || needs.some(([name, least]) => options[name] < least)) return 'shown';
  if ((measured.failures ?? 0) > 0) return 'missed';
  const reaches = (bound: number): boolean =>
    goal.better === 'more' ? measured.value >= bound : measured.value <= bound;
  if (goal.stretch !== undefined && reaches(goal.stretch)) return 'stretch';
  return reaches(goal.atLeast) ? 'met' : 'missed';
}
