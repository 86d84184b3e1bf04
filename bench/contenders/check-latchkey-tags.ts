import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '../../src/storage/database.ts';
import { applyWrites } from '../../src/tags/write/apply-writes.ts';
import { tagMapOf, tagSetOf } from '../../src/tags/tag-set/tag-set.ts';
import type { TagWrite } from '../../src/tags/write/tag-write.ts';
import { createResources } from '../tag-data.ts';
import { tagTables } from '../tag-tables.ts';
import type { FillTagsPlan } from './fill-latchkey-tags.ts';

/**
 * Tags the same resources by the server's own code, on SQLite in a directory beside `dataDir` that goes away,
 * and fails unless each table has the same rows. It is told what to do by `PLAN`, which the tables in `dataDir`
 * were filled by.
 */
const WRITES_PER_TRANSACTION = 1_000;

const plan = JSON.parse(process.env.PLAN ?? '{}') as FillTagsPlan;
const { accountId, nowMs, resources } = plan;
const ownDir = `${plan.dataDir}-applied`;

const services = {
  clock: { now: () => nowMs },
  findResourceName: () => Promise.resolve(undefined),
  notFoundStatus: 500 as const,
  bodyLimitBytes: Number.MAX_SAFE_INTEGER,
};

async function apply(): Promise<void> {
  const database = openDatabase({ dataDir: ownDir, databaseUrl: undefined }, (error) => {
    throw error;
  });
  await database.migrate();
  let writes: TagWrite[] = [];
  const write = async (): Promise<void> => {
    const some = writes;
    writes = [];
    await database.transaction(async (tx) => {
      const outcomes = await applyWrites(tx, services, accountId, some);
      const refused = outcomes.find((outcome) => 'refusal' in outcome);
      if (refused !== undefined) throw new Error('a write was refused', { cause: refused });
    });
  };
  for (const { type, id, name, tags } of createResources(resources)) {
    writes.push({
      operation: 'put',
      resource: { accountId, type, id },
      ifMatch: undefined,
      requestId: undefined,
      facts: { name, workerId: undefined, zoneId: undefined, accessApplicationId: undefined },
      tagSet: tagSetOf(tagMapOf(tags)),
    });
    if (writes.length === WRITES_PER_TRANSACTION) await write();
  }
  if (writes.length > 0) await write();
  await database.close();
}

function compare(): void {
  const [filled, applied] = [plan.dataDir, ownDir].map(
    (directory) => new DatabaseSync(path.join(directory, 'latchkey.db'), { readOnly: true }),
  );
  for (const { name, columns } of tagTables) {
    const order = Object.keys(columns).slice(0, 4).join(', ');
    const [rows, expected] = [filled, applied].map((database) =>
      database?.prepare(`select * from ${name} order by ${order}`).all(),
    );
    const at = expected?.findIndex((row, index) => !isDeepStrictEqual(row, rows?.[index])) ?? -1;
    if (at === -1 && rows?.length === expected?.length) continue;
    throw new Error(`${name} was filled otherwise than the server does, from row ${at} on`);
  }
  filled?.close();
  applied?.close();
}

mkdirSync(ownDir, { recursive: true });
try {
  await apply();
  compare();
} finally {
  rmSync(ownDir, { recursive: true, force: true });
}
