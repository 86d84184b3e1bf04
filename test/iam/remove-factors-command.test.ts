import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { removeFactors } from '../../src/iam/second-factor/remove-factors.ts';
import { callAs, enrol } from '../support/authenticator-app.ts';
import { runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { bootServer, createDataDir } from '../support/server.ts';

onEachDatabase((database) => {
  test('user remove-factors removes them while the server runs', async (t) => {
    const clock = new ManualClock();
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await bootServer(database, { clock, dataDir });
    t.after(() => server.stop());
    const { userId, email, session } = await enrol(server, clock);
    const bystander = await enrol(server, clock);
    const status = async () => (await callAs(server, session, 'GET', '/user/totp')).status;
    assert.equal(await status(), 200);
    const env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
    const { code, stdout, stderr } = await runCli(['user', 'remove-factors', email], { env });
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      'Second factors removed. A running server with SQLite applies this within one minute.\n',
    );
    if (database === 'sqlite') clock.advance(60_000);
    await eventually('the server knows', async () => (await status()) === 401);

    const fresh = await signInAs(server, userId, clock);
    const totp = (await callAs(server, fresh, 'GET', '/user/totp')).json.result;
    assert.deepEqual(totp, { enabled: false, recovery_codes_left: 0 });
    const other = (await callAs(server, bystander.session, 'GET', '/user/totp')).json.result;
    assert.deepEqual([other.enabled, other.recovery_codes_left], [true, 10]);
    const row = await server.app.database.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('chain_id', '=', userId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [row.action_type, row.actor_type, row.resource_id],
      ['remove_factors', 'system', userId],
    );

    const unknown = await runCli(['user', 'remove-factors', 'nobody@example.com'], { env });
    assert.deepEqual(
      [unknown.code, unknown.stdout, unknown.stderr],
      [1, '', 'latchkey: no user has the email address nobody@example.com\n'],
    );
  });

  test('it removes passkeys, what is only being set up, and what would add to it', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const { userId, email } = await createPerson(server);
    const session = await signInAs(server, userId, clock);
    await callAs(server, session, 'POST', '/user/totp');
    const begun = await callAs(server, session, 'POST', '/user/passkeys/options');
    assert.equal(begun.status, 200, begun.text);
    const { app } = server;
    await app.database.transaction(async (tx) => {
      await tx
        .insertInto('passkeys')
        .values({
          id: userId,
          credential_id: userId,
          user_id: userId,
          name: 'x',
          public_key: '',
          sign_count: 0,
          transports: '[]',
          created_at: 1,
          last_used_at: null,
        })
        .execute();
    });
    await removeFactors(app.database, clock, email.toUpperCase());
    for (const table of ['passkeys', 'totp_factors', 'one_time_secrets', 'sessions'] as const) {
      const rows = await app.database.read
        .selectFrom(table as 'passkeys')
        .select('user_id')
        .where('user_id', '=', userId)
        .execute();
      assert.deepEqual(rows, [], table);
    }
    assert.equal((await callAs(server, session, 'GET', '/user/totp')).status, 401);
  });
});

test('without an address, or with too much: one line, exit 1', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const env = { LATCHKEY_DATA_DIR: dataDir };
  for (const rest of [[], ['a@example.com', 'more']]) {
    const { code, stdout, stderr } = await runCli(['user', 'remove-factors', ...rest], { env });
    assert.deepEqual([code, stdout], [1, ''], rest.join(' '));
    assert.match(stderr, /^latchkey: [^\n]+\n$/);
  }
});
