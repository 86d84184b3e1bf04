import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { SchemaCheck } from '../../src/http/schema-check.ts';

const Item = Type.Object({ kind: Type.Literal('a'), 'x/~y': Type.Optional(Type.Integer()) });

const check = SchemaCheck.of(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 2 }),
      level: Type.Optional(Type.Enum(['low', 'high'])),
      items: Type.Optional(Type.Array(Type.Union([Type.String(), Item]), { maxItems: 2 })),
      item: Type.Optional(Item),
    },
    { additionalProperties: false },
  ),
);

for (const [what, value, pointer, reason] of [
  ['no object', [], '', 'must be object'],
  ['nothing', null, '', 'must be object'],
  ['a field that is missing', {}, '/name', 'is required'],
  ['a field too much', { name: 'a', other: 1 }, '/other', 'is not a known field'],
  ['a name of every object', { name: 'a', constructor: 1 }, '/constructor', 'is not a known field'],
  ['a prototype', JSON.parse('{"name":"a","__proto__":{}}'), '/__proto__', 'is not a known field'],
  ['another type', { name: 1 }, '/name', 'must be string'],
  ['a text too long', { name: 'abc' }, '/name', 'must NOT have more than 2 characters'],
  ['no choice', { name: 'a', level: 'mid' }, '/level', 'must be one of low,high'],
  ['no constant', { name: 'a', item: { kind: 'b' } }, '/item/kind', 'must be "a"'],
  [
    'no integer',
    { name: 'a', item: { kind: 'a', 'x/~y': 0.5 } },
    '/item/x~1~0y',
    'must be integer',
  ],
  ['none of a union', { name: 'a', items: ['', 1] }, '/items/1', 'must match a schema in anyOf'],
  ['too many', { name: 'a', items: ['', '', 1] }, '/items', 'must NOT have more than 2 items'],
] as const) {
  test(`tells where a value is not as its schema says, and why: ${what}`, () => {
    assert.equal(check.matches(value), false);
    assert.deepEqual(check.faultOf(value), { pointer, reason });
  });
}

test('a value that is as its schema says matches; characters are counted, not code units', () => {
  assert.ok(check.matches({ name: '😀😀', level: 'low', items: ['', { kind: 'a' }] }));
});
