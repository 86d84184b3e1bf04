import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { bootstrap } from '../../src/config/bootstrap.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createDataDir } from '../support/server.ts';

const NOTHING_PRESET = {
  accountId: undefined,
  token: undefined,
  email: undefined,
  password: undefined,
};

test('trouble after the first account was made does not lose its credentials', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true }));
  const messages: string[] = [];
  const report = (_error: Error, message: string): void => void messages.push(message);
  const database = openDatabase({ databaseUrl: undefined, dataDir }, report);
  t.after(() => database.close());
  await database.migrate();
  await database.transaction(async (tx) => {
    await sql`create trigger broken before delete on leases begin select raise(abort, 'no'); end`.execute(
      tx,
    );
  });
  const first = await bootstrap(database, systemClock, NOTHING_PRESET, report);
  assert.match(first?.token ?? '', /^lkat_/);
  assert.match(first?.password ?? '', /^\w{20}$/);
  assert.deepEqual(messages, ['failed to release the lease on the first start']);
  assert.equal(await bootstrap(database, systemClock, NOTHING_PRESET, report), undefined);
});
