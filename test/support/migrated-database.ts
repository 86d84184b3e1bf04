import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { type TestDatabase, copySqliteTemplate, createPostgresDatabase } from './databases.ts';

interface Context {
  after(work: () => unknown): void;
}

/** A database without a server, gone with the test. */
export interface MigratedDatabase {
  dataDir: string;
  database: Database;
  /** Trouble that was reported, in words. */
  troubles: string[];
  /** Closes it and opens it again, as the next start does. */
  reopen(): Promise<Database>;
}

/** An empty database with the current schema. */
export async function openMigratedDatabase(
  t: Context,
  kind: TestDatabase,
): Promise<MigratedDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
  if (kind === 'sqlite') await copySqliteTemplate(dataDir);
  const postgres = kind === 'postgres' ? await createPostgresDatabase('current') : undefined;
  const troubles: string[] = [];
  const open = (): Database =>
    openDatabase({ databaseUrl: postgres?.url, dataDir }, (error, message) => {
      troubles.push(`${message}: ${error.message}`);
    });
  const opened: MigratedDatabase = {
    dataDir,
    database: open(),
    troubles,
    async reopen() {
      await opened.database.close();
      opened.database = open();
      return opened.database;
    },
  };
  t.after(async () => {
    await opened.database.close();
    await postgres?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await opened.database.migrate();
  return opened;
}
