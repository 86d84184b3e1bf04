import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { refuseConnections } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { limitFiles } from '../support/file-limit.ts';
import { AWAIT_RELEASE, EVENT_STREAM, delta, event, head } from '../support/scripted-upstream.ts';
import { type TestServer, bootServer, createDataDir, request } from '../support/server.ts';
import { type Installation, createInstallation } from '../support/server-process.ts';
import { assertSound, readStoredLogs, storedIds } from '../support/stored-logs.ts';
import { EchoLoad } from './echo-load.ts';
import { startScripted } from './scripted.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';

const MIB = 1024 * 1024;
const IN_FLIGHT = 8;
// About as long as a request may be that the server answers by itself.
const LONG_CONTENT = 'x'.repeat(240_000);
// What may wait to be written.
const QUEUED_BYTES = 64 * MIB;

async function isReady(origin: string): Promise<boolean> {
  return (await request('GET', `${origin}/readyz`)).status === 200;
}

async function readCounter(origin: string, name: string): Promise<number> {
  const { text } = await request('GET', `${origin}/metrics`);
  const [, value] = new RegExp(`^${name} (\\d+)$`, 'm').exec(text) ?? [];
  assert.ok(value, `no ${name} in:\n${text}`);
  return Number(value);
}

/** All that was answered comes into the store, and nothing else. */
async function assertStored(
  installation: Pick<Installation, 'dataDir' | 'postgresUrl'>,
  load: EchoLoad,
): Promise<void> {
  const { acknowledged } = load;
  await eventually('all rows are there', async () => {
    const stored = await readStoredLogs(installation, storedIds);
    return acknowledged.every(({ logId }) => stored.has(logId));
  });
  const stored = await readStoredLogs(installation, async (opened) => {
    await assertSound(opened);
    return storedIds(opened);
  });
  assert.equal(stored.size, acknowledged.length);
}

async function waitForLine({ logLines }: TestServer): Promise<void> {
  await eventually('it is logged', () =>
    Promise.resolve(logLines.some((line) => line.includes('failed to write gateway logs'))),
  );
}

async function longestFile(directory: string): Promise<number> {
  const names = await readdir(directory);
  const stats = await Promise.all(names.map((name) => stat(path.join(directory, name))));
  return Math.max(...stats.map(({ size }) => size));
}

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

test(
  'a full disk: requests go on, it is told, and what was logged meanwhile comes when there is room',
  { skip: !hasPrlimit && 'there is no prlimit' },
  async (t: TestContext) => {
    const installation = await createInstallation(t, 'sqlite');
    const server = await installation.start();
    const load = new EchoLoad(server, installation, IN_FLIGHT);
    t.after(() => load.close());
    await load.ask();
    await eventually('the file is there', async () =>
      (await readdir(installation.dataDir)).includes(LOG_FILE),
    );
    await limitFiles(server, (await longestFile(installation.dataDir)) + MIB);
    await eventually('the file is full', async () => {
      assert.ok(await load.ask(LONG_CONTENT));
      return !(await isReady(server.origin));
    });
    // More than what may wait: bodies are left out then, rows are not.
    for (let bytes = 0; bytes < QUEUED_BYTES; bytes += IN_FLIGHT * 2 * LONG_CONTENT.length) {
      const asked = Array.from({ length: IN_FLIGHT }, () => load.ask(LONG_CONTENT));
      assert.ok((await Promise.all(asked)).every((answer) => answer !== undefined));
    }
    assert.equal(await isReady(server.origin), false);
    assert.match(server.process.stdout, /failed to write gateway logs/);

    await limitFiles(server, 'unlimited');
    await eventually('it has recovered', () => isReady(server.origin));
    await assertStored(installation, load);
    const counter = (what: string): Promise<number> =>
      readCounter(server.origin, `latchkey_gateway_log_${what}_total`);
    assert.equal(await counter('rows_dropped'), 0);
    assert.ok((await counter('bodies_dropped')) > 0);
  },
);

test('a file that cannot be made: requests go on, and it is made when that is possible', async (t: TestContext) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const server = await bootServer('sqlite', { dataDir });
  t.after(() => server.stop());
  // Another user's file would do as well, but not for a test that runs as root.
  const obstacle = path.join(dataDir, LOG_FILE);
  await mkdir(obstacle);
  const load = new EchoLoad(server, server, IN_FLIGHT);
  t.after(() => load.close());
  for (let i = 0; i < 10; i++) assert.ok(await load.ask());
  await eventually('it is told', async () => !(await isReady(server.origin)));
  assert.ok(await load.ask());
  await waitForLine(server);
  await rmdir(obstacle);
  await eventually('it has recovered', () => isReady(server.origin));
  await assertStored({ dataDir, postgresUrl: undefined }, load);
});

test('no start with a file that cannot be opened, and an error that names it', async (t: TestContext) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const file = path.join(dataDir, LOG_FILE);
  await mkdir(file);
  await assert.rejects(bootServer('sqlite', { dataDir }), ({ message }: Error) => {
    assert.ok(message.includes(file), message);
    return true;
  });
});

test('PostgreSQL is gone while an answer is on its way: the client gets it, and its row comes later', async (t: TestContext) => {
  const bench = await startScripted('postgres');
  t.after(() => bench.stop());
  const { server, upstream } = bench;
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  const last = event({ object: 'chat.completion.chunk', choices: [], usage });
  await upstream.set('held', [
    head(200, EVENT_STREAM),
    delta('one '),
    AWAIT_RELEASE,
    last,
    event('[DONE]'),
  ]);
  const asked = { stream: true, stream_options: { include_usage: true } };
  const answering = bench.complete('held', {}, asked);
  await eventually('it is on its way', async () => (await upstream.requests('held')).length === 1);
  const restore = await refuseConnections(server.postgresUrl ?? '');
  await upstream.release();
  const answer = await answering;
  assert.deepEqual([answer.status, answer.text.endsWith(event('[DONE]'))], [200, true]);
  await waitForLine(server);
  assert.equal(await isReady(server.origin), false);
  await restore();
  await eventually('it has recovered', () => isReady(server.origin));
  const [row] = await bench.logs();
  assert.deepEqual(
    [row.id, row.tokens_in, row.tokens_out],
    [answer.headers.get('cf-aig-log-id'), 11, 7],
  );
});
