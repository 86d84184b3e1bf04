import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * What all nodes together have leased of each quota in each window of time. A row is written once a
 * slice, not once a request. `slice` is the size of the last one: it tells the statement that leases
 * what it got, because a database that knows only the new `leased` cannot.
 *
 * The index serves nothing but the deletion of windows that are over.
 */
export const quotas: Migration = {
  name: '0006-quotas',
  async up(tx, { text, clustered }) {
    await tx.schema
      .createTable('quotas')
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('window_start', sql`bigint`, (column) => column.notNull())
      .addColumn('window_end', sql`bigint`, (column) => column.notNull())
      .addColumn('leased', sql`bigint`, (column) => column.notNull())
      .addColumn('slice', sql`bigint`, (column) => column.notNull())
      .addPrimaryKeyConstraint('quotas_pk', ['name', 'window_start'])
      .modifyEnd(clustered)
      .execute();
    await tx.schema.createIndex('quotas_end').on('quotas').columns(['window_end']).execute();
  },
};
