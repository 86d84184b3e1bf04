import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect } from '../log-dialect.ts';
import type {
  Analytics,
  AnalyticsGroup,
  AnalyticsQuery,
  Bins,
  Figures,
  Percentiles,
  RollupQuery,
  RollupRow,
  SummedGateway,
  Sums,
} from './analytics-query.ts';
import { percentileOf } from './histogram.ts';
import { Ranking, compareRanks, rankOf } from './ranking.ts';
import { rankRollups } from './rank-rollups.ts';
import { readRollups } from './read-rollups.ts';
import { ALL, MISSING, OTHER } from '../rollups/rollup-dimensions.ts';
import { type MutableTotals, addSums, copySums, emptySums } from '../rollups/rollup-sums.ts';

// Connections of one query. On SQLite, all are the same.
const GATEWAYS_AT_ONCE = 2;
// Ranking takes about 1 µs each, and summing 10 µs. Clients do not wait much longer.
const MAX_ROWS = 1_000_000;
// Values to rank, or points of series, about 500 bytes each.
const MAX_KEPT = 100_000;

/**
 * Sums up the requests of gateways by time and group.
 * @returns undefined if the query covers too many rows
 */
export async function analyze(
  db: Db,
  dialect: LogDialect,
  query: AnalyticsQuery,
): Promise<Analytics | undefined> {
  const ranking = new Ranking();
  if (query.dimension !== ALL) {
    await forEachGateway(query, async (gateway) => {
      ranking.add(await rankRollups(db, dialect, ofGateway(query, gateway), query.orderBy));
      return !isTooMuch(ranking);
    });
    if (isTooMuch(ranking)) return undefined;
  }
  // Most of the work is in histograms, and those of the other values are one.
  const values = ranking.firstOf(query.limit);
  const groups = new GroupAccumulator();
  await forEachGateway(query, async (gateway) => {
    groups.add(await readRollups(db, dialect, ofGateway(query, gateway), values), gateway.group);
    return !groups.isTooMuch;
  });
  return groups.isTooMuch ? undefined : groups.analytics(query);
}

function isTooMuch({ rowCount, valueCount }: Ranking): boolean {
  return rowCount > MAX_ROWS || valueCount > MAX_KEPT;
}

/** @param work returns true to continue */
async function forEachGateway(
  query: AnalyticsQuery,
  work: (gateway: SummedGateway) => Promise<boolean>,
): Promise<void> {
  const gateways = query.gateways.values();
  let goesOn = true;
  const workOn = async (): Promise<void> => {
    for (const gateway of gateways) {
      goesOn = (await work(gateway)) && goesOn;
      if (!goesOn) return;
      // Lets other queries run.
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: GATEWAYS_AT_ONCE }, workOn));
}

function ofGateway(query: AnalyticsQuery, { id, createdAtMs }: SummedGateway): RollupQuery {
  return { ...query, gatewayId: id, createdAtMs };
}

/** The sums of one group, in total and by the start of the interval. */
interface Group {
  totals: MutableTotals;
  series: Map<number, Point>;
}

/** The sums of one interval. Most are one row, which is copied only before something is added to it. */
class Point {
  #sums: Sums;
  #grown: MutableTotals | undefined;

  constructor(sums: Sums) {
    this.#sums = sums;
  }

  get sums(): Sums {
    return this.#sums;
  }

  add(more: Sums): void {
    this.#sums = this.#grown ??= copySums({ ...this.#sums, extremes: null });
    addSums(this.#grown, more);
  }
}

function emptyGroup(): Group {
  return { totals: emptySums(), series: new Map() };
}

class GroupAccumulator {
  readonly #groups = new Map<string, Group>();
  #rows = 0;
  #points = 0;

  get isTooMuch(): boolean {
    return this.#rows > MAX_ROWS || this.#points > MAX_KEPT;
  }

  /** @param group the group of all rows; undefined: by their values */
  add(rows: readonly RollupRow[], group: string | undefined): void {
    this.#rows += rows.length;
    for (const row of rows) {
      const value = group ?? row.value;
      let known = this.#groups.get(value);
      if (known === undefined) this.#groups.set(value, (known = emptyGroup()));
      addSums(known.totals, row);
      this.#points += addPoint(known, row.startMs, row) ? 1 : 0;
    }
  }

  analytics({ orderBy, limit }: AnalyticsQuery): Analytics {
    const rest = this.#groups.get(OTHER);
    const ranked = [...this.#groups]
      .filter(([value]) => value !== OTHER)
      .map(([value, group]) => ({ value, group, rank: rankOf(group.totals, orderBy) }))
      .toSorted(compareRanks);
    const groups = ranked.slice(0, limit).map(({ value, group }) => groupOf(value, group));
    const others = ranked.slice(limit).map(({ group }) => group);
    if (rest !== undefined) others.push(rest);
    if (others.length > 0) groups.push(groupOf(OTHER, merge(others)));
    const totals = emptySums();
    for (const group of this.#groups.values()) addSums(totals, group.totals);
    return { totals: figuresOf(totals), groups };
  }
}

/** @returns true for the first row of the group at that time */
function addPoint({ series }: Group, startMs: number, sums: Sums): boolean {
  const known = series.get(startMs);
  if (known === undefined) series.set(startMs, new Point(sums));
  else known.add(sums);
  return known === undefined;
}

function merge(groups: readonly Group[]): Group {
  const merged = emptyGroup();
  for (const { totals, series } of groups) {
    addSums(merged.totals, totals);
    for (const [startMs, { sums }] of series) addPoint(merged, startMs, sums);
  }
  return merged;
}

function groupOf(value: string, { totals, series }: Group): AnalyticsGroup {
  return {
    value: value === OTHER || value === MISSING ? null : value.slice('='.length),
    isOther: value === OTHER,
    totals: figuresOf(totals),
    series: [...series]
      .toSorted(([one], [other]) => one - other)
      .map(([startMs, { sums }]) => ({ startMs, ...figuresOf(sums) })),
  };
}

function figuresOf({
  durations,
  ttfts,
  requests,
  errors,
  cached,
  unpriced,
  estimated,
  tokensIn,
  tokensOut,
  cacheTokens,
  costNanoUsd,
}: Sums): Figures {
  return {
    requests,
    errors,
    cached,
    unpriced,
    estimated,
    tokensIn,
    tokensOut,
    cacheTokens,
    costNanoUsd,
    duration: percentilesOf(durations),
    ttft: percentilesOf(ttfts),
  };
}

function percentilesOf(bins: Bins): Percentiles | null {
  const p50 = percentileOf(bins, 0.5);
  const p95 = percentileOf(bins, 0.95);
  const p99 = percentileOf(bins, 0.99);
  return p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 };
}
