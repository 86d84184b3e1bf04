import { copyFile, mkdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type DatabaseSettings, openDatabase } from '../../src/storage/database.ts';
import { createId } from '../../src/lib/ids.ts';
import { runsOnPostgres } from './postgres-subset.ts';

/** One of the two databases that the whole suite runs on. */
export type TestDatabase = 'sqlite' | 'postgres';

/**
 * Declares the same tests for SQLite and, if the calling file runs on it, for PostgreSQL; see
 * postgres-subset.ts.
 */
export function onEachDatabase(declare: (database: TestDatabase) => void): void {
  const databases: readonly TestDatabase[] = runsOnPostgres(callingFile())
    ? ['sqlite', 'postgres']
    : ['sqlite'];
  for (const database of databases) {
    describe(database, () => {
      declare(database);
    });
  }
}

/** The test file that calls. */
function callingFile(): string {
  const [url] = /file:\/\/[^\s()]+\.test\.ts/.exec(new Error().stack ?? '') ?? [];
  if (url === undefined) throw new Error('onEachDatabase must be called by a test file');
  return fileURLToPath(url);
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

// After that, whoever is connected stays so on purpose.
const LOOKS = 10;
const LOOK_INTERVAL_MS = 5;

let administration: Promise<pg.Client> | undefined;
let statements = 0;

/** The same on one connection for the whole process, which does not keep it from its end. */
async function administerMuch(sql: string): Promise<number> {
  administration ??= connectForGood();
  const client = await administration;
  const stream = client.connection.stream as Socket;
  statements++;
  stream.ref();
  try {
    return (await client.query(sql)).rowCount ?? 0;
  } finally {
    if (--statements === 0) stream.unref();
  }
}

async function connectForGood(): Promise<pg.Client> {
  const client = new pg.Client(`${serverUrl()}/postgres`);
  // What breaks it while it rests is told by the next statement.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Has the current schema and no rows; every run of the tests makes it once. */
const TEMPLATE = 'latchkey_template';
const SQLITE_FILE = 'latchkey.db';

/** Makes the templates that databases with the current schema are copied from. */
export async function createTemplates(url: string, runDir: string): Promise<void> {
  await administer(`create database ${TEMPLATE}`, url);
  await migrateEmpty({ databaseUrl: `${url}/${TEMPLATE}`, dataDir: '' });
  await migrateEmpty({ databaseUrl: undefined, dataDir: path.join(runDir, TEMPLATE) });
}

async function migrateEmpty(settings: DatabaseSettings): Promise<void> {
  if (settings.databaseUrl === undefined) await mkdir(settings.dataDir);
  const database = openDatabase(settings, (error) => {
    throw error;
  });
  await database.migrate();
  await database.close();
}

/** Puts an embedded database with the current schema into an empty directory. */
export async function copySqliteTemplate(dataDir: string): Promise<void> {
  const runDir = process.env.LATCHKEY_TEST_RUN_DIR;
  // Without a run around the test, the server makes the schema by itself.
  if (runDir === undefined) return;
  await copyFile(path.join(runDir, TEMPLATE, SQLITE_FILE), path.join(dataDir, SQLITE_FILE));
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
  await administerMuch(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: `${serverUrl()}/${name}`,
    async drop() {
      await untilUnused(name);
      await administerMuch(`drop database if exists ${name} with (force)`);
    },
  };
}

/**
 * A connection that was closed is there for a moment still. To be cut off just then is an error that
 * nobody listens for.
 */
async function untilUnused(name: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const used = await administerMuch(`select 1 from pg_stat_activity where datname = '${name}'`);
    if (used === 0) return;
    await delay(LOOK_INTERVAL_MS);
  }
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
