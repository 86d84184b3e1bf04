import type { QuotaLease } from './quota-lease.ts';
import type { LeaseSize } from './quota-store.ts';

/** The memory of most quotas that belong to a family. Callers choose the length of its part: a longer one counts as several. */
export const ENTRY_BYTES = 1_024;
// An entry without a family.
const PLAIN_ENTRY_BYTES = 300;
// An entry with a bucket for each part of the window.
const SLIDING_ENTRY_BYTES = 3_000;
const BYTES_PER_CHARACTER = 2;
// The first slice is small, since most nodes use little of most quotas. Each further one is twice as large.
const FIRST_PART = 100;

/** The lease of a quota, and its state. */
export interface Entry {
  readonly name: string;
  readonly lease: QuotaLease;
  /** Amounts are spent: a slice stays small, however many it takes. */
  isSpending: boolean;
  /** Units to lease next time, beyond those that somebody waits for. */
  nextSlice: number;
  /** The time of the last lease in this span; undefined: there was none. */
  heardAtMs: number | undefined;
  /** Units for which callers wait. */
  waiting: number;
  leasing: Promise<Error | undefined> | undefined;
  /** The step at which the last lease ended. */
  leasedAtStep: number;
}

/** Estimates the memory of an entry. */
export function bytesOf({ lease: { family, isSliding } }: Entry): number {
  const bytes = isSliding ? SLIDING_ENTRY_BYTES : PLAIN_ENTRY_BYTES;
  if (family === undefined) return bytes;
  return bytes + (family.name.length + family.part.length) * BYTES_PER_CHARACTER;
}

/** Units of the first slice. */
export function firstSlice({ lease }: Entry): number {
  return Math.ceil(lease.limit / FIRST_PART);
}

/** Checks that far more is leased than the next calls need, and that no call is pending. */
export function hasSurplus(entry: Entry): boolean {
  const { held, balance } = entry.lease;
  return held === 0 && entry.waiting === 0 && balance > 2 * firstSlice(entry);
}

/** Units to lease now. */
export function leaseSize(entry: Entry): LeaseSize {
  const held = Math.max(0, entry.lease.balance);
  const need = Math.max(0, entry.waiting - held);
  // Spending leases units ahead; units that are there already need no lease.
  const first = firstSlice(entry);
  const ahead = entry.waiting > first ? entry.waiting + first : first;
  const wanted = entry.isSpending ? ahead - held : entry.nextSlice;
  return { need, most: Math.max(need, wanted) };
}

/** Checks that the database has answered in this span, less than so long ago. */
export function hasJustHeard({ heardAtMs }: Entry, nowMs: number, withinMs: number): boolean {
  if (heardAtMs === undefined) return false;
  const sinceMs = nowMs - heardAtMs;
  return sinceMs >= 0 && sinceMs < withinMs;
}
