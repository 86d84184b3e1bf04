import { sql } from 'kysely';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

const BATCH = 500;
// A sliding window had so many buckets, of at least that length.
const OLD_BUCKETS = 60;
const MIN_OLD_BUCKET_MS = 100;

/**
 * Puts fixed and sliding quotas into one table. A sliding quota gets a row for each of its buckets, and at
 * -1 a row with their sum, which each lease locks. Its name gets a suffix, since a fixed quota may have
 * had the same one. The first index serves the deletion of old rows, the second one the budgets of a rule
 * in the order of what is leased.
 */
export const quotaWindows: Migration = {
  name: '0017-quota-windows',
  async up(tx, { text, clustered }) {
    await tx.schema
      .createTable('quota_windows')
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('window_start', sql`bigint`, (column) => column.notNull())
      .addColumn('expires_at', sql`bigint`, (column) => column.notNull())
      .addColumn('leased', sql`bigint`, (column) => column.notNull())
      .addColumn('family', text)
      .addColumn('part', text)
      .addPrimaryKeyConstraint('quota_windows_pk', ['name', 'window_start'])
      .modifyEnd(clustered)
      .execute();
    await sql`insert into quota_windows (name, window_start, expires_at, leased, family, part)
      select name, window_start, window_end, leased, family, part from quotas`.execute(tx);
    await copySlidingQuotas(tx);
    await tx.schema.dropTable('quotas').execute();
    await tx.schema.dropTable('sliding_quotas').execute();
    await tx.schema
      .createIndex('quota_windows_expires')
      .on('quota_windows')
      .columns(['expires_at'])
      .execute();
    await sql`create index quota_windows_family on quota_windows (family, window_start, leased)
      where family is not null`.execute(tx);
  },
};

interface OldRow {
  name: string;
  buckets: string;
  expires_at: number;
  family: string | null;
  part: string | null;
}

async function copySlidingQuotas(tx: Transaction): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await sql<OldRow>`select name, buckets, expires_at, family, part
      from sliding_quotas where name > ${after} order by name limit ${sql.lit(BATCH)}`.execute(tx);
    for (const row of rows) {
      const windows = windowsOf(row);
      if (windows.length > 0) await tx.insertInto('quota_windows').values(windows).execute();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.name;
  }
}

function windowsOf({ name, buckets: text, expires_at: expiresAtMs, family, part }: OldRow) {
  const buckets = JSON.parse(text) as [endMs: number, units: number][];
  const lastEndMs = Math.max(...buckets.map(([endMs]) => endMs));
  if (buckets.length === 0) return [];
  const windowMs = expiresAtMs - lastEndMs;
  const bucketMs = Math.max(MIN_OLD_BUCKET_MS, Math.ceil(windowMs / OLD_BUCKETS));
  const windows = buckets.map(([endMs, units]) => ({
    name: `${name}/sliding`,
    window_start: Math.max(0, endMs - bucketMs),
    expires_at: endMs + windowMs,
    leased: units,
    family: null as string | null,
    part: null as string | null,
  }));
  const sum = buckets.reduce((leased, [, units]) => leased + units, 0);
  const head = { window_start: -1, expires_at: expiresAtMs, leased: Math.min(sum, 2 ** 52) };
  return [...windows, { name: `${name}/sliding`, ...head, family, part }];
}
