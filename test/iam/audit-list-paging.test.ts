import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAuditRows } from '../../src/iam/audit/audit-query.ts';
import { insertUnlinkedRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { type Query, START_MS, idsOf, newLog, windowQuery } from './audit-reading.ts';

onEachDatabase((database) => {
  let server: TestServer;
  // Several nodes: the clock of one lags, and two rows have one time.
  const OFFSETS = [0, 5, 5, 3, 9, 9, 9, 1];
  let ids: string[];
  let read: (query?: Query) => Promise<Answer>;
  before(async () => {
    server = await bootServer(database);
    ({ ids, read } = await newLog(
      server,
      OFFSETS.map((ms) => ({ created_at: START_MS + ms })),
    ));
  });

  after(() => server.stop());

  const inOrder = (): string[] => [0, 7, 3, 1, 2, 4, 5, 6].map((index) => ids[index] ?? '');

  async function readAll(query: Query): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const answer: Answer = await read({ ...query, ...(cursor === '' ? {} : { cursor }) });
      const page = idsOf(answer);
      pages.push(page);
      const info = answer.json.result_info;
      assert.equal(info.count, page.length);
      assert.equal(info.cursor, info.cursors?.after);
      cursor = info.cursor;
      assert.ok(page.length > 0 || cursor === undefined, 'an empty page with a cursor');
    }
    return pages;
  }

  for (const limit of [1, 2, 3, 7, 8, 9]) {
    test(`${limit} at a time, both ways`, async () => {
      for (const direction of ['asc', 'desc']) {
        const pages = await readAll({ limit: String(limit), direction });
        const expected = direction === 'asc' ? inOrder() : inOrder().toReversed();
        assert.deepEqual(pages.flat(), expected);
        assert.equal(pages.length, Math.ceil(ids.length / limit));
      }
    });
  }

  test('newest first unless it is said otherwise', async () => {
    assert.deepEqual(idsOf(await read()), inOrder().toReversed());
  });

  test('a cursor is good for its list only: 6010', async () => {
    const { cursor } = (await read({ limit: '2' })).json.result_info;
    for (const query of [
      { direction: 'asc' },
      { since: '2025-05-01' },
      { before: '2025-08-01' },
      { action_type: 'update' },
      { 'action_type.not': 'x' },
    ]) {
      const answer = await read({ cursor, ...query });
      assert.deepEqual([answer.status, answer.code], [400, 6010], JSON.stringify(query));
    }
    // How many come at once is no part of it.
    assert.equal(idsOf(await read({ cursor, limit: '1' })).length, 1);
    const foreign = await server.call(
      'GET',
      `${server.account}/logs/audit?${windowQuery({ cursor })}`,
    );
    assert.deepEqual([foreign.status, foreign.code], [400, 6010]);
  });

  test('a cursor with the right binding and nonsense in it: 6010', async () => {
    const { cursor } = (await read({ limit: '2' })).json.result_info;
    const [binding] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const position of [[], [1], ['1', 2], [1, '2'], [1.5, 2], [1, 2.5]]) {
      const made = Buffer.from(JSON.stringify([binding, ...position])).toString('base64url');
      const answer = await read({ cursor: made });
      assert.deepEqual([answer.status, answer.code], [400, 6010], JSON.stringify(position));
    }
  });

  test('a needle in a large log is found, and rows that match nothing end the list', async () => {
    const rows = Array.from({ length: 2_500 }, (_, index) => ({
      created_at: START_MS + Math.trunc(index / 3),
      action_type: index % 1_200 === 7 ? 'needle' : 'straw',
    }));
    const big = await newLog(server, []);
    await insertUnlinkedRows(server.app.database, big.accountId, rows);
    const needles = [7, 1_207, 2_407].map((index) => `row-${index}`);
    for (const direction of ['asc', 'desc']) {
      const expected = direction === 'asc' ? needles : needles.toReversed();
      const query = { direction, action_type: 'needle' };
      assert.deepEqual(idsOf(await big.read(query)), expected);
      const one = await big.read({ ...query, limit: '1' });
      const { cursor } = one.json.result_info;
      const two = await big.read({ ...query, limit: '2', cursor });
      assert.deepEqual([...idsOf(one), ...idsOf(two)], expected);
      assert.equal(two.json.result_info.cursor, undefined);
      const most = await big.read({ direction, limit: '1000' });
      assert.equal(idsOf(most).length, 1_000);
    }
    const none = await big.read({ action_type: 'gold' });
    assert.deepEqual([idsOf(none), none.json.result_info], [[], { count: 0 }]);
  });

  test('who looks for two needles far apart gets the first with a cursor', async () => {
    const { accountId, read: readFar } = await newLog(server, []);
    const needles = [10, 51_500];
    const rows = Array.from({ length: 52_000 }, (_, index) => ({
      created_at: START_MS + index,
      action_type: needles.includes(index) ? 'needle' : 'straw',
    }));
    await insertUnlinkedRows(server.app.database, accountId, rows);
    const query = { direction: 'asc', action_type: 'needle' };
    const first = await readFar(query);
    assert.deepEqual(idsOf(first), ['row-10']);
    const { cursor } = first.json.result_info;
    const second = await readFar({ ...query, cursor });
    assert.deepEqual([idsOf(second), second.json.result_info], [['row-51500'], { count: 1 }]);
    // Where nothing was found yet, it goes on until something is, or the end.
    const last = await readFar({ ...query, direction: 'asc', action_type: ['gold'] });
    assert.deepEqual([idsOf(last), last.json.result_info], [[], { count: 0 }]);
  });

  test('who looks for what is not there in a very large log is told to look at less', async () => {
    const { accountId } = await newLog(server, []);
    const rows = Array.from({ length: 3_000 }, (_, index) => ({ created_at: START_MS + index }));
    await insertUnlinkedRows(server.app.database, accountId, rows);
    const look = (action: string, maxRows: number) =>
      listAuditRows(
        server.app.database.read,
        {
          chainId: accountId,
          sinceMs: START_MS,
          beforeMs: START_MS + 10_000,
          direction: 'desc',
          conditions: [{ column: 'action_type', values: [action], isNegated: false }],
        },
        undefined,
        10,
        maxRows,
      );
    await assert.rejects(look('gold', 2_000), {
      status: 400,
      message: /Use a shorter period/,
    });
    assert.deepEqual((await look('gold', 4_000)).items, []);
    assert.equal((await look('update', 2_000)).items.length, 10);
  });

  test('many values at once: every row is looked at once, and those of one moment too', async () => {
    const { accountId, read: readIt } = await newLog(server, []);
    const rows = Array.from({ length: 1_001 }, (_, index) => ({
      created_at: START_MS + Math.trunc(index / 400),
      action_type: `type-${index}`,
    }));
    await insertUnlinkedRows(server.app.database, accountId, rows);
    const excluded = Array.from({ length: 100 }, (_, index) => `type-${index * 10}`);
    for (const direction of ['asc', 'desc']) {
      const answer = await readIt({ direction, limit: '1000', 'action_type.not': excluded });
      const expected = rows
        .map((_, index) => `row-${index}`)
        .filter((_, index) => index % 10 !== 0 || index === 1_000);
      assert.deepEqual(idsOf(answer), direction === 'asc' ? expected : expected.toReversed());
    }
  });

  test('a page of long rows ends early, with a cursor', async () => {
    const long = JSON.stringify({ text: 'ä'.repeat(8_000) });
    const rows = Array.from({ length: 90 }, (_, index) => ({
      created_at: START_MS + index,
      resource_request: long,
    }));
    const big = await newLog(server, rows);
    const first = await big.read({ direction: 'asc' });
    const { count, cursor } = first.json.result_info;
    assert.equal(count, Math.trunc((1024 * 1024) / Buffer.byteLength(long)));
    const second = await big.read({ direction: 'asc', cursor });
    assert.deepEqual([...idsOf(first), ...idsOf(second)], big.ids);
  });
});
