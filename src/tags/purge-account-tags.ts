import { sql } from 'kysely';
import type { Database } from '../storage/database.ts';
import type { Transaction } from '../storage/schema.ts';

// A few milliseconds of the main thread on the embedded database.
const ROWS_PER_TRANSACTION = 500;

/** The tables of this domain with their primary keys. */
const TABLES = [
  { name: 'resource_tags', key: ['account_id', 'seq', 'key'] },
  { name: 'tag_values', key: ['account_id', 'key', 'value_key', 'resource_type'] },
  { name: 'tag_keys', key: ['account_id', 'key', 'resource_type'] },
  { name: 'tagged_types', key: ['account_id', 'resource_type'] },
  { name: 'tagged_resources', key: ['account_id', 'seq'] },
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
  { name, key }: (typeof TABLES)[number],
  accountId: string,
): Promise<number> {
  const table = sql.table(name);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where (${columns}) in (
      select ${columns} from ${table} where account_id = ${accountId} limit ${ROWS_PER_TRANSACTION}
    )`.execute(tx);
  return Number(numAffectedRows);
}
