import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { tokenUses } from '../../src/iam/api-tokens/token-store.ts';
import { LastUsed } from '../../src/iam/last-used.ts';
import { createId } from '../../src/lib/ids.ts';
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { insertTokenRows } from '../support/token-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type TestServer,
  allowPolicy,
  bootServer,
  createDataDir,
  newInstallation,
} from '../support/server.ts';

const MINUTE_MS = 60_000;

function fail(error: Error): void {
  throw error;
}

onEachDatabase((database) => {
  async function lastUsedAt(server: TestServer, id: string): Promise<number | null> {
    const row = await server.app.database.read
      .selectFrom('api_tokens')
      .select('last_used_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.last_used_at;
  }

  test('last_used_on is on record when the server has stopped', async () => {
    const clock = new ManualClock();
    const dataDir = await createDataDir();
    const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
    const first = await bootServer(database, {
      clock,
      dataDir,
      ...(postgres && { besides: newInstallation(postgres.url) }),
    });
    const unused = await first.createToken(['tags.read']);
    const used = await first.createToken(['api-tokens.read']);
    const elsewhere = await first.call('POST', `${first.account}/tokens`, {
      body: {
        name: 'used only from an address where it may not be',
        policies: [allowPolicy(first.accountId, ['api-tokens.read'])],
        condition: { request_ip: { not_in: ['127.0.0.1'] } },
      },
    });
    const { id: refusedId, value } = elsewhere.json.result;
    clock.advance(5_000);
    const refused = await first.call('GET', `${first.account}/tokens`, { token: value });
    assert.equal(refused.status, 403);
    const usedOn = new Date(clock.now()).toISOString();
    await first.call('GET', `${first.account}/tokens`, { token: used.value });
    await first.stop();

    clock.advance(5_000);
    const second = await bootServer(database, { clock, dataDir, besides: first });
    const get = (id: string) => second.call('GET', `${second.account}/tokens/${id}`);
    assert.equal((await get(used.id)).json.result.last_used_on, usedOn);
    assert.equal((await get(unused.id)).json.result.last_used_on, undefined);
    assert.equal((await get(refusedId)).json.result.last_used_on, undefined);
    await second.stop();
    await postgres?.drop();
    await rm(dataDir, { recursive: true });
  });

  test('it is written at most once a minute, with the latest use', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { id } = await server.createToken(['tags.read']);
    const clock = new ManualClock();
    const lastUsed = new LastUsed(server.app.database, clock, fail, tokenUses);
    const startMs = clock.now();
    lastUsed.record(id);
    clock.advance(1_000);
    lastUsed.record(id);
    assert.equal(await lastUsedAt(server, id), null);
    await lastUsed.flush();
    assert.equal(await lastUsedAt(server, id), startMs + 1_000);

    clock.advance(MINUTE_MS - 1);
    lastUsed.record(id);
    await lastUsed.flush();
    assert.equal(await lastUsedAt(server, id), startMs + 1_000);
    clock.advance(1);
    lastUsed.record(id);
    await lastUsed.flush();
    assert.equal(await lastUsedAt(server, id), startMs + 1_000 + MINUTE_MS);
  });

  test('a use that another node noted later is not overwritten', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { id } = await server.createToken(['tags.read']);
    const early = new ManualClock(1_000);
    const late = new ManualClock(2_000);
    const [slow, fast] = [early, late].map(
      (clock) => new LastUsed(server.app.database, clock, fail, tokenUses),
    );
    // Far enough from the epoch to be due.
    early.advance(MINUTE_MS);
    late.advance(MINUTE_MS);
    slow?.record(id);
    fast?.record(id);
    await fast?.flush();
    await slow?.flush();
    assert.equal(await lastUsedAt(server, id), 2_000 + MINUTE_MS);
  });

  test('it is written for many tokens at once, while others have their turn', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const ids = Array.from({ length: 450 }, createId);
    await server.app.database.transaction(async (tx) => {
      await insertTokenRows(tx, server.accountId, ids);
    });
    const clock = new ManualClock();
    const lastUsed = new LastUsed(server.app.database, clock, fail, tokenUses);
    for (const id of ids) lastUsed.record(id);
    lastUsed.record('of-a-token-that-was-deleted');
    let turns = 0;
    const turn = (): void => {
      turns++;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    await lastUsed.flush();
    clearImmediate(timer);
    assert.ok(turns >= 2, `${turns} turns`);
    const { count } = await server.app.database.read
      .selectFrom('api_tokens')
      .where('last_used_at', '=', clock.now())
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    assert.equal(count, ids.length);
  });

  test('the latest use is known while it is being written', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { id } = await server.createToken(['tags.read']);
    const clock = new ManualClock();
    const lastUsed = new LastUsed(server.app.database, clock, fail, tokenUses);
    lastUsed.record(id);
    const writing = lastUsed.flush();
    // Some of these moments are before the write, in it and behind it.
    for (let looks = 0; looks < 1_000; looks++) {
      assert.equal(lastUsed.latest(id), clock.now(), `look ${looks}`);
      await Promise.resolve();
      if (looks % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    assert.equal(lastUsed.latest(id), clock.now());
  });

  test('a failure is reported, and the next use is written again', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { id } = await server.createToken(['tags.read']);
    const messages: string[] = [];
    const clock = new ManualClock();
    const report = (_error: Error, message: string) => void messages.push(message);
    const lastUsed = new LastUsed(server.app.database, clock, report, tokenUses);
    const rename = (from: string, to: string) =>
      server.app.database.transaction(async (tx) => {
        await tx.schema.alterTable(from).renameTo(to).execute();
      });
    await rename('api_tokens', 'hidden');
    lastUsed.record(id);
    await lastUsed.flush();
    assert.deepEqual(messages, ['last_used_on could not be written']);
    await rename('hidden', 'api_tokens');
    lastUsed.record(id);
    await lastUsed.flush();
    assert.equal(await lastUsedAt(server, id), clock.now());
  });
});
