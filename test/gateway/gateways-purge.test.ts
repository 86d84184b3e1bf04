import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { deleteAccountGateways } from '../../src/gateway-admin/gateways/delete-account-gateways.ts';
import {
  GATEWAY_GRACE_MS,
  addGatewayPurge,
} from '../../src/gateway-admin/gateways/purge-deleted-gateways.ts';
import { forgetSpend } from '../../src/gateway/limits/forget-spend.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import { compareText } from '../../src/lib/compare-text.ts';
import type { Database } from '../../src/storage/database.ts';
import { SLIDING_HEAD } from '../../src/storage/quota-store.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { bootServer, createDataDir } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';
import { listQuery, logRecord, openLogStore } from './log-records.ts';

// More than one batch.
const MANY = 1_100;

onEachDatabase((database) => {
  test('the logs of a deleted gateway are purged; those of its successor and of others stay', async (t) => {
    const clock = new ManualClock();
    const dataDir = await createDataDir();
    const server = await bootServer(database, { clock, dataDir });
    t.after(async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const gateways = `${server.account}/ai-gateway/gateways`;
    const create = (id: string) => server.call('POST', gateways, { body: gatewayBody(id) });
    for (const id of ['gone', 'kept', 'again']) await create(id);

    const { database: store } = server.app;
    const logStore = openLogStore(server, dataDir, clock);
    t.after(() => logStore.close());
    const insert = (gatewayId: string, count: number) =>
      logStore.insert(
        Array.from({ length: count }, () => logRecord(server.accountId, gatewayId, clock.now())),
      );
    const count = (gatewayId: string) => countOf(logStore, server.accountId, gatewayId);
    const work = new PeriodicWork(store, clock, (error) => assert.fail(error));
    addGatewayPurge({
      database: store,
      clock,
      report: (error) => assert.fail(error),
      work,
      data: {
        purgeLogs: (...gateway) => logStore.purgeGateway(...gateway),
        forgetSpend: (accountId, id) => forgetSpend(store, accountId, id),
      },
    });
    t.after(() => work.stop());
    // The server's own first round may be at it.
    const round = () => eventually('a round', () => work.runNow('deleted-gateways'));

    for (const id of ['gone', 'kept', 'again']) await insert(id, MANY);
    clock.advance(120_000);
    for (const id of ['gone', 'again']) {
      assert.equal((await server.call('DELETE', `${gateways}/${id}`)).status, 200);
    }
    await create('again');
    await insert('again', 3);
    await insertSpend(store, server.accountId, ['gone', 'gone-not', 'again', 'kept']);
    await round();
    const told = { count: 8 * MANY, gateways: ['again', 'gone-not', 'kept'] };
    assert.deepEqual(await toldSpend(store), told);
    assert.deepEqual(
      [await count('gone'), await count('again'), await count('kept')],
      [0, 3, MANY],
    );

    // A request was under way at the deletion.
    await insert('gone', 2);
    clock.advance(GATEWAY_GRACE_MS - 1);
    await round();
    assert.equal(await count('gone'), 0);
    const noted = async () =>
      (await store.read.selectFrom('deleted_gateways').select('gateway_id').execute()).length;
    assert.equal(await noted(), 2);
    clock.advance(1);
    await round();
    assert.equal(await noted(), 0);
    assert.deepEqual([await count('again'), await count('kept')], [3, MANY]);

    // The logs of a deleted account are purged as a whole.
    await server.call('DELETE', `${gateways}/again`);
    assert.equal(await noted(), 1);
    await store.transaction((tx, announce) =>
      deleteAccountGateways(tx, announce, server.accountId),
    );
    assert.equal(await noted(), 0);
    while (await forgetSpend(store, server.accountId));
    assert.deepEqual(await toldSpend(store), { count: 8 * MANY, gateways: [] });
  });
});

/** Counters of each gateway, as spend limits that are parted have them. */
async function insertSpend(database: Database, accountId: string, ids: string[]): Promise<void> {
  await database.transaction(async (tx) => {
    for (const id of ids) {
      const family = { family: `spend/${accountId}/${id}/rule/60/["token"]`, part: 'x' };
      const expires = { expires_at: Number.MAX_SAFE_INTEGER };
      for (let start = 0; start < MANY; start += 100) {
        const names = Array.from({ length: 100 }, (_name, index) => `${id}-${start + index}`);
        for (const windowStart of [0, SLIDING_HEAD]) {
          const window = { window_start: windowStart, ...expires, leased: 1 };
          const rows = names.map((name) => ({ name, ...window, ...family }));
          await tx.insertInto('quota_windows').values(rows).execute();
        }
      }
    }
  });
}

/** How many counters there are, and of which gateways some are told. */
async function toldSpend({ read }: Database) {
  const rows = await read.selectFrom('quota_windows').select(['family', 'part']).execute();
  const told = rows.filter(({ family, part }) => family !== null && part !== null);
  const gateways = told.map(({ family }) => family?.split('/')[2]);
  const names = [...new Set(gateways)].filter((id) => id !== undefined);
  return { count: rows.length, gateways: names.toSorted(compareText) };
}

async function countOf(logStore: LogStore, accountId: string, gatewayId: string): Promise<number> {
  const page = await logStore.list(listQuery(accountId, gatewayId));
  return page.totalCount;
}
