import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Pool } from 'undici';
import { openDatabaseForReading } from '../../src/storage/database.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, request } from '../support/server.ts';
import {
  type Installation,
  type ServerProcess,
  createInstallation,
} from '../support/server-process.ts';
import { Follower } from './following.ts';
import { assertBooksAgree } from './tagging.ts';

const WRITERS = 32;
/** Each round ends with the death of the server, after so many answers. */
const ANSWERS_AT_DEATH = { sqlite: [300], postgres: [200] } as const;
/** Of one resource, before the writer goes on with a new one. */
const WRITES_PER_RESOURCE = 5;

interface Written {
  id: string;
  count: number;
}

/** Sets tags without a pause until the server is killed, and returns what it has acknowledged. */
async function writeUntilDeath(
  { origin, process }: ServerProcess,
  { accountId, token }: Installation,
  round: number,
  answers: number,
): Promise<Written[]> {
  const pool = new Pool(origin, { connections: WRITERS, pipelining: 1 });
  const acknowledged: Written[] = [];
  const put = async ({ id, count }: Written): Promise<boolean> => {
    const tags = { count: String(count), [`odd-${count % 2}`]: 'yes', round: String(round) };
    try {
      const { statusCode, body } = await pool.request({
        method: 'PUT',
        path: `/client/v4/accounts/${accountId}/tags`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ resource_type: 'worker', resource_id: id, tags }),
      });
      const text = await body.text();
      assert.equal(statusCode, 200, text);
      return true;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      // The server has gone away.
      return false;
    }
  };
  const work = async (_: unknown, writer: number): Promise<void> => {
    for (let count = 0; ; count++) {
      const id = `${round}-${writer}-${Math.floor(count / WRITES_PER_RESOURCE)}`;
      if (!(await put({ id, count }))) return;
      acknowledged.push({ id, count });
      if (acknowledged.length === answers) process.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, work));
  await pool.destroy();
  await process.result();
  return acknowledged;
}

async function listAll({ account }: ServerProcess, { token }: Installation): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor = ''; ;) {
    const url = `${account}/tags/resources?limit=1000&cursor=${cursor}`;
    const { status, text, json } = await request('GET', url, { token });
    assert.equal(status, 200, text);
    all.push(...json.result);
    if (json.result_info.cursor === undefined) return all;
    cursor = json.result_info.cursor;
  }
}

async function assertBooks({ dataDir, postgresUrl }: Installation): Promise<void> {
  const database = openDatabaseForReading({ databaseUrl: postgresUrl, dataDir }, (error) => {
    throw error;
  });
  try {
    await assertBooksAgree({ app: { database } });
  } finally {
    await database.close();
  }
}

onEachDatabase((database) => {
  test('kill -9 under load loses no write that was answered', async (t: TestContext) => {
    const installation = await createInstallation(t, database);
    const acknowledged: Written[] = [];
    const rounds = ANSWERS_AT_DEATH[database];
    for (const [round, answers] of rounds.entries()) {
      const server = await installation.start();
      acknowledged.push(...(await writeUntilDeath(server, installation, round, answers)));
    }

    const server = await installation.start();
    const listed = await listAll(server, installation);
    const follower = new Follower(1_000);
    await follower.catchUp({ account: server.account, token: installation.token });
    follower.assertCopyOf(listed);
    await assertBooks(installation);
    const counts = new Map(listed.map(({ id, tags }) => [id, Number(tags.count)]));
    const changed = new Set(
      follower.changes.map((change) => `${change.resource_id} ${change.tags.count}`),
    );
    for (const { id, count } of acknowledged) {
      const now = counts.get(id) ?? Number.NaN;
      // Of one that was not answered nobody knows whether it was made.
      assert.ok(now >= count, `${id}: ${count} was answered, and there is ${now}`);
      assert.ok(changed.has(`${id} ${count}`), `${id}: no change to ${count}`);
    }
    const unknown = changed.size - acknowledged.length;
    assert.ok(unknown >= 0 && unknown <= WRITERS * rounds.length, `${unknown} too many`);
    assert.equal(follower.changes.length, changed.size);
  });
});
