import type { Migration } from './migration.ts';

/** Spend limits of an account, over several of its gateways. */
export const accountSpendLimits: Migration = {
  name: '0019-account-spend-limits',
  async up(tx, { text }) {
    await tx.schema.alterTable('accounts').addColumn('spend_limits', text).execute();
  },
};
