import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestDatabase, onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { collectGarbage } from '../support/held-memory.ts';
import { bootServer, request } from '../support/server.ts';

/** What is left to see of a server that has come and gone. */
async function runOnce(database: TestDatabase): Promise<WeakRef<object>[]> {
  const server = await bootServer(database);
  const { database: storage, connections } = server.app;
  const refs = [storage, connections].map((part) => new WeakRef<object>(part));
  assert.equal((await server.call('GET', `${server.account}/tokens`)).status, 200);
  assert.equal((await request('GET', `${server.origin}/metrics`)).status, 200);
  await server.stop();
  return refs;
}

onEachDatabase((database) => {
  test('nothing of a stopped server stays in memory', async () => {
    const refs = await runOnce(database);
    await eventually('it is let go', async () => {
      await collectGarbage();
      return refs.every((ref) => ref.deref() === undefined);
    });
  });
});
