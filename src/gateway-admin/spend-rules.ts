/** Selects values: only the listed ones, or each value with a budget of its own. */
export type SpendSelector = { mode: 'filter'; values: string[] } | { mode: 'partition' };

/** A spend limit of a gateway. */
export interface SpendRule {
  id: string;
  /** The rule belongs to the account: gateways share its budgets. */
  isOfAccount?: true;
  /** US dollars. */
  limit: number;
  windowSeconds: number;
  technique: 'fixed' | 'sliding';
  /** The treatment of models without a known price. */
  unpriced: 'refuse' | 'estimate' | 'allow';
  /** Left out: all models. */
  model?: SpendSelector;
  provider?: SpendSelector;
  /** The API token or the OAuth client of the call. */
  token?: SpendSelector;
  /** The user on whose behalf the call is made. */
  user?: SpendSelector;
  /** The OAuth client of the call. */
  oauthClient?: SpendSelector;
  /** Selectors by the key of `cf-aig-metadata`. */
  metadata: Readonly<Record<string, SpendSelector>>;
}

/** Returns the name of a rule in responses. Ids contain no slash. */
export function ruleNameOf({ id, isOfAccount }: SpendRule): string {
  return isOfAccount === true ? `account/${id}` : id;
}

/** Prefix of the fields of a {@link BudgetScope} that are keys of metadata. */
export const METADATA_PREFIX = 'metadata.';

/** The fields by which a rule divides its budget, each with the value of one part. */
export type BudgetScope = [field: string, value: string][];

/** The spend of one budget of a rule. */
export interface SpentBudget {
  /** The values that the budget is for; empty: every call under the rule. */
  part: BudgetScope;
  /** Billionths of a US dollar. */
  nanoUsd: number;
  /** Time at which calls are possible again; undefined: the budget is not used up. */
  resetsAtMs: number | undefined;
}

/** The current spend of a rule. */
export interface RuleSpend {
  rule: SpendRule;
  windowStartMs: number;
  /** Undefined: a sliding window, which ends now. */
  windowEndMs: number | undefined;
  /** The budgets with the highest spend, the highest first. */
  budgets: SpentBudget[];
  /** Number of further budgets with spend. */
  moreBudgets: number;
  /** Calls in the window that the rule allowed without a known price. */
  unpricedCalls: number;
}
