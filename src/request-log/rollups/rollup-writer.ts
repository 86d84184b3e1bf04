import type { Transaction } from '../../storage/schema.ts';
import type { LogRow } from '../record.ts';
import { type Dimension, STEPS_SECONDS, type WrittenSums } from '../analytics/analytics-query.ts';
import {
  type Bucket,
  RollupBuckets,
  type ScopeOf,
  type StagedRow,
  putSums,
} from './rollup-buckets.ts';
import { ALL, METADATA_PREFIX, MISSING, OTHER, dimensionsOf } from './rollup-dimensions.ts';
import {
  type MutableTotals,
  addRow,
  addSums,
  copySums,
  emptySums,
  joinExtremes,
} from './rollup-sums.ts';
import { type UpsertRollups, createUpsertRollups } from './upsert-rollups.ts';

// More values, such as the number of each request, are useless in a chart.
const MAX_VALUES = 100;
const MAX_METADATA_KEYS = 20;

const MINUTE_MS = 60_000;

/** The sums after a batch of rows. */
export interface StagedRollups {
  /** Writes the sums in the transaction of the rows. */
  write(tx: Transaction, scopeOf: ScopeOf): Promise<void>;
  /** Keeps the sums after the transaction is committed. Otherwise, the batch has no effect on later ones. */
  commit(): void;
}

/**
 * Sums up the rows that one process writes. Its rows of sums have its writer ids, so no other process writes them, and it
 * replaces them with each batch without reading them.
 */
export class RollupWriter {
  readonly #buckets = new RollupBuckets();
  readonly #upsert: UpsertRollups = createUpsertRollups();

  /**
   * Adds a batch to the sums. It is committed before the next one is staged, or never. A batch that may
   * have been committed may be staged again, also with further rows, without counting a row twice.
   * @param rows all rows of the batch, also those that are stored already
   */
  stage(rows: readonly LogRow[], nowMs: number): StagedRollups {
    const staged = new StagedBuckets();
    for (const { owner, minuteMs, dimensions } of sumUp(rows)) {
      for (const stepSeconds of STEPS_SECONDS) {
        staged.add(this.#buckets.open(owner, stepSeconds, minuteMs), dimensions);
      }
    }
    return {
      write: (tx, scopeOf) => this.#upsert(tx, staged.rows(), scopeOf),
      commit: () => {
        for (const { bucket, dimension, value, sums } of staged.rows()) {
          putSums(bucket, dimension, value, sums);
        }
        for (const bucket of staged.buckets()) this.#buckets.keep(bucket);
        this.#buckets.sweep(nowMs);
      },
    };
  }
}

type SumsByValue = Map<string, MutableTotals>;

/** The sums of a batch for one gateway in one minute. */
interface Minute {
  owner: LogRow;
  minuteMs: number;
  dimensions: Map<Dimension, SumsByValue>;
}

/** Sums up rows by minute, dimension and value. Most rows of a batch have the same ones. */
function sumUp(rows: readonly LogRow[]): Minute[] {
  const alike = new Map<string, { row: LogRow; sums: MutableTotals }>();
  for (const row of rows) {
    const key = keyOf(row);
    let group = alike.get(key);
    if (group === undefined) alike.set(key, (group = { row, sums: emptySums() }));
    addRow(group.sums, row);
  }
  const minutes = new Map<string, Minute>();
  for (const { row, sums } of alike.values()) {
    const minute = minuteOf(minutes, row);
    const all = sumsOf(minute.dimensions, ALL, MISSING);
    addSums(all, sums);
    all.extremes = joinExtremes(all.extremes, sums.extremes);
    for (const [dimension, value] of dimensionsOf(row)) {
      addSums(sumsOf(minute.dimensions, dimension, value), sums);
    }
  }
  return [...minutes.values()];
}

/** Returns a key of its parts, which contain no NUL (see log-entry.ts). */
function keyOf(row: LogRow): string {
  return `${gatewayKeyOf(row)}\0${row.model}\0${row.provider}\0${row.token_id}\0${row.user_id}\0${row.oauth_client_id}\0${row.status_code}\0${row.metadata}`;
}

function gatewayKeyOf(row: LogRow): string {
  const minute = Math.floor(row.created_at / MINUTE_MS);
  return `${row.account_id}\0${row.gateway_id}\0${row.gateway_created_at}\0${minute}`;
}

function minuteOf(minutes: Map<string, Minute>, row: LogRow): Minute {
  const key = gatewayKeyOf(row);
  const known = minutes.get(key);
  if (known !== undefined) return known;
  const minuteMs = Math.floor(row.created_at / MINUTE_MS) * MINUTE_MS;
  const minute: Minute = { owner: row, minuteMs, dimensions: new Map() };
  minutes.set(key, minute);
  return minute;
}

function sumsOf(
  dimensions: Map<Dimension, SumsByValue>,
  dimension: Dimension,
  value: string,
): MutableTotals {
  let values = dimensions.get(dimension);
  if (values === undefined) dimensions.set(dimension, (values = new Map()));
  let sums = values.get(value);
  if (sums === undefined) values.set(value, (sums = emptySums()));
  return sums;
}

/** The values of a dimension of a bucket that a batch changes. */
interface ChangedValues {
  kept: ReadonlyMap<string, WrittenSums> | undefined;
  changed: Map<string, MutableTotals>;
  /** Number of values after the batch. */
  size: number;
}

/** The changes of a bucket, which itself stays unchanged until the commit. */
interface ChangedBucket {
  bucket: Bucket;
  dimensions: Map<Dimension, ChangedValues>;
}

class StagedBuckets {
  readonly #changes = new Map<Bucket, ChangedBucket>();

