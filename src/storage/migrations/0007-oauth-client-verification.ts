import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * What is known of the host in each client's `client_uri`, one row per client that has one.
 *
 * The text that the TXT record must hold is stored whole, so that another brand name does not make
 * every owner change a record. `next_check_at` is null when no look-up can help; `lease_id` names the
 * one look-up that runs now, whose result counts only while it stands here.
 *
 * The index serves the search for what is due.
 */
export const oauthClientVerification: Migration = {
  name: '0007-oauth-client-verification',
  async up(tx, { text }) {
    await tx.schema
      .createTable('oauth_client_verifications')
      .addColumn('client_id', text, (column) =>
        column.primaryKey().references('oauth_clients.id').onDelete('cascade'),
      )
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('expected_text', text, (column) => column.notNull())
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('deadline_at', sql`bigint`, (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_check_at', sql`bigint`)
      .addColumn('last_checked_at', sql`bigint`)
      .addColumn('last_result', text)
      .addColumn('verified_at', sql`bigint`)
      .addColumn('misses', 'integer', (column) => column.notNull())
      .addColumn('lease_id', text)
      .addColumn('lease_until', sql`bigint`)
      .execute();
    await tx.schema
      .createIndex('oauth_client_verifications_due')
      .on('oauth_client_verifications')
      .columns(['next_check_at', 'client_id'])
      .execute();
  },
};
