import type { ExpressionBuilder, Selectable } from 'kysely';
import type { PageRequest } from '../../http/paging.ts';
import type { Sealer } from '../../lib/sealing.ts';
import type { GatewayProviderConfigsTable } from '../../storage/gateway-tables.ts';
import type { Db, Schema, Transaction } from '../../storage/schema.ts';

/** How many requests may be made with a stored key. */
export interface KeyRateLimit {
  requests: number;
  windowSeconds: number;
}

/** A provider's key that a gateway keeps, as it is stored. */
export interface ProviderConfig {
  accountId: string;
  gatewayId: string;
  id: string;
  /** A built-in provider, or `custom-` and the slug of one of the account's own. */
  providerSlug: string;
  alias: string;
  isDefault: boolean;
  sealedSecret: string;
  secretPreview: string;
  /** Where alone the key may be sent: scheme, host and port; undefined: wherever its provider is. */
  origin: string | undefined;
  rateLimit: KeyRateLimit | undefined;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** Where a key is kept. */
export type ProviderConfigPlace = Pick<ProviderConfig, 'accountId' | 'gatewayId' | 'id'>;

const SEALING_PURPOSE = 'gateway_provider_key';

/** What seals the keys; see {@link sealingContext}. */
export function keySealer(masterKey: { sealer(purpose: string): Sealer }): Sealer {
  return masterKey.sealer(SEALING_PURPOSE);
}

/** Where a key opens: not in another row, nor for another gateway or account. */
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

/** The columns that a change may touch. */
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

/** Every key of a gateway: they are few, see MAX_PROVIDER_CONFIGS. Uses the primary key. */
export async function findProviderConfigs(
  db: Db,
  accountId: string,
  gatewayId: string,
): Promise<ProviderConfig[]> {
  const rows = await selectOfGateway(db, accountId, gatewayId).selectAll().execute();
  return rows.map(fromRow);
}

/** One page of a gateway's keys, by provider and alias. */
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

/** One row, by the primary key. */
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

/** @param tx the gateway is locked in it, so that the alias is free from the check to the commit */
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

/** Takes the mark of the default from the provider's other keys. */
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

/** Whether any gateway of an account keeps a key for a provider. Walks the account's keys. */
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

/** Deletes every key for a provider; answers the ids of the gateways that kept one. */
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
