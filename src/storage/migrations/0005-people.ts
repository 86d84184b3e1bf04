import { type ColumnDefinitionBuilder, type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

const bigint = sql`bigint`;

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const primary = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.primaryKey();
const ofUser = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull().references('users.id').onDelete('cascade');

/**
 * People who sign in, the tokens they own, and the audit log.
 *
 * Secrets with enough random bits (sessions, invitations, one-time secrets, recovery codes, devices)
 * are kept as their SHA-256. What must be read back (the TOTP secret, stored answers, queued mail) is
 * sealed, see lib/sealing.ts.
 *
 * `audit_logs` is only ever appended to, and nothing refers to it or is referred to by it: it outlives
 * what it tells of. A chain belongs to one account, or to one person for what happens to the person.
 */
export const people: Migration = {
  name: '0005-people',
  async up(tx, traits) {
    await extendAccounts(tx, traits.text);
    await extendUsers(tx, traits.text);
    await extendMembers(tx, traits.text);
    await rebuildApiTokens(tx, traits.text);
    await createSignInTables(tx, traits.text);
    await createFactorTables(tx, traits.text);
    await createAuditTables(tx, traits.text);
    await createServiceTables(tx, traits.text);
  },
};

type Text = RawBuilder<unknown>;

async function extendAccounts(tx: Transaction, text: Text): Promise<void> {
  await tx.schema
    .alterTable('accounts')
    .addColumn('enforce_twofactor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema.alterTable('accounts').addColumn('abuse_contact_email', text).execute();
  // Set when the account is deleted; its bulk goes afterwards, then the row.
  await tx.schema.alterTable('accounts').addColumn('deleted_at', bigint).execute();
}

/** A person who was invited, or signs in elsewhere, has no password: the column must allow that. */
async function extendUsers(tx: Transaction, text: Text): Promise<void> {
  await tx.schema.alterTable('users').addColumn('password', text).execute();
  await sql`update users set password = password_hash`.execute(tx);
  await tx.schema.alterTable('users').dropColumn('password_hash').execute();
  await tx.schema.alterTable('users').renameColumn('password', 'password_hash').execute();
  await tx.schema.alterTable('users').addColumn('email_verified_at', bigint).execute();
  // Until now the only way to become a user was the first start.
  await sql`update users set email_verified_at = created_at`.execute(tx);
}

async function extendMembers(tx: Transaction, text: Text): Promise<void> {
  await tx.schema.alterTable('members').addColumn('invitation_digest', text).execute();
  await tx.schema.alterTable('members').addColumn('invitation_expires_at', bigint).execute();
  // Whoever accepts what was mailed reads mail to the address; a link that was shown proves nothing.
  await tx.schema
    .alterTable('members')
    .addColumn('invitation_mailed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema.createIndex('members_user').on('members').columns(['user_id']).execute();
  await tx.schema
    .createIndex('members_invitation')
    .unique()
    .on('members')
    .columns(['invitation_digest'])
    .execute();
}

/** A token belongs to an account or to a person. Neither database can drop NOT NULL in the same words. */
async function rebuildApiTokens(tx: Transaction, text: Text): Promise<void> {
  await tx.schema
    .createTable('api_tokens_next')
    .addColumn('id', text, primary)
    .addColumn('account_id', text, (column) => column.references('accounts.id'))
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('name', text, required)
    .addColumn('digest', text, (column) => column.notNull().unique())
    .addColumn('status', text, required)
    .addColumn('policies', text, required)
    .addColumn('condition', text)
    .addColumn('not_before', bigint)
    .addColumn('expires_at', bigint)
    .addColumn('issued_at', bigint, required)
    .addColumn('modified_at', bigint, required)
    .addColumn('last_used_at', bigint)
    .addCheckConstraint('api_tokens_owner', sql`(account_id is null) <> (user_id is null)`)
    .execute();
  await sql`
    insert into api_tokens_next (id, account_id, name, digest, status, policies, condition,
      not_before, expires_at, issued_at, modified_at, last_used_at)
    select id, account_id, name, digest, status, policies, condition,
      not_before, expires_at, issued_at, modified_at, last_used_at from api_tokens
  `.execute(tx);
  await tx.schema.dropTable('api_tokens').execute();
  await tx.schema.alterTable('api_tokens_next').renameTo('api_tokens').execute();
  for (const owner of ['account', 'user']) {
    await tx.schema
      .createIndex(`api_tokens_${owner}`)
      .on('api_tokens')
      .columns([`${owner}_id`, 'issued_at', 'id'])
      .execute();
  }
}

async function createSignInTables(tx: Transaction, text: Text): Promise<void> {
  await tx.schema
    .createTable('sessions')
    .addColumn('id', text, primary)
    .addColumn('user_id', text, ofUser)
    .addColumn('digest', text, (column) => column.notNull().unique())
    .addColumn('is_complete', 'integer', required)
    .addColumn('methods', text, required)
    .addColumn('created_at', bigint, required)
    .addColumn('authenticated_at', bigint, required)
    .addColumn('last_seen_at', bigint, required)
    .addColumn('expires_at', bigint, required)
    .addColumn('ip', text, required)
    .addColumn('user_agent', text, required)
    .execute();
  await tx.schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'id']).execute();
  await tx.schema.createIndex('sessions_expiry').on('sessions').columns(['expires_at']).execute();
  await tx.schema
    .createTable('known_devices')
    .addColumn('user_id', text, ofUser)
    .addColumn('digest', text, required)
    .addColumn('last_used_at', bigint, required)
    .addPrimaryKeyConstraint('known_devices_pk', ['user_id', 'digest'])
    .execute();
  await tx.schema
    .createTable('sign_in_failures')
    .addColumn('name', text, primary)
    .addColumn('failures', 'integer', required)
    .addColumn('counted_since', bigint, required)
    .addColumn('last_failed_at', bigint, required)
    .addColumn('blocked_until', bigint, required)
    .execute();
  await tx.schema
    .createIndex('sign_in_failures_time')
    .on('sign_in_failures')
    .columns(['last_failed_at'])
    .execute();
  await tx.schema
    .createTable('one_time_secrets')
    .addColumn('digest', text, primary)
    .addColumn('purpose', text, required)
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('payload', text, required)
    .addColumn('expires_at', bigint, required)
    .execute();
  await tx.schema
    .createIndex('one_time_secrets_user')
    .on('one_time_secrets')
    .columns(['user_id'])
    .execute();
  await tx.schema
    .createIndex('one_time_secrets_expiry')
    .on('one_time_secrets')
    .columns(['expires_at'])
    .execute();
  await tx.schema
    .createTable('external_identities')
    .addColumn('issuer', text, required)
    .addColumn('subject', text, required)
    .addColumn('user_id', text, ofUser)
    .addColumn('created_at', bigint, required)
    .addColumn('last_used_at', bigint, required)
    .addPrimaryKeyConstraint('external_identities_pk', ['issuer', 'subject'])
    .execute();
  await tx.schema
    .createIndex('external_identities_user')
    .on('external_identities')
    .columns(['user_id'])
    .execute();
}

async function createFactorTables(tx: Transaction, text: Text): Promise<void> {
  await tx.schema
    .createTable('totp_factors')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('sealed_secret', text, required)
    .addColumn('created_at', bigint, required)
    .addColumn('confirmed_at', bigint)
    .addColumn('last_step', bigint, required)
    .execute();
  await tx.schema
    .createTable('recovery_codes')
    .addColumn('user_id', text, ofUser)
    .addColumn('digest', text, required)
    .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'digest'])
    .execute();
  await tx.schema
    .createTable('passkeys')
    .addColumn('id', text, primary)
    .addColumn('credential_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, ofUser)
    .addColumn('name', text, required)
    .addColumn('public_key', text, required)
    .addColumn('sign_count', bigint, required)
    .addColumn('transports', text, required)
    .addColumn('created_at', bigint, required)
    .addColumn('last_used_at', bigint)
    .execute();
  await tx.schema.createIndex('passkeys_user').on('passkeys').columns(['user_id', 'id']).execute();
}

