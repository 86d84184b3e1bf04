import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newGatewayRecord } from '../../src/gateway-admin/gateways/gateway-record.ts';
import { insertGateway } from '../../src/gateway-admin/gateways/gateway-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { MasterKey } from '../../src/lib/sealing.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';
import { GatewaySnapshots } from '../../src/gateway-admin/snapshot.ts';

const MADE_AT_MS = Date.UTC(2026, 0, 1);
const LATER_MS = 7;

onEachDatabase((kind) => {
  // The logs of a gateway are summed up under the moment at which it was made.
  test('who comes second to make a default gateway uses that of the first, told of it or not', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const clock = new ManualClock(MADE_AT_MS + LATER_MS);
    const masterKey = new MasterKey(randomBytes(32));
    const snapshots = new GatewaySnapshots({
      database,
      clock,
      masterKey,
      tagging: { tagsOf: () => Promise.resolve({}) },
      report(error) {
        throw error;
      },
    });
    const accountId = createId();
    await database.transaction((tx) =>
      tx.insertInto('accounts').values({ id: accountId, name: 'one', created_at: 0 }).execute(),
    );
    assert.equal(await snapshots.find(accountId, 'default'), undefined);
    // Of what another node does, word comes later.
    const made = newGatewayRecord(accountId, 'default', MADE_AT_MS);
    assert.equal(await database.transaction((tx) => insertGateway(tx, made)), true);

    const { createdAtMs } = await snapshots.createDefault(accountId);
    assert.equal(createdAtMs, MADE_AT_MS);
  });
});
