import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  MAX_MEMBERS_PER_ACCOUNT,
  MAX_PENDING_INVITATIONS,
} from '../../src/iam/members/create-member.ts';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let members: string;
  before(async () => {
    server = await bootServer(database);
    members = `${server.account}/members`;
  });
  after(() => server.stop());

  const roles = [findRoleBySlug('member')?.id];

  const invite = (email: string, more = {}): Promise<Answer> =>
    server.call('POST', members, { body: { email, roles, ...more } });

  /** Members as they come from elsewhere: through no request, because hundreds are needed. */
  async function insertMembers(count: number): Promise<void> {
    await server.app.database.transaction(async (tx) => {
      for (let i = 0; i < count; i++) {
        const user_id = createId();
        const email = `${user_id}@example.com`;
        await tx
          .insertInto('users')
          .values({ id: user_id, email, email_folded: email, created_at: 1 })
          .execute();
        const id = createId();
        const account_id = server.accountId;
        await tx
          .insertInto('members')
          .values({ account_id, id, user_id, status: 'accepted', created_at: 1 })
          .execute();
        await tx
          .insertInto('member_roles')
          .values({ account_id, member_id: id, role: 'member' })
          .execute();
      }
    });
  }

  const outcomes = (answers: readonly Answer[]): string =>
    answers
      .map(({ status, code }) => `${status} ${code}`)
      .sort()
      .join();

  test('an account has at most 100 pending invitations, however many are sent at once', async () => {
    for (let i = 0; i < MAX_PENDING_INVITATIONS - 2; i++) {
      assert.equal((await invite(`pending-${i}@example.com`)).status, 200);
    }
    const answers = await Promise.all(
      [1, 2, 3, 4].map((i) => invite(`contender-${i}@example.com`)),
    );
    assert.equal(outcomes(answers), '200 undefined,200 undefined,400 3028,400 3028');
    // Who needs no invitation is not held up by those of others.
    const { email } = await createPerson(server);
    assert.equal((await invite(email, { status: 'accepted' })).status, 200);
    const { json } = await server.call('GET', `${members}?status=pending&per_page=1`);
    await server.call('DELETE', `${members}/${json.result[0].id}`);
    assert.equal((await invite('one-more@example.com')).status, 200);
    assert.equal((await invite('and-another@example.com')).code, 3028);
  });

  test('an account has at most 1000 members, however many join at once', async () => {
    const { json } = await server.call('GET', `${members}?per_page=1`);
    await insertMembers(MAX_MEMBERS_PER_ACCOUNT - json.result_info.total_count - 2);
    const people = await Promise.all([1, 2, 3, 4].map(() => createPerson(server)));
    const answers = await Promise.all(
      people.map(({ email }) => invite(email, { status: 'accepted' })),
    );
    assert.equal(outcomes(answers), '200 undefined,200 undefined,400 3027,400 3027');
    const all = await server.call('GET', `${members}?per_page=1000`);
    assert.equal(all.json.result.length, MAX_MEMBERS_PER_ACCOUNT);
    assert.equal((await invite('nobody@example.com')).code, 3027);
    await server.call('DELETE', `${members}/${all.json.result.at(-1).id}`);
    const { email } = await createPerson(server);
    assert.equal((await invite(email, { status: 'accepted' })).status, 200);
  });
});
