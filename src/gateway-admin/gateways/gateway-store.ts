import { type Selectable, sql } from 'kysely';
import { lockAccount } from '../../iam/accounts/account-store.ts';
import type { PageRequest } from '../../http/paging.ts';
import type { Flag } from '../../storage/column-types.ts';
import type { GatewaysTable } from '../../storage/gateway-tables.ts';
import { prepareQuery } from '../../storage/prepared-query.ts';
import { type LogLimit, type Gateway, type GatewayRateLimit, NO_RETRY } from './gateway.ts';
import type { OtelTarget } from './otel-target.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { type GatewayRecord, type GatewaySettings, amountOf } from './gateway-record.ts';
import { parseModelAliases } from './model-aliases.ts';
import { parseOtelSettings } from './otel-settings.ts';
import { parseSpendLimits, rulesOf } from './spend-limits.ts';

const flag = (value: boolean): Flag => (value ? 1 : 0);

function fromRow(row: Selectable<GatewaysTable>): GatewayRecord {
  return {
    accountId: row.account_id,
    id: row.id,
    settings: {
      authentication: row.authentication === 1,
      allowStoredKeysUnauthenticated: row.allow_stored_keys_unauthenticated === 1,
      collectLogs: row.collect_logs === 1,
      cacheTtlSeconds: row.cache_ttl_seconds,
      cacheInvalidateOnUpdate: row.cache_invalidate_on_update === 1,
      rateLimitIntervalSeconds: row.rate_limiting_interval_seconds,
      rateLimitRequests: row.rate_limiting_limit,
      rateLimitTechnique: row.rate_limiting_technique,
      retryMaxAttempts: row.retry_max_attempts,
      retryDelayMs: row.retry_delay_ms,
      retryBackoff: row.retry_backoff,
      spendLimits: parseSpendLimits(row.spend_limits),
      maxLogRows: row.log_management,
      logStrategy: row.log_management_strategy,
      zeroDataRetention: row.zdr === 1,
      trustsCustomCost: row.trust_custom_cost === 1,
      isByokOnly: row.byok_only === 1,
      otel: parseOtelSettings(row.otel),
      modelAliases: parseModelAliases(row.model_aliases),
    },
    cacheGeneration: row.cache_generation,
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}

/** The columns of the settings. */
function toColumns({ settings, cacheGeneration, modifiedAtMs }: GatewayRecord) {
  return {
    authentication: flag(settings.authentication),
    allow_stored_keys_unauthenticated: flag(settings.allowStoredKeysUnauthenticated),
    collect_logs: flag(settings.collectLogs),
    cache_ttl_seconds: settings.cacheTtlSeconds,
    cache_invalidate_on_update: flag(settings.cacheInvalidateOnUpdate),
    cache_generation: cacheGeneration,
    rate_limiting_interval_seconds: settings.rateLimitIntervalSeconds,
    rate_limiting_limit: settings.rateLimitRequests,
    rate_limiting_technique: settings.rateLimitTechnique,
    retry_max_attempts: settings.retryMaxAttempts,
    retry_delay_ms: settings.retryDelayMs,
    retry_backoff: settings.retryBackoff,
    spend_limits: settings.spendLimits === null ? null : JSON.stringify(settings.spendLimits),
    log_management: settings.maxLogRows,
    log_management_strategy: settings.logStrategy,
    zdr: flag(settings.zeroDataRetention),
    trust_custom_cost: flag(settings.trustsCustomCost),
    byok_only: flag(settings.isByokOnly),
    otel: settings.otel === null ? null : JSON.stringify(settings.otel),
    model_aliases: settings.modelAliases === null ? null : JSON.stringify(settings.modelAliases),
    modified_at: modifiedAtMs,
  };
}

/**
 * Returns a gateway for the request path.
 * @param otelTargets the receivers from its settings, with decrypted secrets
 */
export function toGateway(record: GatewayRecord, otelTargets: readonly OtelTarget[]): Gateway {
  const { settings } = record;
  return {
    accountId: record.accountId,
    id: record.id,
    authentication: settings.authentication,
    allowStoredKeysUnauthenticated: settings.allowStoredKeysUnauthenticated,
    collectLogs: settings.collectLogs,
    cacheTtlSeconds: amountOf(settings.cacheTtlSeconds),
    cacheInvalidateOnUpdate: settings.cacheInvalidateOnUpdate,
    cacheGeneration: record.cacheGeneration,
    rateLimit: rateLimitOf(settings),
    retry: {
      maxAttempts: amountOf(settings.retryMaxAttempts) ?? NO_RETRY.maxAttempts,
      delayMs: settings.retryDelayMs ?? NO_RETRY.delayMs,
      backoff: settings.retryBackoff ?? NO_RETRY.backoff,
    },
    spendRules: rulesOf(settings.spendLimits),
    logLimit: logLimitOf(settings),
    isZeroDataRetention: settings.zeroDataRetention,
    trustsCustomCost: settings.trustsCustomCost,
    isByokOnly: settings.isByokOnly,
    otelTargets,
    modelAliases: new Map(Object.entries(settings.modelAliases ?? {})),
    createdAtMs: record.createdAtMs,
    modifiedAtMs: record.modifiedAtMs,
  };
}

function rateLimitOf(settings: GatewaySettings): GatewayRateLimit | null {
  const requests = amountOf(settings.rateLimitRequests);
  const windowSeconds = amountOf(settings.rateLimitIntervalSeconds);
  if (requests === null || windowSeconds === null) return null;
  return { requests, windowSeconds, technique: settings.rateLimitTechnique ?? 'fixed' };
}

function logLimitOf({ maxLogRows, logStrategy }: GatewaySettings): LogLimit | null {
  const maxRows = amountOf(maxLogRows);
  return maxRows === null ? null : { maxRows, strategy: logStrategy ?? 'DELETE_OLDEST' };
}

/** Inserts a gateway. Returns false if the account already has one with this ID. */
export async function insertGateway(tx: Transaction, gateway: GatewayRecord): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('gateways')
    .values({
      account_id: gateway.accountId,
      id: gateway.id,
      ...toColumns(gateway),
      created_at: gateway.createdAtMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateGateway(tx: Transaction, gateway: GatewayRecord): Promise<void> {
  await tx
    .updateTable('gateways')
    .set(toColumns(gateway))
    .where('account_id', '=', gateway.accountId)
    .where('id', '=', gateway.id)
    .execute();
}

/** Deletes a gateway with its stored keys. */
export async function deleteGateway(tx: Transaction, accountId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('gateways')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Returns a stored gateway; undefined if there is none with this ID. Uses the primary key. */
export async function findGatewayRecord(
  db: Db,
  accountId: string,
  id: string,
): Promise<GatewayRecord | undefined> {
  const [row] = await selectGateway(db, { accountId, id });
  return row === undefined ? undefined : fromRow(row);
}

const selectGateway = prepareQuery((db, { accountId, id }: { accountId: string; id: string }) =>
  db.selectFrom('gateways').selectAll().where('account_id', '=', accountId).where('id', '=', id),
);

/**
 * Returns a stored gateway, and locks its row until the transaction ends. An update without a change is the lock that
 * both databases have.
 */
export async function lockGateway(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<GatewayRecord | undefined> {
  await tx
    .updateTable('gateways')
    .set({ modified_at: sql.ref('modified_at') })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  return findGatewayRecord(tx, accountId, id);
}

/** Returns the name of a gateway, which is its ID; undefined if there is no such gateway. */
export async function findGatewayName(
  db: Db,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  return (await findGatewayRecord(db, accountId, id))?.id;
}

/** Counts the gateways of an account, and prevents other insertions until the transaction ends. */
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
  /** Part of the ID; undefined: all gateways. */
  search: string | undefined;
  /** Gateways that the client is not allowed to see. */
  hidden: readonly string[];
}

/** Returns one page of the gateways of an account, in the order of their IDs. */
export async function listGateways(
  db: Db,
  accountId: string,
  { search, hidden }: GatewayListFilter,
  page: PageRequest,
): Promise<{ gateways: GatewayRecord[]; totalCount: number }> {
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
