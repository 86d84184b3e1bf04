import { type Selectable, sql } from 'kysely';
import { lockAccount } from '../accounts/account-store.ts';
import type { PageRequest } from '../../http/paging.ts';
import type { ApiTokensTable, Db, Transaction } from '../../storage/schema.ts';
import type { UseStore } from '../last-used.ts';
import { type Policy, type StoredPolicy, compilePolicy } from '../policy.ts';
import type { TokenFacts } from '../principal.ts';
import type { RequestIpCondition } from '../request-ip.ts';
import { lockUser } from '../users/user-store.ts';

/** The owner of a token: an account or a user. */
export type TokenOwner = { accountId: string } | { userId: string };

/** An API token. The server does not store its value. */
export interface ApiToken {
  id: string;
  owner: TokenOwner;
  name: string;
  status: 'active' | 'disabled';
  policies: StoredPolicy[];
  requestIp: RequestIpCondition | undefined;
  notBeforeMs: number | undefined;
  expiresAtMs: number | undefined;
  issuedAtMs: number;
  modifiedAtMs: number;
  lastUsedAtMs: number | undefined;
  createdBy: TokenCreator;
}

/** The credential that created a token. Without a user: a token of the account, the operator, or unknown. */
export interface TokenCreator {
  /** Email address of the user at that time. */
  email: string | undefined;
  /** The OAuth client that acted for the user. */
  clientId: string | undefined;
}

/** The properties of a token that each request with it needs. */
export interface PresentedToken {
  owner: TokenOwner;
  facts: TokenFacts;
  policies: readonly Policy[];
}

// Estimates: a policy with its lists, a resource with its ids, a permission in a set, a range of addresses.
const BYTES = { policy: 600, resource: 240, permission: 40, range: 80 };

/** Estimates the memory of a presented token in bytes. */
export function sizeOfPresented({ facts, policies }: PresentedToken): number {
  const ranges = (facts.requestIp?.in?.length ?? 0) + (facts.requestIp?.not_in?.length ?? 0);
  let bytes = BYTES.policy + ranges * BYTES.range;
  for (const { permissions, resources } of policies) {
    bytes += BYTES.policy + permissions.size * BYTES.permission + resources.length * BYTES.resource;
  }
  return bytes;
}

function ownerOf(row: Selectable<ApiTokensTable>): TokenOwner {
  const { account_id: accountId, user_id: userId } = row;
  // The table requires exactly one of them.
  return accountId === null ? { userId: userId ?? '' } : { accountId };
}

function fromRow(row: Selectable<ApiTokensTable>): ApiToken {
  return {
    id: row.id,
    owner: ownerOf(row),
    name: row.name,
    status: row.status,
    policies: JSON.parse(row.policies) as StoredPolicy[],
    requestIp:
      row.condition === null ? undefined : (JSON.parse(row.condition) as RequestIpCondition),
    notBeforeMs: row.not_before ?? undefined,
    expiresAtMs: row.expires_at ?? undefined,
    issuedAtMs: row.issued_at,
    modifiedAtMs: row.modified_at,
    lastUsedAtMs: row.last_used_at ?? undefined,
    createdBy: {
      email: row.creator_email ?? undefined,
      clientId: row.creator_client_id ?? undefined,
    },
  };
}

/** Returns the columns that an update changes. */
function toColumns(token: ApiToken) {
  return {
    name: token.name,
    status: token.status,
    policies: JSON.stringify(token.policies),
    condition: token.requestIp === undefined ? null : JSON.stringify(token.requestIp),
    not_before: token.notBeforeMs ?? null,
    expires_at: token.expiresAtMs ?? null,
    modified_at: token.modifiedAtMs,
  };
}

/** Selects the tokens of an owner. Uses `api_tokens_account` or `api_tokens_user`. */
function selectOwned(db: Db, owner: TokenOwner) {
  const tokens = db.selectFrom('api_tokens');
  return 'accountId' in owner
    ? tokens.where('account_id', '=', owner.accountId)
    : tokens.where('user_id', '=', owner.userId);
}

/** Counts the tokens of an owner, and locks the owner, so that no other transaction adds one before this one ends. */
export async function lockAndCountTokens(tx: Transaction, owner: TokenOwner): Promise<number> {
  if ('accountId' in owner) await lockAccount(tx, owner.accountId);
  else await lockUser(tx, owner.userId);
  const { count } = await selectOwned(tx, owner)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** @param digest digest of the token's value, see lib/secrets.ts */
export async function insertToken(tx: Transaction, token: ApiToken, digest: string): Promise<void> {
  await tx
    .insertInto('api_tokens')
    .values({
      id: token.id,
      account_id: 'accountId' in token.owner ? token.owner.accountId : null,
      user_id: 'userId' in token.owner ? token.owner.userId : null,
      digest,
      ...toColumns(token),
      issued_at: token.issuedAtMs,
      last_used_at: token.lastUsedAtMs ?? null,
      creator_email: token.createdBy.email ?? null,
      creator_client_id: token.createdBy.clientId ?? null,
    })
    .execute();
}

/** Returns the token with this digest. Uses the unique index on `digest`. */
export async function findTokenByDigest(
  db: Db,
  digest: string,
): Promise<PresentedToken | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, name, owner, requestIp, status, notBeforeMs, expiresAtMs, policies } = fromRow(row);
  return {
    owner,
    facts: { id, name, requestIp, status, notBeforeMs, expiresAtMs },
    policies: policies.map(compilePolicy),
  };
}

