import { type Measured, type Table, worstOf } from './outcome.ts';
import type { QueryFigures } from './query-load.ts';
import { PATIENCE_MS } from './tag-contenders.ts';
import type { TagGoal } from './tag-queries.ts';

/** What all contenders answered with so many resources. */
export interface AskedSize {
  resources: number;
  contenders: readonly { name: string; figures: readonly QueryFigures[] }[];
}

const NONE = '–';
const MS_DECIMALS_BELOW = 10;

/** In milliseconds; what is long needs no fractions. */
export function formatMs(ms: number): string {
  return ms.toFixed(ms < MS_DECIMALS_BELOW ? 2 : 0);
}

/** One table for one number of resources. */
export function reportQueries({ resources, contenders }: AskedSize): Table {
  const [ours] = contenders;
  const names = (ours?.figures ?? []).map(({ name }) => name);
  const ofName = (figures: readonly QueryFigures[], name: string): QueryFigures | undefined =>
    figures.find((one) => one.name === name);
  const differing = names.filter((name) => {
    const answered = contenders.flatMap(({ figures }) => ofName(figures, name) ?? []);
    const digests = answered.filter(({ isTooSlow }) => !isTooSlow).map(({ digest }) => digest);
    return new Set(digests).size > 1;
  });
  return {
    title: `Tags: queries of ${resources} resources with 5 tags each`,
    text: [
      'p50 / p99 in ms, over HTTP, one query at a time. A page has 100 resources where nothing else is said.',
      differing.length === 0
        ? 'All contenders gave the same answers.'
        : `**The contenders gave different answers to: ${differing.join('; ')}.**`,
    ].join('\n'),
    head: ['', 'results', ...contenders.map(({ name }) => name)],
    rows: names.map((name) => [
      name,
      String(ofName(ours?.figures ?? [], name)?.items ?? ''),
      ...contenders.map(({ figures }) => cellOf(ofName(figures, name))),
    ]),
  };
}

function cellOf(figures: QueryFigures | undefined): string {
  if (figures === undefined) return NONE;
  if (figures.isTooSlow) return `> ${PATIENCE_MS / 1_000} s`;
  if (figures.failures > 0) return 'failed';
  return `${formatMs(figures.p50Ms)} / ${formatMs(figures.p99Ms)}`;
}

/** How much longer each query takes with the most resources than with the fewest. */
export function reportGrowth(few: AskedSize, many: AskedSize): Table {
  const names = (few.contenders[0]?.figures ?? []).map(({ name }) => name);
  const ours = few.contenders[0]?.name ?? '';
  return {
    title: `Tags: growth of the p50 from ${few.resources} to ${many.resources} resources`,
    text: 'Where the page has more results with more resources, that counts too.',
    head: ['', 'results', ...few.contenders.map(({ name }) => name)],
    rows: names.map((query) => {
      const items = [few, many].map((size) => figuresOf(size, ours, query)?.items ?? '');
      return [
        query,
        items[0] === items[1] ? String(items[0]) : items.join(' → '),
        ...few.contenders.map(({ name }) =>
          growthOf(figuresOf(few, name, query), figuresOf(many, name, query)),
        ),
      ];
    }),
  };
}

function figuresOf(size: AskedSize, contender: string, query: string): QueryFigures | undefined {
  return size.contenders
    .find(({ name }) => name === contender)
    ?.figures.find(({ name }) => name === query);
}

/** What is expected of each query, by its name. */
export type TagGoals = ReadonlyMap<string, TagGoal>;

/** The slowest query of those that are held to the same goal. */
export function slowestTagQuery(
  { contenders }: AskedSize,
  contender: string,
  [goals, goal]: readonly [TagGoals, TagGoal],
  pick: 'p50Ms' | 'p99Ms',
): Measured {
  const { figures = [] } = contenders.find(({ name }) => name === contender) ?? {};
  return worstOf(
    figures
      .filter(({ name }) => goals.get(name) === goal)
      .map((one) => ({
        value: one.isTooSlow ? PATIENCE_MS : one[pick],
        of: one.name,
        failures: one.failures,
      })),
  );
}

/** The ordinary query that grows most, of those whose page stays as long as it was. */
export function greatestGrowth(
  few: AskedSize,
  many: AskedSize,
  contender: string,
  goals: TagGoals,
): Measured {
  const { figures = [] } = few.contenders.find(({ name }) => name === contender) ?? {};
  return worstOf(
    figures.flatMap((before) => {
      const after = figuresOf(many, contender, before.name);
      const isCompared = goals.get(before.name) === 'ordinary' && before.items === after?.items;
      if (after === undefined || !isCompared) return [];
      return { value: after.p50Ms / before.p50Ms, of: before.name, failures: after.failures };
    }),
  );
}

function growthOf(few: QueryFigures | undefined, many: QueryFigures | undefined): string {
  if (few === undefined || many === undefined || few.requests === 0) return NONE;
  if (many.isTooSlow) return `> ${(PATIENCE_MS / few.p50Ms).toFixed(0)} ×`;
  const factor = many.p50Ms / few.p50Ms;
  return `${factor.toFixed(factor < 10 ? 1 : 0)} ×`;
}
