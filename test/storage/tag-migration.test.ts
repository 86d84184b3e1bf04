import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import type { Dialect } from '../../src/storage/dialect.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import type { Transaction } from '../../src/storage/schema.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { foldCase } from '../../src/tags/store/fold.ts';
import { etagOf } from '../../src/tags/tag-set/etag.ts';
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';
import { type Tagging, type Tags, assertBooksAgree, createTagging } from '../tags/tagging.ts';

const LONG = '𝒗'.repeat(300);
const LONG_KEY = '𝒌'.repeat(256);
// More than a block of places, and with all their tags more than the migration reads at a time.
const MANY = 4_300;

const COMPOSED = 'Z\u00fcrich';
const DECOMPOSED = COMPOSED.normalize('NFD');

/** As the version before made value keys and folded texts. */
const oldValueKeyOf = (value: string): string =>
  value.length <= 128
    ? value
    : `${Array.from(value).slice(0, 100).join('')}~${createHash('sha256').update(value).digest('base64url')}`;
const oldFold = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const canonicalOf = (tags: Tags): string => canonicalize(tags) ?? '';

interface OldResource {
  accountId: string;
  seq: number;
  type: string;
  id: string;
  name: string;
  tags: Tags;
  updatedAtMs: number;
}

/** Neither ids nor times are in the order of places, which are far apart, as clocks gave them. */
function manyResources(accountId: string): OldResource[] {
  return Array.from({ length: MANY }, (_, i): OldResource => {
    const type = ['kv_namespace', 'zone', 'queue'][i % 3] as string;
    return {
      accountId,
      seq: 2 ** 40 + i * 4_099 + (i % 5),
      type,
      id: `r${(i * 7) % MANY}`,
      name: `Name ${i % 10}`,
      tags: {
        all: 'same',
        n: String(i % 7),
        ...(i % 1_000 === 0 ? { rare: `${LONG}${i}` } : {}),
      },
      updatedAtMs: (MANY - i) * 1_000,
    };
  });
}

/** Beside those above, a few whose tags, facts and places are as odd as they may be. */
function oddResources(accountId: string): OldResource[] {
  const odd: [number, string, string, Tags][] = [
    [Number.MAX_SAFE_INTEGER - 1, 'worker', '3', { [LONG_KEY]: LONG, Größe: 'XL' }],
    [1, 'worker', '2', { env: `${LONG}a`, Env: '' }],
    [2, 'zone', '2', { env: `${LONG}b`, ...(JSON.parse('{"__proto__":"1"}') as Tags) }],
    [4_096, 'image', ' \n', { env: 'a=b', a: '\\,' }],
    [4_095, 'image', '', { env: 'a=b' }],
    // One value in two forms, also where the form decides about the length of its key.
    [10, 'zone', 'nfc', { city: COMPOSED, long: COMPOSED.repeat(18), greek: '\u0390' }],
    [11, 'zone', 'nfd', { city: DECOMPOSED, long: DECOMPOSED.repeat(18) }],
    [12, 'worker', 'nfd', { city: DECOMPOSED }],
  ];
  return odd.map(([seq, type, id, tags]) => {
    return { accountId, seq, type, id, name: `A\u0308 ${id}`, tags, updatedAtMs: 0 };
  });
}

