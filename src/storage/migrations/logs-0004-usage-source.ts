import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Logs say where the tokens of a row come from, and sums count the rows with estimated ones. */
export const usageSource: Migration = {
  name: 'logs-0004-usage-source',
  async up(tx, { text }) {
    await tx.schema.alterTable('gateway_log_contexts').addColumn('usage_source', text).execute();
    await tx.schema
      .alterTable('gateway_log_rollups')
      .addColumn('estimated', sql`bigint not null default 0`)
      .execute();
  },
};
