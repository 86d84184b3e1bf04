import { type AuditView, showMembers } from '../audit/audit-view.ts';
import { type TObject, type TString, Type } from 'typebox';
import type { AuditedChange } from '../changes.ts';
import { type CredentialPrincipal, callerOf } from '../principal.ts';
import type { Access } from '../route.ts';
import { AccountParams } from '../route.ts';
import type { ApiToken, TokenOwner } from './token-store.ts';

type CredentialAccess = Exclude<Access, 'session' | 'public'>;

/**
 * The two kinds of owner of a token. Every operation on tokens exists once below an account, and once
 * below `/user` for the tokens of the person who calls.
 */
export interface TokenOwnership {
  /** As it stands in operation ids and texts. */
  kind: 'account' | 'user';
  prefix: 'lkat_' | 'lkut_';
  /** Where the operations are. */
  path: string;
  read: CredentialAccess;
  write: CredentialAccess;
  /** Of the list; an operation on one token has `token_id` too. */
  params: TObject;
  tokenParams: TObject<{ token_id: TString }>;
  /** The owner that a request names. */
  ownerOf(principal: CredentialPrincipal, params: object): TokenOwner;
  /** How many tokens one owner may have: far above what is needed, to stop a loop that creates them. */
  maxTokens: number;
}

const TokenId = { token_id: Type.String({ description: 'Token id: 32 hex digits' }) };

export const accountTokens: TokenOwnership = {
  kind: 'account',
  prefix: 'lkat_',
  path: '/accounts/:account_id/tokens',
  read: 'api-tokens.read',
  write: 'api-tokens.write',
  params: AccountParams,
  tokenParams: Type.Object({ ...AccountParams.properties, ...TokenId }),
  ownerOf: (_principal, params) => ({ accountId: (params as { account_id: string }).account_id }),
  maxTokens: 5_000,
};

export const userTokens: TokenOwnership = {
  kind: 'user',
  prefix: 'lkut_',
  path: '/user/tokens',
  read: { self: 'api-tokens.read' },
  write: { self: 'api-tokens.write' },
  params: Type.Object({}),
  tokenParams: Type.Object(TokenId),
  ownerOf: (principal) => ({ userId: callerOf(principal).id }),
  maxTokens: 1_000,
};

const TOKEN_VIEW: AuditView = {
  ...showMembers('id', 'name', 'status', 'condition', 'not_before', 'expires_on'),
  ...showMembers('issued_on', 'modified_on', 'last_used_on'),
  ...showMembers('creator_email_at_creation', 'provisioner_type', 'provisioner_id'),
  policies: {
    ...showMembers('id', 'effect', 'resources'),
    permission_groups: showMembers('id', 'name'),
  },
};

/** A change of a token, for the audit log of its owner. */
export function tokenChange(
  token: Pick<ApiToken, 'owner' | 'id'>,
  type: string,
  description: string,
): AuditedChange {
  return {
    chain: token.owner,
    type,
    description,
    resource: { type: 'api_token', id: token.id, product: 'api_tokens' },
    shows: { request: TOKEN_VIEW, response: TOKEN_VIEW },
  };
}
