import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../src/storage/database.ts';
import { limitFiles } from '../support/file-limit.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';
import { type ServerProcess, createInstallation } from '../support/server-process.ts';

// Of what a tag may hold; with it a few writes fill any room.
const LONG_VALUE = 'x'.repeat(1_000);
const MESSAGES = [{ role: 'user', content: 'hello' }];

function tagsOf(resource: string, value = LONG_VALUE) {
  const tags = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key-${i}`, value]));
  return { resource_type: 'queue', resource_id: resource, tags };
}

function assertRefused(answer: Answer, reason: RegExp): void {
  assert.deepEqual([answer.status, answer.code], [503, 1001], answer.text);
  assert.match(answer.json.errors[0].message, reason);
  assert.equal(answer.headers.get('retry-after'), '10');
}

async function metricsOf(origin: string): Promise<{ isWritable: boolean; failures: number }> {
  const { text } = await request('GET', `${origin}/metrics`);
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    isWritable: valueOf('latchkey_storage_writable') === 1,
    failures: valueOf('latchkey_storage_write_failures_total'),
  };
}

test('a disk that fills up: writes are refused in words, all else goes on, and room ends it', async (t: TestContext) => {
  const installation = await createInstallation(t, 'sqlite');
  const server = await installation.start();
  const { origin, account } = server;
  const { token } = installation;
  const call = (method: string, path: string, body?: unknown) =>
    request(method, account + path, { token, body });
  const put = (resource: string) => call('PUT', '/tags', tagsOf(resource));
  const ask = () =>
    call('POST', '/ai/v1/chat/completions', { model: 'local/echo', messages: MESSAGES });
  assert.equal((await put('first')).status, 200);
  assert.equal((await ask()).status, 200);

  // Not a byte more: what is overwritten in place, and the shared memory of readers, is there already.
  await limitFiles(server, 4_096);
  const refused = await put('second');
  assertRefused(refused, /: storage cannot be read or written$/);
  const ready = await request('GET', `${origin}/readyz`);
  assertRefused(ready, /: storage cannot be read or written$/);
  assert.equal((await request('GET', `${origin}/healthz`)).status, 200);
  const { failures, isWritable } = await metricsOf(origin);
  assert.ok(failures >= 1 && !isWritable);
  await assertMuchFails(server, put);
  // What needs no write is served.
  assert.equal((await call('GET', '/tags/resources')).json.result.length, 1);
  assert.equal((await ask()).status, 200);

  await limitFiles(server, 'unlimited');
  await eventually(
    'it is ready',
    async () => (await request('GET', `${origin}/readyz`)).status === 200,
  );
  assert.equal((await put('second')).status, 200);
  assert.equal((await metricsOf(origin)).isWritable, true);
  const tagged = (await call('GET', '/tags/resources')).json.result as { id: string }[];
  assert.deepEqual(tagged.map(({ id }) => id).toSorted(), ['first', 'second']);
  assert.match(server.process.stdout, /storage accepts writes again/);
});

/** A thousand refusals are not a thousand lines. */
async function assertMuchFails(
  { process }: ServerProcess,
  put: (resource: string) => Promise<Answer>,
): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => put(`refused-${i}`)));
  assert.ok(answers.every(({ status }) => status === 503));
  const lines = process.stdout.split('\n').filter((line) => line.startsWith('{'));
  const causes = lines.filter((line) => line.includes('storage does not accept writes'));
  assert.equal(causes.length, 1);
  assert.ok(lines.length < 20, `${lines.length} lines`);
}

/** Pages that the database may still take, of the connection that writes. */
async function limitPages({ app }: TestServer, more: number | 'unlimited'): Promise<void> {
  await app.database.transaction(async (tx) => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tx);
    const pages = more === 'unlimited' ? 2 ** 30 : (rows[0]?.page_count ?? 0) + more;
    await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx);
  });
}

test('a full database is called that, and takes writes again when there is room', async (t) => {
  const server = await bootServer('sqlite');
  t.after(() => server.stop());
  const put = (resource: string) =>
    server.call('PUT', `${server.account}/tags`, { body: tagsOf(resource) });
  await limitPages(server, 8);
  const outcomes = await Promise.all(Array.from({ length: 32 }, (_, i) => put(`queue-${i}`)));
  const acknowledged = outcomes.flatMap(({ status }, i) => (status === 200 ? [`queue-${i}`] : []));
  for (const outcome of outcomes) {
    if (outcome.status !== 200) assertRefused(outcome, /: storage is full$/);
  }
  assert.ok(acknowledged.length < outcomes.length);
  await limitPages(server, 'unlimited');
  assert.equal((await put('last')).status, 200);
  const { json } = await server.call('GET', `${server.account}/tags/resources?limit=100`);
  const stored = (json.result as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(stored.toSorted(), [...acknowledged, 'last'].toSorted());
});

/** What PostgreSQL says when its disk is full, of every row that is to be written to these tables. */
async function fillTables(
  database: Database,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const run = (statements: readonly string[]): Promise<void> =>
    database.transaction(async (tx) => {
      for (const statement of statements) await tx.executeQuery(CompiledQuery.raw(statement));
    });
  await run([
    `create function refuse_room() returns trigger language plpgsql
     as $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
    ...tables.map(
      (table) =>
        `create trigger refuse_room before insert on ${table} execute function refuse_room()`,
    ),
  ]);
  return () => run(tables.map((table) => `drop trigger refuse_room on ${table}`));
}

test('PostgreSQL without room: writes are refused in words, reads go on, and room ends it', async (t) => {
  const server = await bootServer('postgres');
  t.after(() => server.stop());
  const tags = `${server.account}/tags`;
  const put = () => server.call('PUT', tags, { body: tagsOf('queue', 'x') });
  const readiness = () => request('GET', `${server.origin}/readyz`);
  const makeRoom = await fillTables(server.app.database, ['audit_logs', 'leases']);
  assertRefused(await put(), /: storage is full$/);
  assertRefused(await readiness(), /: storage is full$/);
  assert.equal((await metricsOf(server.origin)).isWritable, false);
  assert.equal((await server.call('GET', `${tags}/resources`)).status, 200);
  // What writes nothing succeeds, and proves nothing.
  await server.app.database.transaction(() => Promise.resolve());
  assertRefused(await readiness(), /: storage is full$/);
  await makeRoom();
  assert.equal((await put()).status, 200);
  assert.equal((await readiness()).status, 200);
});