  add(bucket: Bucket, dimensions: ReadonlyMap<Dimension, SumsByValue>): void {
    let changed = this.#changes.get(bucket);
    if (changed === undefined) {
      changed = { bucket, dimensions: new Map() };
      this.#changes.set(bucket, changed);
    }
    for (const [dimension, values] of dimensions) {
      const into = changedValues(changed, dimension);
      if (into === undefined) continue;
      for (const [value, sums] of values) addValue(into, value, sums);
    }
  }

  buckets(): Iterable<Bucket> {
    return this.#changes.keys();
  }

  rows(): StagedRow[] {
    const rows: StagedRow[] = [];
    for (const { bucket, dimensions } of this.#changes.values()) {
      for (const [dimension, { changed }] of dimensions) {
        for (const [value, sums] of changed) rows.push({ bucket, dimension, value, sums });
      }
    }
    return rows;
  }
}

/** @returns undefined if the bucket has reached its limit of dimensions */
function changedValues(
  { bucket, dimensions }: ChangedBucket,
  dimension: Dimension,
): ChangedValues | undefined {
  const known = dimensions.get(dimension);
  if (known !== undefined) return known;
  const kept = bucket.dimensions.get(dimension);
  if (kept === undefined && dimension.startsWith(METADATA_PREFIX)) {
    const names = new Set([...bucket.dimensions.keys(), ...dimensions.keys()]);
    const keys = [...names].filter((name) => name.startsWith(METADATA_PREFIX));
    if (keys.length >= MAX_METADATA_KEYS) return undefined;
  }
  const values = { kept, changed: new Map<string, MutableTotals>(), size: kept?.size ?? 0 };
  dimensions.set(dimension, values);
  return values;
}

function addValue(values: ChangedValues, wanted: string, sums: WrittenSums): void {
  const { kept, changed } = values;
  const isKnown = changed.has(wanted) || kept?.has(wanted) === true;
  const value = isKnown || values.size < MAX_VALUES ? wanted : OTHER;
  let grown = changed.get(value);
  if (grown === undefined) {
    const before = kept?.get(value);
    grown = before === undefined ? emptySums() : copySums(before);
    if (before === undefined) values.size++;
    changed.set(value, grown);
  }
  addSums(grown, sums);
  if (sums.extremes !== null) grown.extremes = joinExtremes(grown.extremes, sums.extremes);
}
