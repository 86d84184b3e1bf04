import type { Policy } from './policy.ts';
import type { RequestIpCondition } from './request-ip.ts';

/** A program that presented an account-owned API token. */
export interface AccountTokenPrincipal {
  type: 'account_token';
  tokenId: string;
  tokenName: string;
  accountId: string;
  policies: readonly Policy[];
  requestIp: RequestIpCondition | undefined;
  status: 'active' | 'disabled';
  notBeforeMs: number | undefined;
  expiresAtMs: number | undefined;
}

/** Whoever a request acts for, resolved from its credential. */
export type Principal = AccountTokenPrincipal;
