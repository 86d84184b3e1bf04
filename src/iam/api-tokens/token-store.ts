import { type Selectable, sql } from 'kysely';
import { lockAccount } from '../accounts/account-store.ts';
import type { PageRequest } from '../../http/paging.ts';
import type { ApiTokensTable, Db, Transaction } from '../../storage/schema.ts';
import { type StoredPolicy, compilePolicy } from '../policy.ts';
import type { Principal } from '../principal.ts';
import type { RequestIpCondition } from '../request-ip.ts';

/** An API token as the rest of the code sees it; its value exists nowhere. */
export interface ApiToken {
  id: string;
  accountId: string;
  name: string;
  status: 'active' | 'disabled';
  policies: StoredPolicy[];
  requestIp: RequestIpCondition | undefined;
  notBeforeMs: number | undefined;
  expiresAtMs: number | undefined;
  issuedAtMs: number;
  modifiedAtMs: number;
  lastUsedAtMs: number | undefined;
}

function fromRow(row: Selectable<ApiTokensTable>): ApiToken {
  return {
    id: row.id,
    accountId: row.account_id,
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
  };
}

/**
 * How many tokens an account has; nobody else adds one before the transaction has ended. Uses
 * `api_tokens_account`.
 */
export async function lockAndCountTokens(tx: Transaction, accountId: string): Promise<number> {
  await lockAccount(tx, accountId);
  const { count } = await tx
    .selectFrom('api_tokens')
    .where('account_id', '=', accountId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** @param digest of the token's value, see lib/secrets.ts */
export async function insertToken(tx: Transaction, token: ApiToken, digest: string): Promise<void> {
  await tx
    .insertInto('api_tokens')
    .values({
      id: token.id,
      account_id: token.accountId,
      name: token.name,
      digest,
      status: token.status,
      policies: JSON.stringify(token.policies),
      condition: token.requestIp === undefined ? null : JSON.stringify(token.requestIp),
      not_before: token.notBeforeMs ?? null,
      expires_at: token.expiresAtMs ?? null,
      issued_at: token.issuedAtMs,
      modified_at: token.modifiedAtMs,
      last_used_at: token.lastUsedAtMs ?? null,
    })
    .execute();
}

/** The principal behind a token's digest. Uses the unique index on `digest`. */
export async function findTokenByDigest(db: Db, digest: string): Promise<Principal | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const token = fromRow(row);
  return {
    type: 'account_token',
    tokenId: token.id,
    tokenName: token.name,
    accountId: token.accountId,
    policies: token.policies.map(compilePolicy),
    requestIp: token.requestIp,
    status: token.status,
    notBeforeMs: token.notBeforeMs,
    expiresAtMs: token.expiresAtMs,
  };
}

export async function findToken(
  db: Db,
  accountId: string,
  tokenId: string,
): Promise<ApiToken | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('id', '=', tokenId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** The name of a token, for what refers to it. */
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
  /** Leaves out tokens that expired before this time; undefined lists them too. */
  validAtMs: number | undefined;
}

/** One page of an account's tokens, oldest first when ascending. Uses `api_tokens_account`. */
export async function listTokens(
  db: Db,
  accountId: string,
  filter: TokenListFilter,
  page: PageRequest,
): Promise<{ tokens: ApiToken[]; totalCount: number }> {
  let query = db.selectFrom('api_tokens').where('account_id', '=', accountId);
  const { validAtMs } = filter;
  if (validAtMs !== undefined) {
    query = query.where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', validAtMs)]),
    );
  }
  const rows = await query
    .selectAll()
    .orderBy('issued_at', filter.direction)
    .orderBy('id', filter.direction)
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { tokens: rows.map(fromRow), totalCount: count };
}

/** Deletes a token; returns its digest for the announcement, or undefined when there was none. */
export async function deleteToken(
  tx: Transaction,
  accountId: string,
  tokenId: string,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('api_tokens')
    .where('id', '=', tokenId)
    .where('account_id', '=', accountId)
    .returning('digest')
    .executeTakeFirst();
  return row?.digest;
}

/**
 * Notes the latest use of tokens, in one statement. A use that is older than the one on record is
 * ignored.
 * @param uses by token id; few enough for the parameters of one statement
 */
export async function updateLastUsed(
  tx: Transaction,
  uses: readonly (readonly [tokenId: string, usedAtMs: number])[],
): Promise<void> {
  // PostgreSQL takes parameters in VALUES for text unless it is told.
  const rows = uses.map(
    ([id, usedAtMs]) => sql`(cast(${id} as text), cast(${usedAtMs} as bigint))`,
  );
  await sql`
    with uses (id, used_at) as (values ${sql.join(rows)})
    update api_tokens set last_used_at = uses.used_at from uses
    where api_tokens.id = uses.id
      and (api_tokens.last_used_at is null or api_tokens.last_used_at < uses.used_at)
  `.execute(tx);
}
