import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createPostgresInvalidation } from '../../src/storage/invalidation.ts';
import { PostgresServers } from '../../src/storage/postgres-servers.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';

test('the announcements of a transaction go in one statement for each thousand, once each', async (t) => {
  const created = await createPostgresDatabase();
  const { url } = created;
  const statements: string[] = [];
  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    log: ({ query }) => void statements.push(query.sql),
  });
  const listener = new pg.Client(url);
  await listener.connect();
  t.after(async () => {
    await listener.end();
    await kysely.destroy();
    await created.drop();
  });
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
  await listener.query('listen latchkey_invalidation');
  const invalidation = createPostgresInvalidation(new PostgresServers(url), kysely, assert.ifError);
  const announcements = Array.from({ length: 2_001 }, (_, index) => ({
    topic: 'test',
    key: `"${index}\\{},`,
  }));
  for (const [given, expected] of [
    [[], 0],
    [announcements.slice(0, 1), 1],
    [announcements.slice(0, 1_000), 1],
    [announcements.slice(0, 1_001), 2],
    [[...announcements, ...announcements], 3],
  ] as const) {
    statements.length = 0;
    heard.length = 0;
    await kysely.transaction().execute((tx) => invalidation.enqueue(tx, given));
    assert.equal(statements.filter((text) => text.includes('pg_notify')).length, expected);
    const wanted = new Set(given.map((item) => JSON.stringify(item)));
    await eventually('all are heard', () => Promise.resolve(heard.length >= wanted.size));
    assert.deepEqual(new Set(heard), wanted);
    assert.equal(heard.length, wanted.size);
  }
});
