import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  JsonSyntaxError,
  MAX_JSON_VALUES,
  measureJson,
  parseJson,
} from '../../src/http/parse-json.ts';

function parse(text: string, maxDepth: number): unknown {
  return parseJson(Buffer.from(text), maxDepth).value;
}

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
      assert.equal(measureJson(JSON.stringify(value, null, indentation)).depth, realDepth(value));
    }),
  );
});

test('the values of a text are counted, an empty array or object as if it had a member', () => {
  const realValues = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const members = Object.values(value).map(realValues);
    return 1 + (members.length === 0 ? 1 : members.reduce((sum, count) => sum + count));
  };
  fc.assert(
    fc.property(tree, (value) => {
      assert.equal(measureJson(JSON.stringify(value)).values, realValues(value));
    }),
  );
});

test('a text of more values than there is time for is refused before it is read', () => {
  const list = (length: number) => `[${'1,'.repeat(length - 1)}1]`;
  assert.equal((parse(list(MAX_JSON_VALUES - 1), 64) as unknown[]).length, MAX_JSON_VALUES - 1);
  assert.throws(() => parse(list(MAX_JSON_VALUES), 64), /more than 20000 values/);
  assert.throws(() => parse(`[${'{},'.repeat(MAX_JSON_VALUES / 2)}1]`, 64), JsonSyntaxError);
  // Within a string nothing is counted.
  assert.equal(
    parse(JSON.stringify(',[{'.repeat(MAX_JSON_VALUES)), 64),
    ',[{'.repeat(MAX_JSON_VALUES),
  );
});

test('bytes that are no UTF-8 are refused, and not read as U+FFFD', () => {
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xf4, 0x90, 0x80, 0x80],
  ]) {
    const text = Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')]);
    assert.throws(() => parseJson(text, 64), JsonSyntaxError);
  }
  assert.equal(parse('"\u{fffd} \u{1f389}"', 64), '\u{fffd} \u{1f389}');
});

test('a text is read up to its depth and refused below', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value);
      const depth = realDepth(value);
      assert.deepEqual(parse(text, depth), JSON.parse(text));
      if (depth > 0) assert.throws(() => parse(text, depth - 1), JsonSyntaxError);
    }),
  );
});

test('whatever the text, the answer is a value or a JsonSyntaxError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), trickyText, fc.json()), (text) => {
      try {
        assert.deepEqual(parse(text, 1_000), JSON.parse(text));
      } catch (error) {
        assert.ok(error instanceof JsonSyntaxError);
      }
    }),
  );
});

test('a text of brackets alone costs neither the stack nor much time', () => {
  const brackets = '['.repeat(10_000_000);
  assert.throws(() => parse(brackets, 64), JsonSyntaxError);
  assert.throws(() => parse(`]${brackets}`, 64), JsonSyntaxError);
});

test('unstorable characters are found wherever they are', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom('\0', '\ud800', 'a\udfff'), (value, bad) => {
      // A name of which no other begins like it: the JSON.parse of Node 26.10 takes `\u0000` for the
      // name `\`, once it has seen an object with that one in its place.
      const name = `name ${bad}`;
      for (const holder of [[value, bad], { a: value, b: bad }, { a: value, [name]: 1 }]) {
        assert.throws(() => parse(JSON.stringify(holder), 64), JsonSyntaxError);
      }
    }),
  );
});

test('__proto__ stays an ordinary key', () => {
  const value = parse('{"__proto__":{"admin":true}}', 64) as Record<string, unknown>;
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal(value.admin, undefined);
});
