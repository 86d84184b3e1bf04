import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addLogUpkeep } from '../../src/request-log/log-retention.ts';
import type { LogRecord } from '../../src/request-log/record.ts';
import { type LogLimit, listLogLimits } from '../../src/gateway-admin/snapshot.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type TestServer, bootServer, createDataDir, request } from '../support/server.ts';
import { rm } from 'node:fs/promises';
import { gatewayBody } from './gateway-bodies.ts';
import { logRecord, openLogStore } from './log-records.ts';
import { ACCOUNT_ID, idsOf, openTestLogs } from './log-store-set-up.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12);

let made = 0;

function records(count: number, limit: LogLimit | null): LogRecord[] {
  return Array.from({ length: count }, () =>
    logRecord(ACCOUNT_ID, 'main', NOW_MS + made++, { row: { model: `m${made % 5}` }, limit }),
  );
}

async function complete(server: TestServer, gateway: string): Promise<string> {
  const { status, headers } = await server.call(
    'POST',
    `${server.account}/ai/v1/chat/completions`,
    {
      headers: { 'cf-aig-gateway-id': gateway },
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
    },
  );
  assert.equal(status, 200);
  return headers.get('cf-aig-log-id') ?? assert.fail('it is logged');
}

async function listIds(server: TestServer, gateway: string): Promise<string[]> {
  const path = `${server.account}/ai-gateway/gateways/${gateway}/logs`;
  const { json } = await server.call('GET', path);
  assert.equal(json.result_info.total_count, json.result.length);
  return json.result.map(({ id }: { id: string }) => id);
}

onEachDatabase((database) => {
  test('STOP_INSERTING: below, at and above the limit', async (t) => {
    const logs = await openTestLogs(t, database);
    const limit = { maxRows: 10, strategy: 'STOP_INSERTING' } as const;
    const kept = records(9, limit);
    assert.deepEqual(await logs.store.insert(kept), { leftOut: 0 });
    const two = records(2, limit);
    // The older of both is kept, whichever was over first.
    assert.deepEqual(await logs.store.insert(two.toReversed()), { leftOut: 1 });
    const full = idsOf([...kept, ...two.slice(0, 1)]);
    assert.deepEqual(await logs.ids('main'), full);
    assert.deepEqual(await logs.store.insert(records(3, limit)), { leftOut: 3 });
    assert.deepEqual(await logs.ids('main'), full);
    const raised = records(5, { ...limit, maxRows: 13 });
    assert.deepEqual(await logs.store.insert(raised), { leftOut: 2 });
    assert.equal(await logs.count('main'), 13);
    // A limit that was lowered lets nothing in, and nothing is deleted.
    assert.deepEqual(await logs.store.insert(records(1, { ...limit, maxRows: 5 })), { leftOut: 1 });
    assert.equal(await logs.count('main'), 13);
    // Those that were left out are summed up too.
    assert.equal(await logs.requests(), 20);
  });

  test('DELETE_OLDEST: below, at and above the limit', async (t) => {
    const logs = await openTestLogs(t, database);
    const limit = { maxRows: 10, strategy: 'DELETE_OLDEST' } as const;
    const all = records(9, limit);
    await logs.store.insert(all);
    assert.equal(await logs.count('main'), 9);
    for (const count of [1, 1, 4, 25]) {
      const more = records(count, limit);
      all.push(...more);
      assert.deepEqual(await logs.store.insert(more), { leftOut: 0 });
      assert.deepEqual(await logs.ids('main'), idsOf(all).slice(0, 10));
    }
    const same = records(12, limit);
    await logs.store.insert(same);
    await logs.store.insert(same);
    assert.deepEqual(await logs.ids('main'), idsOf(same).slice(0, 10));
  });

  test('a lowered limit is worked off a little with each batch, and by trimming', async (t) => {
    const logs = await openTestLogs(t, database);
    const all = records(1_400, null);
    await logs.store.insert(all);
    const [late = assert.fail()] = records(1, { maxRows: 100, strategy: 'DELETE_OLDEST' });
    await logs.store.insert([late]);
    assert.equal(await logs.count('main'), 1_401 - 501);
    assert.equal(await logs.store.trim(ACCOUNT_ID, 'main', 100), true);
    assert.equal(await logs.count('main'), 400);
    assert.equal(await logs.store.trim(ACCOUNT_ID, 'main', 100), false);
    assert.deepEqual(await logs.ids('main'), idsOf([...all, late]).slice(0, 100));
    assert.equal(await logs.store.trim(ACCOUNT_ID, 'main', 100), false);
    assert.equal(await logs.store.trim(ACCOUNT_ID, 'unknown', 100), false);
    assert.equal(await logs.count('main'), 100);
  });

  test('a gateway keeps as many logs as it says', async (t) => {
    const dataDir = await createDataDir();
    const server = await bootServer(database, { dataDir });
    t.after(async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const gateways = `${server.account}/ai-gateway/gateways`;
    const create = async (id: string, strategy: string) => {
      const limit = { log_management: 3, log_management_strategy: strategy };
      const { status, text } = await server.call('POST', gateways, {
        body: { ...gatewayBody(id), ...limit },
      });
      assert.equal(status, 200, text);
    };
    await create('first', 'STOP_INSERTING');
    await create('last', 'DELETE_OLDEST');
    const called: Record<string, string[]> = { first: [], last: [] };
    for (const gateway of ['first', 'last']) {
      for (let i = 0; i < 5; i++) called[gateway]?.unshift(await complete(server, gateway));
    }
    assert.deepEqual(await listIds(server, 'first'), called.first?.slice(2));
    assert.deepEqual(await listIds(server, 'last'), called.last?.slice(0, 3));
    const metrics = await request('GET', `${server.origin}/metrics`);
    assert.match(metrics.text, /^latchkey_gateway_log_rows_left_out_total 2$/m);
    assert.match(metrics.text, /^latchkey_gateway_log_rows_dropped_total 0$/m);
    assert.match(metrics.text, /^latchkey_gateway_log_bodies_dropped_total 0$/m);

    // A limit that was lowered is kept without another request.
    for (const gateway of ['first', 'last']) {
      const { id: _, ...body } = gatewayBody(gateway);
      const { json } = await server.call('GET', `${gateways}/${gateway}`);
      const { log_management_strategy: strategy } = json.result;
      const lowered = { ...body, log_management: 2, log_management_strategy: strategy };
      const { status, text } = await server.call('PUT', `${gateways}/${gateway}`, {
        body: lowered,
      });
      assert.equal(status, 200, text);
    }
    const logStore = openLogStore(server, dataDir, systemClock);
    const { database: main } = server.app;
    const work = new PeriodicWork(main, systemClock, (error) => assert.fail(error));
    addLogUpkeep({
      database: main,
      clock: systemClock,
      work,
      logStore,
      logRetentionDays: 0,
      listLogLimits,
    });
    t.after(async () => {
      await work.stop();
      await logStore.close();
    });
    await eventually('a round', () => work.runNow('gateway-logs'));
    assert.deepEqual(await listIds(server, 'first'), called.first?.slice(2));
    assert.deepEqual(await listIds(server, 'last'), called.last?.slice(0, 2));
  });
});
