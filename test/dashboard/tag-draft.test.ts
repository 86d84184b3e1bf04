import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween, patchOf } from '../../dashboard/src/pages/tags/resource/tag-changes.ts';
import {
  type DraftRow,
  draftOf,
  faultsOf,
  newRow,
  rebase,
  wantedTags,
  withTag,
} from '../../dashboard/src/pages/tags/resource/tag-draft.ts';
import { keyFault, valueFault } from '../../dashboard/src/pages/tags/resource/tag-rules.ts';

type Tags = Record<string, string>;

function mapOf(tags: Tags): Map<string, string> {
  return new Map(Object.entries(tags));
}

/** A draft of these tags with some written anew; null takes one away. */
function written(base: Tags, changes: Record<string, string | null>): DraftRow[] {
  let rows = draftOf(mapOf(base));
  for (const [key, value] of Object.entries(changes)) rows = withTag(rows, key, value ?? undefined);
  return rows;
}

test('a draft comes to a patch, also with keys that objects have a use for', () => {
  const base = mapOf(JSON.parse('{"__proto__":"a","b":"1","gone":"x"}') as Tags);
  let rows = withTag(draftOf(base), 'b', '2');
  rows = withTag(rows, 'gone', undefined);
  rows = [...withTag(rows, '__proto__', 'z'), newRow('constructor', ''), newRow()];
  const patch = patchOf(changesBetween(base, wantedTags(rows)));
  assert.equal(JSON.stringify(patch), '{"__proto__":"z","b":"2","constructor":"","gone":null}');
});

test('a key that is written anew is another tag', () => {
  const [row, ...others] = draftOf(mapOf({ env: 'dev' }));
  assert.ok(row !== undefined);
  const changes = changesBetween(
    mapOf({ env: 'dev' }),
    wantedTags([{ ...row, key: 'stage' }, ...others]),
  );
  assert.deepEqual(patchOf(changes), { env: null, stage: 'dev' });
});

test('faults are those that the API would find', () => {
  assert.equal(keyFault('ä_.-9Z'), undefined);
  assert.equal(keyFault('k'.repeat(256)), undefined);
  assert.match(keyFault('k'.repeat(257)) ?? '', /^Tag key too long \(maximum 256 characters\)/);
  for (const key of ['', 'a b', 'a=b', 'a\n', '😀']) assert.notEqual(keyFault(key), undefined, key);
  assert.equal(valueFault('😀'.repeat(1_024)), undefined);
  assert.match(valueFault('😀'.repeat(1_025)) ?? '', /^Tag value too long \(maximum 1024/);
  for (const value of ['a\0', '\uD800']) assert.notEqual(valueFault(value), undefined);
  const twice = [newRow('a', '1'), newRow('a', '2'), { ...newRow('a', '3'), isRemoved: true }];
  assert.deepEqual([...faultsOf(twice).keys()], [twice[1]?.id]);
  assert.equal(faultsOf([newRow()]).size, 0);
});

const base = { env: 'dev', team: 'core', tier: 'gold' };

const cases: [
  what: string,
  mine: Record<string, string | null>,
  theirs: Tags,
  wanted: Tags,
  clashes: string[],
][] = [
  [
    'what only they changed comes in',
    { env: 'prod' },
    { ...base, team: 'web', extra: '1' },
    { env: 'prod', team: 'web', tier: 'gold', extra: '1' },
    [],
  ],
  [
    'what both changed stays as written here',
    { env: 'prod' },
    { ...base, env: 'test' },
    { ...base, env: 'prod' },
    ['env'],
  ],
  [
    'both alike is no clash',
    { env: 'prod' },
    { ...base, env: 'prod' },
    { ...base, env: 'prod' },
    [],
  ],
  [
    'what they took away and was written here is there again',
    { env: 'prod' },
    { team: 'core', tier: 'gold' },
    { ...base, env: 'prod' },
    ['env'],
  ],
  [
    'what they took away and nobody touched here goes',
    { env: 'prod' },
    { env: 'dev', tier: 'gold' },
    { env: 'prod', tier: 'gold' },
    [],
  ],
  [
    'what was taken away here and changed there stays away',
    { tier: null },
    { ...base, tier: 'silver' },
    { env: 'dev', team: 'core' },
    ['tier'],
  ],
  [
    'what both took away is no clash',
    { tier: null },
    { env: 'dev', team: 'core' },
    { env: 'dev', team: 'core' },
    [],
  ],
  [
    'what both added',
    { extra: 'mine' },
    { ...base, extra: 'theirs' },
    { ...base, extra: 'mine' },
    ['extra'],
  ],
];

for (const [what, mine, theirs, wanted, clashes] of cases) {
  test(`another writer: ${what}`, () => {
    const result = rebase(written(base, mine), mapOf(base), mapOf(theirs));
    assert.deepEqual(Object.fromEntries(wantedTags(result.rows)), wanted);
    assert.deepEqual(
      result.meanwhile.clashes.map(({ key }) => key),
      clashes,
    );
    // Each of both can be chosen.
    for (const { key, after, mine: own } of result.meanwhile.clashes) {
      const taken = withTag(result.rows, key, after);
      assert.equal(wantedTags(taken).get(key), after);
      assert.equal(wantedTags(withTag(taken, key, own)).get(key), own);
    }
  });
}
