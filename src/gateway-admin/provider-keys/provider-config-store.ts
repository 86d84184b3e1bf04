import type { ExpressionBuilder, Selectable } from 'kysely';
import type { PageRequest } from '../../http/paging.ts';
import type { Sealer } from '../../lib/sealing.ts';
import type { GatewayProviderConfigsTable } from '../../storage/gateway-tables.ts';
import type { Db, Schema, Transaction } from '../../storage/schema.ts';

/** The rate limit of a stored key. */
export interface KeyRateLimit {
  requests: number;
  windowSeconds: number;
}

/** A stored provider key of a gateway. */
export interface ProviderConfig {
  accountId: string;
  gatewayId: string;
  id: string;
  /** A built-in provider, or `custom-` and the slug of a custom provider. */
  providerSlug: string;
  alias: string;
  isDefault: boolean;
  sealedSecret: string;
  secretPreview: string;
  /** The only origin that may receive the key; undefined: the origin of its provider. */
  origin: string | undefined;
  rateLimit: KeyRateLimit | undefined;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** The ids of a key. */
export type ProviderConfigPlace = Pick<ProviderConfig, 'accountId' | 'gatewayId' | 'id'>;

const SEALING_PURPOSE = 'gateway_provider_key';

/** Returns the sealer of keys; see {@link sealingContext}. */
export function keySealer(masterKey: { sealer(purpose: string): Sealer }): Sealer {
  return masterKey.sealer(SEALING_PURPOSE);
}

/** Returns the context of a sealed key: its account, its gateway and its row. */
export function sealingContext({ accountId, gatewayId, id }: ProviderConfigPlace): string {
  return `gateway_provider_configs/${accountId}/${gatewayId}/${id}`;
}

function fromRow(row: Selectable<GatewayProviderConfigsTable>): ProviderConfig {
  const { rate_limit: requests, rate_limit_period_seconds: windowSeconds } = row;
  return {
    accountId: row.account_id,
    gatewayId: row.gateway_id,
    id: row.id,
    providerSlug: row.provider_slug,
    alias: row.alias,
    isDefault: row.is_default === 1,
    sealedSecret: row.sealed_secret,
    secretPreview: row.secret_preview,
    origin: row.origin ?? undefined,
    rateLimit:
      requests === null || windowSeconds === null ? undefined : { requests, windowSeconds },
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}

/** Returns the columns that can change. */
function toColumns(config: ProviderConfig) {
  return {
    alias: config.alias,
    is_default: config.isDefault ? (1 as const) : (0 as const),
    sealed_secret: config.sealedSecret,
    secret_preview: config.secretPreview,
    rate_limit: config.rateLimit?.requests ?? null,
    rate_limit_period_seconds: config.rateLimit?.windowSeconds ?? null,
    modified_at: config.modifiedAtMs,
  };
}

function selectOfGateway(db: Db, accountId: string, gatewayId: string) {
  return db
    .selectFrom('gateway_provider_configs')
    .where('account_id', '=', accountId)
    .where('gateway_id', '=', gatewayId);
}

/** Returns all keys of a gateway, at most MAX_PROVIDER_CONFIGS. Uses the primary key. */
export async function findProviderConfigs(
  db: Db,
  accountId: string,
  gatewayId: string,
): Promise<ProviderConfig[]> {
  const rows = await selectOfGateway(db, accountId, gatewayId).selectAll().execute();
  return rows.map(fromRow);
}

/** Returns one page of the keys of a gateway by provider and alias. */
export async function listProviderConfigs(
  db: Db,
  accountId: string,
  gatewayId: string,
  page: PageRequest,
): Promise<{ configs: ProviderConfig[]; totalCount: number }> {
  const query = selectOfGateway(db, accountId, gatewayId);
  const rows = await query
    .selectAll()
    .orderBy('provider_slug')
    .orderBy('alias')
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { configs: rows.map(fromRow), totalCount: count };
}

/** Returns one key by the primary key. */
function isAt({ accountId, gatewayId, id }: ProviderConfigPlace) {
  return (where: ExpressionBuilder<Schema, 'gateway_provider_configs'>) =>
    where.and({ account_id: accountId, gateway_id: gatewayId, id });
}

export async function findProviderConfig(
  db: Db,
  place: ProviderConfigPlace,
): Promise<ProviderConfig | undefined> {
  const row = await db
    .selectFrom('gateway_provider_configs')
    .selectAll()
    .where(isAt(place))
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/**
 * Inserts a key.
 * @param tx has locked the gateway, so that the alias stays free until the commit
 */
export async function insertProviderConfig(tx: Transaction, config: ProviderConfig): Promise<void> {
  await tx
    .insertInto('gateway_provider_configs')
    .values({
      account_id: config.accountId,
      gateway_id: config.gatewayId,
      id: config.id,
      provider_slug: config.providerSlug,
      origin: config.origin ?? null,
      ...toColumns(config),
      created_at: config.createdAtMs,
    })
    .execute();
}

export async function updateProviderConfig(tx: Transaction, config: ProviderConfig): Promise<void> {
  await tx
    .updateTable('gateway_provider_configs')
    .set(toColumns(config))
    .where(isAt(config))
    .execute();
}

/** Marks the other keys of the provider as not default. */
export async function unsetOtherDefaults(tx: Transaction, config: ProviderConfig): Promise<void> {
  await tx
    .updateTable('gateway_provider_configs')
    .set({ is_default: 0, modified_at: config.modifiedAtMs })
    .where('account_id', '=', config.accountId)
    .where('gateway_id', '=', config.gatewayId)
    .where('provider_slug', '=', config.providerSlug)
    .where('id', '<>', config.id)
    .where('is_default', '=', 1)
    .execute();
}

export async function deleteProviderConfig(
  tx: Transaction,
  place: ProviderConfigPlace,
): Promise<void> {
  await tx.deleteFrom('gateway_provider_configs').where(isAt(place)).execute();
}

/** Returns true if a gateway of the account stores a key for a provider. Scans the keys of the account. */
export async function hasProviderConfigs(
  db: Db,
  accountId: string,
  providerSlug: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('gateway_provider_configs')
    .select('id')
    .where('account_id', '=', accountId)
    .where('provider_slug', '=', providerSlug)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes all keys for a provider.
 * @returns the ids of their gateways
 */
export async function deleteConfigsOfProvider(
  tx: Transaction,
  accountId: string,
  providerSlug: string,
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('gateway_provider_configs')
    .where('account_id', '=', accountId)
    .where('provider_slug', '=', providerSlug)
    .returning('gateway_id')
    .execute();
  return [...new Set(rows.map((row) => row.gateway_id))];
}
