import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * OAuth clients and their secrets.
 *
 * The authorization server looks clients up by id alone, hence the global key. Lists of texts are
 * JSON: they are only ever read and replaced whole.
 * Secrets stand in a table of their own because a client has two of them during a rotation; the
 * digest is SHA-256, which suffices for 238 random bits (see lib/secrets.ts).
 */
export const oauthClients: Migration = {
  name: '0002-oauth-clients',
  async up(tx, { text }) {
    await tx.schema
      .createTable('oauth_clients')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('grant_types', text, (column) => column.notNull())
      .addColumn('token_endpoint_auth_method', text, (column) => column.notNull())
      .addColumn('redirect_uris', text, (column) => column.notNull())
      .addColumn('scopes', text, (column) => column.notNull())
      .addColumn('optional_scopes', text, (column) => column.notNull())
      .addColumn('post_logout_redirect_uris', text, (column) => column.notNull())
      .addColumn('allowed_cors_origins', text, (column) => column.notNull())
      .addColumn('logo_uri', text)
      .addColumn('policy_uri', text)
      .addColumn('tos_uri', text)
      .addColumn('client_uri', text)
      .addColumn('visibility', text, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addColumn('updated_at', sql`bigint`, (column) => column.notNull())
      .addColumn('promoted_at', sql`bigint`)
      .execute();
    await tx.schema
      .createIndex('oauth_clients_account')
      .on('oauth_clients')
      .columns(['account_id', 'created_at', 'id'])
      .execute();
    await tx.schema
      .createTable('oauth_client_secrets')
      .addColumn('client_id', text, (column) =>
        column.notNull().references('oauth_clients.id').onDelete('cascade'),
      )
      .addColumn('digest', text, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addColumn('last_used_at', sql`bigint`)
      .addPrimaryKeyConstraint('oauth_client_secrets_pk', ['client_id', 'digest'])
      .execute();
  },
};
