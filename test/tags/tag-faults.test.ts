import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type CallOptions, type TestServer, bootServer } from '../support/server.ts';
import { createTagging, query } from './tagging.ts';

const FOUR_BYTES = '𝒜';
const LONG_KEY = ' '.repeat(257);
const LONG_VALUE = 'v'.repeat(1_025);

/**
 * Requests with several faults, of which the first in the order of checks is told, and the limits of
 * what has no code of its own.
 */
onEachDatabase((database) => {
  let server: TestServer;
  let reader: string;
  before(async () => {
    server = await bootServer(database);
    reader = (await server.createToken(['tags.read'])).value;
    const tagging = createTagging(server);
    await tagging.put('worker', 'w', { a: '1' });
    await tagging.put('worker_version', 'v', { a: '1' }, { worker_id: 'w' });
  });
  after(() => server.stop());

  const stale = { 'if-match': '"v1:stale"' };
  const missing = { resource_type: 'api_token', resource_id: createId() };

  type Call = (options: CallOptions) => Promise<{ status: number; code: number | undefined }>;
  const call =
    (method: string, rest: string, body?: unknown): Call =>
    (options) =>
      server.call(method, `${server.account}/tags${rest}`, { body, headers: stale, ...options });

  const set = (fields: Record<string, unknown>) => {
    return { resource_type: 'worker', resource_id: 'w', tags: { a: '2' }, ...fields };
  };
  const list = (...parameters: [string, string][]) => `/resources?${query(...parameters)}`;
  const filters = (count: number, filter: string): [string, string][] =>
    Array.from({ length: count }, () => ['tag', filter]);

  /** Each is wrong in the ways of all those below it too, where that can be. */
  const cases: [string, Call, number][] = [
    ['PUT: body, type', call('PUT', '', set({ resource_type: 'nope', tags: { a: 1 } })), 1002],
    ['PUT: type, key', call('PUT', '', set({ resource_type: 'nope', tags: { '': '' } })), 1006],
    ['PUT: key, resource', call('PUT', '', { ...missing, tags: { [LONG_KEY]: '' } }), 1011],
    ['PUT: key, value', call('PUT', '', { ...missing, tags: { '!': LONG_VALUE } }), 1014],
    ['PUT: value, resource', call('PUT', '', { ...missing, tags: { a: LONG_VALUE } }), 1012],
    ['PUT: resource, If-Match', call('PUT', '', { ...missing, tags: {} }), 1004],
    ['PUT: If-Match', call('PUT', '', set({})), 1016],
    ['DELETE: body, type', call('DELETE', '', { resource_type: 'nope' }), 1015],
    ['DELETE: query, type', call('DELETE', '?resource_type=nope'), 1015],
    ['DELETE: type', call('DELETE', '?resource_type=nope&resource_id=w'), 1006],
    [
      'DELETE: worker, If-Match',
      call('DELETE', '?resource_type=worker_version&resource_id=v&worker_id=x'),
      1015,
    ],
    ['DELETE: If-Match', call('DELETE', '?resource_type=worker&resource_id=w'), 1016],
    ['GET: resource, type', call('GET', '?resource_type=nope'), 1003],
    ['GET: type', call('GET', '?resource_type=nope&resource_id=w'), 1006],
    ['list: filters, syntax', call('GET', list(...filters(21, '='), ['type', 'nope'])), 1010],
    ['list: syntax, values', call('GET', list(['tag', '=,,,,,,,,,,,'], ['type', 'nope'])), 1007],
    ['list: values, key', call('GET', list(['tag', `${LONG_KEY}=,,,,,,,,,,`])), 1013],
    ['list: key, value', call('GET', list(['tag', `${'k'.repeat(257)}=${LONG_VALUE}`])), 1011],
    ['list: key, type', call('GET', list(['tag', `a b=${LONG_VALUE}`], ['type', 'nope'])), 1014],
    ['list: value, type', call('GET', list(['tag', `k=${LONG_VALUE}`], ['type', 'nope'])), 1012],
    ['list: the first filter', call('GET', list(['tag', 'a b'], ['tag', '='])), 1014],
    ['list: type, cursor', call('GET', list(['type', 'nope'], ['cursor', '?'])), 1006],
    ['list: cursor', call('GET', list(['type', 'zone'], ['cursor', '?'])), 6010],
    ['list: limit, filters', call('GET', list(...filters(21, '='), ['limit', '0'])), 6010],
    ['values: no key, type', call('GET', '/values?type=nope'), 1009],
    ['values: key, type', call('GET', `/values/${'k'.repeat(257)}?type=nope`), 1011],
    ['values: key, type', call('GET', '/values/a%20b?type=nope'), 1014],
    ['values: type, cursor', call('GET', '/values/a?type=nope&cursor=x'), 1006],
    ['values: cursor', call('GET', '/values/a?cursor=x'), 6010],
    ['keys: type, cursor', call('GET', '/keys?type=nope&cursor=x'), 1006],
    ['summary: cursor', call('GET', '/summary?cursor=x'), 6010],
  ];
  test('of several faults the first in the order of checks is told', async () => {
    for (const [name, request, expected] of cases) {
      const { code } = await request({});
      assert.equal(code, expected, name);
    }
  });

  test('who may not do it learns nothing else', async () => {
    for (const [name, request] of cases) {
      const nobody = await request({ token: null });
      assert.deepEqual([nobody.status, nobody.code], [401, 10_000], name);
      // The token may read.
      if (/^(PUT|DELETE)/.test(name)) {
        const refused = await request({ token: reader });
        assert.deepEqual([refused.status, refused.code], [403, 10_000], name);
      }
    }
  });

  test('limits without a code of their own, in characters', async () => {
    const letters = (count: number): string => FOUR_BYTES.repeat(count);
    const cursor = (length: number) => 'x'.repeat(length);
    for (const [path, code] of [
      [list(...filters(20, 'a=1,2,3,4,5,6,7,8,9,10')), undefined],
      [`/keys?${query(['prefix', letters(256)])}`, undefined],
      [`/keys?${query(['prefix', letters(257)])}`, 6010],
      [`/values/a?${query(['prefix', letters(1_024)])}`, undefined],
      [`/values/a?${query(['prefix', letters(1_025)])}`, 6010],
      [`/values?${query(['key', letters(256)], ['prefix', ''])}`, undefined],
      [list(['name', letters(1_024)]), undefined],
      [list(['cursor', cursor(1)]), 6010],
      [list(['cursor', cursor(10_000)]), 6010],
      [list(['id', letters(512)], ['id', '']), undefined],
      [list(['tag', 'a\0']), 6010],
      [list(['name', '\0']), 6010],
      [list(['limit', '1.5']), 6010],
      [list(['limit', '-1']), 6010],
      [list(['limit', '']), 6010],
    ] as const) {
      const answer = await server.call('GET', `${server.account}/tags${path}`);
      assert.equal(answer.code, code, `${path.slice(0, 60)} ${answer.text}`);
    }
  });

  test('6010: a parameter that a list does not know', async () => {
    for (const list of [
      'resources',
      'keys',
      'values',
      'values/env',
      'summary?type=worker',
      'changes',
    ]) {
      const separator = list.includes('?') ? '&' : '?';
      const path = `${server.account}/tags/${list}${separator}nonsense=1`;
      const { status, code } = await server.call('GET', path);
      assert.deepEqual([status, code], [400, 6010], list);
    }
  });
});
