/** Which values a spend rule counts together: only those listed, or each one by itself. */
export type SpendSelector = { mode: 'filter'; values: string[] } | { mode: 'partition' };

/** One rule of what may be spent on a gateway. */
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
  /** Left out: every model counts. */
  model?: SpendSelector;
  provider?: SpendSelector;
  /** The API token, or the OAuth client, that calls. **(ours)** */
  token?: SpendSelector;
  /** The person on whose behalf is called. **(ours)** */
  user?: SpendSelector;
  /** The OAuth client that calls. **(ours)** */
  oauthClient?: SpendSelector;
  /** By the key of `cf-aig-metadata`. */
  metadata: Readonly<Record<string, SpendSelector>>;
}

/** The name of a rule in responses. Ids contain no slash. */
export function ruleNameOf({ id, isOfAccount }: SpendRule): string {
  return isOfAccount === true ? `account/${id}` : id;
}
