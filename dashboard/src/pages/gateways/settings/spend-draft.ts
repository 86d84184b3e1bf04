import type { AccountLimits, AccountLimitsBody } from '../../../api/account-limits.ts';
import type { operations } from '../../../api/schema.d.ts';
import { formatCost } from '../../../lib/figures.ts';
import {
  type SpanDraft,
  eachSpan,
  spanDraft,
  spanSeconds,
  spanWords,
} from '../../../lib/time-span.ts';
import { labels } from './labels.ts';
import type { LimitSearch } from './limit-search.ts';
import { whenAnew } from './setting-words.ts';

type Gateway = operations['get-gateway']['responses'][200]['content']['application/json']['result'];
type GatewaySettings = operations['update-gateway']['requestBody']['content']['application/json'];
type AccountRule = NonNullable<AccountLimitsBody['rules']>[number];
type Selector = NonNullable<AccountRule['model']>;

/** What of the requests a rule takes in: all of them, some values together, or each value by itself. */
export interface SelectorDraft {
  mode: 'all' | 'filter' | 'partition';
  /** One in a line. */
  values: string;
}

/** By what a rule chooses, besides metadata. */
export const SELECTORS = ['model', 'provider', 'token', 'user', 'oauth_client'] as const;

/** A selector by an entry of the metadata of a request, or by a tag of its gateway. */
export interface MetadataDraft extends SelectorDraft {
  key: string;
}

/** A rule as the form has it. */
export interface RuleDraft {
  /** Empty until the server has made one. */
  id: string;
  enabled: boolean;
  /** US dollars. */
  limit: string;
  /** Seconds of a window that is often wanted, or `other`. */
  preset: string;
  window: SpanDraft;
  technique: 'fixed' | 'sliding';
  unpriced: 'refuse' | 'estimate' | 'allow';
  model: SelectorDraft;
  provider: SelectorDraft;
  token: SelectorDraft;
  user: SelectorDraft;
  oauth_client: SelectorDraft;
  metadata: MetadataDraft[];
  /** Empty for a rule of a gateway. */
  gateway_tags: MetadataDraft[];
}

/** The values of a form for spend limits. */
export interface SpendDraft {
  enabled: boolean;
  rules: RuleDraft[];
}

/** The owner of the rules: one gateway, or the account, whose gateways share the budgets. */
export type SpendScope = 'gateway' | 'account';

const DAY = 86_400;

/** Windows that are often wanted. */
export const WINDOWS = [
  { seconds: 3_600, label: '1 hour' },
  { seconds: DAY, label: '1 day' },
  { seconds: 7 * DAY, label: '7 days' },
  { seconds: 30 * DAY, label: '30 days' },
] as const;

const ALL: SelectorDraft = { mode: 'all', values: '' };

/** A rule before somebody has filled it in: for everything, by the day. */
export function newRule(): RuleDraft {
  return {
    id: '',
    enabled: true,
    limit: '',
    preset: String(DAY),
    window: spanDraft(DAY),
    technique: 'fixed',
    unpriced: 'estimate',
    model: ALL,
    provider: ALL,
    token: ALL,
    user: ALL,
    oauth_client: ALL,
    metadata: [],
    gateway_tags: [],
  };
}

/** A new rule for one value of a selector; undefined: no rule selects by it. */
export function newRuleFor({
  limit_by: by,
  limit_value: value,
}: LimitSearch): RuleDraft | undefined {
  if (by === 'gateway') return newRule();
  if (by === undefined || value === undefined || value === '') return undefined;
  const selector: SelectorDraft = { mode: 'filter', values: value };
  const name = SELECTORS.find((known) => known === by);
  if (name !== undefined) return { ...newRule(), [name]: selector };
  const entry = { key: by.slice(by.indexOf('.') + 1), ...selector };
  if (by.startsWith('metadata.')) return { ...newRule(), metadata: [entry] };
  if (by.startsWith('tag.')) return { ...newRule(), gateway_tags: [entry] };
  return undefined;
}

