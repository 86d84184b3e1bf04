import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  MAX_MEMBERS_PER_ACCOUNT,
  MAX_PENDING_INVITATIONS,
} from '../../src/iam/members/create-member.ts';
import { acceptInvitation } from '../../src/iam/members/accept-invitation.ts';
import { INVITATION_MS } from '../../src/iam/members/invite.ts';
import { MAX_MEMBERSHIPS_PER_PERSON } from '../../src/iam/memberships/check-membership-room.ts';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Person, addMember, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { newAccount } from './newcomers.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let members: string;
  const clock = new ManualClock();
  let manager: Person;
  let managed: string;
  before(async () => {
    server = await bootServer(database, { clock });
    members = `${server.account}/members`;
    manager = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    managed = await newAccount(server, manager.userId, 'administrator');
  });
  after(() => server.stop());

  const roles = [findRoleBySlug('member')?.id];

  const invite = (email: string, more = {}): Promise<Answer> =>
    server.call('POST', members, { body: { email, roles, ...more } });

  /** Adds somebody without an invitation. */
  async function add(person?: Person): Promise<Answer> {
    const { email } = person ?? (await createPerson(server, { accountId: managed }));
    // A session would not outlive the days of these tests.
    const headers = await signInAs(server, manager.userId, clock);
    const body = { email, roles, status: 'accepted' };
    return server.call('POST', members, { token: null, headers, body });
  }

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
    assert.equal((await add()).status, 200);
    const { json } = await server.call('GET', `${members}?status=pending&per_page=1`);
    await server.call('DELETE', `${members}/${json.result[0].id}`);
    assert.equal((await invite('one-more@example.com')).status, 200);
    assert.equal((await invite('and-another@example.com')).code, 3028);
  });

  test('invitations that have expired do not count', async () => {
    assert.equal((await invite('too-many@example.com')).code, 3028);
    clock.advance(INVITATION_MS - 1);
    assert.equal((await invite('too-many@example.com')).code, 3028);
    clock.advance(1);
    for (const name of ['one', 'two']) {
      assert.equal((await invite(`after-${name}@example.com`)).status, 200);
    }
    // They can be made anew until there are as many as may be.
    const { json } = await server.call('GET', `${members}?status=pending&per_page=1`);
    const renewed = await server.call('POST', `${members}/${json.result[0].id}/invitation`);
    assert.equal(renewed.status, 200);
  });

  test('a person is a member of at most 500 accounts, whichever way they join', async () => {
    const person = await createPerson(server, { accountId: managed });
    const headers = await signInAs(server, person.userId, clock);
    const as = (method: string, path: string, body?: unknown) =>
      server.call(method, path, { token: null, headers, body });
    const joinMany = (count: number) =>
      server.app.database.transaction(async (tx) => {
        for (let i = 0; i < count; i++) {
          const account_id = createId();
          const member = { account_id, id: createId(), user_id: person.userId, created_at: 1 };
          await tx
            .insertInto('accounts')
            .values({ id: account_id, name: 'filler', created_at: 1 })
            .execute();
          await tx
            .insertInto('members')
            .values({ ...member, status: 'accepted' })
            .execute();
        }
      });
    // Invitations do not count.
    const invited = await invite(person.email);
    const membership = `/memberships/${invited.json.result.id}`;
    await addMember(server, person.userId, await newAccount(server, manager.userId), [
      'administrator',
    ]);
    await joinMany(MAX_MEMBERSHIPS_PER_PERSON - 3);
    const last = await as('POST', '/accounts', { name: 'the last' });
    assert.equal(last.status, 200, last.text);
    const refusals = [
      await as('POST', '/accounts', { name: 'one more' }),
      await as('PUT', membership, { status: 'accepted' }),
    ];
    const link = new URL(invited.json.result.invitation_url).searchParams.get('token') ?? '';
    await assert.rejects(
      server.app.database.transaction((tx, announce) =>
        acceptInvitation({ tx, announce, audit: () => {} }, link, clock.now()),
      ),
      { status: 400 },
    );
    await server.call('DELETE', `${members}/${invited.json.result.id}`);
    refusals.push(await add(person));
    assert.equal(outcomes(refusals), '400 3035,400 3035,400 3035');
    const { json } = await as('GET', '/memberships?per_page=1');
    await as('DELETE', `/accounts/${last.json.result.id}`);
    assert.ok(json.result.length === 1);
    const answers = await Promise.all([add(person), as('POST', '/accounts', { name: 'x' })]);
    assert.equal(outcomes(answers), '200 undefined,400 3035');
  });

  test('an account has at most 1000 members, however many join at once', async () => {
    const { json } = await server.call('GET', `${members}?per_page=1`);
    await insertMembers(MAX_MEMBERS_PER_ACCOUNT - json.result_info.total_count - 2);
    const answers = await Promise.all([1, 2, 3, 4].map(() => add()));
    assert.equal(outcomes(answers), '200 undefined,200 undefined,400 3027,400 3027');
    const all = await server.call('GET', `${members}?per_page=1000`);
    assert.equal(all.json.result.length, MAX_MEMBERS_PER_ACCOUNT);
    assert.equal((await invite('nobody@example.com')).code, 3027);
    await server.call('DELETE', `${members}/${all.json.result[0].id}`);
    assert.equal((await add()).status, 200);
  });
});
