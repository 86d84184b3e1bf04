import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from '../../dashboard/src/lib/csv.ts';
import { filterParameters } from '../../dashboard/src/lib/log-query.ts';
import { FILTER_FIELDS, operatorsOf } from '../../dashboard/src/lib/log-fields.ts';
import { draftOf, filterOf } from '../../dashboard/src/pages/gateway-logs/filter-draft.ts';
import {
  type LogFilter,
  formatFilters,
  parseFilters,
  toApiFilters,
} from '../../dashboard/src/lib/log-filters.ts';
import { changed, parseLogSearch } from '../../dashboard/src/pages/gateway-logs/log-search.ts';
import { FILTER_KEYS } from '../../src/request-log/api/log-filter-keys.ts';
import { parseLogFilters } from '../../src/request-log/api/parse-log-filters.ts';

const VALUES: Record<string, string[]> = {
  text: ['gpt-4o', 'a.b~c*d e', '~20', '', 'ü☃‮'],
  id: ['01890000-0000-7000-8000-000000000000'],
  boolean: ['true', 'false'],
  whole: ['0', '500', '-1'],
  number: ['0.5', '-2'],
  milliseconds: ['2000', '1'],
  dollars: ['0.001'],
  time: ['2026-11-01T12:00:00.000Z'],
  feedback: ['-1', '0', '1'],
};

/** Every field with each of its operators. */
function everyFilter(): LogFilter[] {
  return FILTER_FIELDS.flatMap(({ name, type }) =>
    operatorsOf(type).map((operator) => ({
      field: name,
      ...(name === 'metadata' && { metadataKey: 'team.a *~' }),
      operator,
      values: (VALUES[type] ?? []).filter(
        // The API takes what is not known as equal only.
        (value) => value !== '' || operator === 'eq' || operator === 'neq',
      ),
    })),
  );
}

function asRead(filters: readonly LogFilter[]) {
  return parseLogFilters(filterParameters(toApiFilters(filters)).toString());
}

test('every filter of the API can be made, and the API takes it as it is meant', () => {
  const keys = new Set<string>();
  for (const filter of everyFilter()) {
    for (const { key } of toApiFilters([filter])) keys.add(key);
    const read = asRead([filter]);
    assert.ok(read.every(({ values }) => values.length > 0));
    assert.equal(read.at(-1)?.operator, filter.operator);
  }
  assert.deepEqual([...keys].sort(), [...FILTER_KEYS.keys()].sort());
});

test('filters come out of an address as they went into it', () => {
  for (const filter of everyFilter()) {
    assert.deepEqual(parseFilters(formatFilters([filter])), [filter]);
    const query = new URLSearchParams({ f: formatFilters([filter]) }).toString();
    const f = new URLSearchParams(query).get('f');
    assert.deepEqual(parseFilters(parseLogSearch({ f }).f ?? ''), [filter]);
  }
  assert.equal(
    formatFilters([
      { field: 'provider', operator: 'eq', values: ['openai', 'anthropic'] },
      { field: 'duration', operator: 'gt', values: ['2000'] },
    ]),
    'provider.eq.openai*anthropic duration.gt.2000',
  );
});

test('what makes no sense in an address is left out', () => {
  for (const f of [
    '',
    'x',
    'model',
    'model.eq',
    'model.is.a',
    'cost.contains.1',
    'metadata..eq.a',
  ]) {
    assert.deepEqual(parseFilters(f), [], f);
  }
  assert.deepEqual(parseFilters('x.eq.1 step.gt.0'), [
    { field: 'step', operator: 'gt', values: ['0'] },
  ]);
  assert.deepEqual(
    parseLogSearch({
      f: 7,
      q: 500,
      range: 'constructor',
      since: 'x',
      sort: 'price.asc',
      after: '../x',
      part: -1,
      live: 'maybe',
      other: 1,
    }),
    { q: '500' },
  );
});

test('a value of any key is not taken for that of the key before it', () => {
  const read = asRead([
    { field: 'metadata_key', operator: 'eq', values: ['team'] },
    { field: 'metadata_value', operator: 'eq', values: ['search'] },
  ]);
  assert.deepEqual(
    read.map(({ on }) => on),
    ['metadata.value', 'metadata.key'],
  );
});

test('a form makes of a filter the same filter', () => {
  for (const filter of everyFilter()) {
    const hasOne = filter.operator === 'gt' || filter.operator === 'lt';
    const values = hasOne ? filter.values.slice(0, 1) : filter.values;
    if (FILTER_FIELDS.find(({ name }) => name === filter.field)?.type === 'time') continue;
    assert.deepEqual(filterOf(draftOf({ ...filter, values })), { ...filter, values });
  }
  const draft = draftOf({ field: 'duration', operator: 'gt', values: ['90000'] });
  assert.deepEqual([draft.typed, draft.unit], ['90', 's']);
  assert.deepEqual(filterOf({ ...draft, typed: '1.5', unit: 'min' }), {
    field: 'duration',
    operator: 'gt',
    values: ['90000'],
  });
  assert.equal(typeof filterOf({ ...draft, typed: 'long' }), 'string');
});

test('another search begins at its beginning, and grows only where new logs come', () => {
  const search = parseLogSearch({
    f: 'step.gt.0',
    live: 'yes',
    after: '01890000-0000-7000-8000-000000000000',
    log: 'x',
  });
  assert.deepEqual(changed(search, { q: 'gpt' }), { f: 'step.gt.0', q: 'gpt', live: 'yes' });
  assert.deepEqual(changed(search, { sort: 'cost.desc' }), { f: 'step.gt.0', sort: 'cost.desc' });
  assert.deepEqual(changed({ sort: 'cost.desc' }, { sort: 'created_at.desc' }), {});
});

test('a spreadsheet takes no text for a formula', () => {
  assert.equal(
    csvOf([
      ['=1+1', '+a', '-b', '@c', '\tx', '＝1', 'a"b', 'a,b', 'a\nb', -1, 0.5, true, null, ''],
    ]),
    `\u{feff}'=1+1,'+a,'-b,'@c,"'\tx",'＝1,"a""b","a,b","a\nb",-1,0.5,true,,\r\n`,
  );
  // Where a semicolon parts the columns.
  assert.equal(csvOf([['a;=1+1']]), '\u{feff}"a;=1+1"\r\n');
});
