import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  faultOfFilter,
  readTagFilter,
  writeTagFilter,
} from '../../dashboard/src/pages/tags/explorer/tag-filter.ts';
import {
  textOfWords,
  wordsOfFilter,
  wordsOfQuery,
} from '../../dashboard/src/pages/tags/explorer/filter-words.ts';
import {
  addFilter,
  toggleType,
  toggleValue,
} from '../../dashboard/src/pages/tags/explorer/query-edit.ts';
import { readRawQuery, writeRawQuery } from '../../dashboard/src/pages/tags/explorer/raw-query.ts';
import {
  faultOfQuery,
  parseTagSearch,
} from '../../dashboard/src/pages/tags/explorer/tag-search.ts';
import { resourcesCsv } from '../../dashboard/src/pages/tags/explorer/resource-text.ts';
import { parseTagFilters } from '../../src/tags/query/tag-filter.ts';

const LONG_KEY = 'k'.repeat(256);
const LONG_VALUE = '𝒜'.repeat(1_024);

const TEXTS = [
  'env',
  '!env',
  'env=',
  'env=production',
  'env=production,staging',
  'env!=production',
  'env!=a,b',
  'env!=',
  String.raw`note=a\,b`,
  String.raw`note=a\\,b\c`,
  String.raw`note=\\\,`,
  'url=https://example.com/?a=b',
  'größe=L',
  'a.b_c-d=1',
  'env= a ,\tb',
  '',
  '=v',
  '!',
  '!=v',
  '!!env',
  '!env=staging',
  'a b',
  'a/b=c',
  LONG_KEY,
  `${LONG_KEY}k`,
  `env=${LONG_VALUE}`,
  `env=${LONG_VALUE}x`,
  `env=${Array.from({ length: 10 }, (_, i) => i).join(',')}`,
  `env=${Array.from({ length: 11 }, (_, i) => i).join(',')}`,
  `a b=${Array.from({ length: 11 }, (_, i) => i).join(',')}`,
];

test('a filter is read, and refused, as the server does it', () => {
  for (const text of TEXTS) {
    let expected: unknown;
    try {
      const [filter] = parseTagFilters([text]);
      const { negated: isNegated, ...others } = filter ?? {};
      expected = { ...others, isNegated };
    } catch (error) {
      expected = (error as Error).message;
    }
    const filter = readTagFilter(text);
    assert.deepEqual(faultOfFilter(filter) ?? filter, expected, text);
  }
});

test('a filter that is written is read again as the same', () => {
  for (const text of TEXTS) {
    const filter = readTagFilter(text);
    if (faultOfFilter(filter) !== undefined) continue;
    assert.deepEqual(readTagFilter(writeTagFilter(filter)), filter, text);
  }
});

test('a query string is read, with what is wrong with it', () => {
  const query = {
    tag: ['env=production,staging', '!owner', String.raw`note=a\,b & c+d`],
    type: ['worker', 'zone'],
    id: ['1', '0x'],
    name: 'Ä pi',
    case_insensitive: true as const,
  };
  const raw = writeRawQuery(query);
  assert.equal(
    raw,
    'tag=env=production,staging&tag=!owner&tag=note=a%5C,b%20%26%20c%2Bd' +
      '&type=worker&type=zone&id=1&id=0x&name=%C3%84%20pi&case_insensitive=true',
  );
  for (const text of [
    raw,
    `?${raw}`,
    raw.replaceAll('&', '\n'),
    `https://api.example.com/client/v4/accounts/1/tags/resources?${raw}&limit=50#top`,
    `/accounts/1/tags/resources?${raw}&cursor=abc`,
  ]) {
    assert.deepEqual(readRawQuery(text), { query, faults: [] }, text);
  }
  assert.deepEqual(readRawQuery('https://api.example.com/tags'), { query: {}, faults: [] });
  assert.deepEqual(readRawQuery('tag=a+b&name=&case_insensitive=false'), {
    query: { tag: ['a b'] },
    faults: [],
  });
  for (const [text, fault] of [
    ['env=production', /“env” is not a parameter.*tag=env=production/],
    ['tag=%zz', /percent-encoded/],
    ['case_insensitive=maybe', /case_insensitive must be boolean/],
    ['name=a&name=b', /name must be string/],
  ] as const) {
    assert.match(readRawQuery(text).faults.join(), fault, text);
  }
});

