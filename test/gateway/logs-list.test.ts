import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LogRecord } from '../../src/request-log/record.ts';
import { onEachDatabase } from '../support/databases.ts';
import type { Json } from '../support/server.ts';
import { type LogBench, filterQuery, startLogBench } from './log-api.ts';
import { COMPARISONS, ROWS, isMet, tokensOf } from './log-comparisons.ts';

/** Responses omit these members if they have no value. */
const UNKNOWN = {
  cost: null,
  metadata: null,
  model_type: null,
  request_content_type: null,
  response_content_type: null,
};

onEachDatabase((database) => {
  let bench: LogBench;
  let records: LogRecord[];
  let rows: Json[];
  before(async () => {
    bench = await startLogBench(database);
    await bench.createGateway('main');
    await bench.createGateway('empty');
    records = await bench.write('main', ROWS);
    const listed: Json[] = (await bench.list('main', '?per_page=100')).json.result;
    rows = listed.map((row) => ({ ...UNKNOWN, ...row }));
  });
  after(() => bench.stop());

  const idsOf = (some: readonly Json[]): string[] => some.map(({ id }) => id);
  const idAt = (index: number): string => records[index]?.row.id ?? '';
  const timeAt = (index: number): string =>
    new Date(records[index]?.row.created_at ?? 0).toISOString();

  test('every key with every operator that it has, also with null', async () => {
    assert.equal(rows.length, ROWS.length);
    for (const [key, value, of, ...operators] of COMPARISONS) {
      for (const operator of operators) {
        const expected = rows.filter((row) => isMet(of(row), operator, value));
        const found = await bench.ids('main', filterQuery([key, operator, value]));
        assert.deepEqual(found, idsOf(expected), `${key} ${operator} ${String(value)}`);
      }
      for (const operator of ['eq', 'neq']) {
        const expected = rows.filter((row) => isMet(of(row), operator, null));
        const found = await bench.ids('main', filterQuery([key, operator, null]));
        assert.deepEqual(found, idsOf(expected), `${key} ${operator} null`);
      }
    }
  });

  test('id, created_at, metadata, feedback and score', async () => {
    const [first, second] = [idAt(3), idAt(5)];
    await bench.server.call('PATCH', `${bench.gateways}/main/logs/${first}`, {
      body: { feedback: 1, score: 0.5 },
    });
    const cases: [Parameters<typeof filterQuery>, string[]][] = [
      [[['id', 'eq', first, second.toUpperCase()]], [second, first]],
      [[['id', 'neq', ...records.slice(2).map(({ row }) => row.id)]], [idAt(1), idAt(0)]],
      [[['id', 'lt', idAt(1)]], [idAt(0)]],
      [[['id', 'gt', idAt(28)]], [idAt(29)]],
      [[['id', 'contains', first.slice(15)]], [first]],
      [[['created_at', 'eq', timeAt(4)]], [idAt(4)]],
      [[['created_at', 'lt', timeAt(1)]], [idAt(0)]],
      [[['created_at', 'gt', Date.parse(timeAt(28))]], [idAt(29)]],
      [
        [
          ['created_at', 'neq', timeAt(4)],
          ['created_at', 'lt', timeAt(5)],
        ],
        [3, 2, 1, 0].map(idAt),
      ],
      [
        [
          ['metadata.key', 'eq', 'n'],
          ['metadata.value', 'eq', 4],
        ],
        [idAt(4)],
      ],
      [[['metadata.value', 'contains', '28']], [idAt(28)]],
      [
        [
          ['metadata.key', 'eq', null],
          ['id', 'lt', idAt(4)],
        ],
        [idAt(3), idAt(1)],
      ],
      [
        [
          ['metadata.key', 'neq', 'team'],
          ['id', 'lt', idAt(2)],
        ],
        [idAt(1)],
      ],
      [
        [
          ['metadata.key', 'contains', 'tea'],
          ['id', 'lt', idAt(2)],
        ],
        [idAt(0)],
      ],
      [
        [
          ['metadata.value', 'neq', 'a'],
          ['id', 'lt', idAt(3)],
        ],
        [idAt(2), idAt(1)],
      ],
      [
        [
          ['metadata.key', 'eq', 'team'],
          ['metadata.value', 'neq', 'a'],
          ['id', 'lt', idAt(3)],
        ],
        [idAt(2)],
      ],
      [
        [
          ['metadata.key', 'gt', 'o'],
          ['id', 'lt', idAt(2)],
        ],
        [idAt(0)],
      ],
      [
        [
          ['metadata.key', 'lt', 'n'],
          ['id', 'lt', idAt(2)],
        ],
        [],
      ],
      [
        [
          ['metadata.value', 'lt', '1'],
          ['id', 'lt', idAt(2)],
        ],
        [idAt(0)],
      ],
      [
        [
          ['metadata.value', 'gt', 'a'],
          ['id', 'lt', idAt(3)],
        ],
        [idAt(2)],
      ],
      [[['feedback', 'eq', 1]], [first]],
      [[['feedback', 'gt', 0]], [first]],
      [[['feedback', 'lt', 1]], []],
      [[['feedback', 'neq', null]], [first]],
      [[['score', 'eq', 0.5]], [first]],
      [[['score', 'lt', 0.6]], [first]],
      [[['score', 'gt', 0.5]], []],
      [[['score', 'neq', null]], [first]],
      [[['duration', 'lt', 10.5]], [idAt(1), idAt(0)]],
      [[['duration', 'eq', 10.5]], []],
      [
        [
          ['provider', 'eq', 'openai'],
          ['model', 'contains', 'GPT'],
          ['id', 'lt', idAt(6)],
        ],
        [idAt(2)],
      ],
    ];
    for (const [filters, expected] of cases) {
      assert.deepEqual(
        await bench.ids('main', filterQuery(...filters)),
        expected,
        filters.join(' & '),
      );
    }
  });

  test('the parameters of older clients', async () => {
    const cases: [string, (row: Json) => boolean][] = [
      ['cached=true', (row) => row.cached],
      ['success=false', (row) => !row.success],
      [
        'provider=openai&model=claude',
        (row) => row.provider === 'openai' && row.model === 'claude',
      ],
      ['model_type=text-generation', (row) => row.model_type === 'text-generation'],
      ['request_content_type=application/json', (row) => row.request_content_type !== null],
      ['response_content_type=text/event-stream', (row) => row.response_content_type !== null],
      ['min_duration=100&max_duration=120', (row) => row.duration >= 100 && row.duration <= 120],
      ['min_cost=0.0028', (row) => row.cost !== null && row.cost >= 0.0028],
      ['max_cost=0.0002', (row) => row.cost !== null && row.cost <= 0.0002],
      ['min_tokens_in=28', (row) => row.tokens_in >= 28],
      ['max_tokens_in=3', (row) => row.tokens_in !== null && row.tokens_in <= 3],
      ['min_tokens_out=56', (row) => row.tokens_out >= 56],
      ['max_tokens_out=4', (row) => row.tokens_out !== null && row.tokens_out <= 4],
      ['min_total_tokens=81', (row) => tokensOf(row) !== null && (tokensOf(row) ?? 0) >= 81],
      ['max_total_tokens=6', (row) => tokensOf(row) !== null && (tokensOf(row) ?? 0) <= 6],
      [`start_date=${timeAt(27)}`, (row) => row.id >= idAt(27)],
      [`end_date=${timeAt(2)}`, (row) => row.id <= idAt(2)],
      ['start_date=2020-02-29&end_date=2100-01-01', () => true],
      ['end_date=2020-02-29', () => false],
      ['feedback=0', (row) => row.feedback === 0],
    ];
    for (const [query, isWanted] of cases) {
      const found = await bench.ids('main', `?per_page=100&${query}`);
      assert.deepEqual(found, idsOf(rows.filter(isWanted)), query);
    }
    const oldest = await bench.ids('main', '?direction=asc&per_page=2');
    assert.deepEqual(oldest, [idAt(0), idAt(1)]);
  });

  test('every order, both ways; what is not known comes last', async () => {
    const orders = [
      'created_at',
      'provider',
      'model',
      'model_type',
      'success',
      'cached',
      'cost',
      'tokens_in',
      'tokens_out',
      'duration',
    ];
    for (const order of orders) {
      for (const direction of ['asc', 'desc']) {
        const sign = direction === 'asc' ? 1 : -1;
        const expected = rows.toSorted((a, b) => {
          if (a[order] === b[order]) return (a.id < b.id ? -1 : 1) * sign;
          if (a[order] === null) return 1;
          if (b[order] === null) return -1;
          return (a[order] < b[order] ? -1 : 1) * sign;
        });
        const query = `?per_page=7&order_by=${order}&order_by_direction=${direction}`;
        const found: string[] = [];
        for (let page = 1; page <= 5; page++) {
          found.push(...(await bench.ids('main', `${query}&page=${page}`)));
        }
        assert.deepEqual(found, idsOf(expected), `${order} ${direction}`);
      }
    }
    const [judged] = await bench.ids('main', '?order_by=feedback&per_page=1');
    assert.equal(judged, idAt(3));
  });

  test('search goes over metadata, model, provider and path, in any case', async () => {
    const count = async (search: string): Promise<number> => {
      const query = `?per_page=100&search=${encodeURIComponent(search)}`;
      return (await bench.ids('main', query)).length;
    };
    assert.deepEqual(
      await Promise.all(['gPt', 'ANTHRO', 'Messages', 'team', '"', 'nothing'].map(count)),
      [20, 15, 15, 15, 0, 0],
    );
    assert.equal(await count(''), rows.length);
  });

  test('result_info counts, and tells least and greatest values when asked', async () => {
    const plain = (await bench.list('main', '?per_page=4&page=2')).json.result_info;
    assert.deepEqual(plain, { page: 2, per_page: 4, count: 4, total_count: 30, total_pages: 8 });
    const { result_info: info } = (await bench.list('main', '?meta_info=true&per_page=1')).json;
    const { page, per_page, count, total_count, total_pages, ...extremes } = info;
    assert.deepEqual([page, per_page, count, total_count, total_pages], [1, 1, 1, 30, 30]);
    assert.deepEqual(Object.keys(extremes).toSorted(), [
      'max_cost',
      'max_duration',
      'max_tokens_in',
      'max_tokens_out',
      'max_total_tokens',
      'min_cost',
      'min_duration',
      'min_tokens_in',
      'min_tokens_out',
      'min_total_tokens',
    ]);
    const none = (await bench.list('empty', '?meta_info=true')).json;
    assert.deepEqual([none.result, none.result_info.max_cost], [[], null]);
    assert.equal((await bench.list('main', '?page=100')).json.result_info.total_count, 30);
  });

  test('a list that is read page after page does not change under it', async () => {
    await bench.createGateway('growing');
    await bench.write('growing', ROWS.slice(0, 9));
    const expected = await bench.ids('growing');
    const found = await bench.ids('growing', '?per_page=3');
    await bench.write('growing', ROWS.slice(0, 5));
    for (const page of [2, 3])
      found.push(...(await bench.ids('growing', `?per_page=3&page=${page}`)));
    assert.deepEqual(found, expected);
  });

  test('filters as three lists, as generated clients send them', async () => {
    const filters = [
      ['success', 'eq', 'true'],
      ['provider', 'neq', 'openai'],
      ['duration', 'gt', '1'],
    ] as const;
    const list = (name: string, index: 0 | 1 | 2): string =>
      filters.map((filter) => `filters.${name}=${filter[index]}`).join('&');
    const lists = [list('key', 0), list('operator', 1), list('value', 2)];
    const expected = await bench.ids(
      'main',
      filterQuery(...filters.map((filter): [string, string, string] => [...filter])),
    );
    assert.ok(expected.length > 0 && expected.length < ROWS.length);
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [2, 1, 0],
    ]) {
      const query = order.map((index) => lists[index]).join('&');
      assert.deepEqual(await bench.ids('main', `?${query}`), expected, query);
    }
    for (const [more, name] of [
      ['filters.operator=eq', 'filters.operator'],
      ['filters.value=x', 'filters.value'],
      ['filters.key=model', 'filters.operator'],
    ] as const) {
      const { status, json } = await bench.list('main', `?${more}&${lists.join('&')}`);
      const isKey = more.startsWith('filters.key');
      const { message, source } = json.errors[0];
      assert.deepEqual([status, source.parameter ?? source.pointer], [400, name], more);
      assert.match(message, new RegExp(`once for each of the ${isKey ? 4 : 3} filters.key`));
    }
  });

  test('400/6010 for what is no filter; nothing is passed over', async () => {
    const bad = [
      'filters.key=color&filters.operator=eq&filters.value=x',
      'filters.key=provider&filters.operator=like&filters.value=x',
      'filters.key=provider&filters.value=x',
      'filters.key=provider&filters.operator=eq',
      'filters.key=provider&filters.operator=eq&filters.operator=eq&filters.value=x',
      'filters.operator=eq&filters.key=provider&filters.value=x',
      'filters.value=x',
      'filters.key=provider&filters.operator=lt&filters.value=',
      `filters.key=provider&filters.operator=eq&filters.value=${'x'.repeat(1_001)}`,
      'filters.key=provider&filters.operator=eq&filters.value=%00',
      'filters.key=cost&filters.operator=contains&filters.value=1',
      'filters.key=cost&filters.operator=eq&filters.value=cheap',
      'filters.key=tokens&filters.operator=eq&filters.value=9999999999999999',
      'filters.key=success&filters.operator=lt&filters.value=true',
      'filters.key=success&filters.operator=eq&filters.value=maybe',
      'filters.key=feedback&filters.operator=eq&filters.value=2',
      'filters.key=id&filters.operator=eq&filters.value=x',
      'filters.key=id&filters.operator=eq&filters.value=',
      'filters.key=created_at&filters.operator=lt&filters.value=yesterday',
      'filters.key=created_at&filters.operator=contains&filters.value=2026',
      'filters.colour=x',
      'search=%00',
      `search=${'x'.repeat(201)}`,
      'model=%00',
      'start_date=soon',
      'order_by=score',
      'color=x',
      'per_page=101',
      'feedback=2',
      ...['authentication', 'wholesale', 'compatibilityMode', 'dlp_action', 'user_agent'].map(
        (key) => `filters.key=${key}&filters.operator=eq&filters.value=x`,
      ),
    ];
    for (const query of bad) {
      const { status, code } = await bench.list('main', `?${query}`);
      assert.deepEqual([status, code], [400, 6010], query);
    }
    const { json } = await bench.list('main', filterQuery(['user_agent', 'eq', 'x']));
    assert.match(json.errors[0].message, /user_agent is not supported/);
    const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);
    const statusOf = async (query: string) => (await bench.list('main', query)).status;
    const filters = (count: number) =>
      filterQuery(
        ...values(count).map((value) => ['provider', 'eq', value] as [string, string, string]),
      );
    assert.equal(await statusOf(filters(20)), 200);
    assert.equal(await statusOf(filters(21)), 400);
    assert.equal(await statusOf(filterQuery(['provider', 'eq', ...values(100)])), 200);
    assert.equal(await statusOf(filterQuery(['provider', 'eq', ...values(101)])), 400);
    assert.equal(await statusOf(filterQuery(['provider', 'eq', 'x'.repeat(1_000)])), 200);
  });

  test('400/5026 when a page cannot be found in time', async () => {
    const { status, code } = await bench.list('main', '?order_by=cost&page=1000&per_page=100');
    assert.deepEqual([status, code], [400, 5026]);
  });

  test('404 for a gateway that is not there, 403 and 401 for who may not read', async () => {
    const gone = await bench.list('none');
    assert.deepEqual([gone.status, gone.code], [404, 7003]);
    const path = `${bench.gateways}/main/logs`;
    const { server } = bench;
    const { value } = await server.createToken(['ai-gateway.run']);
    assert.equal((await server.call('GET', path, { token: value })).status, 403);
    assert.equal((await server.call('GET', path, { token: null })).status, 401);
  });
});
