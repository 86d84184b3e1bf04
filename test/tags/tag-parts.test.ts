import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { EMPTY_ETAG, etagOf, tagsMatch } from '../../src/tags/tag-set/etag.ts';
import { foldCase } from '../../src/tags/store/fold.ts';
import { splitValues } from '../../src/tags/query/tag-filter.ts';
import { EVERY_RESOURCE, keyTerm, typeTerm, valueTerm } from '../../src/tags/store/tag-terms.ts';
import { canonicalObject } from '../../src/tags/tag-set/canonical-object.ts';
import { mergeTags } from '../../src/tags/tag-set/merge-tags.ts';
import { changesBetween } from '../../src/tags/tag-set/tag-changes.ts';
import { tagMapOf, tagSetOf } from '../../src/tags/tag-set/tag-set.ts';
import { endOfPrefix, indexedPrefix, valueKeyOf } from '../../src/tags/store/value-key.ts';

const text = fc.string({ unit: 'binary', maxLength: 300 }).filter((value) => value.isWellFormed());
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('ETags are those of the contract, whatever the order of the keys', () => {
  assert.equal(EMPTY_ETAG, 'v1:RBNvo1WzZ4oRRq0W9-hkng');
  for (const tags of [
    { environment: 'production', team: 'engineering' },
    { team: 'engineering', environment: 'production' },
  ]) {
    assert.equal(tagSetOf(tagMapOf(tags)).etag, 'v1:4A2EQwB9GS6VEwLXh5kY3Q');
  }
});

test('If-Match: absent, any, listed, not listed', () => {
  assert.equal(tagsMatch(undefined, undefined), true);
  assert.equal(tagsMatch('*', 'v1:a'), true);
  assert.equal(tagsMatch('*', undefined), false);
  assert.equal(tagsMatch('"v1:b" ,v1:a', 'v1:a'), true);
  assert.equal(tagsMatch('', 'v1:a'), false);
  assert.equal(tagsMatch('"v1:a', 'v1:b'), false);
  assert.equal(tagsMatch(EMPTY_ETAG, undefined), true);
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

test('value keys differ as the values in NFC do, fit into an index and keep the order of short values', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(valueKeyOf(a) === valueKeyOf(b), a.normalize('NFC') === b.normalize('NFC'));
      assert.ok(Buffer.byteLength(valueKeyOf(a)) <= 444);
      assert.ok(valueKeyOf(a).startsWith(indexedPrefix(a.normalize('NFC'))));
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

// Names that sort differently by UTF-16 units, by code points and as numbers, and one that objects have.
const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '10', '9', '01', '\uff21', '𝒜', 'é', 'E', 'e'),
  fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', '\uff21', '𝒜'), maxLength: 3 }),
);
const tags = fc.dictionary(name, text, { maxKeys: 8 });

test('objects have the canonical form of RFC 8785, also with thousands of members', () => {
  const check = (members: Record<string, string | null>): void => {
    const written = canonicalObject(new Map(Object.entries(members)));
    assert.equal(written, canonicalize(members));
  };
  const values = fc.dictionary(name, fc.option(text), { maxKeys: 8 });
  fc.assert(fc.property(values, check), { numRuns: 200 });
  const many = Array.from({ length: 5_000 }, (_, i) => [`${(i * 7_919) % 5_000}`, null]);
  check(Object.fromEntries(many) as Record<string, null>);
});

test('merging follows RFC 7396, and the changes lead from one set to the other', () => {
  const patch = fc.dictionary(name, fc.option(text), { maxKeys: 8 });
  fc.assert(
    fc.property(tags, patch, (before, merged) => {
      const expected = new Map(Object.entries(before));
      for (const [key, value] of Object.entries(merged)) {
        if (value === null) expected.delete(key);
        else expected.set(key, value);
      }
      const set = tagSetOf(tagMapOf(before));
      const after = mergeTags(set, new Map(Object.entries(merged)));
      assert.deepEqual(new Map(after.byKey), expected);
      assert.equal(after.canonical, canonicalize(Object.fromEntries(expected)));
      assert.equal(after.etag, etagOf(after.canonical));
      assert.equal(after === set, after.canonical === set.canonical);
      const replayed = new Map(set.byKey);
      for (const { key, before: old, after: next } of changesBetween(set.byKey, after.byKey)) {
        assert.notEqual(old, next);
        assert.equal(replayed.get(key), old);
        if (next === undefined) replayed.delete(key);
        else replayed.set(key, next);
      }
      assert.deepEqual(replayed, expected);
    }),
  );
});

test('no two sets of resources have one name', () => {
  const key = fc.string({ unit: fc.constantFrom('a', '.', '-', 'ß', '𝒜'), minLength: 1 });
  const tag = fc.tuple(key, text);
  fc.assert(
    fc.property(tag, tag, fc.constantFrom('worker', 'zone'), ([a, one], [b, other], type) => {
      const term = valueTerm(a, valueKeyOf(one));
      assert.equal(new Set([EVERY_RESOURCE, typeTerm(type), keyTerm(a), term]).size, 4);
      const isSame = a === b && one.normalize('NFC') === other.normalize('NFC');
      assert.equal(term === valueTerm(b, valueKeyOf(other)), isSame);
      assert.notEqual(term, keyTerm(b));
      // Fits into an index entry of PostgreSQL beside the account.
      assert.ok(Buffer.byteLength(term) < 2_600);
    }),
  );
});
