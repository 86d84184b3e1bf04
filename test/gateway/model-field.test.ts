import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ModelField, readModelField } from '../../src/gateway/routing/model-field.ts';

const MAX_DEPTH = 64;

function read(text: string): Promise<ModelField> {
  return readModelField(Buffer.from(text), MAX_DEPTH);
}

const MISSING = { code: 2019 };
const NOT_JSON = { code: 2020, message: 'Bad format: the body must be a JSON object' };
const TOO_DEEP = { code: 2020, message: 'Bad format: the body is nested too deep' };
const AMBIGUOUS = { code: 2020, message: /^Bad format: duplicate member/ };

const isRejected = (text: string, error: object): Promise<void> =>
  assert.rejects(read(text), error);

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

test('reads the model that a JSON parser reads, and replaces that one and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, fc.string(), async ({ model, text }, replacement) => {
      const field = await read(text);
      assert.equal(field.model, model);
      const replaced = JSON.parse(field.replace(replacement).body.toString());
      assert.deepEqual(replaced, { ...JSON.parse(text), model: replacement });
    }),
    { numRuns: 2_000 },
  );
});

const told: [string, string, string][] = [
  ['a nested model first', '{"x":{"model":"a/no"},"model":"a/yes"}', 'a/yes'],
  ['a model as a value', '{"x":"model","model":"a/yes"}', 'a/yes'],
  ['a model as a value before a colon in a text', '{"x":"model","y":":","model":"a/yes"}', 'a/yes'],
  ['a model inside a text', String.raw`{"x":"\"model\":\"a/no\"","model":"a/yes"}`, 'a/yes'],
  ['backslashes before a quote', String.raw`{"x":"\\\\","model":"a/yes"}`, 'a/yes'],
  ['escapes in the model', String.raw`{"model":"a\/yes"}`, 'a/yes'],
  ['escapes in the key', String.raw`{"mod\u0065l":"a/yes"}`, 'a/yes'],
  ['white space everywhere', '\n{ "model"\t:\r\n"a/yes" } ', 'a/yes'],
  ['a model behind a long text', `{"x":"${'y'.repeat(600_000)}","model":"a/yes"}`, 'a/yes'],
  ['a model behind many values', `{"x":[${'0,'.repeat(400_000)}0],"model":"a/yes"}`, 'a/yes'],
];
for (const [what, text, expected] of told) {
  test(`the provider sees the model that was read: ${what}`, async () => {
    const field = await read(text);
    assert.equal(field.model, expected);
    assert.equal(JSON.parse(field.replace('other').body.toString()).model, 'other');
  });
}

test('two models are refused: the provider could read the other one', async () => {
  for (const text of [
    '{"model":"a/cheap","model":"a/dear"}',
    String.raw`{"model":"a/cheap","mod\u0065l":"a/dear"}`,
    '{"model":"a/cheap","x":1,"model":null}',
  ]) {
    await isRejected(text, AMBIGUOUS);
  }
});

test('a body without a model, that is no object or is nested too deep, is told apart', async () => {
  for (const text of ['{}', '{"model":null}', '{"x":{"model":"a/b"}}', '{"model":["a/b"]}']) {
    await isRejected(text, MISSING);
  }
  await isRejected(`{"model":"${'m'.repeat(1_100)}"}`, MISSING);
  for (const text of ['', '[]', 'null', '"model"', '{"model"', '{"model":"a/b"', '{"x":"']) {
    await isRejected(text, NOT_JSON);
  }
  const nested = (depth: number): string =>
    `{"model":"a/b","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  assert.equal((await read(nested(MAX_DEPTH))).model, 'a/b');
  await isRejected(nested(MAX_DEPTH + 1), TOO_DEEP);
});

test('the other bytes stay where they are, numbers as they were written', async () => {
  const text = '{"model" : "openai/gpt-4o-mini","n":1.0,"big":12345678901234567890,"x":"\\u00fc"}';
  const field = await read(text);
  assert.equal(
    field.replace('gpt-4o-mini').body.toString(),
    '{"model" : "gpt-4o-mini"       ,"n":1.0,"big":12345678901234567890,"x":"\\u00fc"}',
  );
});
