import type { Holding } from './quota-holding.ts';
import type { LeaseSize } from './quota-slice.ts';

/** What one of a family takes, nearly always. Callers choose what its part says: a larger one counts as several. */
export const HOLDING_BYTES = 1_024;
// Without its family.
const PLAIN_HOLDING_BYTES = 300;
const BYTES_PER_CHARACTER = 2;
// The first slice: small, since most nodes see little of most quotas. Each further one is twice as large.
const FIRST_PART = 100;

/** A holding, and what goes on around it. */
export interface Entry {
  readonly name: string;
  readonly holding: Holding;
  /** Amounts are spent: a slice stays small, however many it takes. */
  isSpending: boolean;
  /** Units to lease next time, beyond those that somebody waits for. */
  nextSlice: number;
  /** When this node last heard, in this period, what is left. */
  heardAtMs: number | undefined;
  /** Units for which callers wait. */
  waiting: number;
  leasing: Promise<Error | undefined> | undefined;
  /** The step at which the last lease ended. */
  leasedAtStep: number;
}

/** About so much memory does it take. */
export function bytesOf({ holding: { family } }: Entry): number {
  if (family === undefined) return PLAIN_HOLDING_BYTES;
  return PLAIN_HOLDING_BYTES + (family.name.length + family.part.length) * BYTES_PER_CHARACTER;
}

/** Units of the first slice. */
export function firstSlice({ holding }: Entry): number {
  return Math.ceil(holding.limit / FIRST_PART);
}

/** Whether nothing is under way, and far more is leased than the next calls need. */
export function hasSurplus(entry: Entry): boolean {
  const { held, balance } = entry.holding;
  return held === 0 && entry.waiting === 0 && balance > 2 * firstSlice(entry);
}

/** Units to lease now. */
export function leaseSize(entry: Entry): LeaseSize {
  const held = Math.max(0, entry.holding.balance);
  const need = Math.max(0, entry.waiting - held);
  // Who spends leases ahead, and what is there already need not be leased.
  const first = firstSlice(entry);
  const ahead = entry.waiting > first ? entry.waiting + first : first;
  const wanted = entry.isSpending ? ahead - held : entry.nextSlice;
  return { need, most: Math.max(need, wanted) };
}
