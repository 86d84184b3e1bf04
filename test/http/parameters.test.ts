import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const TOKEN_COUNT = 25;

onEachDatabase((database) => {
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database);
    tokens = `${server.account}/tokens`;
    // The first token is there already.
    for (let i = 1; i < TOKEN_COUNT; i++) await server.createToken(['tags.read']);
  });
  after(() => server.stop());

  for (const query of [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page=1000001',
    'page=1e400',
    'page=NaN',
    'page=1&page=2',
    'per_page=0',
    'per_page=1001',
    'per_page=-5',
    'per_page=null',
    'direction=up',
    'direction=ASC',
    'direction=asc&direction=desc',
    'include_expired=maybe',
    'include_expired=true&include_expired=false',
    'page=%00',
    'unrelated=a%00b',
  ]) {
    test(`?${query} is refused: 6010`, async () => {
      const answer = await server.call('GET', `${tokens}?${query}`);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.code, 6010);
      assert.match(answer.json.errors[0].message, /^Invalid request parameter: /);
      if (!query.includes('%00')) {
        assert.deepEqual(answer.json.errors[0].source, { pointer: query.split('=')[0] });
      }
    });
  }

  test('unknown parameters are ignored, whatever their name', async () => {
    const query = '__proto__=x&constructor=y&toString=z&a[b]=c&a.b=c&&=&x';
    assert.equal((await server.call('GET', `${tokens}?${query}`)).status, 200);
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  test('other spellings of a whole number are read as that number', async () => {
    for (const [spelling, page] of [
      ['01', 1],
      ['2.0', 2],
      ['1e3', 1_000],
    ]) {
      const answer = await server.call('GET', `${tokens}?page=${spelling}`);
      assert.equal(answer.json.result_info.page, page);
    }
  });

  test('page paging: 20 a page by default, the last page is shorter', async () => {
    const first = await server.call('GET', tokens);
    assert.equal(first.json.result.length, 20);
    assert.deepEqual(first.json.result_info, {
      page: 1,
      per_page: 20,
      count: 20,
      total_count: TOKEN_COUNT,
      total_pages: 2,
    });
    const second = await server.call('GET', `${tokens}?page=2`);
    assert.equal(second.json.result.length, 5);
    assert.deepEqual(second.json.result_info, {
      page: 2,
      per_page: 20,
      count: 5,
      total_count: TOKEN_COUNT,
      total_pages: 2,
    });
    const ids = [...first.json.result, ...second.json.result].map(({ id }) => id);
    assert.equal(new Set(ids).size, TOKEN_COUNT);
  });

  test('past the end is an empty array', async () => {
    for (const page of [3, 1_000_000]) {
      const { status, json } = await server.call('GET', `${tokens}?page=${page}`);
      assert.equal(status, 200);
      assert.deepEqual(json.result, []);
      assert.equal(json.result_info.count, 0);
      assert.equal(json.result_info.total_count, TOKEN_COUNT);
      assert.equal(json.result_info.page, page);
    }
  });

  test('per_page from 1 to 1000', async () => {
    const one = await server.call('GET', `${tokens}?per_page=1&page=${TOKEN_COUNT}`);
    assert.equal(one.json.result.length, 1);
    assert.equal(one.json.result_info.total_pages, TOKEN_COUNT);
    const all = await server.call('GET', `${tokens}?per_page=1000`);
    assert.equal(all.json.result.length, TOKEN_COUNT);
    assert.equal(all.json.result_info.total_pages, 1);
  });

  test('a very long query is refused as too large a header, in the envelope', async () => {
    const answer = await server.call('GET', `${tokens}?name=${'x'.repeat(20_000)}`);
    assert.equal(answer.status, 431);
    assert.equal(answer.code, 6013);
  });

  test('a query that is long, but within the limit, is read', async () => {
    const path = `${tokens}/permission_groups?name=${'x'.repeat(8_000)}`;
    assert.equal((await server.call('GET', path)).code, 6010);
    assert.equal((await server.call('GET', `${tokens}?x=${'x'.repeat(8_000)}`)).status, 200);
  });

  test('an id in another place than its own changes nothing', async () => {
    const policies = [allowPolicy(createId(), ['tags.read'])];
    const answer = await server.call('POST', tokens, { body: { name: 'x', policies } });
    assert.equal(answer.code, 3011);
  });
});
