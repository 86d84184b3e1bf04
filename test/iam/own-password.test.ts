import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HASHING_COST, type HashingCost } from '../../src/iam/users/password.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { Visitor } from '../support/visitor.ts';
import { forgetGuesses } from './guesses.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green umbrellas';
const MINUTE_MS = 60_000;

interface Context {
  after(work: () => unknown): void;
}

function refusal({ status, code }: Answer) {
  return [status, code];
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let shared: TestServer;
  before(async () => {
    shared = await bootServer(database, { clock });
  });
  after(() => shared.stop());

  /** Somebody who is signed in, on the server of all these tests or on one to which passwords cost more. */
  async function boot(t: Context, hashingCost?: HashingCost) {
    const server =
      hashingCost === undefined ? shared : await bootServer(database, { clock, hashingCost });
    if (hashingCost !== undefined) t.after(() => server.stop());
    await forgetGuesses(server);
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    await visitor.signIn(email, PASSWORD);
    const change = (current: string, next: string) =>
      visitor.call('PUT', '/user/password', { current_password: current, new_password: next });
    return { server, userId, email, visitor, change };
  }

  test('an unsuitable new password is no guess at the current one', async (t) => {
    const { change } = await boot(t);
    for (let i = 0; i < 6; i++) {
      assert.deepEqual(refusal(await change(PASSWORD, 'password1234')), [400, 3043]);
    }
    // Nor does it say whether the current one was right.
    assert.deepEqual(refusal(await change('not the right one', 'password1234')), [400, 3043]);
    assert.equal((await change(PASSWORD, NEW_PASSWORD)).status, 200);
  });

  test('guessing the current password is limited', async (t) => {
    const { change } = await boot(t);
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(refusal(await change('not the right one', NEW_PASSWORD)), [403, 3042]);
    }
    assert.deepEqual(refusal(await change(PASSWORD, NEW_PASSWORD)), [429, 3041]);
  });

  test('a session that ends meanwhile is not replaced by another', async (t) => {
    const { server, userId, email, change } = await boot(t, HASHING_COST);
    const headers = await signInAs(server, userId, clock);
    // Passwords are checked two at a time: the one that matters waits behind these.
    const others = Array.from({ length: 15 }, (_, i) =>
      new Visitor(server).signIn(`nobody${i}@example.com`, PASSWORD),
    );
    const changing = change(PASSWORD, NEW_PASSWORD);
    const { read } = server.app.database;
    await eventually('the current password is about to be checked', async () => {
      const counters = read.selectFrom('sign_in_failures').select('name');
      const rows = await counters.where('name', 'like', 'password browser %').execute();
      return rows.length > 0;
    });
    const ended = await server.call('DELETE', '/user/sessions', { token: null, headers });
    assert.equal(ended.status, 200);
    const changed = await changing;
    await Promise.all(others);
    assert.deepEqual(refusal(changed), [401, 10_000], changed.text);
    assert.equal(changed.headers.getSetCookie().length, 0);
    assert.equal((await new Visitor(server).signIn(email, PASSWORD)).status, 200);
  });

  test('to confirm a session is never answered from memory', async (t) => {
    const { visitor } = await boot(t);
    const confirm = () =>
      visitor.call(
        'POST',
        '/user/sessions/current/confirmation',
        { password: PASSWORD },
        { 'idempotency-key': 'once' },
      );
    const first = await confirm();
    clock.advance(20 * MINUTE_MS);
    const second = await confirm();
    assert.equal(second.headers.get('idempotency-replayed'), null);
    assert.deepEqual(
      [first, second].map(({ json }) => json.result.authenticated_on),
      ['2026-01-01T00:00:00.000Z', '2026-01-01T00:20:00.000Z'],
    );
    const { json } = await visitor.call('GET', '/user/sessions/current');
    assert.equal(json.result.authenticated_on, '2026-01-01T00:20:00.000Z');
  });
});
