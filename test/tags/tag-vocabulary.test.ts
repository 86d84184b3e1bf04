import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, createTagging, query } from './tagging.ts';

const FOUR_BYTES = '𝒜';
const LONG = 'long '.repeat(60);

/** The lists of keys and of values, and the summary. */
onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    const manyTypes = Array.from({ length: 600 }, (_, i) => `t${i}`).join(',');
    server = await bootServer(database, { settings: { RESOURCE_TYPES: manyTypes } });
    tagging = createTagging(server);
    await tagging.put('worker', '1', { env: 'prod', Team: 'core', größe: 'L' });
    await tagging.put('worker', '2', { env: 'staging', [FOUR_BYTES]: '' });
    await tagging.put('zone', '1', { env: 'prod', long: `${LONG}a` });
    await tagging.put('zone', '2', { env: 'PROD', long: `${LONG}b` });
    await tagging.put('queue', '1', { '\uff21': 'x', long: 'longer' });
  });
  after(() => server.stop());

  test('keys: in the order of code points', async () => {
    const answer = await tagging.list('keys');
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.result, ['Team', 'env', 'größe', 'long', '\uff21', FOUR_BYTES]);
    assert.deepEqual(answer.json.result_info, { count: 6 });
  });

  test('keys: of types', async () => {
    assert.deepEqual(await tagging.all('keys?type=zone'), ['env', 'long']);
    assert.deepEqual(await tagging.all('keys?type=zone&type=queue'), ['env', 'long', '\uff21']);
    assert.deepEqual(await tagging.all('keys?type=image'), []);
  });

  test('keys, values, resources: of more types than SQLite reads apart', async () => {
    const types = Array.from({ length: 600 }, (_, i): [string, string] => ['type', `t${i}`]);
    await tagging.put('t599', '1', { rare: 'x' });
    const wanted = query(...types);
    assert.deepEqual(await tagging.all(`keys?${wanted}`), ['rare']);
    assert.deepEqual(await tagging.all(`values/rare?${wanted}`), ['x']);
    assert.deepEqual(await tagging.ids(...types), ['1']);
    await tagging.remove('t599', '1');
  });

  test('keys: with a prefix', async () => {
    assert.deepEqual(await tagging.all('keys?prefix=e'), ['env']);
    assert.deepEqual(await tagging.all('keys?prefix=env'), ['env']);
    assert.deepEqual(await tagging.all('keys?prefix=E'), []);
    assert.deepEqual(await tagging.all(`keys?${query(['prefix', 'grö'])}`), ['größe']);
    assert.deepEqual(await tagging.all(`keys?${query(['prefix', FOUR_BYTES])}`), [FOUR_BYTES]);
    assert.deepEqual(await tagging.all('keys?prefix=%25'), []);
    assert.deepEqual(await tagging.all('keys?prefix=e&type=queue'), []);
  });

  test('values: by path and by query', async () => {
    for (const path of ['values/env', 'values?key=env']) {
      const answer = await tagging.list(path);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json.result, ['PROD', 'prod', 'staging']);
      assert.deepEqual(answer.json.result_info, { count: 3 });
    }
    assert.deepEqual(await tagging.all(`values/${encodeURIComponent('größe')}`), ['L']);
    assert.deepEqual(await tagging.all(`values/${encodeURIComponent(FOUR_BYTES)}`), ['']);
    assert.deepEqual(await tagging.all('values/none'), []);
    assert.deepEqual(await tagging.all('values/ENV'), []);
  });

  test('values: of types', async () => {
    assert.deepEqual(await tagging.all('values/env?type=zone'), ['PROD', 'prod']);
    assert.deepEqual(await tagging.all('values/env?type=zone&type=worker'), [
      'PROD',
      'prod',
      'staging',
    ]);
    assert.deepEqual(await tagging.all('values?key=env&type=queue'), []);
  });

  test('values: with a prefix, short or long', async () => {
    assert.deepEqual(await tagging.all('values/env?prefix=pr'), ['prod']);
    assert.deepEqual(await tagging.all('values/env?prefix=x'), []);
    assert.deepEqual(await tagging.all('values/long?prefix=longe'), ['longer']);
    for (const [prefix, count] of [
      [LONG, 2],
      [`${LONG}a`, 1],
      [`${LONG}c`, 0],
      ['long l', 2],
    ] as const) {
      const found = await tagging.all(`values/long?${query(['prefix', prefix])}`);
      assert.equal(found.length, count, prefix);
    }
  });

  test('summary: keys with their values, and on how many resources each is', async () => {
    const answer = await tagging.list('summary');
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.result.slice(0, 3), [
      { key: 'Team', values: ['core'], count: 1, facets: [{ value: 'core', count: 1 }] },
      {
        key: 'env',
        values: ['PROD', 'prod', 'staging'],
        count: 4,
        facets: [
          { value: 'PROD', count: 1 },
          { value: 'prod', count: 2 },
          { value: 'staging', count: 1 },
        ],
      },
      { key: 'größe', values: ['L'], count: 1, facets: [{ value: 'L', count: 1 }] },
    ]);
    assert.deepEqual(answer.json.result_info, { count: 6 });
  });

  test('summary: of types, and with a prefix', async () => {
    const env = (count: number, facets: Json[]): Json => {
      return { key: 'env', values: facets.map(({ value }) => value), count, facets };
    };
    assert.deepEqual(await tagging.all('summary?prefix=env'), [
      env(4, [
        { value: 'PROD', count: 1 },
        { value: 'prod', count: 2 },
        { value: 'staging', count: 1 },
      ]),
    ]);
    assert.deepEqual(await tagging.all('summary?prefix=e&type=worker'), [
      env(2, [
        { value: 'prod', count: 1 },
        { value: 'staging', count: 1 },
      ]),
    ]);
    assert.deepEqual(await tagging.all('summary?prefix=E'), []);
    const keys = await tagging.all<Json>('summary?type=zone&type=queue');
    assert.deepEqual(
      keys.map(({ key, count }) => [key, count]),
      [
        ['env', 2],
        ['long', 3],
        ['\uff21', 1],
      ],
    );
  });

  test('types: all that there may be, with how many resources each has', async () => {
    const answer = await tagging.list('types');
    assert.equal(answer.status, 200);
    const types: Json[] = answer.json.result;
    assert.ok(types.length > 600);
    assert.deepEqual(
      types.filter(({ count }) => count > 0),
      [
        { type: 'queue', count: 1 },
        { type: 'worker', count: 2 },
        { type: 'zone', count: 2 },
      ],
    );
  });

  test('counts follow overwriting and deleting', async () => {
    const counted = async (): Promise<unknown> => {
      const keys = await tagging.all<Json>('summary');
      const found = keys.find(({ key }) => key === 'count');
      return found?.facets.map(({ value, count }: Json) => [value, count]).concat([found.count]);
    };
    await tagging.put('worker', 'c1', { count: 'a' });
    await tagging.put('worker', 'c2', { count: 'a' });
    await tagging.put('zone', 'c3', { count: 'b' });
    assert.deepEqual(await counted(), [['a', 2], ['b', 1], 3]);
    await tagging.put('worker', 'c1', { count: 'b' });
    assert.deepEqual(await counted(), [['a', 1], ['b', 2], 3]);
    await tagging.patch('worker', 'c2', { count: 'c' });
    assert.deepEqual(await counted(), [['b', 2], ['c', 1], 3]);
    await tagging.put('worker', 'c2', {});
    assert.deepEqual(await counted(), [['b', 2], 2]);
    await tagging.remove('worker', 'c1');
    assert.deepEqual(await tagging.all('keys?type=worker&prefix=count'), []);
    await tagging.patch('zone', 'c3', { count: null });
    assert.equal(await counted(), undefined);
    assert.deepEqual(await tagging.all('values/count'), []);
  });

  test('1009: no key', async () => {
    for (const path of ['values', 'values/', 'values?key=', 'values?type=nope']) {
      const answer = await tagging.list(path);
      assert.deepEqual(
        [answer.status, answer.json.errors],
        [400, [{ code: 1009, message: 'tag_key is required' }]],
        path,
      );
    }
  });

  test('1011, 1014: a key that cannot be', async () => {
    for (const [key, code] of [
      ['k'.repeat(257), 1011],
      ['a b', 1014],
      ['!', 1014],
      ['a/b', 1014],
    ] as const) {
      for (const path of [`values/${encodeURIComponent(key)}`, `values?${query(['key', key])}`]) {
        const answer = await tagging.list(path);
        assert.deepEqual([answer.status, answer.code], [400, code], path);
      }
    }
    const longest = encodeURIComponent(FOUR_BYTES.repeat(256));
    assert.deepEqual(await tagging.all(`values/${longest}`), []);
  });

  test('1006: unknown type', async () => {
    for (const path of [
      'keys?type=nope',
      'summary?type=nope',
      'values/env?type=nope',
      'values?key=env&type=',
    ]) {
      const answer = await tagging.list(path);
      assert.deepEqual(
        [answer.status, answer.json.errors],
        [400, [{ code: 1006, message: 'Invalid resource type' }]],
        path,
      );
    }
  });

  describe('paging', () => {
    const COUNT = 250;
    const name = (i: number): string => String(i).padStart(3, '0');
    before(async () => {
      // One key with many values, many keys with one value, and values that begin alike.
      await tagging.bulk(
        Array.from({ length: COUNT }, (_, i) => ({
          op: 'put',
          resource_type: i % 2 === 0 ? 'image' : 'stream_video',
          resource_id: name(i),
          tags: { many: `v${name(i)}`, [`key-${name(i)}`]: '1', alike: `${LONG}${i}` },
        })),
      );
    });

    test('keys, values and summary come whole, in pages of 100', async () => {
      assert.equal((await tagging.list('keys')).json.result.length, 100);
      const keys = Array.from({ length: COUNT }, (_, i) => `key-${name(i)}`);
      assert.deepEqual(await tagging.all('keys?prefix=key-'), keys);
      const even = keys.filter((_, i) => i % 2 === 0);
      assert.deepEqual(await tagging.all('keys?prefix=key-&type=image'), even);
      const summary = await tagging.all<Json>('summary?prefix=key-&type=image');
      assert.deepEqual(
        summary.map(({ key }) => key),
        even,
      );
      assert.deepEqual(await tagging.all('keys?prefix=key-&type=image&type=stream_video'), keys);
      const values = Array.from({ length: COUNT }, (_, i) => `v${name(i)}`);
      assert.deepEqual(await tagging.all('values/many'), values);
      assert.deepEqual(
        await tagging.all('values/many?type=stream_video'),
        values.filter((_, i) => i % 2 === 1),
      );
      assert.deepEqual(await tagging.all('values/many?prefix=v1'), values.slice(100, 200));
      assert.equal((await tagging.all('values/alike')).length, COUNT);
      assert.deepEqual(await tagging.all(`values/alike?${query(['prefix', `${LONG}249`])}`), [
        `${LONG}249`,
      ]);
    });

    test('the summary has all keys, each with its first 100 values', async () => {
      const summary = await tagging.all<{ key: string; values: string[]; count: number }>(
        'summary',
      );
      assert.deepEqual(
        summary.map(({ key }) => key),
        await tagging.all('keys'),
      );
      const many = summary.find(({ key }) => key === 'many');
      assert.equal(many?.count, COUNT);
      assert.deepEqual(
        many?.values,
        Array.from({ length: 100 }, (_, i) => `v${name(i)}`),
      );
    });

    test('the summary has fewer keys a page when their values are long', async () => {
      const keys = Array.from({ length: 10 }, (_, k) => `fat-${k}`);
      const values = Array.from({ length: 60 }, (_, i) => `${name(i)}${'x'.repeat(1_000)}`);
      await tagging.bulk(
        values.map((value) => ({
          op: 'put',
          resource_type: 'queue',
          resource_id: value.slice(0, 3),
          tags: Object.fromEntries(keys.map((key) => [key, value])),
        })),
      );
      const summary = await tagging.all<{ key: string; values: string[]; count: number }>(
        'summary',
      );
      assert.deepEqual(
        summary.map(({ key }) => key),
        await tagging.all('keys'),
      );
      for (const { key, values: shown, count } of summary.filter((one) => keys.includes(one.key))) {
        assert.deepEqual([shown, count], [values, values.length], key);
      }
      const first = (await tagging.list('summary')).json;
      assert.equal(first.result.at(-1)?.key, 'fat-7');
      assert.notEqual(first.result_info.cursor, undefined);
    });

    test('6010: a cursor of another list, or damaged', async () => {
      const { cursor } = (await tagging.list('keys?prefix=key-')).json.result_info;
      const whole = (await tagging.list('summary')).json.result_info.cursor;
      const part = (await tagging.list('summary?type=image')).json.result_info.cursor;
      const [binding] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
      const tampered = (position: unknown): string =>
        Buffer.from(JSON.stringify([binding, position])).toString('base64url');
      for (const [path, wrong] of [
        ['keys?prefix=key', cursor],
        ['keys?prefix=key-&type=image', cursor],
        ['values/many?prefix=key-', cursor],
        ['summary?', cursor],
        ['summary?type=image', whole],
        ['summary?prefix=k', whole],
        ['summary?', part],
        ['summary?type=image&type=stream_video', part],
        ['keys?prefix=key-', tampered(1)],
        ['keys?prefix=key-', tampered('a\0')],
        ['keys?prefix=key-', tampered('\ud800')],
        ['keys?prefix=key-', tampered('a'.repeat(1_025))],
      ] as [string, string][]) {
        const answer = await tagging.list(`${path}&${query(['cursor', wrong])}`);
        assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
      }
    });
  });
});
