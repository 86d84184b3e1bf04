import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, resultOf } from './client.ts';
import type { IfMatch } from './edit.ts';
import { oauthScopesQuery } from './oauth-scopes.ts';
import { queryClient } from './query-client.ts';
import type { operations } from './schema.d.ts';

type Create = operations['create-account-token'];

/** An API token; its value is not part of it. */
export type ApiToken =
  operations['get-account-token']['responses'][200]['content']['application/json']['result'];

/** What a token is made of, as it is sent. */
export type TokenBody = Create['requestBody']['content']['application/json'];

/** Its value is shown this once. */
export type CreatedToken = Create['responses'][200]['content']['application/json']['result'];

/** Whose tokens: an account's, or those of the person who is signed in. */
export type TokenOwner = { kind: 'account'; accountId: string } | { kind: 'user'; userId: string };

/** Which page of a list of tokens. */
export interface TokenListQuery {
  page: number;
  direction: 'asc' | 'desc';
  hasExpired: boolean;
}

/** What a policy allows or denies: a permission as tokens name it. */
export interface PermissionGroup {
  id: string;
  /** `OAuth Clients Write` */
  name: string;
  /** `oauth-clients.write` */
  slug: string;
  category: string;
  /** Whether it is about a person rather than about an account. */
  isOfPerson: boolean;
}

const PER_PAGE = 20;

const LIST = '/accounts/{account_id}/tokens';
const ONE = '/accounts/{account_id}/tokens/{token_id}';

/** Where everything about the tokens of an owner is remembered. */
export function tokensKey(owner: TokenOwner): QueryKey {
  return owner.kind === 'account' ? ['accounts', owner.accountId, 'tokens'] : ['user', 'tokens'];
}

/** One page of the tokens of an owner, with `result_info`. */
export const tokensQuery = (owner: TokenOwner, { page, direction, hasExpired }: TokenListQuery) =>
  queryOptions({
    queryKey: [...tokensKey(owner), 'list', { page, direction, hasExpired }],
    queryFn: ({ signal }) => {
      const query = { page, per_page: PER_PAGE, direction, include_expired: hasExpired };
      if (owner.kind === 'user')
        return bodyOf(api.GET('/user/tokens', { signal, params: { query } }));
      const path = { account_id: owner.accountId };
      return bodyOf(api.GET(LIST, { signal, params: { path, query } }));
    },
  });

/** One token. */
export const tokenQuery = (owner: TokenOwner, tokenId: string) =>
  queryOptions({
    queryKey: [...tokensKey(owner), 'one', tokenId],
    queryFn: ({ signal }): Promise<ApiToken> => {
      const path = { token_id: tokenId };
      if (owner.kind === 'user') {
        return resultOf(api.GET('/user/tokens/{token_id}', { signal, params: { path } }));
      }
      const params = { path: { ...path, account_id: owner.accountId } };
      return resultOf(api.GET(ONE, { signal, params }));
    },
  });

/** The permissions that a token of this owner can hold, in the order of the reference. */
export const permissionGroupsQuery = (owner: TokenOwner) =>
  queryOptions({
    // Not among the tokens: what changes them does not change these.
    queryKey:
      owner.kind === 'account'
        ? ['accounts', owner.accountId, 'permission-groups']
        : ['user', 'permission-groups'],
    // They change with the server only.
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<PermissionGroup[]> => {
      // The slugs, by which roles tell what somebody holds, are those of the scopes with the same name.
      const [groups, scopes] = await Promise.all([
        readGroups(owner, signal),
        queryClient.ensureQueryData(oauthScopesQuery),
      ]);
      const slugs = new Map(scopes.map(({ name, id }) => [name, id]));
      return groups
        .map((group) => ({
          ...group,
          slug: slugs.get(group.name) ?? '',
          isOfPerson: group.scopes.every((scope) => scope.endsWith('.api.user')),
        }))
        .filter(({ isOfPerson }) => owner.kind === 'user' || !isOfPerson);
    },
  });

