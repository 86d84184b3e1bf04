import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACCOUNT_GRACE_MS,
  addAccountPurge,
} from '../../src/iam/accounts/purge-deleted-accounts.ts';
import { createId } from '../../src/lib/ids.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';

onEachDatabase((kind) => {
  test('an account that cannot be purged keeps no other waiting, and is tried again', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const clock = new ManualClock();
    const troubles: string[] = [];
    const report = (error: Error, message: string): void => {
      troubles.push(`${message}: ${error.message}`);
    };
    const work = new PeriodicWork(database, clock, report);
    t.after(() => work.stop());
    const [first, second] = [createId(), createId()];
    await database.transaction(async (tx) => {
      for (const [index, id] of [first, second].entries()) {
        const deleted_at = clock.now() - ACCOUNT_GRACE_MS - 10 + index;
        await tx
          .insertInto('accounts')
          .values({ id, name: 'gone', created_at: 1, deleted_at })
          .execute();
      }
    });
    let isBroken = true;
    const purgeAccountData = async (id: string): Promise<boolean> => {
      if (isBroken && id === first) throw new Error('a row is damaged');
      return false;
    };
    const purge = addAccountPurge({
      database,
      clock,
      report,
      work,
      deleteAccountData: [],
      purgeAccountData: [purgeAccountData],
    });
    const left = async (): Promise<string[]> => {
      const rows = await database.read.selectFrom('accounts').select('id').execute();
      return rows.map(({ id }) => id);
    };
    purge();
    await eventually('the second is purged', async () => (await left()).join() === first);
    assert.deepEqual(troubles, [
      `the deleted account ${first} could not be purged: a row is damaged`,
    ]);
    isBroken = false;
    await eventually('the first is purged', async () => {
      purge();
      return (await left()).length === 0;
    });
  });
});
