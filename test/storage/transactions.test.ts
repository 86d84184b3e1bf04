import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createId } from '../../src/lib/ids.ts';
import type { Announcement } from '../../src/storage/invalidation.ts';
import type { Db } from '../../src/storage/schema.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';

async function insertAccount(db: Db, id: string, name = 'x'): Promise<void> {
  await db.insertInto('accounts').values({ id, name, created_at: 0 }).execute();
}

async function nameOf(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.name;
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const transaction: TestServer['app']['database']['transaction'] = (work) =>
    server.app.database.transaction(work);
  const read = () => server.app.database.read;

  test('what is committed can be read at once, by reads outside of the transaction', async () => {
    const id = createId();
    const result = await transaction(async (tx) => {
      await insertAccount(tx, id);
      return 'done';
    });
    assert.equal(result, 'done');
    assert.equal(await nameOf(read(), id), 'x');
  });

  test('a failure takes everything back, and is thrown as it is', async () => {
    const id = createId();
    const failure = new Error('no');
    let attempts = 0;
    await assert.rejects(
      transaction(async (tx) => {
        attempts++;
        await insertAccount(tx, id);
        assert.equal(await nameOf(tx, id), 'x');
        throw failure;
      }),
      failure,
    );
    // On SQLite it runs once more where one of the server's own has shared its commit.
    assert.ok(attempts === 1 || (database === 'sqlite' && attempts === 2), String(attempts));
    assert.equal(await nameOf(read(), id), undefined);
  });

  test('what is not committed yet cannot be read outside', async () => {
    const id = createId();
    await transaction(async (tx) => {
      await insertAccount(tx, id);
      assert.equal(await nameOf(read(), id), undefined);
    });
  });

  test('a row that is there already is told from other failures', async () => {
    const id = createId();
    await transaction((tx) => insertAccount(tx, id));
    const refusal = await transaction((tx) => insertAccount(tx, id)).catch(
      (error: unknown) => error,
    );
    assert.equal(server.app.database.isUniqueViolation(refusal), true);
    const other = await transaction(async (tx) => {
      await tx.deleteFrom('accounts').where('id', '=', server.accountId).execute();
    }).catch((error: unknown) => error);
    assert.ok(other instanceof Error, 'foreign keys hold');
    assert.equal(server.app.database.isUniqueViolation(other), false);
    assert.equal(server.app.database.isUniqueViolation(undefined), false);
  });

  test('after a failed statement the next transaction works', async () => {
    await assert.rejects(transaction((tx) => tx.deleteFrom('nothing' as 'leases').execute()));
    const id = createId();
    await transaction((tx) => insertAccount(tx, id));
    assert.equal(await nameOf(read(), id), 'x');
  });

  test('concurrent changes of one row are all made', async () => {
    const id = createId();
    await transaction((tx) => insertAccount(tx, id, ''));
    await Promise.all(
      Array.from({ length: 25 }, () =>
        transaction(async (tx) => {
          const { name } = await tx
            .selectFrom('accounts')
            .select('name')
            .where('id', '=', id)
            .$if(database === 'postgres', (query) => query.forUpdate())
            .executeTakeFirstOrThrow();
          await tx
            .updateTable('accounts')
            .set({ name: `${name}x` })
            .where('id', '=', id)
            .execute();
        }),
      ),
    );
    assert.equal(await nameOf(read(), id), 'x'.repeat(25));
  });

  test('announcements are delivered after the commit, and not at all without one', async () => {
    const heard: (Announcement & { isCommitted: boolean })[] = [];
    const id = createId();
    const pending: Promise<void>[] = [];
    server.app.database.invalidation.subscribe({
      onAnnouncement: (announcement) => {
        if (announcement.topic !== 'test') return;
        pending.push(
          nameOf(read(), id).then((name) => {
            heard.push({ ...announcement, isCommitted: name !== undefined });
          }),
        );
      },
      onGap: () => {},
    });
    await assert.rejects(
      transaction(async (tx, announce) => {
        await insertAccount(tx, createId());
        announce({ topic: 'test', key: 'lost' });
        throw new Error('no');
      }),
    );
    await transaction(async (tx, announce) => {
      announce({ topic: 'test', key: 'early' });
      await insertAccount(tx, id);
    });
    await Promise.all(pending);
    // PostgreSQL sends a node its own announcements too: hearing twice is harmless.
    const keys = new Set(heard.map(({ key }) => key));
    assert.deepEqual([...keys], ['early']);
    assert.ok(heard.every(({ isCommitted }) => isCommitted));
  });

  test('a lost race is run again, and only for a bounded time', async () => {
    const conflict = Object.assign(
      new Error('lost'),
      database === 'postgres' ? { code: '40001' } : { errcode: 5 },
    );
    let attempts = 0;
    const id = createId();
    await transaction(async (tx) => {
      await insertAccount(tx, id);
      if (++attempts < 3) throw conflict;
    });
    assert.equal(attempts, 3);
    assert.equal(await nameOf(read(), id), 'x');
    attempts = 0;
    const startMs = performance.now();
    await assert.rejects(
      transaction(async () => {
        attempts++;
        throw conflict;
      }),
      conflict,
    );
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs > 3_000 && tookMs < 7_000, `${tookMs} ms`);
    // It backs off: whoever holds up the others gets time to end.
    assert.ok(attempts > 8 && attempts < 200, `${attempts} attempts`);
    assert.equal(server.app.database.isUnavailable(conflict), true);
    assert.equal(server.app.database.isUnavailable(new Error('another')), false);
  });
});

