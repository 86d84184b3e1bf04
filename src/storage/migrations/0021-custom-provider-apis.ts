import type { Migration } from './migration.ts';

/** The API that a custom provider speaks, its key header and its models. */
export const customProviderApis: Migration = {
  name: '0021-custom-provider-apis',
  async up(tx, { text }) {
    // One column each: SQLite adds no more in one statement.
    for (const column of ['dialect', 'key_header', 'models'] as const) {
      await tx.schema.alterTable('custom_providers').addColumn(column, text).execute();
    }
  },
};
