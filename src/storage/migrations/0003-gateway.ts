import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Gateways. Small: one row each, read into memory by the request path. */
export const gateway: Migration = {
  name: '0003-gateway',
  async up(tx, { text, clustered }) {
    await tx.schema
      .createTable('gateways')
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('authentication', sql`smallint`, (column) => column.notNull())
      .addColumn('allow_stored_keys_unauthenticated', sql`smallint`, (column) => column.notNull())
      .addColumn('collect_logs', sql`smallint`, (column) => column.notNull())
      .addColumn('cache_invalidate_on_update', sql`smallint`, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addColumn('modified_at', sql`bigint`, (column) => column.notNull())
      .addPrimaryKeyConstraint('gateways_pk', ['account_id', 'id'])
      .modifyEnd(clustered)
      .execute();
  },
};
