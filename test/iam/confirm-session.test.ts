import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateUser } from '../../src/iam/users/user-store.ts';
import {
  STEP_MS,
  callAs,
  codeAt,
  enrol,
  sessionOf,
  wrongCodeAt,
} from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, hashPassword, signInAs } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const MINUTE_MS = 60_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  /** Somebody with a password and an app, whose last proof is too old to change either. */
  async function enrolLongAgo() {
    const enrolled = await enrol(server, clock);
    const passwordHash = await hashPassword(PASSWORD);
    await server.app.database.transaction((tx) =>
      updateUser(tx, enrolled.userId, { passwordHash }),
    );
    clock.advance(15 * MINUTE_MS);
    const confirm = (body: object) =>
      callAs(server, enrolled.session, 'POST', '/user/sessions/current/confirmation', body);
    return { ...enrolled, confirm };
  }

  test('whoever has a second factor confirms with a code of it, too: 3070', async () => {
    const { session, secret, recoveryCodes, confirm } = await enrolLongAgo();
    const remove = () => callAs(server, session, 'DELETE', '/user/totp');
    const totp_code = codeAt(secret, clock.now());
    for (const code of [
      {},
      { totp_code: wrongCodeAt(secret, clock.now()) },
      { recovery_code: '0000-0000-0000-0000' },
    ]) {
      const answer = await confirm({ password: PASSWORD, ...code });
      assert.deepEqual([answer.status, answer.code], [403, 3070], answer.text);
      assert.equal((await remove()).code, 3045);
    }
    assert.equal((await confirm({ password: PASSWORD, totp_code: 5 })).code, 3001);
    // With a wrong password, a code is not used up.
    const wrong = await confirm({ password: 'not the right one', totp_code });
    assert.deepEqual([wrong.status, wrong.code], [403, 3042]);
    const right = await confirm({ password: PASSWORD, totp_code });
    assert.equal(right.status, 200, right.text);
    const again = await confirm({ password: PASSWORD, totp_code });
    assert.deepEqual([again.status, again.code], [403, 3070]);

    const [recovery_code] = recoveryCodes;
    assert.equal((await confirm({ password: PASSWORD, recovery_code })).status, 200);
    assert.equal((await confirm({ password: PASSWORD, recovery_code })).code, 3070);
    assert.equal((await remove()).status, 200);
    assert.equal((await confirm({ password: PASSWORD })).status, 200);
  });

  test('guesses at the code are limited: 429 3041', async () => {
    const { secret, confirm } = await enrolLongAgo();
    const guess = () =>
      confirm({ password: PASSWORD, totp_code: wrongCodeAt(secret, clock.now()) });
    for (let i = 0; i < 5; i++) assert.equal((await guess()).code, 3070);
    const limited = await guess();
    assert.deepEqual([limited.status, limited.code], [429, 3041]);
    clock.advance(MINUTE_MS);
    const totp_code = codeAt(secret, clock.now());
    assert.equal((await confirm({ password: PASSWORD, totp_code })).status, 200);
  });

  test('to change the password is no new proof for who has a second factor: 3045', async () => {
    const { session } = await enrolLongAgo();
    const without = await createPerson(server, { password: PASSWORD });
    const other = await signInAs(server, without.userId, clock);
    clock.advance(STEP_MS);
    const body = { current_password: PASSWORD, new_password: 'seven green umbrellas' };
    const changed = await callAs(server, session, 'PUT', '/user/password', body);
    assert.equal(changed.status, 200, changed.text);
    const removed = await callAs(server, sessionOf(changed), 'DELETE', '/user/totp');
    assert.deepEqual([removed.status, removed.code], [403, 3045]);
    // Who has none has shown all there is.
    clock.advance(15 * MINUTE_MS);
    const renewed = sessionOf(await callAs(server, other, 'PUT', '/user/password', body));
    assert.equal((await callAs(server, renewed, 'POST', '/user/totp')).status, 200);
  });
});
