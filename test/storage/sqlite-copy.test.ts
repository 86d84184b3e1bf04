import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { openSqliteFile } from '../../src/storage/sqlite.ts';
import { checkSqliteFile, copySqliteFile } from '../../src/storage/sqlite-copy.ts';
import { createDataDir } from '../support/server.ts';

// Several steps of a copy, each of some thousand pages at most.
const ROWS = 4_000;
const ROW_BYTES = 4_000;
const STEPS_AT_MOST = 100;

describe('the copy of an embedded database', () => {
  let directory: string;
  let file: string;
  let writer: DatabaseSync;
  let insert: () => void;

  before(async () => {
    directory = await createDataDir();
    file = path.join(directory, 'source.db');
    writer = openSqliteFile(file);
    writer.exec('create table t (id integer primary key, body text)');
    const statement = writer.prepare('insert into t (body) values (?)');
    insert = () => void statement.run('x'.repeat(ROW_BYTES));
    writer.exec('begin');
    for (let row = 0; row < ROWS; row++) insert();
    writer.exec('commit');
  });
  after(async () => {
    writer.close();
    await rm(directory, { recursive: true });
  });

  test('is of one moment, and comes to its end, while others write', async () => {
    const copy = path.join(directory, 'copy.db');
    let steps = 0;
    await copySqliteFile(file, copy, () => {
      if (++steps > STEPS_AT_MOST) throw new Error('it begins again and again');
      insert();
    });
    assert.ok(steps > 1);
    assert.deepEqual(checkSqliteFile(copy), []);
    assert.equal(((await stat(copy)).mode & 0o777).toString(8), '600');
    const copied = new DatabaseSync(copy, { readOnly: true });
    assert.equal(copied.prepare('select count(*) as count from t').get()?.count, ROWS);
    // It is whole without another file beside it.
    assert.equal(copied.prepare('pragma journal_mode').get()?.journal_mode, 'delete');
    copied.close();
  });

  test('ends when it is told to, and takes no file that is there', async () => {
    const copy = path.join(directory, 'ended.db');
    const stop = (): never => {
      throw new Error('enough');
    };
    await assert.rejects(copySqliteFile(file, copy, stop), /^Error: enough$/);
    await assert.rejects(
      copySqliteFile(file, copy, () => {}),
      /EEXIST/,
    );
  });
});
