import type { SpentBudget } from '../../../api/gateway-spend.ts';
import type { AccountLimits } from '../../../api/account-limits.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { counted } from '../../../lib/counted.ts';
import { formatCost } from '../../../lib/figures.ts';
import { labels } from './labels.ts';

/** One spend rule, of a gateway or of the account. */
export type SpendRule = AccountLimits['rules'][number];

type Selector = NonNullable<SpendRule['model']>;

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

// The rest is in the settings.
const MOST_VALUES = 3;

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const and = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Whether any limit holds now. */
export function hasSpendLimits({ spend_limits: limits }: Gateway): boolean {
  return limits?.enabled === true && limits.rules.some(({ enabled }) => enabled);
}

/** "day", "2 hours", "90 seconds": what stands behind "each" or "the last". */
export function windowWords(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  return seconds === size ? unit : counted(seconds / size, unit);
}

/** "$5.00 a day", "$20.00 in any 2 hours". */
export function limitWords({
  limit,
  window,
  technique,
}: Pick<SpendRule, 'limit' | 'window' | 'technique'>): string {
  const words = windowWords(window);
  const isOne = !/^\d/.test(words);
  if (technique === 'sliding') return labels.inAny(formatCost(limit), words);
  if (!isOne) return labels.every(formatCost(limit), words);
  return `${formatCost(limit)} ${words === 'hour' ? 'an' : 'a'} ${words}`;
}

/** "for each token, of the model gpt-5": what a rule counts together. */
export function scopeWords(rule: SpendRule): string {
  const selectors = selectorsOf(rule);
  const parts = selectors.filter(([, { mode }]) => mode === 'partition').map(([name]) => name);
  const filters = selectors.flatMap(([name, selector]) =>
    selector.mode === 'filter' ? `${name} ${valueWords(selector.values)}` : [],
  );
  const whom = parts.length === 0 ? undefined : `for each ${and.format(parts)}`;
  if (filters.length === 0) return whom ?? labels.allRequests;
  return `${whom === undefined ? '' : `${whom}, `}only ${and.format(filters)}`;
}

function selectorsOf({
  model,
  provider,
  token,
  user,
  oauth_client: oauthClient,
  metadata,
  gateway_tags: gatewayTags,
}: SpendRule): [string, Selector][] {
  const all: [string, Selector | undefined][] = [
    ['model', model],
    ['provider', provider],
    ['token', token],
    ['user', user],
    [labels.oauthClient, oauthClient],
    ...Object.entries(metadata ?? {}),
    ...Object.entries(gatewayTags ?? {}),
  ];
  return all.flatMap(([name, selector]) => (selector === undefined ? [] : [[name, selector]]));
}

function valueWords(values: readonly string[]): string {
  const shown = values.slice(0, MOST_VALUES);
  const rest = values.length - shown.length;
  return or.format(rest === 0 ? shown : [...shown, labels.more(rest)]);
}

/** What a budget is for: its fields with their values; a token by its id, null where there was none. */
export function budgetFields(budget: SpentBudget): [field: string, value: string | null][] {
  const { caller, model, provider, token, user, oauth_client: client, metadata = {} } = budget;
  return [
    ...(caller === undefined ? [] : [['clients', caller] as [string, string]]),
    ...(model === undefined ? [] : [['model', model] as [string, string]]),
    ...(provider === undefined ? [] : [['provider', provider] as [string, string]]),
    ...(token === undefined ? [] : [['token', token] as [string, string | null]]),
    ...(user === undefined ? [] : [['user', user] as [string, string | null]]),
    ...(client === undefined ? [] : [[labels.oauthClient, client] as [string, string | null]]),
    ...Object.entries(metadata),
  ];
}

/** From where on a limit is near. */
const NEAR_SHARE = 0.8;

/** Whether a budget is used up, nearly, or neither. */
export function nearness(spent: number, limit: number): 'reached' | 'near' | 'far' {
  if (spent >= limit) return 'reached';
  return spent >= limit * NEAR_SHARE ? 'near' : 'far';
}
