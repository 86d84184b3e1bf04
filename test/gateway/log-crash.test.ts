import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Json, request } from '../support/server.ts';
import {
  type Installation,
  type ServerProcess,
  createInstallation,
} from '../support/server-process.ts';
import { assertSound, readStoredLogs, storedIds } from '../support/stored-logs.ts';
import { EchoLoad } from './echo-load.ts';

const IN_FLIGHT = 200;
// In each round the server is killed after so many answers.
const ANSWERS_AT_DEATH = { sqlite: [1_600, 500], postgres: [1_200] } as const;
const ANSWERS_AT_STOP = 500;
// What a crash may take along.
const LOST_MS = 100;
// Threads and the database wait for their turns, of which a batch takes several: twice four.
const BATCH_TURNS = 8;
// How far back the answers tell how busy the machine is.
const RECENT_MS = 1_000;

/** Its threads are there, and what the first log needs is made. */
async function warmUp(installation: Installation, server: ServerProcess): Promise<string> {
  const load = new EchoLoad(server, installation, 1);
  const answer = await load.ask();
  await load.close();
  assert.ok(answer);
  await eventually('the first row is on disk', async () => {
    try {
      return (await readStoredLogs(installation, storedIds)).has(answer.logId);
    } catch {
      // The tables are being made.
      return false;
    }
  });
  return answer.logId;
}

async function countListed({ token }: Installation, { account }: ServerProcess): Promise<number> {
  const url = `${account}/ai-gateway/gateways/default/logs?per_page=1`;
  const { json }: { json: Json } = await request('GET', url, { token });
  return json.result_info.total_count;
}

/** Kills the server under load, and returns the ids of the rows that are left. */
async function crash(
  installation: Installation,
  server: ServerProcess,
  answers: number,
): Promise<{ load: EchoLoad; stored: Set<string> }> {
  const load = new EchoLoad(server, installation, IN_FLIGHT);
  let killedAtMs = Number.NaN;
  await load.run(answers, () => {
    killedAtMs = performance.now();
    server.process.kill('SIGKILL');
  });
  await server.process.result();
  const stored = await readSound(installation);
  // As late as the server is with an answer, on a busy machine, it may be with each of the turns that a
  // batch takes: when it is due, in its thread, when that is done, and once for the batch before it.
  const recent = load.acknowledged.filter(({ endedAtMs }) => endedAtMs > killedAtMs - RECENT_MS);
  const latenessMs = medianOf(recent.map(({ tookMs }) => tookMs));
  const lost = load.acknowledged.filter(({ logId }) => !stored.has(logId));
  const longestMs = Math.max(0, ...lost.map(({ endedAtMs }) => killedAtMs - endedAtMs));
  assert.ok(
    longestMs <= LOST_MS + BATCH_TURNS * latenessMs,
    `${lost.length} of ${load.acknowledged.length} rows of ${longestMs} ms are lost; answers took ${latenessMs} ms`,
  );
  return { load, stored };
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function readSound(installation: Installation): Promise<Set<string>> {
  return readStoredLogs(installation, async (opened) => {
    await assertSound(opened);
    return storedIds(opened);
  });
}

onEachDatabase((database) => {
  test('under load, kill -9 costs the rows of the last 100 ms at most, SIGTERM none', async (t: TestContext) => {
    const installation = await createInstallation(t, database);
    const asked = new Set<string>();
    let left = 0;
    for (const answers of ANSWERS_AT_DEATH[database]) {
      const server = await installation.start();
      asked.add(await warmUp(installation, server));
      const { load, stored } = await crash(installation, server, answers);
      for (const { logId } of load.acknowledged) asked.add(logId);
      const unknown = [...stored].filter((id) => !asked.has(id));
      // Those that were under way.
      assert.ok(unknown.length <= IN_FLIGHT, `${unknown.length} rows too many`);
      for (const id of unknown) asked.add(id);
      left = stored.size;
    }

    // The next start needs no repair.
    const server = await installation.start();
    assert.equal(await countListed(installation, server), left);
    const load = new EchoLoad(server, installation, IN_FLIGHT);
    await load.run(ANSWERS_AT_STOP, () => server.process.kill('SIGTERM'));
    const { code, stderr } = await server.process.result();
    assert.deepEqual([code, stderr], [0, '']);
    const stored = await readSound(installation);
    const lost = load.acknowledged.filter(({ logId }) => !stored.has(logId));
    assert.equal(lost.length, 0, `${lost.length} of ${load.acknowledged.length}`);
  });
});
