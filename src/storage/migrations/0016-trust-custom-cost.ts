import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Gateways say whether the prices that requests name replace the known ones. */
export const trustCustomCost: Migration = {
  name: '0016-trust-custom-cost',
  async up(tx) {
    await tx.schema
      .alterTable('gateways')
      .addColumn('trust_custom_cost', sql`smallint not null default 0`)
      .execute();
  },
};
