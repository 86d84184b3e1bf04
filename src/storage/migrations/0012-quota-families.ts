import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Which quotas belong together, so that the largest of them can be told: a spend limit for each value of
 * something has one for each value, whose name is a digest. `part` is JSON, what tells a member from the others.
 *
 * The indexes find the members in order of what is leased of them, and count them without looking at the rows;
 * of quotas of no family they hold nothing.
 * `sliding_quotas.leased` is the sum of the buckets as they were last written.
 */
export const quotaFamilies: Migration = {
  name: '0012-quota-families',
  async up(tx, { text }) {
    for (const table of ['quotas', 'sliding_quotas'] as const) {
      await tx.schema.alterTable(table).addColumn('family', text).execute();
      await tx.schema.alterTable(table).addColumn('part', text).execute();
    }
    await tx.schema
      .alterTable('sliding_quotas')
      .addColumn('leased', sql`bigint not null default 0`)
      .execute();
    await sql`create index quotas_family on quotas (family, window_start, leased)
      where family is not null`.execute(tx);
    await sql`create index sliding_quotas_family on sliding_quotas (family, leased, expires_at)
      where family is not null`.execute(tx);
  },
};
