import { hash } from 'node:crypto';
import type { Gateway } from '../gateways/gateway-store.ts';
import type { Metadata } from '../options.ts';
import type { SpendRule, SpendSelector } from './spend-rules.ts';

/** What spend limits tell requests apart by. */
export interface SpendSubject {
  /** As paths and models name it. */
  provider: string;
  /** As the provider names it. */
  model: string;
  /** The API token, or the OAuth client; null: nobody who was let in by name. */
  tokenId: string | null;
  metadata: Metadata;
}

/**
 * The name under which a rule counts what such a request costs; undefined when it does not fall under
 * the rule. Callers choose what is in it, so it is a digest: its length has a bound.
 */
export function budgetOf(
  { accountId, id }: Pick<Gateway, 'accountId' | 'id'>,
  rule: SpendRule,
  subject: SpendSubject,
): string | undefined {
  const { provider, model, tokenId, metadata } = subject;
  const parts: string[] = [accountId, id, rule.id, String(rule.windowSeconds)];
  const falls =
    // A rule may name a model with its provider or without.
    select(parts, 'model', rule.model, model, `${provider}/${model}`) &&
    select(parts, 'provider', rule.provider, provider) &&
    // All who have no token share a budget: to leave it out must not be a way round the limit.
    select(parts, 'token', rule.token, tokenId ?? '') &&
    Object.entries(rule.metadata).every(
      ([key, selector]) =>
        Object.hasOwn(metadata, key) &&
        select(parts, `metadata.${key}`, selector, String(metadata[key])),
    );
  return falls ? `spend/${hash('sha256', JSON.stringify(parts), 'base64url')}` : undefined;
}

/** Whether a value falls under a selector. One that parts the budget adds the value to the name. */
function select(
  parts: string[],
  field: string,
  selector: SpendSelector | undefined,
  value: string,
  longValue = value,
): boolean {
  if (selector === undefined) return true;
  if (selector.mode === 'filter') {
    return selector.values.includes(value) || selector.values.includes(longValue);
  }
  parts.push(field, value);
  return true;
}
