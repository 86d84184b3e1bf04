import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

const WEEK_MS = 7 * 86_400_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const as = (headers: SessionHeaders, method: string, path: string, body?: unknown) =>
    server.call(method, path, { token: null, headers, body });

  async function invited(options: Parameters<typeof createPerson>[1] = {}) {
    const person = await createPerson(server, options);
    const roles = [findRoleBySlug('tag-admin')?.id];
    const body = { email: person.email, roles };
    const { json } = await server.call('POST', `${server.account}/members`, { body });
    const id = json.result.id as string;
    const headers = await signInAs(server, person.userId, clock);
    return { ...person, headers, id, path: `/user/invites/${id}` };
  }

  function assertRefused(answer: Answer, status: number, code: number): void {
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
  }

  test('an invitation is listed until the user accepts it', async () => {
    const { headers, id, path, userId, email } = await invited();
    const account = (await server.call('GET', server.account)).json.result;
    const expected = {
      id,
      status: 'pending',
      organization_id: server.accountId,
      organization_name: account.name,
      organization_is_enforcing_twofactor: false,
      roles: ['Tag Admin'],
      invited_member_id: userId,
      invited_member_email: email,
      invited_on: new Date(clock.now()).toISOString(),
      expires_on: new Date(clock.now() + WEEK_MS).toISOString(),
    };
    assert.deepEqual((await as(headers, 'GET', '/user/invites')).json.result, [expected]);
    assert.deepEqual((await as(headers, 'GET', path)).json.result, expected);

    const accepted = await as(headers, 'PATCH', path, { status: 'accepted' });
    assert.equal(accepted.json.result.status, 'accepted');
    assert.equal(accepted.json.result.expires_on, undefined);
    const membership = await as(headers, 'GET', `/memberships/${id}`);
    assert.equal(membership.json.result.status, 'accepted');
    assert.deepEqual((await as(headers, 'GET', '/user/invites')).json.result, []);
    assertRefused(await as(headers, 'GET', path), 404, 7003);

    const again = await as(headers, 'PATCH', path, { status: 'accepted' });
    assert.equal(again.json.result.status, 'accepted');
    for (const status of ['rejected', 'pending']) {
      assertRefused(await as(headers, 'PATCH', path, { status }), 400, 3031);
    }
  });

  test('a rejected invitation is deleted', async () => {
    const { headers, path, id } = await invited();
    const rejected = await as(headers, 'PATCH', path, { status: 'rejected' });
    assert.equal(rejected.json.result.status, 'rejected');
    assertRefused(await as(headers, 'GET', path), 404, 7003);
    assertRefused(await server.call('GET', `${server.account}/members/${id}`), 404, 7003);
  });

  test('an expired invitation is listed but not accepted', async () => {
    const { headers, path } = await invited();
    clock.advance(WEEK_MS - 1);
    assert.equal((await as(headers, 'GET', path)).json.result.status, 'pending');
    clock.advance(1);
    const renewed = await signInAs(
      server,
      (await as(headers, 'GET', '/user')).json.result.id,
      clock,
    );
    const expired = await as(renewed, 'GET', path);
    assert.equal(expired.json.result.status, 'expired');
    assertRefused(await as(renewed, 'PATCH', path, { status: 'accepted' }), 400, 3032);
    const unchanged = await as(renewed, 'PATCH', path, expired.json.result);
    assert.equal(unchanged.json.result.status, 'expired');
  });

  test('an unverified address cannot accept without the link', async () => {
    const { headers, path } = await invited({ isEmailVerified: false });
    assertRefused(await as(headers, 'PATCH', path, { status: 'accepted' }), 403, 3033);
  });

  test('invitations of other users, and unknown ids, return 404', async () => {
    const { headers } = await invited();
    const other = await invited();
    for (const id of [other.id, createId(), 'nonsense']) {
      assertRefused(await as(headers, 'GET', `/user/invites/${id}`), 404, 7003);
      const body = { status: 'accepted' };
      assertRefused(await as(headers, 'PATCH', `/user/invites/${id}`, body), 404, 7003);
    }
  });

  test('reading requires memberships.read, and a change requires a session', async () => {
    const { headers, path } = await invited();
    const able = (await createUserToken(server, headers, ['memberships.read'])).value;
    const unable = (await createUserToken(server, headers, ['user-details.read'])).value;
    for (const target of ['/user/invites', path]) {
      assert.equal((await server.call('GET', target, { token: able })).status, 200);
      assertRefused(await server.call('GET', target, { token: unable }), 403, 10_000);
      assertRefused(await server.call('GET', target), 403, 10_000);
      assertRefused(await server.call('GET', target, { token: null }), 401, 10_000);
    }
    const body = { status: 'accepted' };
    assertRefused(await server.call('PATCH', path, { token: able, body }), 403, 10_000);
    assertRefused(await server.call('PATCH', path, { token: null, body }), 401, 10_000);
    assertRefused(await as(headers, 'PATCH', path, { status: 'maybe' }), 400, 3001);
    assertRefused(await as(headers, 'PATCH', path, {}), 400, 3001);
  });
});