function selectorDraft(selector: Selector | undefined): SelectorDraft {
  if (selector === undefined) return ALL;
  if (selector.mode === 'partition') return { mode: 'partition', values: '' };
  return { mode: 'filter', values: selector.values.join('\n') };
}

/** The form for what a gateway has. */
export function readSpend({ spend_limits: limits }: Pick<Gateway, 'spend_limits'>): SpendDraft {
  return readLimits(limits ?? { enabled: true, rules: [] });
}

/** The form for the limits of an account. */
export function readLimits({ enabled, rules: stored }: AccountLimits): SpendDraft {
  const rules = stored.map((rule): RuleDraft => {
    const isUsual = WINDOWS.some(({ seconds }) => seconds === rule.window);
    return {
      id: rule.id,
      enabled: rule.enabled,
      limit: plainDollars(rule.limit),
      preset: isUsual ? String(rule.window) : 'other',
      window: spanDraft(rule.window),
      technique: rule.technique,
      unpriced: rule.unpriced,
      model: selectorDraft(rule.model),
      provider: selectorDraft(rule.provider),
      token: selectorDraft(rule.token),
      user: selectorDraft(rule.user),
      oauth_client: selectorDraft(rule.oauth_client),
      metadata: entryDrafts(rule.metadata),
      gateway_tags: entryDrafts(rule.gateway_tags),
    };
  });
  return { enabled, rules };
}

function entryDrafts(selectors: Readonly<Record<string, Selector>> = {}): MetadataDraft[] {
  return Object.entries(selectors).map(([key, selector]) => ({ key, ...selectorDraft(selector) }));
}

/** Without an exponent, which nobody types. */
function plainDollars(dollars: number): string {
  return String(dollars).includes('e') ? dollars.toFixed(6) : String(dollars);
}

