import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { namedRecord } from '../../src/http/named-record.ts';
import { createSchemaCompiler } from '../../src/http/schema-compiler.ts';
import { NAME_PATTERN } from '../../src/iam/names.ts';

const MODES = [{ allErrors: true }, { allErrors: false }, { coerceTypes: 'array' }] as const;

/** Counts the characters that regular expressions are evaluated on while `work` runs. */
function countEvaluatedCharacters(work: () => void): number {
  const counting = mock.method(RegExp.prototype, 'test');
  try {
    work();
    return counting.mock.calls.reduce((sum, call) => sum + call.arguments[0].length, 0);
  } finally {
    counting.mock.restore();
  }
}

for (const mode of MODES) {
  test(`a pattern is not evaluated on a text above maxLength: ${JSON.stringify(mode)}`, () => {
    const check = createSchemaCompiler(mode).compile(
      Type.String({ maxLength: 4, pattern: '^a+$' }),
    );
    for (const [text, isValid] of [
      ['a', true],
      ['aaaa', true],
      ['aaaaa', false],
      ['aaab', false],
      ['😀😀😀😀', false],
    ] as const) {
      assert.equal(check(text), isValid, text);
    }
    const long = 'a'.repeat(1_000_000);
    assert.equal(
      countEvaluatedCharacters(() => assert.equal(check(long), false)),
      0,
    );
    assert.deepEqual(
      check.errors?.map(({ keyword }) => keyword),
      ['maxLength'],
    );
  });

  test(`a name is bounded before its pattern is evaluated: ${JSON.stringify(mode)}`, () => {
    const schema = namedRecord({ maxLength: 4, pattern: '^a+$' }, Type.String(), {
      maxProperties: 2,
      description: 'Names',
    });
    const check = createSchemaCompiler(mode).compile(schema);
    assert.equal(check({ a: '', aaaa: '' }), true);
    for (const wrong of [{ aaaaa: '' }, { b: '' }, { a: 1 }, { a: '', aa: '', aaa: '' }]) {
      const isValid = check(structuredClone(wrong));
      // Parameters are coerced: 1 is the text '1'.
      assert.equal(isValid, 'coerceTypes' in mode && 'a' in wrong && wrong.a === 1);
    }
    assert.equal(
      countEvaluatedCharacters(() => void check({ ['a'.repeat(1_000_000)]: '' })),
      0,
    );
  });
}

test('a pattern without maxLength does not compile', () => {
  const ajv = createSchemaCompiler({});
  assert.throws(() => ajv.compile(Type.String({ pattern: '^a$' })), /no maxLength beside/);
  const nested = Type.Array(Type.Union([Type.Null(), Type.String({ pattern: '^a$' })]));
  assert.throws(() => ajv.compile(nested), /no maxLength beside/);
  const names = Type.Record(Type.String({ pattern: '^a+$' }), Type.String());
  assert.throws(() => ajv.compile(names), /patternProperties/);
});

test('the reference declares a maxLength beside every pattern', async () => {
  const file = path.join(import.meta.dirname, '../../docs/openapi.json');
  let patterns = 0;
  JSON.parse(await readFile(file, 'utf8'), (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('pattern' in value)) return value;
    if (typeof value.pattern !== 'string') return value;
    patterns++;
    assert.ok('maxLength' in value && typeof value.maxLength === 'number', value.pattern);
    return value;
  });
  assert.ok(patterns > 40);
});

test('a name is one visible line, judged as it was before the pattern became linear', () => {
  const before = NAME_PATTERN.replace(/^\^\(\?!\\s\*\$\)\[\^(.*)\]\+\$$/, '^[^$1]*[^\\s$1][^$1]*$');
  assert.notEqual(before, NAME_PATTERN);
  const [quadratic, linear] = [before, NAME_PATTERN].map((pattern) => new RegExp(pattern, 'u'));
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        'a',
        ' ',
        '\t',
        '\n',
        '\u00a0',
        '\u200b',
        '\u200d',
        '\u2028',
        '\ufeff',
        '\ud800',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 8,
  });
  fc.assert(
    fc.property(text, (name) => {
      assert.equal(linear?.test(name), quadratic?.test(name));
    }),
    { numRuns: 20_000 },
  );
});
