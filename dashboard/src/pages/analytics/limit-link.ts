import type { LimitSearch } from '../gateways/settings/limit-search.ts';
import { keyedGroup } from './group-words.ts';

/** A link to a new spend limit for an analytics row, in the settings of a gateway or of the account. */
export type LimitLink =
  | {
      to: '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings';
      params: { accountId: string; gatewayId: string };
      search: LimitSearch;
      hash: string;
    }
  | {
      to: '/accounts/$accountId/ai-gateway/spend-limits';
      params: { accountId: string };
      search: LimitSearch;
    };

const SELECTORS: ReadonlySet<string> = new Set([
  'model',
  'provider',
  'token',
  'user',
  'oauth_client',
]);

/**
 * Creates the link to a new spend rule for an analytics row. A rule for a tag of gateways, or for the
 * gateways of an account together, is one of the account.
 * @param row `gatewayId` is undefined for figures of several gateways
 * @returns undefined when no rule can select the row
 */
export function limitLinkFor({
  accountId,
  gatewayId,
  by,
  value,
}: {
  accountId: string;
  gatewayId: string | undefined;
  by: string;
  value: string | null;
}): LimitLink | undefined {
  if (value === null) return undefined;
  const kind = keyedGroup(by)?.kind;
  const isTag = kind === 'tag';
  if (by !== 'gateway' && kind === undefined && !SELECTORS.has(by)) return undefined;
  if (gatewayId === undefined || isTag) {
    return {
      to: '/accounts/$accountId/ai-gateway/spend-limits',
      params: { accountId },
      search: { limit_by: by, limit_value: value },
    };
  }
  return {
    to: '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings',
    params: { accountId, gatewayId },
    search: { limit_by: by, ...(by !== 'gateway' && { limit_value: value }) },
    hash: 'spend-limits',
  };
}
