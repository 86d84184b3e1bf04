import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SUPER_ADMINISTRATOR, findRoleBySlug } from '../../src/iam/roles.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, firstPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { type Newcomer, newAccount, newcomer } from './newcomers.ts';

const roleId = (slug: string): string => findRoleBySlug(slug)?.id ?? '';

/** Who may be added to an account without an invitation. */
onEachDatabase((database) => {
  const slugs = ['administrator-read-only'];
  const clock = new ManualClock();
  let server: TestServer;
  let members: string;
  let manager: Newcomer;
  let managed: string;
  before(async () => {
    server = await bootServer(database, { clock });
    members = `${server.account}/members`;
    manager = await newcomer(server, clock, 'administrator');
    managed = await newAccount(server, manager.userId, 'administrator');
  });

  after(() => server.stop());

  function assertRefused(answer: Answer, status: number, code: number, pointer?: string): void {
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
    if (pointer !== undefined) assert.equal(answer.json.errors[0].source.pointer, pointer);
  }

  const add = (email: string, by: Pick<TestServer, 'call'>, roles = slugs): Promise<Answer> =>
    by.call('POST', members, { body: { email, roles: roles.map(roleId), status: 'accepted' } });

  /** Somebody whom the manager manages in another account. */
  async function acquaintance(options = {}) {
    return createPerson(server, { accountId: managed, ...options });
  }

  test('a verified member of another account that the caller manages', async () => {
    const { userId, email } = await acquaintance();
    const headers = await signInAs(server, userId, clock);
    assert.equal((await server.call('GET', members, { token: null, headers })).status, 403);
    const { json, text } = await add(email, manager);
    assert.equal(json.result.status, 'accepted', text);
    assert.equal('invitation_url' in json.result, false);
    assert.equal('invitation_expires_on' in json.result, false);
    assert.equal((await server.call('GET', members, { token: null, headers })).status, 200);
    assertRefused(await add(email, manager), 400, 3026, '/email');
  });

  test('nobody else, and the refusal does not tell who exists', async () => {
    const unknown = await add('unknown@example.com', manager);
    assertRefused(unknown, 400, 3029, '/status');
    const stranger = await createPerson(server);
    const unverified = await acquaintance({ isEmailVerified: false });
    const reader = await newcomer(server, clock, 'administrator');
    const seen = await newAccount(server, reader.userId, 'administrator-read-only');
    const onlySeen = await createPerson(server, { accountId: seen });
    const gone = await newAccount(server, manager.userId, 'administrator');
    const ofGone = await createPerson(server, { accountId: gone });
    const invited = await createPerson(server);
    await server.app.database.transaction(async (tx) => {
      await tx.updateTable('accounts').set({ deleted_at: 1 }).where('id', '=', gone).execute();
      const values = { account_id: managed, id: createId(), user_id: invited.userId };
      await tx
        .insertInto('members')
        .values({ ...values, status: 'pending', created_at: 1 })
        .execute();
    });
    for (const [email, by] of [
      [stranger.email, manager],
      [unverified.email, manager],
      [onlySeen.email, reader],
      [ofGone.email, manager],
      [invited.email, manager],
      // A token of the account knows nobody elsewhere.
      [(await acquaintance()).email, server],
      ['unknown@example.com', server],
    ] as const) {
      const refused = await add(email, by);
      assertRefused(refused, 400, 3029);
      assert.deepEqual(refused.json.errors, unknown.json.errors);
    }
  });

  test('never as Super Administrator', async () => {
    const { email } = await acquaintance();
    const headers = await signInAs(server, (await firstPerson(server)).userId, clock);
    const call: TestServer['call'] = (method, path, options) =>
      server.call(method, path, { token: null, headers, ...options });
    const roles = [SUPER_ADMINISTRATOR, 'member'];
    assertRefused(await add(email, { call }, roles), 400, 3029, '/status');
  });
});
