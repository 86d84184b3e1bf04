import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { bootServer, createDataDir, newInstallation } from '../support/server.ts';

onEachDatabase((database) => {
  test('a second start finds everything as the first left it', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => postgres?.drop());
    const besides = postgres && newInstallation(postgres.url);
    const first = await bootServer(database, { dataDir, ...(besides && { besides }) });
    assert.notEqual(first.app.firstStart, undefined);
    const { id } = await first.createToken(['tags.read']);
    await first.stop();
    const second = await bootServer(database, { dataDir, besides: first });
    assert.equal(second.app.firstStart, undefined);
    assert.deepEqual(await second.app.database.migrate(), []);
    const got = await second.call('GET', `${second.account}/tokens/${id}`);
    assert.equal(got.status, 200, got.text);
    await second.stop();
  });

  test('a database that a newer version has written is refused', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => postgres?.drop());
    const besides = postgres && newInstallation(postgres.url);
    const first = await bootServer(database, { dataDir, ...(besides && { besides }) });
    await first.app.database.transaction(async (tx) => {
      await tx
        .insertInto('schema_migrations')
        .values({ name: '9999-from-the-future', applied_at: 0 })
        .execute();
    });
    await first.stop();
    await assert.rejects(
      bootServer(database, { dataDir, besides: first }),
      /written by a newer version of latchkey \(it has migration 9999-from-the-future\)/,
    );
  });
});

describe('several nodes that start at the same moment on one empty PostgreSQL', () => {
  test('run every migration once and set up one account', async (t) => {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    const besides = newInstallation(postgres.url);
    const nodes = await Promise.all([1, 2, 3, 4].map(() => bootServer('postgres', { besides })));
    t.after(() => Promise.all(nodes.map((node) => node.stop())));
    const [node] = nodes;
    assert.ok(node);
    const { read } = node.app.database;
    const applied = await read.selectFrom('schema_migrations').select('name').execute();
    const names = applied.map(({ name }) => name);
    assert.ok(names.includes('0001-iam'));
    assert.equal(new Set(names).size, names.length);
    for (const table of ['accounts', 'users', 'members', 'api_tokens'] as const) {
      const rows = await read.selectFrom(table).select('id').execute();
      assert.equal(rows.length, 1, table);
    }
    assert.equal(nodes.filter(({ app }) => app.firstStart !== undefined).length, 1);
    for (const each of nodes) {
      assert.equal((await each.call('GET', `${each.account}/tokens`)).status, 200);
    }
    const leases = await read.selectFrom('leases').selectAll().execute();
    assert.equal(
      leases.some(({ name }) => name === 'bootstrap'),
      false,
    );
  });
});
