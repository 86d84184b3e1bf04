import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';
import { type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** Adds a row under the name and fails afterwards if asked to. */
  function add(name: string, failure?: Error): Promise<string> {
    return server.app.database.transaction(async (tx) => {
      await tx.insertInto('installation').values({ name, value: 'x' }).execute();
      if (failure !== undefined) throw failure;
      return name;
    });
  }

  async function stored(prefix: string): Promise<string[]> {
    const rows = await server.app.database.read
      .selectFrom('installation')
      .select('name')
      .where('name', 'like', `${prefix}%`)
      .orderBy('name')
      .execute();
    return rows.map(({ name }) => name);
  }

  test('of many transactions at once, each failure undoes its own work alone', async () => {
    const prefix = createId();
    const names = Array.from({ length: 200 }, (_, i) => `${prefix}-${String(i).padStart(3, '0')}`);
    const failure = new Error('on purpose');
    const outcomes = await Promise.allSettled(
      names.map((name, i) => add(name, i % 3 === 0 ? failure : undefined)),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (i % 3 === 0) assert.equal((outcome as PromiseRejectedResult).reason, failure);
      else assert.equal((outcome as PromiseFulfilledResult<string>).value, names[i]);
    }
    assert.deepEqual(
      await stored(prefix),
      names.filter((_name, i) => i % 3 !== 0),
    );
  });

  test('a transaction that comes alone is undone when it fails, and the next one is not', async () => {
    const prefix = createId();
    const failure = new Error('on purpose');
    await assert.rejects(add(`${prefix}-1`, failure), failure);
    await add(`${prefix}-2`);
    await assert.rejects(add(`${prefix}-2`), (error) =>
      server.app.database.isUniqueViolation(error),
    );
    assert.deepEqual(await stored(prefix), [`${prefix}-2`]);
  });

  test('a statement that the database refuses fails its own transaction alone', async () => {
    const prefix = createId();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => add(`${prefix}-${i % 10}`)),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      assert.ok(server.app.database.isUniqueViolation(outcome.reason));
    }
    assert.equal((await stored(prefix)).length, 10);
  });

  test('whoever is told of success can read the change outside at once', async () => {
    const prefix = createId();
    const seen = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const name = await add(`${prefix}-${i}`);
        return (await stored(name)).includes(name);
      }),
    );
    assert.ok(seen.every(Boolean));
  });

  test('a transaction that begins another one and waits for it is not waited for by it', async () => {
    // The inner one is queued behind the outer: it must be made once the outer has ended.
    const name = createId();
    let inner: Promise<string> | undefined;
    await server.app.database.transaction(async (tx) => {
      inner = add(`${name}-inner`);
      await tx
        .insertInto('installation')
        .values({ name: `${name}-outer`, value: 'x' })
        .execute();
    });
    await inner;
    assert.deepEqual(await stored(name), [`${name}-inner`, `${name}-outer`]);
  });
});

test('what fails has SQLite run its group once more, and no group of the next second', async (t) => {
  // On a busy machine, a group reaches its time limit before it is complete.
  const nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  // Not of a server, whose own transactions would be among them.
  const { database } = await openMigratedDatabase(t, 'sqlite');
  /** How often the work of each of so many transactions at once runs, of which one fails. */
  async function countRuns(transactions: number, failing: number): Promise<number[]> {
    const runs = Array.from({ length: transactions }, () => 0);
    const outcomes = await Promise.allSettled(
      runs.map((_none, i) =>
        database.transaction(async (tx) => {
          runs[i] = (runs[i] ?? 0) + 1;
          const name = `${createId()}-${i}`;
          await tx.insertInto('installation').values({ name, value: 'x' }).execute();
          if (i === failing) throw new Error('on purpose');
        }),
      ),
    );
    assert.deepEqual(
      outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : [])),
      [failing],
    );
    return runs;
  }

  assert.deepEqual(await countRuns(1, 0), [1], 'one that is alone takes nobody along');
  assert.deepEqual(await countRuns(4, 2), [2, 2, 2, 1], 'up to the failure, all is done again');
  assert.deepEqual(await countRuns(4, 2), [1, 1, 1, 1], 'by now each has a savepoint');
});

test('however long it takes until a group runs again, it does not run a third time', async (t) => {
  const { database } = await openMigratedDatabase(t, 'sqlite');
  const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let runs = 0;
  const outcomes = await Promise.allSettled([
    database.transaction(async () => void runs++),
    database.transaction(async () => {
      // Before the next turn, in which it would run again.
      if (runs < 3) setImmediate(() => Atomics.wait(never, 0, 0, 1_100));
      throw new Error('on purpose');
    }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.equal(runs, 2);
});

test('a change is announced once, however often it ran', async (t) => {
  // Not of a server, whose own transactions would be among them.
  const { database } = await openMigratedDatabase(t, 'sqlite');
  const heard: string[] = [];
  database.invalidation.subscribe({
    onAnnouncement: ({ topic, key }) => {
      if (topic === 'test') heard.push(key);
    },
    onGap: () => {},
  });
  let runs = 0;
  await Promise.allSettled([
    database.transaction(async (_tx, announce) => {
      runs++;
      announce({ topic: 'test', key: `run ${runs}` });
    }),
    database.transaction(async () => {
      throw new Error('on purpose');
    }),
  ]);
  // The second run is the last one, unless a busy machine kept the transactions apart.
  assert.deepEqual(heard, [`run ${runs}`]);
});

test('a transaction that comes alone and that SQLite gives up writes nothing', async (t) => {
  const server = await bootServer('sqlite');
  t.after(() => server.stop());
  const { database } = server.app;
  const given = database.transaction(async (tx) => {
    await sql`rollback`.execute(tx);
    await tx.insertInto('installation').values({ name: 'stray', value: 'x' }).execute();
  });
  await assert.rejects(given, /given up/);
  const rows = await database.read.selectFrom('installation').select('name').execute();
  assert.ok(rows.every(({ name }) => name !== 'stray'));
});

test('a transaction that SQLite gives up takes nothing along, and nobody', async (t) => {
  const server = await bootServer('sqlite');
  t.after(() => server.stop());
  const { database } = server.app;
  const insert = (name: string) =>
    database.transaction(async (tx) => {
      await tx.insertInto('installation').values({ name, value: 'x' }).execute();
      return name;
    });
  const outcomes = await Promise.allSettled([
    insert('before'),
    database.transaction(async (tx) => {
      await tx.insertInto('installation').values({ name: 'lost', value: 'x' }).execute();
      // What SQLite does by itself when the disk is full, for one.
      await sql`rollback`.execute(tx);
      // Work that goes on all the same must not write outside of every transaction.
      await tx
        .insertInto('installation')
        .values({ name: 'stray', value: 'x' })
        .execute()
        .catch(() => {});
      throw new Error('disk full');
    }),
    insert('after'),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.match(String((outcomes[1] as PromiseRejectedResult).reason), /disk full/);
  await insert('later');
  const rows = await database.read.selectFrom('installation').select('name').execute();
  const ours = ['before', 'lost', 'stray', 'after', 'later'];
  assert.deepEqual(
    rows
      .map(({ name }) => name)
      .filter((name) => ours.includes(name))
      .toSorted(),
    ['after', 'before', 'later'],
  );
});
