import { type Selectable, sql } from 'kysely';
import { lockAccount } from '../../iam/accounts/account-store.ts';
import type { PageRequest } from '../../http/paging.ts';
import type { Flag } from '../../storage/column-types.ts';
import type { GatewaysTable } from '../../storage/gateway-tables.ts';
import type { SpendRule } from '../limits/spend-rules.ts';
import type { Db, Transaction } from '../../storage/schema.ts';

/** How many requests a gateway takes. */
export interface GatewayRateLimit {
  requests: number;
  windowSeconds: number;
  /** Windows that begin at multiples of their length, or the one that ends now. */
  technique: 'fixed' | 'sliding';
}

/** How often a provider that fails is called, and what lies between. */
export interface RetryPolicy {
  /** With the first one. */
  maxAttempts: number;
  delayMs: number;
  backoff: 'constant' | 'linear' | 'exponential';
}

export const NO_RETRY: RetryPolicy = { maxAttempts: 1, delayMs: 0, backoff: 'constant' };

/** One gateway of an account. */
export interface Gateway {
  accountId: string;
  id: string;
  /** Only callers with AI Gateway Run get through. */
  authentication: boolean;
  /** Callers without a valid token may use provider keys kept on this server. */
  allowStoredKeysUnauthenticated: boolean;
  collectLogs: boolean;
  /** Null: nothing is cached, unless a request says so. At least 1. */
  cacheTtlSeconds: number | null;
  cacheInvalidateOnUpdate: boolean;
  /** Part of the key of cached answers: those of an earlier one are not found any more. */
  cacheGeneration: number;
  /** Null: no limit. */
  rateLimit: GatewayRateLimit | null;
  retry: RetryPolicy;
  /** Those that are switched on. */
  spendRules: readonly SpendRule[];
  createdAtMs: number;
  modifiedAtMs: number;
}

/** The gateway that REST calls use when they name none. */
export const DEFAULT_GATEWAY_ID = 'default';

const flag = (value: boolean): Flag => (value ? 1 : 0);

function fromRow(row: Selectable<GatewaysTable>): Gateway {
  return {
    accountId: row.account_id,
    id: row.id,
    authentication: row.authentication === 1,
    allowStoredKeysUnauthenticated: row.allow_stored_keys_unauthenticated === 1,
    collectLogs: row.collect_logs === 1,
    cacheTtlSeconds: row.cache_ttl_seconds,
    cacheInvalidateOnUpdate: row.cache_invalidate_on_update === 1,
    cacheGeneration: row.cache_generation,
    rateLimit: null,
    retry: NO_RETRY,
    spendRules: [],
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}

/** Inserts a gateway; answers false when the account has one of that id. */
export async function insertGateway(tx: Transaction, gateway: Gateway): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('gateways')
    .values({
      account_id: gateway.accountId,
      id: gateway.id,
      authentication: flag(gateway.authentication),
      allow_stored_keys_unauthenticated: flag(gateway.allowStoredKeysUnauthenticated),
      collect_logs: flag(gateway.collectLogs),
      cache_invalidate_on_update: flag(gateway.cacheInvalidateOnUpdate),
      created_at: gateway.createdAtMs,
      modified_at: gateway.modifiedAtMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findGateway(
  db: Db,
  accountId: string,
  id: string,
): Promise<Gateway | undefined> {
  const row = await db
    .selectFrom('gateways')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** A gateway's name is its id; undefined when there is none. */
export async function findGatewayName(
  db: Db,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  return (await findGateway(db, accountId, id))?.id;
}

/** How many gateways an account has; nobody else adds one before the transaction has ended. */
export async function lockAndCountGateways(tx: Transaction, accountId: string): Promise<number> {
  await lockAccount(tx, accountId);
  const { count } = await tx
    .selectFrom('gateways')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export interface GatewayListFilter {
  /** Part of the id; undefined for all. */
  search: string | undefined;
  /** Gateways that the caller must not see. */
  hidden: readonly string[];
}

/** One page of an account's gateways by id. */
export async function listGateways(
  db: Db,
  accountId: string,
  { search, hidden }: GatewayListFilter,
  page: PageRequest,
): Promise<{ gateways: Gateway[]; totalCount: number }> {
  let query = db.selectFrom('gateways').where('account_id', '=', accountId);
  if (hidden.length > 0) query = query.where('id', 'not in', hidden);
  if (search !== undefined) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`;
    query = query.where(sql<boolean>`id like ${pattern} escape '\\'`);
  }
  const rows = await query
    .selectAll()
    .orderBy('id')
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { gateways: rows.map(fromRow), totalCount: count };
}
