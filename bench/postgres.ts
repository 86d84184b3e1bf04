import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Core, type PinnedProcess, startPinned } from './pinned-process.ts';
import { ports } from './ports.ts';

const READY_TIMEOUT_MS = 60_000;
const serverUrl = `postgres://postgres:postgres@127.0.0.1:${ports.postgres}`;

/** The one that there always is, and where all tables are. */
export const postgresUrl = `${serverUrl}/postgres`;

/**
 * Starts PostgreSQL with a data directory, which it makes if there is none; it and all directories above it
 * must be open to everybody when this is run as root, since PostgreSQL then runs as another user.
 * @throws Error when one runs there already, which would be taken for this one
 */
export async function startPostgres(core: Core, directory: string): Promise<PinnedProcess> {
  if (await isAnswering()) throw new Error(`port ${ports.postgres} is taken by another PostgreSQL`);
  const server = startPinned(core, [process.execPath, 'bench/contenders/postgres.ts'], {
    DIRECTORY: directory,
    PORT: String(ports.postgres),
  });
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (await isAnswering()) return server;
    if (server.hasEnded || Date.now() > deadlineMs) throw new Error('PostgreSQL did not start');
    await delay(50);
  }
}

function isAnswering(): Promise<boolean> {
  return askPostgres(async () => {}).then(
    () => true,
    () => false,
  );
}

/** Does something over one connection. */
export async function askPostgres<T>(ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}
