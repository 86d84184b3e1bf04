import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { quotaWindows } from '../../src/storage/migrations/0017-quota-windows.ts';
import { Quotas } from '../../src/storage/quotas.ts';
import { findFamilyUsage } from '../../src/storage/quota-usage.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';
import { takeAll } from './quota-nodes.ts';

const WINDOW_MS = 60_000;
// More than are copied at once.
const MANY = 1_100;

onEachDatabase((kind) => {
  test('the units of the former tables count on', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const isSqlite = kind === 'sqlite';
    const traits = {
      name: kind,
      text: isSqlite ? sql`text` : sql`text collate "C"`,
      clustered: isSqlite ? sql`without rowid` : sql``,
    };
    const clock = new ManualClock(10 * WINDOW_MS + 1_500);
    const nowMs = clock.now();
    const startMs = 10 * WINDOW_MS;
    await database.transaction(async (tx) => {
      await sql`drop table quota_windows`.execute(tx);
      await sql`create table quotas (name text, window_start bigint, window_end bigint,
        leased bigint, slice bigint, family text, part text)`.execute(tx);
      await sql`create table sliding_quotas (name text, buckets text, expires_at bigint,
        family text, part text, leased bigint)`.execute(tx);
      await sql`insert into quotas values
        ('fixed', ${startMs}, ${startMs + WINDOW_MS}, 7, 1, 'f', '["a"]')`.execute(tx);
      // A part ended a moment ago, another one 58 seconds before, and one has not ended.
      const buckets = [
        [startMs - 57_000, 2],
        [startMs + 1_000, 3],
        [startMs + 2_000, 1],
      ];
      for (let index = 0; index < MANY; index++) {
        const name = index === 0 ? 'sliding' : `sliding-${index}`;
        await sql`insert into sliding_quotas values (${name}, ${JSON.stringify(buckets)},
          ${startMs + 2_000 + WINDOW_MS}, 'g', '["b"]', 6)`.execute(tx);
      }
      await sql`insert into sliding_quotas values ('empty', '[]', 5, null, null, 0)`.execute(tx);
      await quotaWindows.up(tx, traits);
    });
    const fixed = { limit: 10, windowMs: WINDOW_MS };
    const sliding = { ...fixed, isSliding: true };
    const told = await findFamilyUsage(database.read, 'f', fixed, nowMs);
    assert.deepEqual(told.usages, [{ name: 'fixed', part: '["a"]', units: 7, buckets: [] }]);
    const { usages, more } = await findFamilyUsage(database.read, 'g', sliding, nowMs);
    assert.deepEqual([usages[0]?.units, usages.length + more], [6, MANY]);
    const quotas = new Quotas(database, clock, assert.fail);
    const take = (name: string, quota = fixed) => takeAll({ take: () => quotas.take(name, quota) });
    assert.equal(await take('fixed'), 3);
    assert.equal(await take('sliding/sliding', sliding), 4);
    assert.equal(await take('sliding-1099/sliding', sliding), 4);
    clock.advance(startMs + 3_000 - nowMs);
    assert.equal(await take('sliding/sliding', sliding), 2);
    await quotas.stop();
  });
});
