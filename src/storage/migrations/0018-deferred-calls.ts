import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Calls that providers bill after their response: background responses and batches. A row exists until the
 * usage is known. `sealed` contains the credential for the provider, the budgets and the log row.
 */
export const deferredCalls: Migration = {
  name: '0018-deferred-calls',
  async up(tx, { text, clustered }) {
    await tx.schema
      .createTable('gateway_deferred_calls')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('gateway_id', text, (column) => column.notNull())
      .addColumn('provider', text, (column) => column.notNull())
      .addColumn('external_id', text, (column) => column.notNull())
      .addColumn('sealed', text, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addColumn('next_poll_at', sql`bigint`, (column) => column.notNull())
      .modifyEnd(clustered)
      .execute();
    for (const [name, columns] of [
      ['gateway_deferred_calls_due', ['next_poll_at']],
      ['gateway_deferred_calls_external', ['external_id', 'provider']],
      ['gateway_deferred_calls_gateway', ['account_id', 'gateway_id']],
    ] as const) {
      await tx.schema
        .createIndex(name)
        .on('gateway_deferred_calls')
        .columns([...columns])
        .execute();
    }
  },
};
