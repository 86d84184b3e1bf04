import type { LogOrder, OrderKey } from '../../lib/log-query.ts';

/** In which order logs come when nobody has said: the newest first. */
export const NEWEST_FIRST: LogOrder = { by: 'created_at', direction: 'desc' };

/** What logs can be sorted by, with what the greatest and the least first are called. */
export const ORDERS: readonly { by: OrderKey; desc: string; asc: string }[] = [
  { by: 'created_at', desc: 'Newest first', asc: 'Oldest first' },
  { by: 'duration', desc: 'Slowest first', asc: 'Fastest first' },
  { by: 'cost', desc: 'Most expensive first', asc: 'Cheapest first' },
  { by: 'tokens_in', desc: 'Most tokens in', asc: 'Fewest tokens in' },
  { by: 'tokens_out', desc: 'Most tokens out', asc: 'Fewest tokens out' },
  { by: 'success', desc: 'Successes first', asc: 'Failures first' },
  { by: 'cached', desc: 'From the cache first', asc: 'From the cache last' },
  { by: 'feedback', desc: 'Best feedback first', asc: 'Worst feedback first' },
  { by: 'model', desc: 'Model, Z to A', asc: 'Model, A to Z' },
  { by: 'provider', desc: 'Provider, Z to A', asc: 'Provider, A to Z' },
  { by: 'model_type', desc: 'Kind of model, Z to A', asc: 'Kind of model, A to Z' },
];

const ORDER = /^([a-z_]+)\.(asc|desc)$/;

/** Reads an order as the address has it: `duration.desc`; undefined: it is none. */
export function parseOrder(text: string): LogOrder | undefined {
  const [, key, direction] = ORDER.exec(text) ?? [];
  const by = ORDERS.find((order) => order.by === key)?.by;
  return by === undefined ? undefined : { by, direction: direction as LogOrder['direction'] };
}

/** Writes an order as the address has it. */
export function formatOrder({ by, direction }: LogOrder): string {
  return `${by}.${direction}`;
}

/** Of which the head of a column begins with the greatest: figures, of which the great ones matter. */
const GREATEST_FIRST: ReadonlySet<OrderKey> = new Set([
  'created_at',
  'duration',
  'cost',
  'tokens_in',
  'tokens_out',
  'feedback',
  'cached',
]);

/** The order that the head of a column leads to. */
export function orderAfterClick(now: LogOrder, by: OrderKey): LogOrder {
  if (now.by === by) return { by, direction: now.direction === 'asc' ? 'desc' : 'asc' };
  return { by, direction: GREATEST_FIRST.has(by) ? 'desc' : 'asc' };
}
