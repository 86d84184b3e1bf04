import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { decodeBatch, encodeBatch } from '../../src/request-log/threads/log-batch.ts';
import { logDialectOf } from '../../src/request-log/log-dialect.ts';
import type { LogRecord } from '../../src/request-log/record.ts';
import { LogInserter } from '../../src/request-log/writer/log-inserter.ts';
import { createUuidV7 } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { listQuery, logRecord } from './log-records.ts';
import { type TestLogs, idsOf, startTestLogs } from './log-store-set-up.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (body: Uint8Array | undefined): string => new TextDecoder().decode(body);

onEachDatabase((database) => {
  let logs: TestLogs;
  before(async () => {
    logs = await startTestLogs(database);
  });
  beforeEach(() => logs.beginAnew());
  after(() => logs.close());

  /** Records of several models, keys of metadata and gateways, with bodies for every other one. */
  function mixedRecords(count: number, gateways: readonly string[] = ['main']): LogRecord[] {
    return Array.from({ length: count }, (_, index) =>
      logRecord(logs.accountId, gateways[index % gateways.length] ?? '', NOW_MS + index, {
        row: {
          model: `model-${index % 7}`,
          metadata: index % 3 === 0 ? JSON.stringify({ n: index, team: 'x', none: null }) : null,
          tokens_in: index,
        },
        payload:
          index % 2 === 0
            ? {
                request: bytes(`request ${index}`),
                response: [bytes('answer '), bytes(`${index}`)],
                requestSize: `request ${index}`.length,
                responseSize: `answer ${index}`.length,
                requestHeaders: '{"accept":"b"}',
                responseHeaders: '{"server":"d"}',
                secrets: [],
              }
            : null,
      }),
    );
  }

  test('what is inserted is found again, with its bodies, and counted', async () => {
    const records = mixedRecords(120, ['main', 'other']);
    assert.deepEqual(await logs.store.insert(records), { leftOut: 0 });
    const ofMain = records.filter(({ row }) => row.gateway_id === 'main');
    assert.deepEqual(await logs.ids('main'), idsOf(ofMain));
    assert.equal(await logs.count('other'), 60);
    const [first] = ofMain;
    assert.ok(first);
    const { gateway_created_at: _, ...row } = first.row;
    const found = await logs.store.find({
      accountId: logs.accountId,
      gatewayId: 'main',
      id: row.id,
      sinceMs: 0,
    });
    assert.deepEqual(found, {
      ...row,
      feedback: null,
      score: null,
      request_size: 'request 0'.length,
      response_size: 'answer 0'.length,
    });
    const payload = await logs.store.readPayload({
      accountId: logs.accountId,
      gatewayId: 'main',
      id: row.id,
      sinceMs: 0,
    });
    assert.deepEqual(
      [text(payload?.request.body), text(payload?.response.body), payload?.response.isWhole],
      ['request 0', 'answer 0', true],
    );
    assert.equal(payload?.requestHeaders, '{"accept":"b"}');
    await logs.assertSound();
  });

  test('a body that is a part, or too large, is cut and says so', async () => {
    const most = 10 * 1024 * 1024;
    const sizes: [request: number, response: number][] = [
      [most - 2, 2],
      [most - 2, 3],
      [2, most],
      [most, most],
    ];
    const records = sizes.map(([request, response]) =>
      logRecord(logs.accountId, 'main', NOW_MS, {
        payload: {
          request: new Uint8Array(request).fill(97),
          response: [new Uint8Array(response).fill(98)],
          requestSize: request,
          responseSize: response,
          requestHeaders: '{}',
          responseHeaders: '{}',
          secrets: [],
        },
      }),
    );
    const part = logRecord(logs.accountId, 'main', NOW_MS, {
      payload: {
        request: bytes('ab'),
        response: [],
        requestSize: 2,
        responseSize: 1,
        requestHeaders: '{}',
        responseHeaders: '{}',
        secrets: [],
      },
    });
    await logs.store.insert([...records, part]);
    // One after the other: together, so much takes a busy machine longer than a connection waits.
    const kept: unknown[] = [];
    for (const { row } of [...records, part]) {
      const found = await logs.store.readPayload({
        accountId: logs.accountId,
        gatewayId: 'main',
        id: row.id,
        sinceMs: 0,
      });
      const { request, response } = found ?? assert.fail();
      kept.push([request.body.length, request.isWhole, response.body.length, response.isWhole]);
    }
    assert.deepEqual(kept, [
      [most - 2, true, 2, true],
      [most - 3, false, 3, true],
      [2, true, most - 2, false],
      [most / 2, false, most / 2, false],
      [2, true, 0, false],
    ]);
  });

  test('a batch that is given again counts once, whichever node and thread gives it', async () => {
    const records = mixedRecords(50);
    const earlier = logs.openAnother();
    await earlier.insert(records);
    await earlier.insert(records);
    await earlier.close();
    const later = logs.openAnother();
    await later.insert(records);
    assert.equal((await later.list(listQuery(logs.accountId, 'main'))).totalCount, 50);
    await later.insert(mixedRecords(50));
    await logs.assertSound();
  });

  test('a commit whose answer is lost counts once, and so do the sums that follow it', async () => {
    // It makes the tables.
    await logs.store.insert([]);
    const tables = logs.openTables();
    const dialect = logDialectOf(database);
    const inserter = new LogInserter(dialect);
    let isLost = false;
    const insert = (number: number, records: readonly LogRecord[], isAgain = false) =>
      inserter.insert(
        async (work) => {
          const result = await tables.writer.transaction().execute(work);
          if (isLost) throw new Error('the connection broke');
          return result;
        },
        decodeBatch(encodeBatch(number, records, isAgain)),
        NOW_MS,
      );
    const stopping = { maxRows: 70, strategy: 'STOP_INSERTING' } as const;
    const first = mixedRecords(40);
    const second = mixedRecords(40).map((record) => ({ ...record, limit: stopping }));
    assert.equal(await insert(1, first), 0);
    isLost = true;
    await assert.rejects(insert(2, second), /the connection broke/);
    isLost = false;
    assert.equal(await insert(2, second, true), 0);
    assert.equal(await logs.count('main'), 70);
    assert.equal(await insert(3, mixedRecords(30)), 0);
    assert.equal(await logs.count('main'), 100);
    // The sums include the discarded rows.
    assert.equal(await logs.requests(), 110);
  });

  test('what is deleted takes its bodies, metadata and contexts along', async () => {
    const records = mixedRecords(70);
    await logs.store.insert(records);
    const model = { on: 'context', field: 'model', operator: 'eq', values: ['model-3'] } as const;
    const query = {
      ...listQuery(logs.accountId, 'main'),
      filters: [{ ...model, values: ['model-3'] }],
    };
    assert.equal(await logs.store.deleteMatching({ ...query, limit: 4 }), 4);
    assert.equal((await logs.store.list(query)).totalCount, 6);
    assert.equal(await logs.store.deleteMatching(query), 6);
    assert.equal(await logs.store.deleteMatching(query), 0);
    assert.equal(await logs.count('main'), 60);
    await logs.store.insert([]);
    const tables = logs.openTables().reader;
    const contexts = await tables.selectFrom('gateway_log_contexts').select('model').execute();
    assert.equal(contexts.length, 6);
    const left = records.filter(({ row }) => row.model !== 'model-3');
    const rowsOf = async (table: 'gateway_log_bodies' | 'gateway_log_metadata') =>
      (await tables.selectFrom(table).select('id').execute()).length;
    assert.equal(
      await rowsOf('gateway_log_bodies'),
      left.filter(({ payload }) => payload !== null).length,
    );
    assert.equal(
      await rowsOf('gateway_log_metadata'),
      3 * left.filter(({ row }) => row.metadata !== null).length,
    );
  });

  test('many contexts, gateways and long metadata in one batch', async () => {
    const metadata = JSON.stringify({ ['k'.repeat(250)]: '\u{1f600}'.repeat(250), ok: true });
    const records = Array.from({ length: 60 }, (_, index) =>
      logRecord(logs.accountId, `gateway-${index % 10}`, NOW_MS, {
        row: { model: `m${index}`, metadata, request_content_type: index % 2 === 0 ? '' : null },
      }),
    );
    await logs.store.insert(records);
    assert.equal(await logs.count('gateway-9'), 6);
    const { metadata: kept } =
      (await logs.store.find({
        accountId: logs.accountId,
        gatewayId: 'gateway-0',
        id: records[0]?.row.id ?? '',
        sinceMs: 0,
      })) ?? {};
    assert.equal(kept, metadata);
    const tables = logs.openTables().reader;
    const [pair] = await tables
      .selectFrom('gateway_log_metadata')
      .select(['key', 'value'])
      .where('key', '!=', 'ok')
      .limit(1)
      .execute();
    assert.deepEqual({ ...pair }, { key: 'k'.repeat(200), value: '\u{1f600}'.repeat(200) });
    await logs.assertSound();
    assert.equal(await logs.store.purgeAccount(logs.accountId), true);
    while (await logs.store.purgeAccount(logs.accountId));
    for (const table of [
      'gateway_log_gateways',
      'gateway_log_contexts',
      'gateway_log_entries',
      'gateway_log_metadata',
      'gateway_log_rollups',
    ] as const) {
      assert.deepEqual(await tables.selectFrom(table).selectAll().execute(), [], table);
    }
  });

  test('a gateway that is forgotten leaves nothing to one that comes later', async () => {
    const other = 'b'.repeat(32);
    await logs.store.insert(mixedRecords(3));
    const tables = logs.openTables().reader;
    const dialect = logDialectOf(database);
    const former = await dialect.findScope(tables, logs.accountId, 'main');
    while (await logs.store.purgeAccount(logs.accountId));
    await logs.store.insert([logRecord(other, 'main', NOW_MS)]);
    assert.notDeepEqual(await dialect.findScope(tables, other, 'main'), former);
    const found = await tables
      .selectFrom('gateway_log_entries')
      .select('id')
      .where((eb) => eb.and(former ?? assert.fail()))
      .execute();
    assert.deepEqual(found, []);
    while (await logs.store.purgeAccount(other));
  });

  test('ids far in the past and the future have their place', async () => {
    const times = [0, 1, Date.UTC(1999, 11, 31), Date.UTC(2031, 5, 5), Date.UTC(9999, 0, 1)];
    const records = times.map((atMs) => logRecord(logs.accountId, 'main', atMs));
    await logs.store.insert(records);
    assert.deepEqual(await logs.ids('main'), idsOf(records));
    const more = times.map((atMs) => logRecord(logs.accountId, 'main', atMs + 1));
    await logs.store.insert(more);
    assert.equal(await logs.count('main'), 10);
    assert.equal(
      await logs.store.find({
        accountId: logs.accountId,
        gatewayId: 'main',
        id: createUuidV7(times[3] ?? 0),
        sinceMs: 0,
      }),
      undefined,
    );
  });
});
