import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type PersonOptions,
  type SessionHeaders,
  createPerson,
  createUserToken,
  signInAs,
} from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';

const roleId = (slug: string): string => findRoleBySlug(slug)?.id ?? '';
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

  async function person(options: PersonOptions = {}) {
    const made = await createPerson(server, options);
    return { ...made, headers: await signInAs(server, made.userId, clock) };
  }

  /** Somebody who is invited into the first account. */
  async function invited(options: PersonOptions = {}, role = 'tag-admin') {
    const made = await person(options);
    const body = { email: made.email, roles: [roleId(role)] };
    const { json, text } = await server.call('POST', `${server.account}/members`, { body });
    assert.equal(json.success, true, text);
    return { ...made, path: `/memberships/${json.result.id}`, memberId: json.result.id as string };
  }

  function assertRefused(answer: Answer, status: number, code: number): void {
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
  }

  test('get shows the account, the roles and what they grant', async () => {
    const { headers, memberId } = await person({
      accountId: server.accountId,
      roles: ['tag-admin', 'ai-gateway-run'],
    });
    const { json } = await as(headers, 'GET', `/memberships/${memberId}`);
    const { permissions, account, ...rest } = json.result;
    assert.deepEqual(rest, {
      id: memberId,
      status: 'accepted',
      roles: ['AI Gateway Run', 'Tag Admin'],
      api_access_enabled: true,
    });
    assert.deepEqual(account, (await server.call('GET', server.account)).json.result);
    assert.deepEqual(permissions.tags, { read: true, write: true });
    assert.deepEqual(permissions.ai_gateway, { read: false, write: false, run: true });
    assert.deepEqual(permissions.members, { read: false, write: false });
  });

  test('get: one that is pending grants nothing yet', async () => {
    const { headers, path } = await invited();
    const { json } = await as(headers, 'GET', path);
    assert.equal(json.result.status, 'pending');
    assert.deepEqual(json.result.roles, ['Tag Admin']);
    assert.deepEqual(json.result.permissions.tags, { read: false, write: false });
  });

  test("get: somebody else's, or none, is 404", async () => {
    const { headers } = await person();
    const other = await invited();
    for (const id of [other.memberId, createId(), 'nonsense']) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', { status: 'accepted' }],
        ['DELETE', undefined],
      ] as const) {
        assertRefused(await as(headers, method, `/memberships/${id}`, body), 404, 7003);
      }
    }
  });

  test('reading takes a credential of a user with memberships.read', async () => {
    const { headers, path } = await invited();
    const able = (await createUserToken(server, headers, ['memberships.read'])).value;
    const unable = (await createUserToken(server, headers, ['user-details.read'])).value;
    for (const target of ['/memberships', path]) {
      assert.equal((await server.call('GET', target, { token: able })).status, 200);
      assertRefused(await server.call('GET', target, { token: unable }), 403, 10_000);
      assertRefused(await server.call('GET', target), 403, 10_000);
      assertRefused(await server.call('GET', target, { token: null }), 401, 10_000);
    }
  });

  test('changing takes a session', async () => {
    const { headers, path } = await invited();
    const { value } = await createUserToken(server, headers, ['memberships.read']);
    const body = { status: 'accepted' };
    for (const token of [value, server.token]) {
      assertRefused(await server.call('PUT', path, { token, body }), 403, 10_000);
      assertRefused(await server.call('DELETE', path, { token }), 403, 10_000);
    }
    assertRefused(await server.call('PUT', path, { token: null, body }), 401, 10_000);
  });

  test('list sorts and filters, in pages', async () => {
    const { headers, memberId } = await person({
      accountId: server.accountId,
      roles: ['administrator'],
    });
    for (const name of ['beta', 'alpha', 'beta']) {
      assert.equal((await as(headers, 'POST', '/accounts', { name })).status, 200);
    }
    await as(headers, 'DELETE', `/memberships/${memberId}`);
    const { email } = (await as(headers, 'GET', '/user')).json.result;
    await server.call('PUT', server.account, { body: { name: 'Inviting' } });
    const body = { email, roles: [roleId('member')] };
    await server.call('POST', `${server.account}/members`, { body });
    const list = async (query: string): Promise<string> => {
      const { json, text } = await as(headers, 'GET', `/memberships?${query}`);
      assert.equal(json.success, true, text);
      return json.result.map(({ account }: Json) => account.name).join();
    };
    assert.equal(await list(''), 'Inviting,alpha,beta,beta');
    assert.equal(await list('direction=desc'), 'beta,beta,alpha,Inviting');
    assert.equal(await list('order=account.name'), 'Inviting,alpha,beta,beta');
    assert.match(await list('order=status'), /,Inviting$/);
    assert.match(await list('order=status&direction=desc'), /^Inviting,/);
    assert.equal(await list('status=pending'), 'Inviting');
    assert.equal(await list('status=accepted'), 'alpha,beta,beta');
    assert.equal(await list('status=rejected'), '');
    assert.equal(await list('name=beta'), 'beta,beta');
    assert.equal(await list('account.name=alpha'), 'alpha');
    assert.equal(await list('account.name=alpha&name=beta'), '');
    assert.equal(await list('per_page=3&page=2'), 'beta');
    assert.equal(await list('per_page=3&page=3'), '');
    const { json } = await as(headers, 'GET', '/memberships?order=id&per_page=3');
    const ids = json.result.map(({ id }: Json) => id);
    assert.deepEqual(ids, ids.toSorted());
    assert.deepEqual(json.result_info, {
      page: 1,
      per_page: 3,
      count: 3,
      total_count: 4,
      total_pages: 2,
    });
    for (const query of ['order=name', 'status=gone', 'direction=up', 'per_page=101']) {
      assertRefused(await as(headers, 'GET', `/memberships?${query}`), 400, 6010);
    }
  });

  test('permissions are empty where a demanded second factor is missing', async (t) => {
    const other = await bootServer(database, { clock });
    t.after(() => other.stop());
    const { userId, memberId } = await createPerson(other, { accountId: other.accountId });
    const headers = await signInAs(other, userId, clock);
    const canRead = async (): Promise<boolean> => {
      const { json } = await other.call('GET', `/memberships/${memberId}`, {
        token: null,
        headers,
      });
      return json.result.permissions.account_settings.read;
    };
    assert.equal(await canRead(), true);
    const body = { name: 'x', settings: { enforce_twofactor: true } };
    await other.call('PUT', other.account, { body });
    assert.equal(await canRead(), false);
  });

  test('accepting takes effect at once', async () => {
    const { headers, path } = await invited();
    assert.equal((await as(headers, 'GET', server.account)).status, 403);
    const { json } = await as(headers, 'PUT', path, { status: 'accepted' });
    assert.equal(json.result.status, 'accepted');
    assert.deepEqual(json.result.permissions.tags, { read: true, write: true });
    assert.equal((await as(headers, 'GET', server.account)).status, 200);
    assert.deepEqual((await as(headers, 'GET', path)).json.result, json.result);
    // Again is no change; back is not to be had this way.
    assert.equal((await as(headers, 'PUT', path, { status: 'accepted' })).status, 200);
    assertRefused(await as(headers, 'PUT', path, { status: 'rejected' }), 400, 3031);
  });

  test('rejecting ends the invitation, and a new one can follow', async () => {
    const { headers, path, email, memberId } = await invited();
    const { json } = await as(headers, 'PUT', path, { status: 'rejected' });
    assert.equal(json.result.status, 'rejected');
    assertRefused(await as(headers, 'GET', path), 404, 7003);
    const member = await server.call('GET', `${server.account}/members/${memberId}`);
    assertRefused(member, 404, 7003);
    const body = { email, roles: [roleId('member')] };
    assert.equal((await server.call('POST', `${server.account}/members`, { body })).status, 200);
  });

  test('accepting without the link takes a verified address', async () => {
    const { headers, path } = await invited({ isEmailVerified: false });
    const refused = await as(headers, 'PUT', path, { status: 'accepted' });
    assertRefused(refused, 403, 3033);
    assert.match(refused.text, /not verified/);
    assert.equal((await as(headers, 'GET', server.account)).status, 403);
    assert.equal((await as(headers, 'PUT', path, { status: 'rejected' })).status, 200);
  });

  test('accepting is possible for 7 days', async () => {
    const first = await invited();
    const second = await invited();
    // A session that is not used ends in the meantime.
    const accept = async ({ userId, path }: typeof first): Promise<Answer> =>
      as(await signInAs(server, userId, clock), 'PUT', path, { status: 'accepted' });
    clock.advance(WEEK_MS - 1);
    assert.equal((await accept(first)).status, 200);
    clock.advance(1);
    assertRefused(await accept(second), 400, 3032);
    const renew = `${server.account}/members/${second.memberId}/invitation`;
    assert.equal((await server.call('POST', renew)).status, 200);
    assert.equal((await accept(second)).status, 200);
  });

  test('update: what a body may not have', async () => {
    const { headers, path } = await invited();
    for (const [body, code] of [
      [{}, 3001],
      [{ status: 'expired' }, 3001],
      [{ status: 'accepted', roles: [] }, 3001],
      [{ status: 'accepted', role: 'x' }, 3002],
      ['{', 6007],
    ] as const) {
      assertRefused(await as(headers, 'PUT', path, body), 400, code);
    }
  });

  test('leaving takes effect at once and is in the log of the account', async () => {
    const { headers, path, memberId, email } = await invited();
    await as(headers, 'PUT', path, { status: 'accepted' });
    assert.deepEqual((await as(headers, 'DELETE', path)).json.result, { id: memberId });
    assert.equal((await as(headers, 'GET', server.account)).status, 403);
    assertRefused(await as(headers, 'DELETE', path), 404, 7003);
    const range = 'since=2020-01-01&before=2100-01-01&limit=1000&direction=asc';
    const { json } = await server.call('GET', `${server.account}/logs/audit?${range}`);
    const rows = json.result.filter(
      ({ resource, action }: Json) => resource.id === memberId && action.result === 'success',
    );
    assert.deepEqual(
      rows.map(({ action, actor }: Json) => [action.type, actor.email ?? null]),
      [
        ['create', null],
        ['accept', email],
        ['delete', email],
      ],
    );
  });
});
