import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUuidV7 } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import type { Json } from '../support/server.ts';
import { type LogBench, type WrittenLog, filterQuery, startLogBench } from './log-api.ts';

onEachDatabase((database) => {
  let bench: LogBench;
  before(async () => {
    bench = await startLogBench(database);
    for (const id of ['main', 'annotated', 'many']) await bench.createGateway(id);
  });
  after(() => bench.stop());

  const write = async (gatewayId: string, rows: readonly WrittenLog[]): Promise<string[]> =>
    (await bench.write(gatewayId, rows)).map(({ row }) => row.id);
  const patch = (id: string, body: unknown, token?: string | null, gatewayId = 'annotated') =>
    bench.server.call('PATCH', `${bench.gateways}/${gatewayId}/logs/${id}`, {
      body,
      ...(token === undefined ? {} : { token }),
    });
  const remove = (query = '', gatewayId = 'main', token?: string | null) =>
    bench.server.call(
      'DELETE',
      `${bench.gateways}/${gatewayId}/logs${query}`,
      token === undefined ? {} : { token },
    );
  const audited = async (type: string): Promise<Json[]> => {
    const query = `since=2020-01-01&before=2100-01-01&resource_type=${type}`;
    const { server } = bench;
    return (await server.call('GET', `${server.account}/logs/audit?${query}`)).json.result;
  };

  test('feedback, score and metadata are set, changed and taken away, each by itself', async () => {
    const [id = ''] = await write('annotated', [{ metadata: '{"team":"a","n":1}' }]);
    const fieldsOf = ({ feedback, score, metadata }: Json) => [feedback, score, metadata];
    const sent: [object, unknown[]][] = [
      [{ feedback: 1 }, [1, null, '{"team":"a","n":1}']],
      [{ score: 0.25 }, [1, 0.25, '{"team":"a","n":1}']],
      [{ metadata: { team: 'b', ok: true } }, [1, 0.25, '{"team":"b","ok":true}']],
      [{ feedback: -1, score: -1_000_000 }, [-1, -1_000_000, '{"team":"b","ok":true}']],
      [{ feedback: 0, score: 1_000_000 }, [0, 1_000_000, '{"team":"b","ok":true}']],
      [{}, [0, 1_000_000, '{"team":"b","ok":true}']],
      [{ metadata: {} }, [0, 1_000_000, '{}']],
      [{ feedback: null, score: null, metadata: null }, [null, null, undefined]],
    ];
    for (const [body, expected] of sent) {
      const { status, json } = await patch(id, body);
      assert.equal(status, 200);
      assert.deepEqual(fieldsOf(json.result), expected);
      const read = await bench.server.call('GET', `${bench.gateways}/annotated/logs/${id}`);
      assert.deepEqual(fieldsOf(read.json.result), expected);
    }
  });

  test('rows are found by their new metadata, and not by the old', async () => {
    const old = JSON.stringify({ who: 'before', long: 'x'.repeat(500) });
    const [id = ''] = await write('annotated', [{ metadata: old }]);
    const find = (key: string, value: string) =>
      bench.ids(
        'annotated',
        filterQuery(['metadata.key', 'eq', key], ['metadata.value', 'eq', value]),
      );
    assert.deepEqual(await find('who', 'before'), [id]);
    await patch(id, {
      metadata: { who: 'after', [`${'k'.repeat(210)}1`]: 1, [`${'k'.repeat(210)}2`]: 1 },
    });
    assert.deepEqual(await find('who', 'before'), []);
    assert.deepEqual(await find('who', 'after'), [id]);
    assert.deepEqual(await find(`${'k'.repeat(210)}2`, '1'), [id]);
    await patch(id, { metadata: null });
    assert.deepEqual(await find('who', 'after'), []);
  });

  test('metadata loses credentials, as that of requests does', async () => {
    const [id = ''] = await write('annotated', [{}]);
    const { json } = await patch(id, { metadata: { api_key: 'hunter2', team: 'a' } });
    assert.equal(json.result.metadata.includes('hunter2'), false);
    assert.equal(JSON.parse(json.result.metadata).team, 'a');
    // No database holds a NUL.
    const { status, code } = await patch(id, { metadata: { team: 'a\0b' } });
    assert.deepEqual([status, code], [400, 6007]);
  });

  test('an annotation is audited; one of nothing is not', async () => {
    const [id = ''] = await write('annotated', [{}]);
    const before = (await audited('ai_gateway_log')).length;
    await patch(id, {});
    assert.equal((await audited('ai_gateway_log')).length, before);
    await patch(id, { feedback: 1 });
    const [entry, ...rest] = await audited('ai_gateway_log');
    assert.equal(rest.length, before);
    assert.deepEqual([entry.action.type, entry.resource.id], ['update', id]);
  });

  test('400 for bodies that say something else, at each limit and beyond it', async () => {
    const [id = ''] = await write('annotated', [{}]);
    const entries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
    const long = (length: number) => ({ k: 'x'.repeat(length - '{"k":""}'.length) });
    const cases: [unknown, number, number | undefined][] = [
      [{ metadata: entries(5) }, 200, undefined],
      [{ metadata: entries(6) }, 400, 5001],
      [{ metadata: long(8_192) }, 200, undefined],
      [{ metadata: long(8_193) }, 400, 5001],
      [{ metadata: { nested: {} } }, 400, 5001],
      [{ metadata: 'text' }, 400, 5001],
      [{ feedback: 2 }, 400, 5001],
      [{ feedback: '1' }, 400, 5001],
      [{ score: 1_000_001 }, 400, 5001],
      [{ score: 'good' }, 400, 5001],
      [{ colour: 'red' }, 400, 5002],
      ['{', 400, 6007],
    ];
    for (const [body, status, code] of cases) {
      const answer = await patch(id, body);
      assert.deepEqual(
        [answer.status, answer.code],
        [status, code],
        JSON.stringify(body).slice(0, 60),
      );
    }
  });

  test('404 for what is not there, 403 and 401 for who may not change', async () => {
    const [id = ''] = await write('annotated', [{}]);
    for (const wrong of [createUuidV7(Date.now()), 'x']) {
      const { status, code } = await patch(wrong, { feedback: 1 });
      assert.deepEqual([status, code], [404, 7003]);
    }
    assert.equal((await patch(id, { feedback: 1 }, undefined, 'none')).status, 404);
    assert.equal((await patch(id, { feedback: 1 }, undefined, 'main')).status, 404);
    const { value } = await bench.server.createToken(['ai-gateway.read']);
    assert.equal((await patch(id, { feedback: 1 }, value)).status, 403);
    assert.equal((await patch(id, { feedback: 1 }, null)).status, 401);
    assert.equal((await remove('', 'annotated', value)).status, 403);
    assert.equal((await remove('', 'annotated', null)).status, 401);
    assert.deepEqual(
      [(await remove('', 'none')).status, (await remove('', 'none')).code],
      [404, 7003],
    );
  });

  test('a deletion takes what the filters choose, in the order that is asked for', async () => {
    const ids = await write(
      'main',
      Array.from({ length: 10 }, (_, index) => ({
        provider: index % 2 === 0 ? 'openai' : 'local',
        duration_ms: index,
        cost_nano_usd: index === 3 ? null : index,
        metadata: `{"n":${index}}`,
      })),
    );
    const left = (...gone: number[]): string[] =>
      ids.filter((_, index) => !gone.includes(index)).toReversed();
    const deleted = async (query: string): Promise<number> => {
      const { status, json } = await remove(query);
      assert.deepEqual([status, json.result.success], [200, true]);
      return json.result.deleted_count;
    };
    const filters = (key: string, operator: string, value: string) =>
      filterQuery([key, operator, value]).replace('per_page=100&', '');
    assert.equal(await deleted(`${filters('provider', 'eq', 'openai')}&limit=1`), 1);
    assert.deepEqual(await bench.ids('main'), left(8));
    assert.equal(await deleted('?order_by=duration&order_by_direction=asc&limit=1'), 1);
    assert.deepEqual(await bench.ids('main'), left(8, 0));
    assert.equal(await deleted('?order_by=cost&order_by_direction=desc&limit=2'), 2);
    assert.deepEqual(await bench.ids('main'), left(8, 0, 9, 7));
    assert.equal(await deleted(filters('event_id', 'eq', 'none')), 0);
    assert.equal(await deleted(filters('provider', 'eq', 'openai')), 3);
    assert.deepEqual(await bench.ids('main'), left(8, 0, 9, 7, 2, 4, 6));
    assert.equal((await bench.list('main')).json.result_info.total_count, 3);
    assert.equal(await deleted(''), 3);
    assert.deepEqual(await bench.ids('main'), []);
    const found = await bench.ids(
      'main',
      filterQuery(['metadata.key', 'eq', 'n'], ['metadata.value', 'eq', 3]),
    );
    assert.deepEqual(found, []);
  });

  test('a deletion of more rows than one transaction takes; it is audited with its filters', async () => {
    await bench.write(
      'many',
      Array.from({ length: 1_203 }, (_, index) => ({ duration_ms: index })),
    );
    const query = filterQuery(['duration', 'gt', 0]).replace('per_page=100&', '');
    assert.equal((await remove(query, 'many')).json.result.deleted_count, 1_202);
    assert.equal((await bench.list('many')).json.result_info.total_count, 1);
    const [entry] = await audited('ai_gateway_logs');
    assert.deepEqual([entry.action.type, entry.resource.id], ['delete', 'many']);
    assert.match(JSON.stringify(entry.resource.request), /duration/);
  });

  test('400/6010 for a deletion that is asked for wrongly, and nothing is deleted', async () => {
    await write('main', [{}]);
    for (const query of [
      'filters.key=color&filters.operator=eq&filters.value=x',
      'provider=openai',
      'search=x',
      'limit=0',
      'limit=10001',
      'order_by=score',
    ]) {
      const { status, code } = await remove(`?${query}`);
      assert.deepEqual([status, code], [400, 6010], query);
    }
    assert.equal((await bench.list('main')).json.result_info.total_count, 1);
    assert.equal((await remove('?limit=10000')).json.result.deleted_count, 1);
  });
});
