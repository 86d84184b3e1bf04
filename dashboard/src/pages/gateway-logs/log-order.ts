import type { LogOrder, OrderKey } from '../../lib/log-query.ts';
import { labels } from './labels.ts';

/** In which order logs come when nobody has said: the newest first. */
export const NEWEST_FIRST: LogOrder = { by: 'created_at', direction: 'desc' };

/** What logs can be sorted by, with what the greatest and the least first are called. */
export const ORDERS: readonly { by: OrderKey; desc: string; asc: string }[] = [
  { by: 'created_at', desc: labels.newestFirst, asc: labels.oldestFirst },
  { by: 'duration', desc: labels.slowestFirst, asc: labels.fastestFirst },
  { by: 'cost', desc: labels.mostExpensiveFirst, asc: labels.cheapestFirst },
  { by: 'tokens_in', desc: labels.mostTokensIn, asc: labels.fewestTokensIn },
  { by: 'tokens_out', desc: labels.mostTokensOut, asc: labels.fewestTokensOut },
  { by: 'success', desc: labels.successesFirst, asc: labels.failuresFirst },
  { by: 'cached', desc: labels.fromTheCacheFirst, asc: labels.fromTheCacheLast },
  { by: 'feedback', desc: labels.bestFeedbackFirst, asc: labels.worstFeedbackFirst },
  { by: 'model', desc: labels.modelZToA, asc: labels.modelAToZ },
  { by: 'provider', desc: labels.providerZToA, asc: labels.providerAToZ },
  { by: 'model_type', desc: labels.kindOfModelZ, asc: labels.kindOfModel },
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
