import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonSyntaxError, depthOf, parseJson } from '../../src/http/parse-json.ts';

function realDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(realDepth));
}

/** Texts full of what could be mistaken for structure. */
const trickyText = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'a', '\n') });
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.oneof(trickyText, fc.integer(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(trickyText, tie('tree'), { maxKeys: 3 }),
  ),
}));

test('the depth of a text is the depth of what it holds', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 2), (value, indentation) => {
      assert.equal(depthOf(JSON.stringify(value, null, indentation)), realDepth(value));
    }),
  );
});

test('a text is read up to its depth and refused below', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value);
      const depth = realDepth(value);
      assert.deepEqual(parseJson(text, depth), JSON.parse(text));
      if (depth > 0) assert.throws(() => parseJson(text, depth - 1), JsonSyntaxError);
    }),
  );
});

test('whatever the text, the answer is a value or a JsonSyntaxError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), trickyText, fc.json()), (text) => {
      try {
        assert.deepEqual(parseJson(text, 1_000), JSON.parse(text));
      } catch (error) {
        assert.ok(error instanceof JsonSyntaxError);
      }
    }),
  );
});

test('a text of brackets alone costs neither the stack nor much time', () => {
  const brackets = '['.repeat(10_000_000);
  assert.throws(() => parseJson(brackets, 64), JsonSyntaxError);
  assert.throws(() => parseJson(`]${brackets}`, 64), JsonSyntaxError);
});

test('unstorable characters are found wherever they are', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom('\0', '\ud800', 'a\udfff'), (value, bad) => {
      for (const holder of [[value, bad], { a: value, b: bad }, { a: value, [bad]: 1 }]) {
        assert.throws(() => parseJson(JSON.stringify(holder), 64), JsonSyntaxError);
      }
    }),
  );
});

test('__proto__ stays an ordinary key', () => {
  const value = parseJson('{"__proto__":{"admin":true}}', 64) as Record<string, unknown>;
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal(value.admin, undefined);
});