/** The lines of a list of values. */
export function linesOf(values: string): string[] {
  return values
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function selectorOf({ mode, values }: SelectorDraft): Selector | undefined {
  if (mode === 'all') return undefined;
  return mode === 'partition' ? { mode } : { mode, values: linesOf(values) };
}

/** US dollars as people type them; not a number while nothing sensible is typed. */
export function dollarsOf(text: string): number {
  const digits = text.trim().replaceAll(/[$,\s]/g, '');
  return /^(?:\d+\.?\d*|\.\d+)$/.test(digits) ? Number(digits) : Number.NaN;
}

/** The length of a rule's window. */
export function windowOf({ preset, window }: RuleDraft): number {
  return preset === 'other' ? spanSeconds(window) : Number(preset);
}

function ruleOf(draft: RuleDraft): AccountRule {
  const selectors = SELECTORS.flatMap((name) => {
    const selector = selectorOf(draft[name]);
    return selector === undefined ? [] : [[name, selector] as const];
  });
  const metadata = entriesOf(draft.metadata);
  const tags = entriesOf(draft.gateway_tags) as AccountRule['gateway_tags'];
  return {
    ...(draft.id !== '' && { id: draft.id }),
    enabled: draft.enabled,
    limit: dollarsOf(draft.limit),
    limitType: 'cost',
    window: windowOf(draft),
    technique: draft.technique,
    unpriced: draft.unpriced,
    ...Object.fromEntries(selectors),
    ...(metadata !== undefined && { metadata }),
    ...(tags !== undefined && { gateway_tags: tags }),
  };
}

function entriesOf(drafts: readonly MetadataDraft[]): Record<string, Selector> | undefined {
  const entries = drafts.flatMap(({ key, ...selector }) => {
    const chosen = selectorOf(selector);
    return chosen === undefined ? [] : [[key.trim(), chosen] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The settings for what the form has. */
export function writeSpend(draft: SpendDraft): Partial<GatewaySettings> {
  const isEmpty = draft.rules.length === 0 && draft.enabled;
  return { spend_limits: isEmpty ? null : writeLimits(draft) };
}

/** The limits of an account for the values of the form. */
export function writeLimits({ enabled, rules }: SpendDraft) {
  return { enabled, rules: rules.map(ruleOf) };
}

/** Where a fault of the body is shown: `spend_limits.rules.0.model.values.1` at the values of the model. */
export function fieldOfSpend(path: string, { rules }: SpendDraft): string {
  const [, ...parts] = path.split('.');
  const [list, index = '', member = '', key = ''] = parts;
  if (list !== 'rules' || member === '') return parts.join('.') || 'rules';
  const at = `rules.${index}`;
  if (member === 'window') return `${at}.window.amount`;
  if ((SELECTORS as readonly string[]).includes(member)) return `${at}.${member}.values`;
  if (member !== 'metadata' && member !== 'gateway_tags') return `${at}.${member}`;
  // Keys may have dots in them.
  const rest = parts.slice(3).join('.');
  const entry = (rules[Number(index)]?.[member] ?? []).findIndex(
    ({ key: own }) =>
      own.trim() === key || rest === own.trim() || rest.startsWith(`${own.trim()}.`),
  );
  const isOfValues = rest.includes('.values');
  return entry === -1 ? `${at}.limit` : `${at}.${member}.${entry}.${isOfValues ? 'values' : 'key'}`;
}

const MOST_NAMED = 3;
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const and = new Intl.ListFormat('en-GB');

function someOf(values: readonly string[]): string {
  const rest = values.length - MOST_NAMED;
  if (rest <= 0) return or.format(values);
  return or.format([...values.slice(0, MOST_NAMED), labels.more(rest)]);
}

/**
 * A rule in a sentence.
 * @param nameOf what people call a token
 */
export function ruleWords(
  rule: RuleDraft,
  nameOf: (tokenId: string) => string,
  scope: SpendScope = 'gateway',
): string {
  const dollars = dollarsOf(rule.limit);
  const seconds = windowOf(rule);
  if (Number.isNaN(dollars) || !(seconds > 0)) return labels.incomplete;
  const time =
    rule.technique === 'sliding'
      ? `in any period of ${spanWords(seconds)}`
      : `per ${eachSpan(seconds)}, reset ${whenAnew(seconds)}`;
  return labels.upTo(formatCost(dollars), time, subjectOf(rule, nameOf, scope));
}

const WHOLE = { gateway: labels.wholeGateway, account: labels.allGateways } as const;

function nounOf(name: string): string {
  return name === 'oauth_client' ? labels.oauthClient : name;
}

function subjectOf(
  rule: RuleDraft,
  nameOf: (tokenId: string) => string,
  scope: SpendScope,
): string {
  const chosen = [
    ...SELECTORS.map((name) => ({ name: name as string, nameOf, ...rule[name] })),
    ...rule.metadata.map(({ key, ...selector }) => ({ name: `metadata ${key}`, ...selector })),
    ...rule.gateway_tags.map(({ key, ...selector }) => ({
      name: `gateway tag ${key}`,
      ...selector,
    })),
  ];
  const filters = chosen
    .filter(({ mode, values }) => mode === 'filter' && linesOf(values).length > 0)
    .map(({ name, values }) => {
      const lines = linesOf(values);
      return `${nounOf(name)} ${someOf(name === 'token' ? lines.map(nameOf) : lines)}`;
    });
  const parts = chosen.filter(({ mode }) => mode === 'partition').map(({ name }) => nounOf(name));
  const each = parts.length > 0 ? `for each ${and.format(parts)} separately` : '';
  if (filters.length === 0) return each === '' ? WHOLE[scope] : each;
  const only = `of requests with ${and.format(filters)}${each === '' ? ' together' : ''}`;
  return each === '' ? only : `${each}, ${only}`;
}
