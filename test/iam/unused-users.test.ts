import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lockOutUser } from '../../src/iam/users/lock-out.ts';
import { deleteUnusedUsers } from '../../src/iam/users/unused-users.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';

/** Somebody who was only ever invited, and what makes a person of them. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const address = (options = {}) => createPerson(server, { isEmailVerified: false, ...options });

  async function isKept(userId: string): Promise<boolean> {
    const { database: db } = server.app;
    await db.transaction((tx) => deleteUnusedUsers(tx, [userId]));
    const users = db.read.selectFrom('users').select('id').where('id', '=', userId);
    return (await users.execute()).length === 1;
  }

  test('an address and nothing more is forgotten', async () => {
    assert.equal(await isKept((await address()).userId), false);
  });

  test('who has a password, a membership or a verified address stays', async () => {
    const options = [
      { password: 'blue kettle on the roof' },
      { accountId: server.accountId },
      { isEmailVerified: true },
    ];
    for (const option of options) {
      assert.equal(await isKept((await address(option)).userId), true, JSON.stringify(option));
    }
  });

  test('who has an API token stays', async () => {
    const { userId } = await address();
    await createUserToken(server, await signInAs(server, userId), ['user-details.read']);
    assert.equal(await isKept(userId), true);
  });

  test('who has let an OAuth client do something stays', async () => {
    const { userId } = await address();
    const { client_id: clientId } = await createClient(server);
    const decision = { userId, clientId, accountIds: [], scopes: ['openid'], declinedScopes: [] };
    await server.app.database.transaction((tx, announce) =>
      storeGrant(tx, announce, decision, Date.now()),
    );
    assert.equal(await isKept(userId), true);
  });

  test('who is locked out stays: an invitation would make somebody new of them', async () => {
    const { userId, email } = await address();
    await lockOutUser(server.app.database, systemClock, email);
    assert.equal(await isKept(userId), true);
  });
});
