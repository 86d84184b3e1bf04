import { sql } from 'kysely';
import type { DialectTraits } from '../dialect.ts';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * What people have let OAuth clients do, and what was issued for it.
 *
 * - `oauth_grants`: what a person sees and may take back. One row per person, client and set of
 *   accounts; `accounts` is JSON with the ids sorted, so that it can be part of the key.
 * - `oauth_families`: one authorization: the code, and all tokens that come from it. The code and
 *   what it is bound to stand in the family's own row, so that redeeming it is one conditional
 *   UPDATE. The row stays while any token of it could come back, so that reuse is recognised.
 * - `oauth_access_tokens`, `oauth_refresh_tokens`: by the digest of the token. A refresh token that
 *   was used stays, so that its reuse is recognised; `response`, sealed under a key that only the
 *   token itself yields, is what it was answered with, for clients that never received it.
 * - `oauth_signing_keys`: the private half is sealed under the master key.
 * - `oauth_client_logos`: copies of the clients' logos, which pages show instead of the originals.
 *
 * Secrets have 238 random bits or more, so SHA-256 suffices (see lib/secrets.ts). The indexes on
 * `expires_at` serve the deletion of what is over; the others lead from a parent to its children.
 */
export const oauthServer: Migration = {
  name: '0008-oauth-server',
  async up(tx, traits) {
    await createGrants(tx, traits);
    await createFamilies(tx, traits);
    await createTokens(tx, traits);
    await createKeysAndLogos(tx, traits);
    await tx.schema
      .alterTable('oauth_clients')
      .addColumn('id_token_signed_response_alg', traits.text, (column) =>
        column.notNull().defaultTo('ES256'),
      )
      .execute();
    // When an operator has locked a person out; nothing of the person works until it is null again.
    await tx.schema
      .alterTable('users')
      .addColumn('locked_at', sql`bigint`)
      .execute();
  },
};

async function createGrants(tx: Transaction, { text }: DialectTraits): Promise<void> {
  await tx.schema
    .createTable('oauth_grants')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('client_id', text, (column) =>
      column.notNull().references('oauth_clients.id').onDelete('cascade'),
    )
    .addColumn('accounts', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('declined_scopes', text, (column) => column.notNull())
    .addColumn('created_at', sql`bigint`, (column) => column.notNull())
    .addColumn('updated_at', sql`bigint`, (column) => column.notNull())
    .addColumn('last_used_at', sql`bigint`)
    .addUniqueConstraint('oauth_grants_key', ['user_id', 'client_id', 'accounts'])
    .execute();
  await tx.schema
    .createIndex('oauth_grants_client')
    .on('oauth_grants')
    .columns(['client_id', 'user_id', 'last_used_at'])
    .execute();
}

async function createFamilies(tx: Transaction, { text }: DialectTraits): Promise<void> {
  await tx.schema
    .createTable('oauth_families')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('grant_id', text, (column) =>
      column.notNull().references('oauth_grants.id').onDelete('cascade'),
    )
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('code_digest', text, (column) => column.notNull().unique())
    .addColumn('code_expires_at', sql`bigint`, (column) => column.notNull())
    .addColumn('code_used_at', sql`bigint`)
    .addColumn('redirect_uri', text, (column) => column.notNull())
    .addColumn('code_challenge', text)
    .addColumn('nonce', text)
    .addColumn('authenticated_at', sql`bigint`, (column) => column.notNull())
    .addColumn('created_at', sql`bigint`, (column) => column.notNull())
    .addColumn('expires_at', sql`bigint`, (column) => column.notNull())
    .addColumn('refreshes', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema
    .createIndex('oauth_families_grant')
    .on('oauth_families')
    .columns(['grant_id', 'created_at'])
    .execute();
  await tx.schema
    .createIndex('oauth_families_expiry')
    .on('oauth_families')
    .column('expires_at')
    .execute();
}

async function createTokens(tx: Transaction, { text }: DialectTraits): Promise<void> {
  await tx.schema
    .createTable('oauth_access_tokens')
    .addColumn('digest', text, (column) => column.primaryKey())
    .addColumn('family_id', text, (column) =>
      column.notNull().references('oauth_families.id').onDelete('cascade'),
    )
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('created_at', sql`bigint`, (column) => column.notNull())
    .addColumn('expires_at', sql`bigint`, (column) => column.notNull())
    .execute();
  await tx.schema
    .createTable('oauth_refresh_tokens')
    .addColumn('digest', text, (column) => column.primaryKey())
    .addColumn('family_id', text, (column) =>
      column.notNull().references('oauth_families.id').onDelete('cascade'),
    )
    .addColumn('created_at', sql`bigint`, (column) => column.notNull())
    .addColumn('expires_at', sql`bigint`, (column) => column.notNull())
    .addColumn('used_at', sql`bigint`)
    .addColumn('successor_digest', text)
    .addColumn('response', text)
    .execute();
  // Of few rows: answers that wait for clients to have received them.
  await tx.schema
    .createIndex('oauth_refresh_tokens_response')
    .on('oauth_refresh_tokens')
    .column('used_at')
    .where(sql.ref('response'), 'is not', null)
    .execute();
  for (const table of ['oauth_access_tokens', 'oauth_refresh_tokens'] as const) {
    await tx.schema.createIndex(`${table}_family`).on(table).column('family_id').execute();
    await tx.schema.createIndex(`${table}_expiry`).on(table).column('expires_at').execute();
  }
}

async function createKeysAndLogos(tx: Transaction, { text }: DialectTraits): Promise<void> {
  await tx.schema
    .createTable('oauth_signing_keys')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('alg', text, (column) => column.notNull())
    .addColumn('public_jwk', text, (column) => column.notNull())
    .addColumn('private_jwk', text, (column) => column.notNull())
    .addColumn('created_at', sql`bigint`, (column) => column.notNull())
    .addColumn('signs_from', sql`bigint`, (column) => column.notNull())
    .addColumn('published_until', sql`bigint`)
    .execute();
  await tx.schema
    .createTable('oauth_client_logos')
    .addColumn('client_id', text, (column) =>
      column.primaryKey().references('oauth_clients.id').onDelete('cascade'),
    )
    .addColumn('logo_uri', text, (column) => column.notNull())
    .addColumn('content_type', text)
    .addColumn('content', text)
    .addColumn('fetched_at', sql`bigint`, (column) => column.notNull())
    .execute();
}
