import assert from 'node:assert/strict';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import { eventually } from '../support/eventually.ts';
import { type TestServer, bootServer, createDataDir, request } from '../support/server.ts';
import { readStoredLogs, storedIds } from '../support/stored-logs.ts';

// Between requests that would otherwise keep the machine busy for as long as the lock lasts.
const PAUSE_MS = 50;
const MESSAGES = [{ role: 'user', content: 'hello' }];

interface Faulty extends TestServer {
  dataDir: string;
  put(resource: string): Promise<Awaited<ReturnType<TestServer['call']>>>;
  /** @returns the id of the log row */
  ask(): Promise<string>;
  readiness(): Promise<{ status: number; text: string }>;
}

async function boot(t: TestContext): Promise<Faulty> {
  const dataDir = await createDataDir();
  const server = await bootServer('sqlite', { dataDir });
  t.after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    ...server,
    dataDir,
    put: (resource) =>
      server.call('PUT', `${server.account}/tags`, {
        body: { resource_type: 'queue', resource_id: resource, tags: { a: 'b' } },
      }),
    async ask() {
      const { status, headers } = await server.call(
        'POST',
        `${server.account}/ai/v1/chat/completions`,
        { body: { model: 'local/echo', messages: MESSAGES } },
      );
      assert.equal(status, 200);
      return headers.get('cf-aig-log-id') ?? assert.fail('it is logged');
    },
    readiness: () => request('GET', `${server.origin}/readyz`),
  };
}

/** Another process that holds the write lock of a file. */
function holdLock(t: TestContext, file: string): { release(): void } {
  const other = new DatabaseSync(file);
  t.after(() => {
    if (other.isOpen) other.close();
  });
  other.exec('begin immediate');
  return { release: () => other.close() };
}

test('a database that another process holds: writes wait for some seconds and are refused, all else goes on', async (t) => {
  const server = await boot(t);
  assert.equal((await server.put('before')).status, 200);
  await server.ask();
  const held = holdLock(t, path.join(server.dataDir, 'latchkey.db'));
  const startMs = performance.now();
  const writes = Array.from({ length: 100 }, (_, i) => server.put(`held-${i}`));
  const refusals = { first: false };
  void Promise.race(writes).then(() => (refusals.first = true));
  let answered = 0;
  for (; !refusals.first; answered++) {
    await server.ask();
    await delay(PAUSE_MS);
  }
  // Whoever waits for a lock on the main thread holds up everybody.
  assert.ok(answered > 5, `${answered} answers meanwhile`);
  assert.ok(performance.now() - startMs > 3_000);
  for (const answer of await Promise.all(writes)) {
    assert.deepEqual([answer.status, answer.code], [503, 1001], answer.text);
    assert.match(answer.json.errors[0].message, /: storage is locked by another process$/);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  const { status, text } = await server.readiness();
  assert.equal(status, 503);
  assert.match(text, /storage is locked by another process|storage is unreachable/);
  held.release();
  await eventually('it is ready', async () => (await server.readiness()).status === 200);
  assert.equal((await server.put('after')).status, 200);
  const { json } = await server.call('GET', `${server.account}/tags/resources`);
  assert.deepEqual(json.result.map(({ id }: { id: string }) => id).toSorted(), ['after', 'before']);
});

test('a log file that another process holds: requests go on, and their rows come later', async (t) => {
  const server = await boot(t);
  const ids = [await server.ask()];
  await eventually('the file is there', async () => (await stored(server)).size === 1);
  const held = holdLock(t, path.join(server.dataDir, LOG_FILE));
  ids.push(await server.ask());
  // At first nobody knows more than that the thread does not answer.
  await eventually('it is told', async () =>
    (await server.readiness()).text.includes('failed to write gateway logs'),
  );
  // The log is one thing, the rest another.
  assert.equal((await server.put('meanwhile')).status, 200);
  held.release();
  await eventually('it is ready', async () => (await server.readiness()).status === 200);
  await eventually('the rows are there', async () => (await stored(server)).size === ids.length);
});

function stored(server: Faulty): Promise<Set<string>> {
  return readStoredLogs(server, storedIds).catch(() => new Set());
}

test('a database that is moved away: nothing is acknowledged that would be lost, and it may come back', async (t) => {
  const server = await boot(t);
  assert.equal((await server.put('before')).status, 200);
  // The first request makes the gateway, which is a write.
  await server.ask();
  const file = path.join(server.dataDir, 'latchkey.db');
  for (const moved of [file, `${file}-wal`]) {
    await rename(moved, `${moved}.away`);
    await assertGone(server);
    // Nor in another one under its name, as a restored copy is.
    await writeFile(moved, '');
    await assertGone(server);
    await rename(`${moved}.away`, moved);
    await eventually('it is ready', async () => (await server.readiness()).status === 200);
    assert.equal((await server.put(`back-${moved.length}`)).status, 200);
  }
});

test('a data directory that cannot be looked into: writes are refused in words, and it may come back', async (t) => {
  const server = await boot(t);
  assert.equal((await server.put('before')).status, 200);
  await rename(server.dataDir, `${server.dataDir}.away`);
  // Another error than that of a missing file, as of a disk that was taken away.
  await symlink(server.dataDir, server.dataDir);
  const answer = await server.put('lost');
  assert.deepEqual([answer.status, answer.code], [503, 1001], answer.text);
  assert.match(answer.json.errors[0].message, /: storage cannot be read or written$/);
  assert.match((await server.readiness()).text, /storage cannot be read or written/);
  await rm(server.dataDir);
  await rename(`${server.dataDir}.away`, server.dataDir);
  await eventually('it is ready', async () => (await server.readiness()).status === 200);
  assert.equal((await server.put('after')).status, 200);
});

async function assertGone(server: Faulty): Promise<void> {
  const answer = await server.put('lost');
  assert.deepEqual([answer.status, answer.code], [503, 1001], answer.text);
  assert.match(answer.json.errors[0].message, /: storage was deleted or replaced while in use$/);
  assert.equal(answer.headers.get('retry-after'), '60');
  assert.match((await server.readiness()).text, /deleted or replaced/);
  assert.equal(
    (await server.call('GET', `${server.account}/tags/resources`)).json.result.length > 0,
    true,
  );
  await server.ask();
}

test('a log file that somebody removes to make room: the next rows go into a new one', async (t) => {
  const server = await boot(t);
  await server.ask();
  await eventually('the file is there', async () => (await stored(server)).size === 1);
  const logs = `${server.account}/ai-gateway/gateways/default/logs`;
  assert.equal((await server.call('GET', logs)).json.result.length, 1);
  for (const end of ['', '-wal', '-shm']) await rm(path.join(server.dataDir, LOG_FILE + end));
  const id = await server.ask();
  await eventually('its row is there', async () => (await stored(server)).has(id));
  await eventually('it is ready', async () => (await server.readiness()).status === 200);
  // The reader has the old file open still, and finds out.
  await eventually('it is listed', async () => {
    const { status, json } = await server.call('GET', logs);
    return status === 200 && json.result.length === 1 && json.result[0].id === id;
  });
});
