import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ALL_DATABASES, listSubset, runsOnPostgres } from '../support/postgres-subset.ts';

test('each entry of the PostgreSQL subset exists and has tests for each database', () => {
  for (const entry of listSubset()) {
    assert.ok(existsSync(entry), entry);
    if (entry.endsWith('.test.ts')) assert.match(readFileSync(entry, 'utf8'), /onEachDatabase\(/);
  }
});

test('other files run on PostgreSQL only with all databases', (t) => {
  const root = path.resolve(import.meta.dirname, '../..');
  const given = process.env.LATCHKEY_TEST_DATABASES;
  t.after(() => {
    process.env.LATCHKEY_TEST_DATABASES = given;
  });
  process.env.LATCHKEY_TEST_DATABASES = 'subset';
  assert.equal(runsOnPostgres(path.join(root, 'test/storage/leases.test.ts')), true);
  assert.equal(runsOnPostgres(path.join(root, 'test/tags/tag-model.test.ts')), true);
  assert.equal(runsOnPostgres(path.join(root, 'test/tags/put-tags.test.ts')), false);
  assert.equal(runsOnPostgres(path.join(root, 'elsewhere/test/storage/a.test.ts')), false);
  process.env.LATCHKEY_TEST_DATABASES = ALL_DATABASES;
  assert.equal(runsOnPostgres(path.join(root, 'test/tags/put-tags.test.ts')), true);
});
