import { sql } from 'kysely';
import type { DialectTraits } from '../dialect.ts';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * What the gateway's request path needs to know of a gateway, and what it works with.
 *
 * `gateways` gains its cache, rate limit, retries and spend limits (JSON: read whole, never searched).
 * `cache_generation` grows when cached answers must not be used any more: it is part of their key.
 *
 * `gateway_provider_configs` are providers' keys that a gateway's owner keeps here, encrypted with
 * AES-256-GCM under a key derived from the master key (src/lib/sealing.ts), since they must be sent
 * as they are; `secret_preview` is what people recognise one by. An alias is unique for a provider of
 * a gateway. `is_default` picks one where the request names none. `origin` is where alone a key may be
 * sent, of a provider whose addresses are not all in the same hands.
 *
 * `deleted_gateways` are those whose logs are still to be purged: too many rows for one transaction.
 *
 * `custom_providers` are addresses that an account has named itself.
 *
 * `sliding_quotas` has what all nodes together have leased of each quota, by the stretches of time that
 * its window slides over: `[[end, units], …]`. It is one text so that a lease locks and writes one row.
 * The index serves nothing but the deletion of rows in which nothing counts any more.
 */
export const gatewayRequestPath: Migration = {
  name: '0009-gateway-request-path',
  async up(tx, { text, clustered }) {
    const added = [
      ['cache_ttl_seconds', sql`integer`],
      ['cache_generation', sql`integer not null default 0`],
      ['rate_limiting_interval_seconds', sql`integer`],
      ['rate_limiting_limit', sql`integer`],
      ['rate_limiting_technique', text],
      ['retry_max_attempts', sql`integer`],
      ['retry_delay_ms', sql`integer`],
      ['retry_backoff', text],
      ['spend_limits', text],
    ] as const;
    for (const [name, type] of added) {
      await tx.schema.alterTable('gateways').addColumn(name, type).execute();
    }
    await tx.schema
      .createTable('gateway_provider_configs')
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('gateway_id', text, (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('provider_slug', text, (column) => column.notNull())
      .addColumn('alias', text, (column) => column.notNull())
      .addColumn('is_default', sql`smallint`, (column) => column.notNull())
      .addColumn('sealed_secret', text, (column) => column.notNull())
      .addColumn('secret_preview', text, (column) => column.notNull())
      .addColumn('origin', text)
      .addColumn('rate_limit', sql`integer`)
      .addColumn('rate_limit_period_seconds', sql`integer`)
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addColumn('modified_at', sql`bigint`, (column) => column.notNull())
      .addPrimaryKeyConstraint('gateway_provider_configs_pk', ['account_id', 'gateway_id', 'id'])
      .addUniqueConstraint('gateway_provider_configs_alias', [
        'account_id',
        'gateway_id',
        'provider_slug',
        'alias',
      ])
      .addForeignKeyConstraint(
        'gateway_provider_configs_gateway',
        ['account_id', 'gateway_id'],
        'gateways',
        ['account_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .modifyEnd(clustered)
      .execute();
    await tx.schema
      .createTable('custom_providers')
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('slug', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('description', text)
      .addColumn('base_url', text, (column) => column.notNull())
      .addColumn('link', text)
      .addColumn('is_beta', sql`smallint`, (column) => column.notNull())
      .addColumn('is_enabled', sql`smallint`, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addColumn('modified_at', sql`bigint`, (column) => column.notNull())
      .addPrimaryKeyConstraint('custom_providers_pk', ['account_id', 'id'])
      .addUniqueConstraint('custom_providers_slug', ['account_id', 'slug'])
      .modifyEnd(clustered)
      .execute();
    await createDeletedGateways(tx, { text, clustered });
    await createSlidingQuotas(tx, { text, clustered });
  },
};

async function createDeletedGateways(
  tx: Transaction,
  { text, clustered }: Pick<DialectTraits, 'text' | 'clustered'>,
): Promise<void> {
  await tx.schema
    .createTable('deleted_gateways')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('gateway_id', text, (column) => column.notNull())
    .addColumn('deleted_at', sql`bigint`, (column) => column.notNull())
    .addPrimaryKeyConstraint('deleted_gateways_pk', ['account_id', 'gateway_id'])
    .modifyEnd(clustered)
    .execute();
}

async function createSlidingQuotas(
  tx: Transaction,
  { text, clustered }: Pick<DialectTraits, 'text' | 'clustered'>,
): Promise<void> {
  await tx.schema
    .createTable('sliding_quotas')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('buckets', text, (column) => column.notNull())
    .addColumn('expires_at', sql`bigint`, (column) => column.notNull())
    .modifyEnd(clustered)
    .execute();
  await tx.schema
    .createIndex('sliding_quotas_expires')
    .on('sliding_quotas')
    .columns(['expires_at'])
    .execute();
}
