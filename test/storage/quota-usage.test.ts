import assert from 'node:assert/strict';
import { lookAt } from './quota-nodes.ts';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { QuotaFamily } from '../../src/storage/quota-family.ts';
import { leaseSlice } from '../../src/storage/quota-store.ts';
import { findFamilyUsage, findUsage } from '../../src/storage/quota-usage.ts';
import { Quotas } from '../../src/storage/quotas.ts';
import type { Transaction } from '../../src/storage/schema.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';

const LIMIT = 1_000_000;
const WINDOW_MS = 60_000;
const FIXED = { windowMs: WINDOW_MS };
// More than are read, and than are counted.
const CANDIDATES = 200;
const COUNTED = 10_000;

onEachDatabase((kind) => {
  const lease = (tx: Transaction, name: string, units: number, family?: QuotaFamily) =>
    leaseSlice(tx, {
      name,
      family,
      isSliding: false,
      nowMs: 0,
      limit: LIMIT,
      span: { startMs: 0, expiresAtMs: WINDOW_MS },
      need: units,
      most: units,
      corrections: [],
    });
  const leaseSliding = (tx: Transaction, name: string, units: number, nowMs: number) =>
    leaseSlice(tx, {
      name,
      family: { name: 'family', part: name },
      isSliding: true,
      nowMs,
      limit: LIMIT,
      span: { startMs: nowMs, expiresAtMs: nowMs + 1 + WINDOW_MS },
      need: units,
      most: units,
      corrections: [],
    });

  test('the largest of very many, and how many more', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    await database.transaction(async (tx) => {
      for (const name of ['a', 'b']) await lease(tx, name, 1, { name: 'other', part: name });
      await lease(tx, 'alone', 1);
      const some = Array.from({ length: 500 }, (_zero, index) => index);
      for (let start = 0; start < COUNTED + 500; start += some.length) {
        await tx
          .insertInto('quota_windows')
          .values(
            some.map((index) => ({
              name: `many-${start + index}`,
              window_start: 0,
              expires_at: WINDOW_MS,
              leased: start + index,
              family: start < 500 ? 'some' : 'many',
              part: String(start + index),
            })),
          )
          .execute();
      }
    });
    const some = await findFamilyUsage(database.read, 'some', FIXED, 0);
    assert.deepEqual([some.usages.length, some.more], [CANDIDATES, 500 - CANDIDATES]);
    const many = await findFamilyUsage(database.read, 'many', FIXED, 0);
    assert.deepEqual([many.usages[0]?.units, many.more], [COUNTED + 499, COUNTED - CANDIDATES]);
    assert.deepEqual(await findFamilyUsage(database.read, 'many', FIXED, WINDOW_MS), {
      usages: [],
      more: 0,
    });
  });

  test('of sliding quotas, only those of which something is in the window', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    await database.transaction(async (tx) => {
      await leaseSliding(tx, 'gone', 9, 0);
      for (let index = 0; index < CANDIDATES + 1; index++) {
        await leaseSliding(tx, `kept-${index}`, index + 1, WINDOW_MS);
      }
    });
    const window = { isSliding: true, windowMs: WINDOW_MS };
    const { usages, more } = await findFamilyUsage(database.read, 'family', window, WINDOW_MS + 1);
    assert.deepEqual([usages[0]?.part, usages[0]?.units], ['kept-200', CANDIDATES + 1]);
    assert.deepEqual([usages.length, more], [CANDIDATES, 1]);
  });

  test('one of an earlier version is told as soon as it is asked for, also when it is used up', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const family: QuotaFamily = { name: 'family', part: 'x' };
    await database.transaction(async (tx) => {
      await lease(tx, 'used-up', LIMIT);
      await lease(tx, 'overdrawn', LIMIT - 1);
    });
    const clock = new ManualClock(0);
    const quotas = new Quotas(database, clock, () => {});
    const quota = { limit: LIMIT, windowMs: WINDOW_MS, family: () => family };
    assert.equal((await lookAt(quotas, 'used-up', quota)).hasLeft, false);
    quotas.spend('overdrawn', quota, LIMIT);
    await quotas.stop();
    const { usages } = await findFamilyUsage(database.read, 'family', FIXED, 0);
    assert.deepEqual(
      usages.map(({ name, part }) => [name, part]),
      [
        ['overdrawn', 'x'],
        ['used-up', 'x'],
      ],
    );
    assert.equal((await findUsage(database.read, 'used-up', FIXED, 0))?.units, LIMIT);
  });

  test('those with long parts take the place of several', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const quotas = new Quotas(database, new ManualClock(0), () => {}, { maxEntries: 4 });
    t.after(() => quotas.stop());
    const part = 'long '.repeat(200);
    const quota = { limit: 1_000, windowMs: WINDOW_MS, family: () => ({ name: 'long', part }) };
    for (const name of ['long-1', 'long-2']) {
      assert.equal((await lookAt(quotas, name, quota)).hasLeft, true);
    }
    await eventually('the first is let go, and gives back what it has leased', async () => {
      const { usages } = await findFamilyUsage(database.read, 'long', FIXED, 0);
      return JSON.stringify(usages.map(({ units }) => units)) === '[10,0]';
    });
  });

  test('what is told is found by an index', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const explain = sql.raw(kind === 'sqlite' ? 'explain query plan' : 'explain');
    await database.transaction(async (tx) => {
      // An empty table is cheaper to read through.
      if (kind === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
      for (const start of [0, -1]) {
        const query = sql`select part from quota_windows where family = 'f' and window_start = ${sql.lit(start)} order by leased desc limit 1`;
        const { rows } = await sql`${explain} ${query}`.execute(tx);
        const plan = JSON.stringify(rows);
        assert.match(plan, / quota_windows_family\b/);
        assert.doesNotMatch(plan, /sort|b-tree/i);
      }
    });
  });
});
