import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { upToEntries } from '../../lib/cache-bound.ts';
import type { QuotaFamily } from '../../storage/quota-family.ts';
import {
  type SpendRule,
  type SpendSelector,
  type Gateway,
  METADATA_PREFIX,
  type BudgetScope,
} from '../../gateway-admin/snapshot.ts';
import { type Metadata, loggableValue } from '../../request-log/record.ts';

/** The properties of a call by which spend rules select. */
export interface SpendSubject {
  /** Name in paths and models. */
  provider: string;
  /** Name at the provider. */
  model: string;
  /** The API token, or the OAuth client; null: no such credential. */
  tokenId: string | null;
  /** The user on whose behalf the call is made. */
  userId: string | null;
  oauthClientId: string | null;
  metadata: Metadata;
  /** An unauthenticated client, whose calls do not count against the budgets of others. */
  isApart: boolean;
}

/** One counter of a rule. */
export interface SpendBudget {
  /** The name of the quota: a digest, because clients choose the values, which may be long. */
  name: string;
  /** Empty: the rule has no other budget. */
  part: BudgetScope;
}

type RuleOwner = Pick<Gateway, 'accountId' | 'id'>;

/** A part of every budget of unauthenticated clients. */
const APART: BudgetScope = [['caller', 'unauthenticated']];

/** Suffix of the names of sliding quotas. */
export const SLIDING = '/sliding';

// Long enough to recognize a value. The whole value determines the budget.
const MAX_SHOWN_VALUE_LENGTH = 256;

/** Returns the budget of a rule for a call; undefined: the rule does not match. */
export function budgetOf(
  gateway: RuleOwner,
  rule: SpendRule,
  subject: SpendSubject,
): SpendBudget | undefined {
  const { provider, model, tokenId, userId, oauthClientId, metadata, isApart } = subject;
  const part: BudgetScope = isApart ? [...APART] : [];
  const falls =
    // A rule may contain a model with its provider or without.
    matchesSelector(part, 'model', rule.model, [model, `${provider}/${model}`]) &&
    matchesSelector(part, 'provider', rule.provider, [provider]) &&
    // All calls without a token share a budget, so that clients cannot bypass the limit.
    matchesSelector(part, 'token', rule.token, [tokenId ?? '']) &&
    matchesSelector(part, 'user', rule.user, [userId ?? '']) &&
    matchesSelector(part, 'oauth_client', rule.oauthClient, [oauthClientId ?? '']) &&
    Object.entries(rule.metadata).every(
      ([key, selector]) =>
        Object.hasOwn(metadata, key) &&
        matchesSelector(part, METADATA_PREFIX + key, selector, [String(metadata[key])]),
    );
  return falls ? { name: nameOf(gateway, rule, part), part } : undefined;
}

/** Checks a rule for a call whose model is not certain: a batch, for example, may name several in a file. */
export function mayFallUnder(
  gateway: RuleOwner,
  { model: _model, ...rule }: SpendRule,
  subject: SpendSubject,
): boolean {
  return budgetOf(gateway, rule, subject) !== undefined;
}

/** Returns the budgets of a rule without partitions: of all clients, and of unauthenticated ones. */
export function fixedBudgetsOf(gateway: RuleOwner, rule: SpendRule): SpendBudget[] {
  return [[], APART].map((part) => ({ name: nameOf(gateway, rule, part), part }));
}

/** Returns the name of the quota that counts the calls without a known price that a rule allows. */
export function unpricedNameOf(gateway: RuleOwner, rule: SpendRule): string {
  return nameOf(gateway, rule, [['unpriced', 'allow']]);
}

/** Returns the family with all budgets of a rule; undefined: the rule has only one budget. */
export function familyOf(
  gateway: RuleOwner,
  rule: SpendRule,
  part: BudgetScope,
): QuotaFamily | undefined {
  const name = familyNameOf(gateway, rule);
  return name === undefined ? undefined : { name, part: shown(part) };
}

/** Returns the name of the family. */
export function familyNameOf({ accountId, id }: RuleOwner, rule: SpendRule): string | undefined {
  const fields = partitionsOf(rule);
  if (fields.length === 0) return undefined;
  return `${familyPrefixOf(accountId, ownerIdOf(id, rule))}${rule.id}/${rule.windowSeconds}/${JSON.stringify(fields)}`;
}

/** Returns the prefix of the names of all families of a gateway or an account. */
export function familyPrefixOf(accountId: string, gatewayId?: string): string {
  return gatewayId === undefined ? `spend/${accountId}/` : `spend/${accountId}/${gatewayId}/`;
}

function partitionsOf(rule: SpendRule): string[] {
  const { model, provider, token, user, oauthClient, metadata } = rule;
  const selectors = [
    ['model', model],
    ['provider', provider],
    ['token', token],
    ['user', user],
    ['oauth_client', oauthClient],
    ...Object.entries(metadata).map(
      ([key, selector]) => [METADATA_PREFIX + key, selector] as const,
    ),
  ] as const;
  return selectors.flatMap(([field, selector]) => (selector?.mode === 'partition' ? field : []));
}

// Each call needs the names of its budgets.
const names = new LRUCache<string, string>(upToEntries(10_000));
// Clients choose the values of metadata.
const MAX_KEY_LENGTH = 512;

function nameOf(owner: RuleOwner, rule: SpendRule, part: BudgetScope): string {
  let key = `${owner.accountId}/${ownerIdOf(owner.id, rule)}/${rule.id}/${rule.windowSeconds}/${rule.technique}`;
  // The length of a value makes its end unambiguous.
  for (const [field, value] of part) key += `/${field.length}:${field}/${value.length}:${value}`;
  if (key.length > MAX_KEY_LENGTH) return digestOf(owner, rule, part);
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = digestOf(owner, rule, part);
  names.set(key, name);
  return name;
}

function digestOf({ accountId, id }: RuleOwner, rule: SpendRule, part: BudgetScope): string {
  const parts = [
    accountId,
    ownerIdOf(id, rule),
    rule.id,
    String(rule.windowSeconds),
    ...part.flat(),
  ];
  const digest = hash('sha256', JSON.stringify(parts), 'base64url');
  return `spend/${digest}${rule.technique === 'sliding' ? SLIDING : ''}`;
}

/** Returns the gateway of a rule; empty for a rule of the account, because no gateway has an empty id. */
function ownerIdOf(gatewayId: string, { isOfAccount }: SpendRule): string {
  return isOfAccount === true ? '' : gatewayId;
}

function shown(part: BudgetScope): string {
  return JSON.stringify(
    part.map(([field, value]) => [field, shortened(withoutCredentials(field, value))]),
  );
}

/** Redacts credentials as the log does: metadata may contain anything. */
function withoutCredentials(field: string, value: string): string {
  const isMetadata = field.startsWith(METADATA_PREFIX);
  return loggableValue(isMetadata ? field.slice(METADATA_PREFIX.length) : '', value);
}

function shortened(value: string): string {
  return value.length <= MAX_SHOWN_VALUE_LENGTH
    ? value
    : `${value.slice(0, MAX_SHOWN_VALUE_LENGTH - 1).toWellFormed()}…`;
}

/**
 * Checks a value against a selector. A selector that divides the budget adds the value to the part.
 * @param spellings of the value; the first one identifies the part
 */
function matchesSelector(
  part: BudgetScope,
  field: string,
  selector: SpendSelector | undefined,
  spellings: readonly [value: string, ...others: string[]],
): boolean {
  if (selector === undefined) return true;
  if (selector.mode === 'filter') return spellings.some((value) => selector.values.includes(value));
  part.push([field, spellings[0]]);
  return true;
}
