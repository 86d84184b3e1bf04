import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import type { Row, Table } from './tag-tables.ts';

/** Writes many rows into a database that nobody else uses, without waiting for the disk. */
export interface TableWriter {
  write(table: Table, rows: readonly Row[]): Promise<void>;
  /** When it resolves, all is on disk. */
  end(): Promise<void>;
}

const CACHE_KIB = 2 * 1024 * 1024;
// Each column is one parameter, an array of so many values.
const ROWS_PER_STATEMENT = 5_000;

/** @param file has the tables already */
export function createSqliteWriter(file: string): TableWriter {
  const database = new DatabaseSync(file);
  database.exec(`pragma synchronous = off; pragma cache_size = -${CACHE_KIB}`);
  return {
    write({ name, columns }, rows) {
      const names = Object.keys(columns);
      const insert = database.prepare(
        `insert into ${name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
      );
      database.exec('begin');
      for (const row of rows) insert.run(...row);
      database.exec('commit');
      return Promise.resolve();
    },
    end() {
      database.exec('pragma synchronous = full; pragma wal_checkpoint(truncate)');
      database.close();
      return Promise.resolve();
    },
  };
}

/** @param client is connected to a database that has the tables already, and stays so */
export async function createPostgresWriter(client: pg.Client): Promise<TableWriter> {
  await client.query('set synchronous_commit = off');
  return {
    async write({ name, columns }, rows) {
      const types = Object.values(columns);
      const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
      const text = `insert into ${name} (${Object.keys(columns).join(', ')})
        select * from unnest(${arrays})`;
      for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
        const some = rows.slice(start, start + ROWS_PER_STATEMENT);
        await client.query(
          text,
          types.map((_, index) => some.map((row) => row[index])),
        );
      }
    },
    async end() {
      await client.query('vacuum analyze');
      await client.query('checkpoint');
    },
  };
}