describe('real conflicts', () => {
  test('PostgreSQL: of two transactions in a deadlock both are made in the end', async (t) => {
    const server = await bootServer('postgres');
    t.after(() => server.stop());
    const [a, b] = [createId(), createId()];
    const { database } = server.app;
    await database.transaction(async (tx) => {
      await insertAccount(tx, a, '');
      await insertAccount(tx, b, '');
    });
    let waiting = 2;
    const { promise: bothHaveOne, resolve } = Promise.withResolvers<void>();
    let attempts = 0;
    const append = (order: string[]) =>
      database.transaction(async (tx) => {
        attempts++;
        for (const id of order) {
          await tx
            .updateTable('accounts')
            .set({ name: sql`name || 'x'` })
            .where('id', '=', id)
            .execute();
          if (--waiting === 0) resolve();
          await bothHaveOne;
        }
      });
    await Promise.all([append([a, b]), append([b, a])]);
    assert.ok(attempts > 2);
    assert.deepEqual(
      [await nameOf(database.read, a), await nameOf(database.read, b)],
      ['xx', 'xx'],
    );
  });

  test('SQLite: a change waits for another process that holds the write lock', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const server = await bootServer('sqlite', { dataDir });
    t.after(() => server.stop());
    const other = new DatabaseSync(path.join(dataDir, 'latchkey.db'));
    t.after(() => other.close());
    other.exec('begin immediate');
    const id = createId();
    const change = server.app.database.transaction((tx) => insertAccount(tx, id));
    let turns = 0;
    // Meanwhile others are served.
    for (const startMs = performance.now(); performance.now() - startMs < 500; turns++) {
      await new Promise(setImmediate);
    }
    assert.ok(turns > 5, `${turns} turns of the event loop in half a second`);
    other.exec('rollback');
    await change;
    assert.equal(await nameOf(server.app.database.read, id), 'x');
  });
});

test('PostgreSQL: a connection that breaks before the commit costs nothing but another attempt', async () => {
  const server = await bootServer('postgres');
  const id = createId();
  let attempts = 0;
  await server.app.database.transaction(async (tx) => {
    attempts++;
    await insertAccount(tx, id);
    if (attempts === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  assert.equal(attempts, 2);
  assert.equal(await nameOf(server.app.database.read, id), 'x');
  await server.stop();
});
