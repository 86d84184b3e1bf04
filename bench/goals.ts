import type { BenchOptions } from './options.ts';
import type { Measured } from './outcome.ts';
import type { Result } from './results.ts';

/** What a figure should be. */
export interface Goal {
  /** Also the heading of what misses.md says of it. */
  key: string;
  what: string;
  /** Where the figure is: the comparison, and its name there. */
  comparison: string;
  figure: string;
  unit: '×' | 'ms' | 's' | 'MiB' | 'KiB' | '/s' | '';
  /** Whether a good figure is a great or a small one. */
  better: 'more' | 'less';
  atLeast: number;
  stretch?: number;
  /** With less than this, the figure is only shown. */
  needs?: Partial<BenchOptions>;
}

const DATABASES = ['SQLite', 'PostgreSQL'] as const;

const million: Partial<BenchOptions> = { tagResources: 1_000_000 };

/** Each on SQLite, which is the default, and on PostgreSQL. */
const tagGoals: readonly Goal[] = DATABASES.flatMap((database) => {
  const contender = `Latchkey, ${database}`;
  const of = { comparison: 'tags', needs: million } as const;
  const key = (name: string): string => `tags-${name}-${database.toLowerCase()}`;
  return [
    {
      ...of,
      key: key('p50'),
      what: `tags, 1,000,000 resources × 5 tags, over HTTP on ${database}: the slowest ordinary query, p50`,
      figure: `tags, ordinary, p50, ${contender}`,
      unit: 'ms',
      better: 'less',
      atLeast: 1.5,
    },
    {
      ...of,
      key: key('p99'),
      what: `the same on ${database}, p99`,
      figure: `tags, ordinary, p99, ${contender}`,
      unit: 'ms',
      better: 'less',
      atLeast: 5,
    },
    {
      ...of,
      key: key('growth'),
      what: `tags, growth of the p50 from 10,000 to 1,000,000 resources on ${database}, the query that grows most`,
      figure: `tags, growth, ${contender}`,
      unit: '×',
      better: 'less',
      atLeast: 1.5,
    },
    {
      ...of,
      key: key('disjoint'),
      what: `tags, broad but disjoint filters at 1,000,000 on ${database}, p50`,
      figure: `tags, disjoint, p50, ${contender}`,
      unit: 'ms',
      better: 'less',
      atLeast: 20,
      stretch: 5,
    },
    {
      ...of,
      key: key('put'),
      what: `tags, PUT of 5 tags, durable, 32 connections on ${database}`,
      figure: `PUTs of tags a second, ${contender}`,
      unit: '/s',
      better: 'more',
      atLeast: 3_000,
      stretch: 8_000,
    },
  ];
});

/** Each on SQLite with 10,000,000 rows, and on PostgreSQL with as many as it is filled with. */
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
      what: `gateway logs, list, filter and analytics over ${rows} rows on ${database}: the slowest query, p50`,
      figure: `log queries, p50, ${database}`,
      atLeast: 50,
      stretch: 20,
    },
    {
      ...of,
      key: key('beside'),
      what: `p99 that this query adds to a chat completion beside it, on ${database}, all on one core`,
      figure: `p99 added by a log query, ${database}`,
      atLeast: 1,
    },
  ];
});

/** Every line that is promised of speed, in order. */
export const goals: readonly Goal[] = [
  {
    key: 'completion-nginx',
    what: 'chat completion, token check on, durable log with bodies, 32 connections, by that of nginx `proxy_pass`',
    comparison: 'serving',
    figure: 'completion ÷ nginx',
    unit: '×',
    better: 'more',
    atLeast: 0.5,
    stretch: 0.65,
  },
  {
    key: 'completion-portkey',
    what: 'the same by that of Portkey OSS, which checks no token and keeps no log',
    comparison: 'serving',
    figure: 'completion ÷ Portkey',
    unit: '×',
    better: 'more',
    atLeast: 8,
    stretch: 12,
  },
  {
    key: 'latency',
    what: 'latency added at half of that load, p99',
    comparison: 'latency',
    figure: 'latency added, p99',
    unit: 'ms',
    better: 'less',
    atLeast: 1,
    stretch: 0.5,
  },
  {
    key: 'stream-delay',
    what: '1,000 SSE streams × 100 chunks every 20 ms: delay added to a chunk, p99',
    comparison: 'streaming',
    figure: 'delay added to a chunk, p99',
    unit: 'ms',
    better: 'less',
    atLeast: 5,
    needs: { streams: 1_000 },
  },
  {
    key: 'streams',
    what: 'how many of them load and upstream could do',
    comparison: 'streaming',
    figure: 'streams at a time',
    unit: '',
    better: 'more',
    atLeast: 1_000,
    needs: { streams: 1_000 },
  },
  {
    key: 'stream-memory',
    what: 'memory a stream',
    comparison: 'streaming',
    figure: 'memory a stream',
    unit: 'KiB',
    better: 'less',
    atLeast: 64,
    needs: { streams: 1_000 },
  },
  {
    key: 'streams-held',
    what: 'streams held open at a time, a chunk each 5 s, none fails',
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
    what: 'code → access, refresh and ID token, on disk before the answer, by `oidc-provider` with SQLite of equal durability',
    comparison: 'tokens',
    figure: 'tokens ÷ oidc-provider, SQLite',
    unit: '×',
    better: 'more',
    atLeast: 3,
    stretch: 5,
  },
  {
    key: 'tokens-map',
    what: 'the same by `oidc-provider` with its in-memory adapter',
    comparison: 'tokens',
    figure: 'tokens ÷ oidc-provider, Map',
    unit: '×',
    better: 'more',
    atLeast: 1.5,
    stretch: 2,
  },
  {
    key: 'management-get',
    what: 'a management GET with token check by a bare Fastify route',
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
    what: 'start to ready',
    comparison: 'start',
    figure: 'seconds to ready',
    unit: 's',
    better: 'less',
    atLeast: 1.5,
    stretch: 0.7,
  },
  {
    key: 'first-start',
    what: 'the first start, which makes the database, to ready',
    comparison: 'start',
    figure: 'seconds to ready, first start',
    unit: 's',
    better: 'less',
    atLeast: 1.5,
    stretch: 0.7,
  },
  {
    key: 'idle-memory',
    what: 'idle memory',
    comparison: 'start',
    figure: 'idle MiB',
    unit: 'MiB',
    better: 'less',
    atLeast: 120,
    stretch: 80,
  },
];

/**
 * How a goal stands. `shown`: the figure comes from a quick run, or is of less than the goal is of, and is held
 * against nobody.
 */
export type Standing = 'stretch' | 'met' | 'missed' | 'shown' | 'not measured';

/** Holds what was measured against a goal. */
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
