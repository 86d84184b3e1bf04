import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createId } from '../../src/lib/ids.ts';
import { PARAMETER, RowStatement, insertInto } from '../../src/storage/row-statement.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const insert = new RowStatement(
  2,
  (rows) => sql`insert into installation (name, value) values ${rows}`,
);
const find = new RowStatement<{ name: string; value: string }>(
  sql`(${PARAMETER})`,
  (rows) => sql`select name, value from installation
    where value <> ${PARAMETER} and name in (values ${rows}) order by name`,
);
const addOnce = new RowStatement(
  2,
  (rows) => sql`${insertInto('installation', ['name', 'value'], rows)} on conflict do nothing`,
);
const addAndTell = new RowStatement<{ value: string }>(
  2,
  (rows) => sql`${insertInto('installation', ['name', 'value'], rows)} returning value`,
);

// One statement is used with both databases, whose parameters are written differently.
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  test('runs with any number of rows, each time with other values', async () => {
    const prefix = createId();
    const rowsOf = (from: number, until: number) =>
      Array.from({ length: until - from }, (_, i) => [`${prefix}-${from + i}`, String(from + i)]);
    for (const [from, until] of [
      [1, 2],
      [2, 5],
      [5, 8],
      [8, 9],
    ] as const) {
      await server.app.database.transaction((tx) => insert.run(tx, rowsOf(from, until)));
    }
    const names = rowsOf(1, 9).map(([name]) => [name]);
    const found = await find.run(server.app.database.read, names, ['3']);
    assert.deepEqual(
      found.map(({ value }) => value),
      ['1', '2', '4', '5', '6', '7', '8'],
    );
  });

  test('takes any number of rows in parts, and counts those that it has changed', async () => {
    const prefix = createId();
    const rows = Array.from({ length: 120 }, (_, i) => [`${prefix}-${i}`, String(i)]);
    await server.app.database.transaction(async (tx) => {
      assert.equal(await addOnce.change(tx, rows.slice(0, 70)), 70);
      assert.equal(await addOnce.change(tx, rows), 50);
      assert.equal(await addOnce.change(tx, []), 0);
      const others = rows.map(([name, value]) => [`${name}-other`, value]);
      const told = await addAndTell.runInParts(tx, others);
      assert.deepEqual(
        told.map(({ value }) => [value]),
        rows.map(([, value]) => [value]),
      );
    });
  });

  test('refuses rows that have another number of values', async () => {
    const { read } = server.app.database;
    await assert.rejects(find.run(read, [['one', 'two']], ['x']), /values/);
    await find.run(read, [['one']], ['x']);
    await assert.rejects(find.run(read, [['one']]), /values/);
    await assert.rejects(find.run(read, [['one'], ['two', 'three']], ['x']), /values/);
  });
});
