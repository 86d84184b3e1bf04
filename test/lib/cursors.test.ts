import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../src/lib/cursors.ts';

const position = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 });
const filter = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()));

test('a cursor comes back as the position it was made of', () => {
  fc.assert(
    fc.property(position, filter, (at, by) => {
      const cursor = encodeCursor(at, by);
      assert.match(cursor, /^[A-Za-z0-9_-]+$/);
      assert.deepEqual(decodeCursor(cursor, by), at);
    }),
  );
});

test('a cursor is of no use with another filter', () => {
  fc.assert(
    fc.property(position, filter, filter, (at, by, other) => {
      fc.pre(JSON.stringify(by) !== JSON.stringify(other));
      assert.equal(decodeCursor(encodeCursor(at, by), other), undefined);
    }),
  );
});

test('any text is read without an exception', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
      assert.equal(decodeCursor(text, {}), undefined);
      assert.equal(decodeCursor(Buffer.from(text).toString('base64url'), {}), undefined);
    }),
  );
});

test('a cursor with another content than texts and numbers is refused', () => {
  const [binding] = JSON.parse(Buffer.from(encodeCursor([1], {}), 'base64url').toString());
  for (const content of [[], [null], [{}], [[1]], [true], [1, null]]) {
    const forged = Buffer.from(JSON.stringify([binding, ...content])).toString('base64url');
    assert.equal(decodeCursor(forged, {}), undefined, JSON.stringify(content));
  }
  const infinite = Buffer.from(`["${binding}",1e400]`).toString('base64url');
  assert.equal(decodeCursor(infinite, {}), undefined);
});
