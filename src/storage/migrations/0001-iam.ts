import { sql } from 'kysely';
import type { DialectTraits } from '../dialect.ts';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * Accounts, people and API tokens, and the leases of periodic work.
 *
 * `api_tokens.digest` holds the SHA-256 of a token: a leaked database lets nobody in. It is the look-up key of
 * every request, hence unique and global rather than below its account.
 * `users.password_hash` is argon2id, because people's passwords can be guessed.
 */
export const iam: Migration = {
  name: '0001-iam',
  async up(tx, { text, clustered }) {
    await tx.schema
      .createTable('leases')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('holder', text, (column) => column.notNull())
      .addColumn('expires_at', sql`bigint`, (column) => column.notNull())
      .execute();
    await tx.schema
      .createTable('accounts')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .execute();
    await tx.schema
      .createTable('users')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('email', text, (column) => column.notNull())
      .addColumn('email_folded', text, (column) => column.notNull().unique())
      .addColumn('first_name', text)
      .addColumn('last_name', text)
      .addColumn('password_hash', text, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .execute();
    await tx.schema
      .createTable('members')
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('user_id', text, (column) => column.notNull().references('users.id'))
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('created_at', sql`bigint`, (column) => column.notNull())
      .addPrimaryKeyConstraint('members_pk', ['account_id', 'id'])
      .addUniqueConstraint('members_account_user', ['account_id', 'user_id'])
      .execute();
    await tx.schema
      .createTable('member_roles')
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('member_id', text, (column) => column.notNull())
      .addColumn('role', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('member_roles_pk', ['account_id', 'member_id', 'role'])
      .addForeignKeyConstraint(
        'member_roles_member',
        ['account_id', 'member_id'],
        'members',
        ['account_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .modifyEnd(clustered)
      .execute();
    await createApiTokens(tx, text);
  },
};

async function createApiTokens(tx: Transaction, text: DialectTraits['text']): Promise<void> {
  await tx.schema
    .createTable('api_tokens')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull().unique())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('policies', text, (column) => column.notNull())
    .addColumn('condition', text)
    .addColumn('not_before', sql`bigint`)
    .addColumn('expires_at', sql`bigint`)
    .addColumn('issued_at', sql`bigint`, (column) => column.notNull())
    .addColumn('modified_at', sql`bigint`, (column) => column.notNull())
    .addColumn('last_used_at', sql`bigint`)
    .execute();
  await tx.schema
    .createIndex('api_tokens_account')
    .on('api_tokens')
    .columns(['account_id', 'issued_at', 'id'])
    .execute();
}