function readGroups(owner: TokenOwner, signal: AbortSignal) {
  if (owner.kind === 'user') return resultOf(api.GET('/user/tokens/permission_groups', { signal }));
  const params = { path: { account_id: owner.accountId } };
  return resultOf(api.GET('/accounts/{account_id}/tokens/permission_groups', { signal, params }));
}

/** Makes a token. The same key twice makes one. */
export function createToken(
  owner: TokenOwner,
  body: TokenBody,
  idempotencyKey: string,
): Promise<CreatedToken> {
  const headers = { 'idempotency-key': idempotencyKey };
  if (owner.kind === 'user') return resultOf(api.POST('/user/tokens', { headers, body }));
  const params = { path: { account_id: owner.accountId } };
  return resultOf(api.POST(LIST, { headers, params, body }));
}

/** After a change: whatever shows tokens of the owner reads them anew. */
export function refreshTokens(owner: TokenOwner): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: tokensKey(owner) });
}

/** Forgets a token that is no more, once no page shows it. */
export function forgetToken(owner: TokenOwner, tokenId: string): Promise<void> {
  queryClient.removeQueries({ queryKey: tokenQuery(owner, tokenId).queryKey });
  return refreshTokens(owner);
}

/** Reads a token with its ETag, for an edit. */
export function readToken(owner: TokenOwner, tokenId: string) {
  const path = { token_id: tokenId };
  if (owner.kind === 'user') return api.GET('/user/tokens/{token_id}', { params: { path } });
  return api.GET(ONE, { params: { path: { ...path, account_id: owner.accountId } } });
}

/** Replaces all of a token except its value. Without a `status`, the token keeps its own. */
export function updateToken(
  owner: TokenOwner,
  tokenId: string,
  body: TokenBody,
  headers: Record<string, string>,
): Promise<ApiToken> {
  const path = { token_id: tokenId };
  if (owner.kind === 'user') {
    return resultOf(api.PUT('/user/tokens/{token_id}', { params: { path }, headers, body }));
  }
  const params = { path: { ...path, account_id: owner.accountId } };
  return resultOf(api.PUT(ONE, { params, headers, body }));
}

/** Gives a token a new value, which is shown this once. */
export function rollToken(owner: TokenOwner, tokenId: string): Promise<string> {
  const path = { token_id: tokenId };
  const body = {};
  if (owner.kind === 'user') {
    return resultOf(api.PUT('/user/tokens/{token_id}/value', { params: { path }, body }));
  }
  const params = { path: { ...path, account_id: owner.accountId } };
  return resultOf(api.PUT('/accounts/{account_id}/tokens/{token_id}/value', { params, body }));
}

/** Ends a token for ever. */
export function deleteToken(
  owner: TokenOwner,
  tokenId: string,
  headers: IfMatch,
): Promise<{ id: string }> {
  const path = { token_id: tokenId };
  if (owner.kind === 'user') {
    return resultOf(api.DELETE('/user/tokens/{token_id}', { params: { path }, headers }));
  }
  const params = { path: { ...path, account_id: owner.accountId } };
  return resultOf(api.DELETE(ONE, { params, headers }));
}

// Names hardly ever change.
const NAMES_FRESH_MS = 300_000;
const MOST_TOKENS = 1_000;

/** The names of the tokens of an account, by their ids: of those that were made last. */
export const tokenNamesQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...tokensKey({ kind: 'account', accountId }), 'names'],
    staleTime: NAMES_FRESH_MS,
    queryFn: async ({ signal }) => {
      const query = { per_page: MOST_TOKENS, include_expired: true };
      const params = { path: { account_id: accountId }, query };
      const tokens = await resultOf(api.GET(LIST, { signal, params }));
      return new Map(tokens.map(({ id, name }) => [id, name]));
    },
  });