export async function findToken(
  db: Db,
  owner: TokenOwner,
  tokenId: string,
): Promise<ApiToken | undefined> {
  const row = await selectOwned(db, owner).selectAll().where('id', '=', tokenId).executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** Returns the name of a token, for records that refer to it. */
export async function findTokenName(
  db: Db,
  accountId: string,
  tokenId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .select('name')
    .where('id', '=', tokenId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}

export interface TokenListFilter {
  direction: 'asc' | 'desc';
  /** Excludes tokens that expired before this time. Undefined: includes them. */
  validAtMs: number | undefined;
}

/** Returns one page of the ids of an owner's tokens; ascending means oldest first. */
export async function listTokenIds(
  db: Db,
  owner: TokenOwner,
  filter: TokenListFilter,
  page: PageRequest,
): Promise<{ ids: string[]; totalCount: number }> {
  let query = selectOwned(db, owner);
  const { validAtMs } = filter;
  if (validAtMs !== undefined) {
    query = query.where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', validAtMs)]),
    );
  }
  const rows = await query
    .select('id')
    .orderBy('issued_at', filter.direction)
    .orderBy('id', filter.direction)
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { ids: rows.map(({ id }) => id), totalCount: count };
}

/** Returns the tokens with these ids, in this order. Omits ids without a token. */
export async function findTokens(
  db: Db,
  owner: TokenOwner,
  ids: readonly string[],
): Promise<ApiToken[]> {
  const rows = await selectOwned(db, owner).selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [fromRow(row)];
  });
}

/** A token with its digest, which is the cache key on all nodes. */
export interface LockedToken {
  token: ApiToken;
  digest: string;
}

/**
 * Locks and returns a token. The row is locked until the transaction ends, so that concurrent updates are not lost. An
 * update without a change locks the row in both databases.
 */
export async function lockToken(
  tx: Transaction,
  owner: TokenOwner,
  tokenId: string,
): Promise<LockedToken | undefined> {
  const lock = tx
    .updateTable('api_tokens')
    .set({ name: sql.ref('name') })
    .where('id', '=', tokenId);
  // The owner is a condition, so that no client can lock the tokens of others.
  await (
    'accountId' in owner
      ? lock.where('account_id', '=', owner.accountId)
      : lock.where('user_id', '=', owner.userId)
  ).execute();
  const row = await selectOwned(tx, owner).selectAll().where('id', '=', tokenId).executeTakeFirst();
  return row === undefined ? undefined : { token: fromRow(row), digest: row.digest };
}

/** Locks and returns all tokens of a user, as {@link lockToken} does. */
export async function lockTokensOfUser(tx: Transaction, userId: string): Promise<LockedToken[]> {
  await tx
    .updateTable('api_tokens')
    .set({ name: sql.ref('name') })
    .where('user_id', '=', userId)
    .execute();
  const rows = await selectOwned(tx, { userId }).selectAll().orderBy('id').execute();
  return rows.map((row) => ({ token: fromRow(row), digest: row.digest }));
}

/** Locks and returns the tokens of an account and of its members that name one of its gateways in a policy. */
export async function lockTokensOfGateway(
  tx: Transaction,
  accountId: string,
  gatewayId: string,
): Promise<LockedToken[]> {
  const members = tx.selectFrom('members').select('user_id').where('account_id', '=', accountId);
  const found = await tx
    .selectFrom('api_tokens')
    .select(['id', 'user_id'])
    .where((where) =>
      where.or([where('account_id', '=', accountId), where('user_id', 'in', members)]),
    )
    .where('policies', 'like', `%"gatewayId":${JSON.stringify(gatewayId)}%`)
    .orderBy('id')
    .execute();
  const locked: LockedToken[] = [];
  for (const { id, user_id: userId } of found) {
    const token = await lockToken(tx, userId === null ? { accountId } : { userId }, id);
    if (token !== undefined) locked.push(token);
  }
  return locked;
}

export async function updateToken(tx: Transaction, token: ApiToken): Promise<void> {
  await tx.updateTable('api_tokens').set(toColumns(token)).where('id', '=', token.id).execute();
}

/** Replaces the value of a token. The old value is invalid after the commit. */
export async function replaceTokenDigest(
  tx: Transaction,
  tokenId: string,
  digest: string,
  nowMs: number,
): Promise<void> {
  await tx
    .updateTable('api_tokens')
    .set({ digest, modified_at: nowMs })
    .where('id', '=', tokenId)
    .execute();
}

export async function deleteToken(tx: Transaction, tokenId: string): Promise<void> {
  await tx.deleteFrom('api_tokens').where('id', '=', tokenId).execute();
}

/**
 * Deletes some tokens of a deleted account. Uses `api_tokens_account`.
 * @returns the digests of the deleted tokens. If there are `limit` of them, more tokens may exist
 */
export async function deleteTokensOfAccount(
  tx: Transaction,
  accountId: string,
  limit: number,
): Promise<string[]> {
  const some = tx
    .selectFrom('api_tokens')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(limit);
  const rows = await tx
    .deleteFrom('api_tokens')
    .where('id', 'in', some)
    .returning('digest')
    .execute();
  return rows.map(({ digest }) => digest);
}

/** The column for the last use of a token. */
export const tokenUses: UseStore = {
  table: 'api_tokens',
  column: 'last_used_at',
  field: 'last_used_on',
};
