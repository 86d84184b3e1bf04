import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareChange, prepareQuery } from '../../src/storage/prepared-query.ts';
import { onEachDatabase } from '../support/databases.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';

const insert = prepareChange((db, { name, value }: { name: string; value: string }) =>
  db.insertInto('installation').values({ name, value }),
);
const change = prepareChange((db, { from, to }: { from: string; to: string }) =>
  db.updateTable('installation').set({ value: to }).where('value', '=', from),
);
const select = prepareQuery((db, { value }: { value: string }) =>
  db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('value', '=', value)
    .where('name', 'like', 'prepared-%')
    .orderBy('name'),
);

onEachDatabase((kind) => {
  test('each run has its own values, in a transaction and outside', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    await database.transaction(async (tx) => {
      assert.equal(await insert(tx, { name: 'prepared-1', value: 'a' }), 1n);
      assert.equal(await insert(tx, { name: 'prepared-2', value: 'b' }), 1n);
      assert.equal(await change(tx, { from: 'a', to: 'b' }), 1n);
      assert.equal(await change(tx, { from: 'a', to: 'c' }), 0n);
      assert.equal((await select(tx, { value: 'b' })).length, 2);
    });
    const rows = await select(database.read, { value: 'b' });
    assert.deepEqual(
      rows.map(({ name, value }) => `${name} ${value}`),
      ['prepared-1 b', 'prepared-2 b'],
    );
    assert.deepEqual(await select(database.read, { value: 'a' }), []);
  });
});