test('an address keeps what it says of a query, whatever it looks like', () => {
  assert.deepEqual(parseTagSearch({ tag: 'env', type: ['worker'], id: 17, name: 5, x: 1 }), {
    tag: ['env'],
    type: ['worker'],
    id: ['17'],
    name: '5',
  });
  assert.deepEqual(parseTagSearch({ tag: [], name: '', case_insensitive: 'yes', page: 2 }), {});
  assert.deepEqual(parseTagSearch({ cursor: 'c', page: 2, case_insensitive: true }), {
    cursor: 'c',
    page: 2,
    case_insensitive: true,
  });
});

test('the first fault of a query is the one that the API tells', () => {
  const types = new Set(['worker']);
  const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `k${i}`);
  const faults: [Parameters<typeof faultOfQuery>[0], RegExp | undefined][] = [
    [{ tag: many(20), type: ['worker'], id: many(50) }, undefined],
    [{ tag: many(21), type: ['nope'] }, /^too many tag filters \(maximum 20\)$/],
    [{ tag: ['a', '!b=c', 'd d'], type: ['nope'] }, /^tag parameter must be in format/],
    [{ tag: ['a', 'd d'], type: ['nope'] }, /^Invalid tag key$/],
    [{ tag: ['a'], type: ['worker', 'nope'] }, /^Invalid resource type$/],
    [{ tag: ['!b=c'], id: many(51) }, /id must NOT have more than 50 items$/],
  ];
  for (const [query, expected] of faults) {
    if (expected === undefined) assert.equal(faultOfQuery(query, types), undefined);
    else assert.match(faultOfQuery(query, types) ?? '', expected);
  }
});

test('facets add and take away values, types and keys', () => {
  const one = toggleValue({ name: 'x' }, 'env', 'a,b');
  assert.deepEqual(one, { name: 'x', tag: [String.raw`env=a\,b`] });
  const two = toggleValue(one, 'env', '');
  assert.deepEqual(two.tag, [String.raw`env=a\,b,`]);
  assert.deepEqual(toggleValue(toggleValue(two, 'env', 'a,b'), 'env', ''), { name: 'x' });
  // What only asks for the key becomes narrower; what is negated stays.
  assert.deepEqual(toggleValue({ tag: ['!env', 'env'] }, 'env', 'a').tag, ['!env', 'env=a']);
  assert.deepEqual(toggleType(toggleType({}, 'worker'), 'zone').type, ['worker', 'zone']);
  assert.deepEqual(toggleType({ type: ['worker'] }, 'worker'), {});
  const has = { key: 'env', values: undefined, isNegated: false };
  assert.deepEqual(addFilter({ tag: ['env'] }, has).tag, ['env']);
});

test('a query is put into words', () => {
  const query = {
    tag: ['env', 'team!=core,web', '!owner', 'note='],
    type: ['worker', 'zone', 'queue'],
    name: 'api',
    case_insensitive: true as const,
  };
  assert.equal(
    textOfWords(wordsOfQuery(query)),
    'Tagged resources of the type worker, zone or queue with api in their name that have the key env, ' +
      'do not have team set to core or web, lack the key owner and have note set to (empty). ' +
      'Resources without the key also match. ' +
      'Keys and values are compared without regard to case.',
  );
  assert.equal(textOfWords(wordsOfQuery({})), 'All tagged resources.');
  assert.equal(textOfWords(wordsOfFilter(readTagFilter('env!=a,b'))), 'env is not a or b');
});

test('CSV: a column for each key, and nothing that a spreadsheet would run', () => {
  const resource = (id: string, tags: Record<string, string>) => {
    return { id, type: 'worker', name: id, etag: '', tags, tags_updated_at: 't' };
  };
  assert.equal(
    resourcesCsv([resource('a', { env: 'x,"y"' }), resource('=b', { constructor: '@c', env: '' })]),
    [
      '\uFEFFtype,id,name,tags_updated_at,tag:constructor,tag:env',
      'worker,a,a,t,,"x,""y"""',
      `worker,'=b,'=b,t,'@c,`,
      '',
    ].join('\r\n'),
  );
});
