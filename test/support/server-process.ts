import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { CliProcess, type CliOptions } from './cli.ts';
import { type TestDatabase, copySqliteTemplate, createPostgresDatabase } from './databases.ts';
import { createDataDir } from './server.ts';

/** A test, or whatever else undoes at its end what was begun. */
export interface TestScope {
  after(work: () => unknown): void;
}

/** An installation whose servers are processes, which a test may kill and start again. */
export interface Installation {
  accountId: string;
  /** Holds every permission in the account. */
  token: string;
  dataDir: string;
  postgresUrl: string | undefined;
  /** Of every process of it. */
  env: Record<string, string>;
  /** Starts a server; the test's end kills it, if nothing else has. */
  start(options?: Omit<CliOptions, 'env'>): Promise<ServerProcess>;
}

/** A server that runs, and listens. */
export interface ServerProcess {
  process: CliProcess;
  origin: string;
  /** `http://127.0.0.1:port/client/v4/accounts/{id}` */
  account: string;
}

/** @param settings without the `LATCHKEY_` prefix */
export async function createInstallation(
  t: TestScope,
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<Installation> {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  if (database === 'sqlite') await copySqliteTemplate(dataDir);
  const postgres = database === 'postgres' ? await createPostgresDatabase('current') : undefined;
  if (postgres !== undefined) t.after(() => postgres.drop());
  const accountId = createId();
  const token = createSecret('lkat_');
  const all: Record<string, string> = {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    MASTER_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_ACCOUNT_ID: accountId,
    BOOTSTRAP_TOKEN: token,
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
    ...settings,
  };
  const env = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`LATCHKEY_${name}`, value]),
  );
  return {
    accountId,
    token,
    dataDir,
    postgresUrl: postgres?.url,
    env,
    async start(options = {}) {
      const process = new CliProcess(['serve'], { env, ...options });
      t.after(async () => {
        process.kill('SIGKILL');
        await process.result();
      });
      const origin = await process.origin();
      return { process, origin, account: `${origin}/client/v4/accounts/${accountId}` };
    },
  };
}
