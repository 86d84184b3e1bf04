import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { diagnose } from '../../src/cli/doctor/doctor.ts';
import { readSettings } from '../../src/config/settings.ts';
import { SYSTEM_ACTOR, appendAudit } from '../../src/iam/audit/audit-entry.ts';
import { endLoggedSessions } from '../../src/storage/migrations/0013-end-logged-sessions.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';

onEachDatabase((database) => {
  let dataDir: string;
  before(async () => {
    dataDir = await createDataDir();
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  const boot = (besides?: TestServer): Promise<TestServer> =>
    bootServer(database, { dataDir, ...(besides === undefined ? {} : { besides }) });

  async function findings({ postgresUrl }: TestServer): Promise<string[]> {
    const settings = readSettings({
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_DNS_SERVERS: '127.0.0.1:9',
      ...(postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: postgresUrl }),
    });
    const diagnosis = await diagnose(() => Promise.resolve(settings));
    return diagnosis.findings
      .filter(({ check }) => check === 'sessions')
      .map(({ message }) => message);
  }

  test('the upgrade ends sessions and devices of version 0.1.0 once, and doctor says why', async () => {
    const old = await boot();
    const person = await createPerson(old);
    const stale = await signInAs(old, person.userId);
    const { database: store } = old.app;
    await store.transaction(async (tx) => {
      await tx
        .insertInto('known_devices')
        .values({ user_id: person.userId, digest: 'x', last_used_at: Date.now() })
        .execute();
      const entry = {
        chain: { userId: person.userId },
        action: { type: 'accept', result: 'success', description: 'Accepted' },
        actor: SYSTEM_ACTOR,
        resource: { type: 'member', id: undefined, product: 'members' },
      } as const;
      await appendAudit(tx, entry, Date.now() - 1_000);
      // The database of version 0.1.0 does not have the migration.
      await tx.deleteFrom('schema_migrations').where('name', '=', endLoggedSessions.name).execute();
    });
    // The embedded database has one owner; the other one would be dropped with its first server.
    if (database === 'sqlite') await old.stop();
    const upgraded = await boot(old);
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await upgraded.call('GET', '/user', { token: null, headers })).status;
    assert.equal(await statusOf(stale), 401);
    const devices = await upgraded.app.database.read
      .selectFrom('known_devices')
      .selectAll()
      .execute();
    assert.deepEqual(devices, []);
    assert.match((await findings(upgraded)).join(), /ended all sessions and devices on \d{4}-/);

    const fresh = await signInAs(upgraded, person.userId);
    await upgraded.stop();
    const restarted = await boot(old);
    const again = await restarted.call('GET', '/user', { token: null, headers: fresh });
    assert.equal(again.status, 200);
    await restarted.stop();
    if (database === 'postgres') await old.stop();
  });

  test('doctor says nothing about sessions to a new installation', async () => {
    const own = await createDataDir();
    const server = await bootServer(database, { dataDir: own });
    const settings = readSettings({
      LATCHKEY_DATA_DIR: own,
      LATCHKEY_DNS_SERVERS: '127.0.0.1:9',
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    });
    const { findings: found } = await diagnose(() => Promise.resolve(settings));
    assert.ok(!found.some(({ check }) => check === 'sessions'));
    await server.stop();
    await rm(own, { recursive: true, force: true });
  });
});
