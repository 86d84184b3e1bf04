import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Gateways can require a provider key of the client or of the gateway itself. */
export const byokOnly: Migration = {
  name: '0026-byok-only',
  async up(tx) {
    await tx.schema
      .alterTable('gateways')
      .addColumn('byok_only', sql`smallint not null default 0`)
      .execute();
  },
};
