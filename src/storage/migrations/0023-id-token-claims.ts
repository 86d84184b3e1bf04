import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** OAuth clients can switch off the claims about the user in ID tokens. */
export const idTokenClaims: Migration = {
  name: '0023-id-token-claims',
  async up(tx) {
    await tx.schema
      .alterTable('oauth_clients')
      .addColumn('id_token_claims', sql`smallint not null default 1`)
      .execute();
  },
};
