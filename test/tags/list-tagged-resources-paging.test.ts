import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Operation, type Tagging, assertBooksAgree, createTagging, query } from './tagging.ts';

/** Two broad sets without a common resource, and one in both ends of the list. */
function resourceAt(i: number, count: number): Operation {
  return {
    op: 'put',
    resource_type: 'kv_namespace',
    resource_id: `n${String(i).padStart(4, '0')}`,
    tags: {
      half: i % 2 === 0 ? 'even' : 'odd',
      [i % 2 === 0 ? 'is-even' : 'is-odd']: '',
      third: String(i % 3),
      ...(i < 2 || i >= count - 2 ? { edge: 'yes' } : {}),
    },
  };
}

/** Lists that are longer than a page, and than what one statement visits. */
onEachDatabase((database) => {
  const COUNT = 1_020;
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
    await tagging.bulk(Array.from({ length: COUNT }, (_, i) => resourceAt(i, COUNT)));
    await assertBooksAgree(server);
  });
  after(() => server.stop());

  const list = (...parameters: [string, string][]) =>
    tagging.list(`resources?${query(...parameters)}`);
  const kv: [string, string] = ['type', 'kv_namespace'];

  async function sorted(...parameters: [string, string][]): Promise<string[]> {
    const ids = await tagging.ids(...parameters);
    return ids.toSorted();
  }
  const numbers = (keep: (i: number) => boolean): string[] =>
    Array.from({ length: COUNT }, (_, i) => i)
      .filter(keep)
      .map((i) => `n${String(i).padStart(4, '0')}`);

  test('100 resources a page by default, and both spellings of the cursor', async () => {
    const { result, result_info: info } = (await list(kv)).json;
    assert.equal(result.length, 100);
    assert.deepEqual(Object.keys(info).toSorted(), ['count', 'cursor', 'cursors']);
    assert.equal((await list(kv, ['limit', '1000'])).json.result.length, 1_000);
    assert.equal((await list(kv, ['limit', '1'])).json.result.length, 1);
  });

  test('a long page, which is sent in parts, is the same as short ones', async () => {
    const long = await list(kv, ['limit', '1000']);
    assert.equal(long.headers.get('content-length'), null);
    assert.equal(long.headers.get('content-type'), 'application/json; charset=utf-8');
    const { result_info: info, result, ...rest } = long.json;
    assert.deepEqual(rest, { success: true, errors: [], messages: [] });
    assert.equal(info.count, 1_000);
    const short: unknown[] = [];
    for (let cursor = ''; short.length < 1_000;) {
      const page = await list(kv, ['cursor', cursor], ['limit', '100']);
      assert.equal(page.headers.get('content-length'), String(Buffer.byteLength(page.text)));
      short.push(...page.json.result);
      cursor = page.json.result_info.cursors.after;
    }
    assert.deepEqual(result, short);
  });

  test('every resource comes once, whatever is walked and probed', async () => {
    assert.deepEqual(
      await sorted(kv),
      numbers(() => true),
    );
    const even = numbers((i) => i % 2 === 0);
    for (const filter of ['half=even', 'is-even', '!is-odd', 'half!=odd', 'half=even,none']) {
      assert.deepEqual(await sorted(kv, ['tag', filter]), even, filter);
    }
    assert.deepEqual(
      await sorted(['tag', 'third=0,1'], ['tag', 'half'], ['name', 'N'], ['limit', '333']),
      numbers((i) => i % 3 < 2),
    );
    assert.deepEqual(
      await sorted(['tag', 'THIRD=0,1,2'], ['tag', 'HALF=Odd'], ['case_insensitive', 'true']),
      numbers((i) => i % 2 === 1),
    );
  });

  test('batches that have nothing in common, or little', async () => {
    assert.deepEqual(await tagging.ids(['tag', 'half=even'], ['tag', 'is-odd']), []);
    assert.deepEqual(await tagging.ids(kv, ['tag', '!half']), []);
    assert.deepEqual(
      await sorted(['tag', 'half=even,odd'], ['name', 'n1199']),
      numbers((i) => i === 1_199),
    );
    assert.deepEqual(
      await sorted(kv, ['name', '1'], ['tag', 'edge']),
      numbers((i) => i === 1 || i >= COUNT - 2),
    );
  });

  test('the last page has no cursor, also when it is full', async () => {
    const edge: [string, string] = ['tag', 'edge'];
    for (const [limit, cursor] of [
      ['3', 'string'],
      ['4', 'undefined'],
      ['5', 'undefined'],
    ] as const) {
      const { result_info: info } = (await list(edge, ['limit', limit])).json;
      assert.equal(typeof info.cursor, cursor, limit);
    }
  });

  test('a cursor survives writes in between', async () => {
    const parameters: [string, string][] = [
      ['tag', 'edge'],
      ['limit', '2'],
    ];
    const first = await list(...parameters);
    const [, last] = first.json.result as { id: string; tags: Record<string, string> }[];
    await tagging.remove('kv_namespace', last?.id ?? '');
    const rest = await list(...parameters, ['cursor', first.json.result_info.cursor]);
    assert.deepEqual(
      rest.json.result.map(({ id }: { id: string }) => id).toSorted(),
      numbers((i) => i >= COUNT - 2),
    );
    await tagging.put('kv_namespace', last?.id ?? '', last?.tags ?? {});
  });

  test('6010: a cursor of another list, or damaged', async () => {
    const { cursor } = (await list(kv)).json.result_info;
    const tampered = (position: unknown): string => {
      const [binding] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
      return Buffer.from(JSON.stringify([binding, position])).toString('base64url');
    };
    for (const [parameters, wrong] of [
      [[], cursor],
      [[kv, ['tag', 'half']], cursor],
      [[kv, ['case_insensitive', 'true']], cursor],
      [[kv], 'x'],
      [[kv], cursor.slice(2)],
      [[kv], tampered('a')],
      [[kv], tampered(1e300)],
      [[kv], tampered(0.5)],
    ] as [[string, string][], string][]) {
      const answer = await list(...parameters, ['cursor', wrong]);
      assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
    }
    assert.equal((await list(kv, ['cursor', ''])).status, 200);
    assert.equal((await list(kv, ['cursor', cursor], ['limit', '7'])).status, 200);
  });

  test('a page of very large sets ends early', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`large-${i}`, 'v'.repeat(1_024)]),
    );
    for (const id of ['l1', 'l2', 'l3', 'l4']) await tagging.put('image', id, large);
    const first = await list(['type', 'image']);
    assert.equal(first.json.result.length, 2);
    assert.deepEqual(await tagging.ids(['type', 'image']), ['l1', 'l2', 'l3', 'l4']);
  });
});
