import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_ETAG, etagOf, ifMatchHolds } from '../../src/tags/write/etag.ts';
import { foldCase } from '../../src/tags/store/fold.ts';
import { ResourceSequence } from '../../src/tags/store/resource-sequence.ts';
import { splitValues } from '../../src/tags/query/tag-filter.ts';
import { canonicalTags } from '../../src/tags/write/tag-set.ts';
import { endOfPrefix, indexedPrefix, valueKeyOf } from '../../src/tags/store/value-key.ts';
import { ManualClock } from '../support/manual-clock.ts';

const text = fc.string({ unit: 'binary', maxLength: 300 }).filter((value) => value.isWellFormed());
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('ETags are those of the contract, whatever the order of the keys', () => {
  assert.equal(EMPTY_ETAG, 'v1:RBNvo1WzZ4oRRq0W9-hkng');
  for (const tags of [
    { environment: 'production', team: 'engineering' },
    { team: 'engineering', environment: 'production' },
  ]) {
    assert.equal(etagOf(canonicalTags(tags)), 'v1:4A2EQwB9GS6VEwLXh5kY3Q');
  }
});

test('If-Match: absent, any, listed, not listed', () => {
  assert.equal(ifMatchHolds(undefined, undefined), true);
  assert.equal(ifMatchHolds('*', 'v1:a'), true);
  assert.equal(ifMatchHolds('*', undefined), false);
  assert.equal(ifMatchHolds('"v1:b" ,v1:a', 'v1:a'), true);
  assert.equal(ifMatchHolds('', 'v1:a'), false);
  assert.equal(ifMatchHolds('"v1:a', 'v1:b'), false);
  assert.equal(ifMatchHolds(EMPTY_ETAG, undefined), true);
});

test('values that are escaped and joined come back as they were', () => {
  const escape = (value: string): string => value.replaceAll(/[\\,]/g, String.raw`\$&`);
  const value = fc.string({ unit: fc.constantFrom('a', ',', '\\', '𝒜'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      assert.deepEqual(splitValues(values.map(escape).join(',')), values);
    }),
  );
  assert.deepEqual(splitValues(String.raw`a\b,\n\\`), [String.raw`a\b`, '\\n\\']);
  assert.deepEqual(splitValues('a\\'), ['a\\']);
});

test('texts that differ in case alone fold to the same', () => {
  for (const [a, b] of [
    ['PROD', 'prod'],
    ['Straße', 'STRASSE'],
    ['ẞ', 'ß'],
    ['ΟΔΟΣ', 'οδος'],
    ['ЁЖ', 'ёж'],
    ['𐐀', '𐐨'],
  ] as const) {
    assert.equal(foldCase(a), foldCase(b), a);
  }
  assert.ok(foldCase('ΟΔΟΣΑ').includes(foldCase('ΟΔΟΣ')));
  assert.notEqual(foldCase('a'), foldCase('ä'));
});

test('value keys tell values apart, fit into an index and keep the order of short values', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(valueKeyOf(a) === valueKeyOf(b), a === b);
      assert.ok(Buffer.byteLength(valueKeyOf(a)) <= 444);
      assert.ok(valueKeyOf(a).startsWith(indexedPrefix(a)));
    }),
  );
  const long = 'x'.repeat(128);
  assert.equal(valueKeyOf(long), long);
  assert.equal(valueKeyOf(`${long}x`).length, 144);
});

test('the end of a prefix comes after all that begins with it, and before all else', () => {
  const near = fc.string({
    unit: fc.constantFrom('a', 'b', '\u{10ffff}', '\ud7ff', '\ue000', '\uffff', '\u{10000}'),
    maxLength: 4,
  });
  fc.assert(
    fc.property(near, near, (prefix, other) => {
      const end = endOfPrefix(prefix);
      const inRange = byBytes(other, prefix) >= 0 && (end === undefined || byBytes(other, end) < 0);
      assert.equal(inRange, other.startsWith(prefix));
    }),
    { numRuns: 500 },
  );
});

test('places in the list grow, also when the clock stands or goes back', () => {
  const clock = new ManualClock();
  const sequence = new ResourceSequence(clock);
  let last = 0;
  for (let i = 0; i < 10_000; i++) {
    if (i === 6_000) clock.advance(-60_000);
    if (i === 8_000) clock.advance(120_000);
    const next = sequence.next();
    assert.ok(next > last && Number.isSafeInteger(next));
    last = next;
  }
});
