import { sql } from 'kysely';
import type { Database } from '../../src/storage/database.ts';

// Tests of many rows write the same kind of row again and again.
const MAX_ROWS = 2_000;

/** Every row of every table as a line of text: table, then each column with its value. */
export async function readAllRows({
  read,
  dialect,
}: Pick<Database, 'read' | 'dialect'>): Promise<string[]> {
  const tables =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = current_schema()`;
  const lines: string[] = [];
  for (const { name } of (await tables.execute(read)).rows) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}
      limit ${MAX_ROWS}`.execute(read);
    for (const row of rows) lines.push(`${name} ${JSON.stringify(row, asText)}`);
  }
  return lines;
}

function asText(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  const { type, data } = (value ?? {}) as { type?: unknown; data?: number[] };
  if (type === 'Buffer' && data !== undefined) return Buffer.from(data).toString('latin1');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return value;
}
