import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LogScope } from '../log-dialect.ts';
import type { Dimension, StepSeconds, WrittenSums } from '../analytics/analytics-query.ts';

/** The sums of one gateway in one interval by dimension and value, of this process. */
export interface Bucket {
  readonly key: string;
  readonly accountId: string;
  readonly gatewayId: string;
  readonly stepSeconds: StepSeconds;
  readonly startMs: number;
  readonly writerId: string;
  readonly dimensions: Map<Dimension, Map<string, WrittenSums>>;
  /** Approximate count of numbers in the bucket. */
  weight: number;
}

/** Returns the account and the gateway of a row. */
export type ScopeOf = (row: { account_id: string; gateway_id: string }) => LogScope;

/** A row of sums to write. */
export interface StagedRow {
  bucket: Bucket;
  dimension: Dimension;
  value: string;
  sums: WrittenSums;
}

/** A gateway, without earlier ones with the same id. */
export interface BucketOwner {
  account_id: string;
  gateway_id: string;
  gateway_created_at: number;
}

// Few rows arrive later: at the end of a long stream, or in a delayed batch.
const KEPT_AFTER_END_MS = 10 * 60_000;
const SWEEP_INTERVAL_MS = 60_000;
// Eight bytes each: about 64 MB with their objects.
const MAX_WEIGHT = 4_000_000;

const GENERATION_DIGITS = 12;

/**
 * Creates the id of a writer: the creation of the gateway and a random part, so that readers can exclude rows of earlier
 * gateways with the same id.
 */
function createWriterId(gatewayCreatedAtMs: number): string {
  return `${generationOf(gatewayCreatedAtMs)}-${randomBytes(12).toString('hex')}`;
}

/** Returns the prefix of the ids of writers for a gateway, by which they sort. */
export function generationOf(gatewayCreatedAtMs: number): string {
  return gatewayCreatedAtMs.toString(16).padStart(GENERATION_DIGITS, '0');
}

/**
 * The buckets that still receive rows. A bucket that was removed is opened again with another writer id, so that its earlier
 * rows need not be read.
 */
export class RollupBuckets {
  readonly #buckets = new LRUCache<string, { bucket: Bucket }>({
    maxSize: MAX_WEIGHT,
    sizeCalculation: ({ bucket }) => bucket.weight,
  });
  #sweptAtMs = 0;

  /** Returns the bucket of a time. */
  open(owner: BucketOwner, stepSeconds: StepSeconds, atMs: number): Bucket {
    const { account_id: accountId, gateway_id: gatewayId, gateway_created_at: createdAtMs } = owner;
    const stepMs = stepSeconds * 1_000;
    const startMs = Math.floor(atMs / stepMs) * stepMs;
    const key = `${accountId}/${gatewayId}/${createdAtMs}/${stepSeconds}/${startMs}`;
    const known = this.#buckets.get(key);
    if (known !== undefined) return known.bucket;
    const bucket: Bucket = {
      key,
      accountId,
      gatewayId,
      stepSeconds,
      startMs,
      writerId: createWriterId(createdAtMs),
      dimensions: new Map(),
      weight: WEIGHT_OF_BUCKET,
    };
    this.keep(bucket);
    return bucket;
  }

  /** Stores the changed sums of a bucket, also if it was removed in between. */
  keep(bucket: Bucket): void {
    // The cache calculates the weight only of a new object.
    this.#buckets.set(bucket.key, { bucket });
  }

  /** Removes buckets of past intervals. */
  sweep(nowMs: number): void {
    if (Math.abs(nowMs - this.#sweptAtMs) < SWEEP_INTERVAL_MS) return;
    this.#sweptAtMs = nowMs;
    for (const [key, { bucket }] of this.#buckets.entries()) {
      const { startMs, stepSeconds } = bucket;
      const endMs = startMs + stepSeconds * 1_000;
      if (endMs + KEPT_AFTER_END_MS < nowMs) this.#buckets.delete(key);
    }
  }
}

/** Replaces sums of a bucket. */
export function putSums(
  bucket: Bucket,
  dimension: Dimension,
  value: string,
  sums: WrittenSums,
): void {
  let values = bucket.dimensions.get(dimension);
  if (values === undefined) bucket.dimensions.set(dimension, (values = new Map()));
  const before = values.get(value);
  bucket.weight += weightOf(sums) - (before === undefined ? 0 : weightOf(before));
  values.set(value, sums);
}

const WEIGHT_OF_BUCKET = 40;
const WEIGHT_OF_SUMS = 40;

function weightOf({ durations, ttfts }: WrittenSums): number {
  return WEIGHT_OF_SUMS + durations.length + ttfts.length;
}
