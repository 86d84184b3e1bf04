import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchable } from '../../dashboard/src/lib/searchable.ts';

test('searches find names in each case and normal form', () => {
  const name = 'Überblick';
  for (const stored of [name, name.normalize('NFD'), name.toUpperCase()])
    for (const typed of ['überblick', 'überblick'.normalize('NFD'), 'ÜBER'])
      assert.ok(searchable(stored).includes(searchable(typed)), `${stored} ${typed}`);
  assert.equal(searchable('Uber').includes(searchable('Über')), false);
});
