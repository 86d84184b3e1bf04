import type { LimitSearch } from '../gateways/settings/limit-search.ts';
import { keyedGroup } from './group-words.ts';

/** Where a spend limit for a group of figures is set. */
export interface LimitLink {
  to: '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings';
  params: { accountId: string; gatewayId: string };
  search: LimitSearch;
  hash: string;
}

const SELECTORS: ReadonlySet<string> = new Set([
  'model',
  'provider',
  'token',
  'user',
  'oauth_client',
]);

/** Leads to a new spend rule for a group; undefined: no rule can select it. */
export function limitLinkFor({
  accountId,
  gatewayId,
  by,
  value,
}: {
  accountId: string;
  gatewayId: string;
  by: string;
  value: string | null;
}): LimitLink | undefined {
  const isKnown = SELECTORS.has(by) || keyedGroup(by)?.kind === 'metadata';
  if (value === null || (by !== 'gateway' && !isKnown)) return undefined;
  return {
    to: '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings',
    params: { accountId, gatewayId },
    search: { limit_by: by, ...(by !== 'gateway' && { limit_value: value }) },
    hash: 'spend-limits',
  };
}
