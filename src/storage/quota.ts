import type { QuotaFamily } from './quota-family.ts';
import type { Span } from './quota-store.ts';

/** The number of units that may be taken in each window. */
export interface Quota {
  /** At least 1. */
  limit: number;
  windowMs: number;
  /** The window ends now; left out: windows begin at multiples of their length. */
  isSliding?: boolean;
  /** Asked for when a node begins to hold a part, which is seldom. Left out: it is of none. */
  family?: () => QuotaFamily | undefined;
}

/** The state of a quota. */
export interface QuotaLevel {
  /** Units left in this window beside those that are reserved, as far as this node knows. */
  remaining: number;
  /** Time until the window ends; of a sliding one, until some units come back. */
  resetMs: number;
}

/** The result of an attempt to take a unit. */
export interface QuotaState extends QuotaLevel {
  isTaken: boolean;
}

/** The result of an attempt to reserve units. */
export interface ReserveState extends QuotaLevel {
  /** Undefined: there are too few. */
  held: HeldUnits | undefined;
}

/** Units that are reserved for a call whose cost is known afterwards. */
export interface HeldUnits {
  readonly name: string;
  readonly quota: Quota;
  readonly units: number;
  readonly span: Span;
}

/** Left out: what suits a server. */
export interface QuotaBounds {
  /** The number of quotas that a node keeps in memory. */
  maxEntries?: number;
  /** The time that a caller waits for a lease, in milliseconds. */
  leaseTimeoutMs?: number;
}
