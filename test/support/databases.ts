import { describe } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/storage/database.ts';
import { createId } from '../../src/lib/ids.ts';

/** One of the two databases that the whole suite runs on. */
export type TestDatabase = 'sqlite' | 'postgres';

/** Declares the same tests for SQLite and for PostgreSQL. */
export function onEachDatabase(declare: (database: TestDatabase) => void): void {
  for (const database of ['sqlite', 'postgres'] as const) {
    describe(database, () => {
      declare(database);
    });
  }
}

function serverUrl(): string {
  const url = process.env.LATCHKEY_TEST_POSTGRES_URL;
  if (url === undefined) throw new Error('there is no PostgreSQL: run the tests with `npm test`');
  return url;
}

async function administer(sql: string, url = serverUrl()): Promise<void> {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Has the current schema and no rows; every run of the tests makes it once. */
const TEMPLATE = 'latchkey_template';

/** Makes the template that databases with the current schema are copied from. */
export async function createPostgresTemplate(url: string): Promise<void> {
  await administer(`create database ${TEMPLATE}`, url);
  const settings = { databaseUrl: `${url}/${TEMPLATE}`, dataDir: '' };
  const database = openDatabase(settings, (error) => {
    throw error;
  });
  await database.migrate();
  await database.close();
}

/**
 * A fresh PostgreSQL database.
 * @param schema `current` spares the migrations; `none` is what an operator begins with
 */
export async function createPostgresDatabase(
  schema: 'current' | 'none' = 'none',
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `latchkey_${createId()}`;
  const template = schema === 'current' ? TEMPLATE : 'template1';
  // The other strategy writes every page through the log.
  await administer(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: `${serverUrl()}/${name}`,
    drop: () => administer(`drop database if exists ${name} with (force)`),
  };
}

/**
 * Cuts all connections to a database and lets no new ones in.
 * @returns what lets them in again
 */
export async function refuseConnections(url: string): Promise<() => Promise<void>> {
  const name = new URL(url).pathname.slice(1);
  await administer(`alter database ${name} allow_connections false`);
  await administer(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
  );
  return () => administer(`alter database ${name} allow_connections true`);
}
