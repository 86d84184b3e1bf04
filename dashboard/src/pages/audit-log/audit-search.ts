import { isMoment } from '../../lib/time-range.ts';

/** The ranges to choose from. */
export const RANGES = ['1h', '24h', '7d', '30d', 'custom'] as const;

/** How far back the log is shown; `custom`: from `since` to `before`. */
export type TimeRange = (typeof RANGES)[number];

/** Which a link without one means. */
export const DEFAULT_RANGE: TimeRange = '7d';

/** The fields that can be compared with a value, as the API names them; the first is offered first. */
export const FILTER_FIELDS = [
  'actor_email',
  'actor_type',
  'actor_id',
  'actor_ip_address',
  'actor_context',
  'actor_token_id',
  'actor_token_name',
  'resource_type',
  'resource_id',
  'resource_product',
  'action_type',
  'action_result',
  'raw_method',
  'raw_uri',
  'raw_status_code',
  'raw_cf_ray_id',
] as const;

export type FilterField = (typeof FILTER_FIELDS)[number];

/** A parameter of the API that narrows the log; with `.not`, what has the value is left out. */
export type FilterName = FilterField | `${FilterField}.not` | 'product_category';

const NAMES: ReadonlySet<string> = new Set([
  ...FILTER_FIELDS.flatMap((field) => [field, `${field}.not`]),
  'product_category',
]);

/** All that the address of an audit log tells: going back shows the same again. */
export type AuditSearch = {
  range?: TimeRange;
  since?: string;
  before?: string;
  /** Id of the entry whose details are open. */
  row?: string;
} & { [Name in FilterName]?: string };

/** Takes from an address what there is; what nobody knows is left out. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const known = Object.entries(search).flatMap(([name, value]) => {
    const [first] = [value].flat();
    const text = typeof first === 'number' || typeof first === 'string' ? String(first) : '';
    return text !== '' && isKnown(name, text) ? [[name, text] as const] : [];
  });
  return Object.fromEntries(known);
}

function isKnown(name: string, value: string): boolean {
  if (name === 'range') return RANGES.some((range) => range === value);
  if (name === 'since' || name === 'before') return isMoment(value);
  return name === 'row' || NAMES.has(name);
}

/** The filters that are set, in the order of the address. */
export function filtersOf(search: AuditSearch): [name: FilterName, value: string][] {
  return Object.entries(search).filter(([name]) => NAMES.has(name)) as [FilterName, string][];
}
