import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { type BulkCalls, createBulkCalls } from './bulk-calls.ts';
import { op } from './bulk-faults.ts';
import { type Tags, createTagging } from './tagging.ts';

/** How much of tags one request for many writes may go through. */
onEachDatabase((database) => {
  let server: TestServer;
  let calls: BulkCalls;
  before(async () => {
    server = await bootServer(database);
    calls = createBulkCalls(server);
  });
  after(() => server.stop());

  const ofBytes = (bytes: number): Tags => {
    const tags = Math.floor(bytes / 4_000);
    return Object.fromEntries(Array.from({ length: tags }, (_, i) => [`k${i}`, '𝒗'.repeat(998)]));
  };

  function assertTooMuch(answer: Answer): void {
    assert.deepEqual([answer.status, answer.code], [400, 1002], answer.text);
    const [{ message, source }] = answer.json.errors;
    assert.match(message, /more than 4 MiB of tags; send fewer operations/);
    assert.equal(source.pointer, '/operations');
  }

  /** Gives a tagged resource more tags than a request may go through; only their length is right. */
  async function enlarge(id: string): Promise<void> {
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('tagged_resources')
        .set({ tags: JSON.stringify({ a: 'v'.repeat(4 * 1024 * 1024) }) })
        .where('resource_id', '=', id)
        .execute();
    });
  }

  test('1002: resources with more tags than one request may read', async () => {
    await calls.run([op('put', 'huge', { tags: { a: '1' } })]);
    await enlarge('huge');
    const operations = [op('patch', 'small', { tags: {} }), op('delete', 'huge')];
    assertTooMuch(await calls.post({ operations }));
    assertTooMuch(await calls.post({ operations, dry_run: true }));
  });

  test('1002: a resource that many operations read, what they make of it included', async () => {
    await createTagging(server).put('worker', 'large', ofBytes(500_000));
    const patches = (id: string, count: number) =>
      Array.from({ length: count }, (_, i) => op('patch', id, { tags: { n: String(i) } }));
    assertTooMuch(await calls.post({ operations: patches('large', 9) }));
    const made = op('put', 'made', { tags: ofBytes(500_000) });
    assertTooMuch(await calls.post({ operations: [made, ...patches('made', 9)] }));
    const merged = op('patch', 'merged', { tags: ofBytes(500_000) });
    assertTooMuch(await calls.post({ operations: [merged, ...patches('merged', 9)] }));
    // What is made small first is not read as often.
    const emptied = [made, op('delete', 'made'), ...patches('made', 9)];
    assert.equal((await calls.run(emptied)).succeeded, 11);
    assert.equal((await calls.run(patches('large', 8))).succeeded, 8);
  });

  test('an answer is repeated also when the resources have too many tags by now', async () => {
    const headers = { 'idempotency-key': 'grown' };
    const operations = [op('patch', 'grown', { tags: { a: '1' } })];
    const first = await calls.post({ operations }, { headers });
    assert.equal(first.status, 200, first.text);
    await enlarge('grown');
    assert.equal((await calls.post({ operations }, { headers })).text, first.text);
    assertTooMuch(await calls.post({ operations }));
  });

  test('by filter: large tags go to fewer resources a call', async () => {
    const named = (i: number) => op('put', `f${i}`, { resource_type: 'zone', tags: { a: '1' } });
    await calls.run(Array.from({ length: 10 }, (_, i) => named(i)));
    const first = await calls.merge({ type: ['zone'] }, ofBytes(1_000_000), { dry_run: true });
    assert.deepEqual([first.succeeded, typeof first.cursor], [5, 'string']);
  });
});
