import type { Migration } from './migration.ts';

/** Model names of a gateway. */
export const modelAliases: Migration = {
  name: '0020-model-aliases',
  async up(tx, { text }) {
    await tx.schema.alterTable('gateways').addColumn('model_aliases', text).execute();
  },
};
