import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** OAuth clients learn when the session ends in which a user has authorized them (OpenID Connect Back-Channel Logout). */
export const sessionLogout: Migration = {
  name: '0024-session-logout',
  async up(tx, { text }) {
    await tx.schema.alterTable('sessions').addColumn('sid', text).execute();
    await tx.schema.alterTable('oauth_families').addColumn('sid', text).execute();
    await tx.schema
      .createIndex('oauth_families_sid')
      .on('oauth_families')
      .column('sid')
      .where(sql.ref('sid'), 'is not', null)
      .execute();
    await tx.schema
      .createTable('ended_sessions')
      .addColumn('sid', text, (column) => column.primaryKey())
      .addColumn('user_id', text, (column) => column.notNull())
      .execute();
    await tx.schema.alterTable('oauth_clients').addColumn('backchannel_logout_uri', text).execute();
    await tx.schema
      .alterTable('oauth_clients')
      .addColumn('backchannel_logout_session_required', sql`smallint`)
      .execute();
    await tx.schema
      .createTable('oauth_logouts')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('client_id', text, (column) =>
        column.notNull().references('oauth_clients.id').onDelete('cascade'),
      )
      .addColumn('user_id', text, (column) => column.notNull())
      .addColumn('sid', text, (column) => column.notNull())
      .addColumn('attempts', sql`integer`, (column) => column.notNull())
      .addColumn('due_at', sql`bigint`, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .execute();
    await tx.schema.createIndex('oauth_logouts_due').on('oauth_logouts').column('due_at').execute();
    await tx.schema
      .createIndex('oauth_logouts_client')
      .on('oauth_logouts')
      .column('client_id')
      .execute();
  },
};