async function createAuditTables(tx: Transaction, text: Text): Promise<void> {
  await tx.schema
    .createTable('audit_heads')
    .addColumn('chain_id', text, primary)
    .addColumn('seq', bigint, required)
    .addColumn('hash', text, required)
    .execute();
  await tx.schema
    .createTable('audit_logs')
    .addColumn('chain_id', text, required)
    .addColumn('seq', bigint, required)
    .addColumn('id', text, required)
    .addColumn('created_at', bigint, required)
    .addColumn('account_name', text)
    .addColumn('action_type', text, required)
    .addColumn('action_result', text, required)
    .addColumn('action_description', text, required)
    .addColumn('actor_type', text, required)
    .addColumn('actor_id', text)
    .addColumn('actor_email', text)
    .addColumn('actor_ip_address', text)
    .addColumn('actor_token_id', text)
    .addColumn('actor_token_name', text)
    .addColumn('actor_context', text, required)
    .addColumn('resource_type', text, required)
    .addColumn('resource_id', text)
    .addColumn('resource_product', text, required)
    .addColumn('resource_scope', text, required)
    .addColumn('request_id', text)
    .addColumn('request_method', text)
    .addColumn('request_uri', text)
    .addColumn('request_status_code', 'integer')
    .addColumn('request_user_agent', text)
    .addColumn('hash', text, required)
    // Long ones last: to look at the others, SQLite need not read past them.
    .addColumn('resource_request', text)
    .addColumn('resource_response', text)
    // Not clustered: to find its way, SQLite would read long rows whole.
    .addPrimaryKeyConstraint('audit_logs_pk', ['chain_id', 'seq'])
    .execute();
  await tx.schema
    .createIndex('audit_logs_time')
    .on('audit_logs')
    .columns(['chain_id', 'created_at', 'seq'])
    .execute();
}

async function createServiceTables(tx: Transaction, text: Text): Promise<void> {
  await tx.schema
    .createTable('idempotency_keys')
    .addColumn('digest', text, primary)
    .addColumn('request_digest', text, required)
    .addColumn('sealed_answer', text, required)
    .addColumn('created_at', bigint, required)
    .execute();
  await tx.schema
    .createIndex('idempotency_keys_time')
    .on('idempotency_keys')
    .columns(['created_at'])
    .execute();
  await tx.schema
    .createTable('installation')
    .addColumn('name', text, primary)
    .addColumn('value', text, required)
    .execute();
  await tx.schema
    .createTable('outgoing_mail')
    .addColumn('id', text, primary)
    .addColumn('recipient', text, required)
    .addColumn('sealed', text, required)
    .addColumn('created_at', bigint, required)
    .addColumn('attempts', 'integer', required)
    .addColumn('next_attempt_at', bigint, required)
    .execute();
  await tx.schema
    .createIndex('outgoing_mail_due')
    .on('outgoing_mail')
    .columns(['next_attempt_at'])
    .execute();
}
