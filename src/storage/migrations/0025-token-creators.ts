import type { Migration } from './migration.ts';

/** Account-owned tokens show who created them. */
export const tokenCreators: Migration = {
  name: '0025-token-creators',
  async up(tx, { text }) {
    await tx.schema.alterTable('api_tokens').addColumn('creator_email', text).execute();
    await tx.schema.alterTable('api_tokens').addColumn('creator_client_id', text).execute();
  },
};