async function insertRows(tx: Transaction, table: string, rows: Record<string, unknown>[]) {
  const columns = Object.keys(rows[0] ?? {}).map((name) => sql.ref(name));
  for (let start = 0; start < rows.length; start += 1_000) {
    const values = rows
      .slice(start, start + 1_000)
      .map((row) => sql`(${sql.join(Object.values(row))})`);
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values ${sql.join(values)}`.execute(
      tx,
    );
  }
}

/** How often each of the rows comes, which tells them apart by all they have. */
function counted(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(row));
  return [...groups.values()].map((group) => ({ ...group[0], resource_count: group.length }));
}

/** Leaves the database as the version before did. */
async function writeOld(tx: Transaction, resources: readonly OldResource[]): Promise<void> {
  const rows = resources.map(({ accountId, seq, type, id, name, tags, updatedAtMs }) => {
    const canonical = canonicalOf(tags);
    return {
      account_id: accountId,
      seq,
      resource_type: type,
      resource_id: id,
      name,
      name_folded: oldFold(name),
      etag: etagOf(canonical),
      tags: canonical,
      tags_updated_at: updatedAtMs,
      worker_id: `of ${id}`,
    };
  });
  const tagged = resources.flatMap(({ accountId, seq, type, tags }) =>
    Object.entries(tags).map(([key, value]) => ({ accountId, seq, type, key, value })),
  );
  const ofType = (one: { accountId: string; type: string }) => {
    return { account_id: one.accountId, resource_type: one.type };
  };
  const ofKey = (one: (typeof tagged)[number]) => {
    return { ...ofType(one), key: one.key, key_folded: foldCase(one.key) };
  };
  await insertRows(
    tx,
    'tagged_resources',
    rows.toSorted((a, b) => a.tags_updated_at - b.tags_updated_at),
  );
  await insertRows(
    tx,
    'resource_tags',
    tagged.map(({ accountId, seq, key, value }) => {
      return { account_id: accountId, seq, key, value_key: oldValueKeyOf(value) };
    }),
  );
  await insertRows(tx, 'tag_keys', counted(tagged.map(ofKey)));
  const values = tagged.map((one) => {
    const valueKeys = {
      value_key: oldValueKeyOf(one.value),
      value_folded: oldValueKeyOf(oldFold(one.value)),
    };
    return { ...ofKey(one), value: one.value, ...valueKeys };
  });
  await insertRows(tx, 'tag_values', counted(values));
  await insertRows(tx, 'tagged_types', counted(resources.map(ofType)));
}

async function writeOldDatabase(dialect: Dialect, resources: readonly OldResource[]) {
  const before = migrations.findIndex(({ name }) => name === '0011-tag-postings');
  await migrate(dialect, systemClock, migrations.slice(0, before));
  await dialect.writer.transaction().execute((tx) => writeOld(tx, resources));
  await dialect.close();
}

/** The rows are those of before, with places from 1 on, and no change is told of them. */
async function assertRows({ app }: TestServer, accountId: string, old: readonly OldResource[]) {
  const { read } = app.database;
  const rows = await read
    .selectFrom('tagged_resources')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('seq')
    .execute();
  const expected = old
    .toSorted((a, b) => a.seq - b.seq)
    .map((one, index) => ({
      account_id: accountId,
      seq: index + 1,
      resource_type: one.type,
      resource_id: one.id,
      name: one.name,
      name_folded: foldCase(one.name),
      etag: etagOf(canonicalOf(one.tags)),
      tags: canonicalOf(one.tags),
      tags_updated_at: one.updatedAtMs,
      worker_id: `of ${one.id}`,
      zone_id: null,
      access_application_id: null,
    }));
  assert.equal(rows.length, expected.length);
  // One by one: to show how two long lists differ takes minutes.
  for (const [index, row] of rows.entries()) assert.deepEqual({ ...row }, expected[index]);
  const head = await read
    .selectFrom('tag_heads')
    .select(['last_seq', 'last_position', 'purged_position'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  assert.deepEqual({ ...head }, { last_seq: old.length, last_position: 0, purged_position: 0 });
}

async function assertLists(tagging: Tagging, many: readonly OldResource[]): Promise<void> {
  const idsOf = (found: readonly OldResource[]): string[] => found.map(({ id }) => id);
  const rare = many.filter(({ tags }) => tags['rare'] !== undefined);
  assert.deepEqual(await tagging.ids(['tag', 'rare']), idsOf(rare));
  assert.deepEqual(await tagging.ids(['tag', `rare=${LONG}4000`]), [many[4_000]?.id]);
  assert.deepEqual(
    await tagging.ids(['tag', 'n=3'], ['type', 'queue'], ['limit', '1000']),
    idsOf(many.filter(({ type, tags }) => type === 'queue' && tags['n'] === '3')),
  );
  assert.deepEqual(await tagging.all('keys'), ['all', 'n', 'rare']);
  assert.deepEqual(await tagging.all('values/n'), ['0', '1', '2', '3', '4', '5', '6']);
  const summary = await tagging.all<{ key: string; count: number }>('summary');
  assert.deepEqual(
    summary.map(({ key, count }) => [key, count]),
    [
      ['all', MANY],
      ['n', MANY],
      ['rare', rare.length],
    ],
  );
}

onEachDatabase((database) => {
  test('tags of the version before are all there, in their order, and go on', async (t) => {
    const dataDir = await createDataDir();
    const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
    const ends = [
      () => rm(dataDir, { recursive: true, force: true }),
      async () => await postgres?.drop(),
    ];
    t.after(async () => {
      for (const end of ends.toReversed()) await end();
    });
    const accountId = createId();
    const otherId = createId();
    const many = manyResources(accountId);
    const odd = oddResources(otherId);
    await writeOldDatabase(
      postgres === undefined
        ? openSqlite(path.join(dataDir, 'latchkey.db'), 5_000)
        : openPostgres(postgres.url, assert.fail),
      [...many, ...odd],
    );

    const besides = { postgresUrl: postgres?.url, accountId, token: createSecret('lkat_') };
    const server = await bootServer(database, { dataDir, besides });
    ends.push(() => server.stop());
    await assertBooksAgree(server, { isFeedWhole: false });
    await assertRows(server, accountId, many);
    await assertRows(server, otherId, odd);
    const tagging = createTagging(server);
    await assertLists(tagging, many);

    // New resources come after all others; those that were there keep their places.
    const [first, second] = many.filter(({ tags }) => tags['rare'] !== undefined);
    assert.ok(first && second);
    await tagging.put('worker', 'new', { rare: 'new' });
    await tagging.put(second.type, second.id, { rare: 'other' });
    await tagging.remove(first.type, first.id);
    assert.deepEqual(await tagging.ids(['tag', 'rare']), [
      'r2700',
      'r1100',
      'r3800',
      'r2200',
      'new',
    ]);
    await assertBooksAgree(server, { isFeedWhole: false });
  });
});
