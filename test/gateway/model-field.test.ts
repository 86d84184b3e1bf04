import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readModelField } from '../../src/gateway/model-field.ts';

/** Bodies as clients write them: any JSON, with a model somewhere at the top. */
const bodies = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom('model', 'messages')), fc.jsonValue())),
    fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('openai/gpt', 'a/b"model":"c', '\\"', 'ü/🌍'),
    ),
    fc.nat({ max: 3 }),
    fc.constantFrom(undefined, 2, '\t'),
  )
  .map(([fields, model, position, space]) => {
    const entries: [string, unknown][] = fields.filter(([key]) => key !== 'model');
    entries.splice(position, 0, ['model', model]);
    return { model, text: JSON.stringify(Object.fromEntries(entries), null, space) };
  });

test('reads the model that a JSON parser reads, and replaces that one and nothing else', () => {
  fc.assert(
    fc.property(bodies, fc.string(), ({ model, text }, replacement) => {
      const field = readModelField(Buffer.from(text));
      assert.ok(typeof field === 'object');
      assert.equal(field.model, model);
      const replaced = JSON.parse(field.replace(replacement).toString());
      assert.deepEqual(replaced, { ...JSON.parse(text), model: replacement });
    }),
    { numRuns: 2_000 },
  );
});

/** Bodies that mean one model to a careless reader and another to the provider. */
const ambiguous: [string, string, string][] = [
  ['a second model', '{"model":"a/cheap","model":"a/dear"}', 'a/dear'],
  ['a second model in escapes', String.raw`{"model":"a/cheap","mod\u0065l":"a/dear"}`, 'a/dear'],
  ['a nested model first', '{"x":{"model":"a/no"},"model":"a/yes"}', 'a/yes'],
  ['a model as a value', '{"x":"model","model":"a/yes"}', 'a/yes'],
  ['a model inside a text', String.raw`{"x":"\"model\":\"a/no\"","model":"a/yes"}`, 'a/yes'],
  ['escapes in the model', String.raw`{"model":"a\/yes"}`, 'a/yes'],
];
for (const [what, text, expected] of ambiguous) {
  test(`the provider sees the model that was read: ${what}`, () => {
    const field = readModelField(Buffer.from(text));
    assert.ok(typeof field === 'object');
    assert.equal(field.model, expected);
    assert.equal(JSON.parse(field.replace('other').toString()).model, 'other');
  });
}

test('a body without a model, or that is no object, is told apart', () => {
  for (const text of ['{}', '{"model":null}', '{"x":{"model":"a/b"}}', '{"model":["a/b"]}']) {
    assert.equal(readModelField(Buffer.from(text)), 'missing');
  }
  for (const text of ['', '[]', 'null', '"model"', '{"model"', '{"model":"a\nb"}']) {
    assert.equal(readModelField(Buffer.from(text)), 'not-json');
  }
});

test('only the model changes in place: the other bytes stay where they are', () => {
  const text = '{"model" : "openai/gpt-4o-mini","n":1.0,"big":12345678901234567890}';
  const field = readModelField(Buffer.from(text));
  assert.ok(typeof field === 'object');
  const replaced = field.replace('gpt-4o-mini').toString();
  assert.equal(replaced, '{"model" : "gpt-4o-mini"       ,"n":1.0,"big":12345678901234567890}');
});
