import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * What the request path knows of an exchange since it caches, retries, falls back and reckons its
 * cost. Rows from before it keep the defaults: nothing was cached, and there was one step. Costs are
 * whole billionths of a US dollar, so that sums are exact.
 */
export const logRequestPath: Migration = {
  name: 'logs-0002-request-path',
  async up(tx, { text }) {
    const added = [
      ['cached', sql`smallint not null default 0`],
      ['step', sql`smallint not null default 0`],
      ['attempts', sql`smallint not null default 1`],
      ['cache_tokens', sql`bigint`],
      ['cost_nano_usd', sql`bigint`],
      ['custom_cost', sql`smallint not null default 0`],
      ['metadata', text],
      ['event_id', text],
      ['user_id', text],
      ['oauth_client_id', text],
    ] as const;
    for (const [name, type] of added) {
      await tx.schema.alterTable('gateway_logs').addColumn(name, type).execute();
    }
  },
};
