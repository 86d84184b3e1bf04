import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LogScope } from '../logs/log-dialect.ts';
import type { Dimension, StepSeconds, WrittenSums } from './analytics-query.ts';

/** The sums of one gateway in one stretch of time, by dimension and value, as this process keeps them. */
export interface Bucket {
  readonly key: string;
  readonly accountId: string;
  readonly gatewayId: string;
  readonly stepSeconds: StepSeconds;
  readonly startMs: number;
  readonly writerId: string;
  readonly dimensions: Map<Dimension, Map<string, WrittenSums>>;
  /** About so many numbers does it hold. */
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

/** A gateway, and none that had its id before. */
export interface BucketOwner {
  account_id: string;
  gateway_id: string;
  gateway_created_at: number;
}

// Later rows are few: the end of a stream that began in the bucket, or a batch that had to wait.
const KEPT_AFTER_END_MS = 10 * 60_000;
const SWEEP_INTERVAL_MS = 60_000;
// Of eight bytes each, with what it takes to hold them some 64 MB.
const MAX_WEIGHT = 4_000_000;

const GENERATION_DIGITS = 12;

/**
 * Who writes a row of sums: random, after the moment at which the gateway was made, so that readers can
 * tell the rows of earlier gateways of its id.
 */
function createWriterId(gatewayCreatedAtMs: number): string {
  return `${generationOf(gatewayCreatedAtMs)}-${randomBytes(12).toString('hex')}`;
}

/** What the ids of the writers begin with that write for the gateway that was made then; they sort by it. */
export function generationOf(gatewayCreatedAtMs: number): string {
  return gatewayCreatedAtMs.toString(16).padStart(GENERATION_DIGITS, '0');
}

/**
 * The buckets to which rows are still added. One that is not among them any more is opened again under
 * another writer id: then its rows stand beside those that it left, and need not be read.
 */
export class RollupBuckets {
  readonly #buckets = new LRUCache<string, { bucket: Bucket }>({
    maxSize: MAX_WEIGHT,
    sizeCalculation: ({ bucket }) => bucket.weight,
  });
  #sweptAtMs = 0;

  /** The bucket into which a moment falls. */
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

  /** The sums of a bucket have changed. One that was forgotten meanwhile is kept again. */
  keep(bucket: Bucket): void {
    // The cache weighs a value anew only when it is another one.
    this.#buckets.set(bucket.key, { bucket });
  }

  /** Forgets what is over. */
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

/** Puts sums in the place of those that a bucket had. */
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
