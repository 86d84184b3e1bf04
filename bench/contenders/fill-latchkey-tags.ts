import path from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../src/storage/database.ts';
import { createPostgresWriter, createSqliteWriter } from '../table-writer.ts';
import { type TablesPlan, createTableRows } from '../tag-tables.ts';

/**
 * Makes the tables of Latchkey and fills those of tags, on SQLite in `dataDir` or, with `databaseUrl`, on
 * PostgreSQL. It is told what to do by `PLAN`.
 */
export interface FillTagsPlan extends TablesPlan {
  dataDir: string;
  databaseUrl?: string;
}

const plan = JSON.parse(process.env.PLAN ?? '{}') as FillTagsPlan;
const { dataDir, databaseUrl } = plan;
const database = openDatabase({ dataDir, databaseUrl }, (error) => {
  throw error;
});
await database.migrate();
await database.close();

const client = databaseUrl === undefined ? undefined : new pg.Client(databaseUrl);
await client?.connect();
const writer =
  client === undefined
    ? createSqliteWriter(path.join(dataDir, 'latchkey.db'))
    : await createPostgresWriter(client);
for (const { table, rows } of createTableRows(plan)) await writer.write(table, rows);
await writer.end();
await client?.end();
