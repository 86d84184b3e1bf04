import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, diffOf, leavesOf } from '../../dashboard/src/lib/json-diff.ts';

/** `+ path value`, `- path value`, `~ path before after`, `= path value`. */
function inShort({ path, kind, before, after }: Change): string {
  const sign = { added: '+', removed: '-', changed: '~', same: '=' }[kind];
  const values = kind === 'same' ? [after] : [before, after].filter((value) => value !== undefined);
  return [sign, path, ...values.map((value) => JSON.stringify(value))].join(' ');
}

const cases: [what: string, before: unknown, after: unknown, expected: string[]][] = [
  ['the same', { a: 1, b: null }, { a: 1, b: null }, ['= a 1', '= b null']],
  [
    'added, removed, changed',
    { a: 1, b: 'x' },
    { b: 'y', c: true },
    ['~ b "x" "y"', '+ c true', '- a 1'],
  ],
  ['nested', { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, ['~ a.b.c 1 2']],
  ['a value is a set', { s: ['a', 'b'] }, { s: ['b', 'c'] }, ['= s "b"', '+ s "c"', '- s "a"']],
  [
    'what goes stands in its place',
    { s: ['a'], z: 1 },
    { s: ['c'], z: 1 },
    ['+ s "c"', '- s "a"', '= z 1'],
  ],
  ['only moved', { s: ['a', 'b'] }, { s: ['b', 'a'] }, ['= s "b"', '= s "a"']],
  [
    'things are found again by their ids',
    {
      p: [
        { id: 'x', n: 1 },
        { id: 'y', n: 2 },
      ],
    },
    { p: [{ id: 'y', n: 3 }] },
    ['= p[y].id "y"', '~ p[y].n 2 3', '- p[x].id "x"', '- p[x].n 1'],
  ],
  ['things without ids by their place', { p: [{ n: 1 }] }, { p: [{ n: 2 }] }, ['~ p[0].n 1 2']],
  ['numbers and texts are not the same', { a: 1 }, { a: '1' }, ['~ a 1 "1"']],
  ['nothing before', undefined, { a: 1 }, ['+ a 1']],
  [
    'names that mean something elsewhere',
    { ['__proto__']: 1 },
    { constructor: 2 },
    ['+ constructor 2', '- __proto__ 1'],
  ],
];

for (const [what, before, after, expected] of cases) {
  test(`differences: ${what}`, () => {
    assert.deepEqual(diffOf(before, after).map(inShort), expected);
  });
}

test('the values of a whole, each with its way there', () => {
  const whole = { name: 'a', policies: [{ effect: 'allow', groups: ['x', 'y'] }], empty: {} };
  assert.deepEqual(
    leavesOf(whole).map(({ path, value }) => `${path}=${value}`),
    ['name=a', 'policies[0].effect=allow', 'policies[0].groups=x', 'policies[0].groups=y'],
  );
});
