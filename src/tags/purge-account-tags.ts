import { sql } from 'kysely';
import type { Database } from '../storage/database.ts';
import { ROWS_PER_PURGE } from '../storage/housekeeping.ts';
import type { Transaction } from '../storage/schema.ts';
import { BYTES_PER_PURGE } from './store/tag-feed.ts';

/** The tables of this domain with their primary keys, and the column that may be large. */
const TABLES = [
  { name: 'tag_postings', key: ['account_id', 'term', 'block'] },
  { name: 'tag_values', key: ['account_id', 'key', 'value_key', 'resource_type'] },
  { name: 'tag_keys', key: ['account_id', 'key', 'resource_type'] },
  { name: 'tagged_types', key: ['account_id', 'resource_type'] },
  { name: 'tagged_resources', key: ['account_id', 'seq'], large: 'tags' },
  { name: 'tag_changes', key: ['account_id', 'position'], large: 'patch' },
  { name: 'tag_heads', key: ['account_id'] },
] as const;

/**
 * Deletes some of the tags of an account that is gone. Counts are not kept true meanwhile: nobody
 * reads them any more.
 * @returns whether there may be more
 */
export async function purgeAccountTags(database: Database, accountId: string): Promise<boolean> {
  for (const table of TABLES) {
    const count = await database.transaction((tx) => purgeTable(tx, table, accountId));
    if (count > 0) return true;
  }
  return false;
}

async function purgeTable(
  tx: Transaction,
  { name, key, ...rest }: (typeof TABLES)[number],
  accountId: string,
): Promise<number> {
  const table = sql.table(name);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const bytes = 'large' in rest ? sql`octet_length(${sql.ref(rest.large)})` : sql`0`;
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where (${columns}) in (
      select ${columns} from (
        select ${columns}, sum(bytes) over (order by ${columns}) - bytes as bytes_before from (
          select ${columns}, ${bytes} as bytes from ${table} where account_id = ${accountId}
          order by ${columns} limit ${sql.lit(ROWS_PER_PURGE)}
        ) as first
      ) as sized where bytes_before < ${sql.lit(BYTES_PER_PURGE)}
    )`.execute(tx);
  return Number(numAffectedRows);
}
