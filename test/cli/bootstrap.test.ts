import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { type FirstStart, bootstrap } from '../../src/config/bootstrap.ts';
import { hasAccounts } from '../../src/iam/accounts/create-first-account.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { acquireLease } from '../../src/storage/leases.ts';
import { type TestDatabase, createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { createDataDir } from '../support/server.ts';

const NOTHING_PRESET = {
  accountId: undefined,
  token: undefined,
  email: undefined,
  password: undefined,
};

interface Context {
  after(work: () => unknown): void;
}

async function open(t: Context, name: TestDatabase) {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true }));
  const messages: string[] = [];
  const report = (_error: Error, message: string): void => void messages.push(message);
  let databaseUrl: string | undefined;
  if (name === 'postgres') {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    databaseUrl = postgres.url;
  }
  const database = openDatabase({ databaseUrl, dataDir }, report);
  t.after(() => database.close());
  await database.migrate();
  const shown: FirstStart[] = [];
  const options = {
    database,
    clock: systemClock,
    report,
    show: (firstStart: FirstStart) => Promise.resolve(void shown.push(firstStart)),
    warn: (_facts: object, message: string) => void messages.push(message),
  };
  return { database, options, shown, messages };
}

const holdLease = (database: Database): Promise<boolean> =>
  acquireLease(database, systemClock, 'bootstrap', 'a-node-that-died', 30_000);

describe('the first start', () => {
  onEachDatabase((name) => {
    test('shows the generated credentials, and stores them once', async (t) => {
      const { options, shown } = await open(t, name);
      const first = await bootstrap(NOTHING_PRESET, options);
      assert.match(first?.token ?? '', /^lkat_/);
      assert.match(first?.password ?? '', /^\w{20}$/);
      assert.deepEqual(shown, [first]);
      assert.equal(await bootstrap(NOTHING_PRESET, options), undefined);
      assert.equal(shown.length, 1);
    });

    test('stores nothing if the credentials cannot be shown', async (t) => {
      const { database, options, shown } = await open(t, name);
      const show = () => Promise.reject(new Error('closed'));
      await assert.rejects(bootstrap(NOTHING_PRESET, { ...options, show }), /closed/);
      assert.equal(await hasAccounts(database), false);
      // The failed start leaves no lease behind.
      const first = await bootstrap(NOTHING_PRESET, options);
      assert.deepEqual(shown, [first]);
    });
  });

  test('does not wait for a lease on SQLite, where a process owns the data', async (t) => {
    const { database, options, messages } = await open(t, 'sqlite');
    assert.equal(await holdLease(database), true);
    assert.notEqual(await bootstrap(NOTHING_PRESET, options), undefined);
    assert.deepEqual(messages, []);
  });

  test('waits for the lease of another node on PostgreSQL, until a signal', async (t) => {
    const { database, options, messages } = await open(t, 'postgres');
    assert.equal(await holdLease(database), true);
    const controller = new AbortController();
    const waiting = bootstrap(NOTHING_PRESET, { ...options, signal: controller.signal });
    while (messages.length === 0) await new Promise((resolve) => void setTimeout(resolve, 5));
    controller.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.deepEqual(messages, ['waiting for another node, which sets up the installation']);
    assert.equal(await hasAccounts(database), false);
  });

  test('keeps its credentials if the lease cannot be released', async (t) => {
    const { database, options, messages } = await open(t, 'postgres');
    await database.transaction(async (tx) => {
      await sql`create function broken() returns trigger language plpgsql as
        $$ begin raise exception 'no'; end $$`.execute(tx);
      await sql`create trigger broken before delete on leases
        for each row execute function broken()`.execute(tx);
    });
    const first = await bootstrap(NOTHING_PRESET, options);
    assert.match(first?.token ?? '', /^lkat_/);
    assert.deepEqual(messages, ['failed to release the lease on the first start']);
    assert.equal(await bootstrap(NOTHING_PRESET, options), undefined);
  });
});
