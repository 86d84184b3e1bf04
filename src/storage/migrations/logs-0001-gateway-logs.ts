import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * One row per exchange of the gateway. Ids are UUIDv7, so the primary key keeps a gateway's rows in
 * the order of time: listing the newest walks its end, and inserts append. No foreign keys: on the
 * embedded database this table stands in a file of its own.
 */
export const gatewayLogs: Migration = {
  name: 'logs-0001-gateway-logs',
  async up(tx, { text, clustered }) {
    await tx.schema
      .createTable('gateway_logs')
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('gateway_id', text, (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addColumn('duration_ms', sql`integer`, (column) => column.notNull())
      .addColumn('ttft_ms', sql`integer`)
      .addColumn('provider', text, (column) => column.notNull())
      .addColumn('model', text, (column) => column.notNull())
      .addColumn('path', text, (column) => column.notNull())
      .addColumn('status_code', sql`integer`, (column) => column.notNull())
      .addColumn('success', sql`smallint`, (column) => column.notNull())
      .addColumn('tokens_in', sql`bigint`)
      .addColumn('tokens_out', sql`bigint`)
      .addColumn('request_type', text, (column) => column.notNull())
      .addColumn('request_content_type', text)
      .addColumn('response_content_type', text)
      .addColumn('token_id', text)
      .addPrimaryKeyConstraint('gateway_logs_pk', ['account_id', 'gateway_id', 'id'])
      .modifyEnd(clustered)
      .execute();
  },
};
