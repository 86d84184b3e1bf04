import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SUPER_ADMINISTRATOR, findRoleBySlug } from '../../src/iam/roles.ts';
import {
  type Person,
  type SessionHeaders,
  addMember,
  createPerson,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';

// The promise is one second; the rest is for a machine with much else to do.
const PATIENCE_MS = 5_000;

describe('two nodes on one PostgreSQL', () => {
  let a: TestServer;
  let b: TestServer;
  let chief: SessionHeaders;
  before(async () => {
    a = await bootServer('postgres');
    b = await bootServer('postgres', { besides: a });
    chief = await signInAs(a, (await firstPerson(a)).userId);
  });
  after(async () => {
    await b.stop();
    await a.stop();
  });

  const statusOn = async (node: TestServer, headers: SessionHeaders, path: string) =>
    (await node.call('GET', path, { token: null, headers })).status;

  /** A member whom both nodes have in memory. */
  async function knownMember(
    accountId = a.accountId,
  ): Promise<Person & { headers: SessionHeaders }> {
    const person = await createPerson(a);
    const roles = ['administrator-read-only'];
    const memberId = await addMember(a, person.userId, accountId, roles);
    const headers = await signInAs(a, person.userId);
    for (const node of [a, b, a, b]) {
      assert.equal(await statusOn(node, headers, `/accounts/${accountId}/members`), 200);
    }
    return { ...person, memberId, headers };
  }

  async function assertRefusedSoon(headers: SessionHeaders, path: string): Promise<void> {
    const changedAtMs = Date.now();
    // At once on the node that did it.
    assert.equal(await statusOn(a, headers, path), 403);
    while ((await statusOn(b, headers, path)) !== 403) {
      assert.ok(Date.now() - changedAtMs < PATIENCE_MS, 'the other node still lets them in');
    }
  }

  test('a member removed on one is soon refused by the other', async () => {
    const { memberId, headers } = await knownMember();
    const path = `${a.account}/members`;
    assert.equal((await a.call('DELETE', `${path}/${memberId}`)).status, 200);
    await assertRefusedSoon(headers, path);
  });

  test('roles taken on one are soon taken on the other', async () => {
    const { memberId, headers } = await knownMember();
    const path = `${a.account}/members`;
    const body = { roles: [{ id: findRoleBySlug('member')?.id }] };
    assert.equal((await a.call('PUT', `${path}/${memberId}`, { body })).status, 200);
    await assertRefusedSoon(headers, path);
  });

  test('a second factor demanded on one is soon demanded by the other', async () => {
    const { headers } = await knownMember();
    const settle = (enforce_twofactor: boolean) =>
      a.call('PUT', a.account, { body: { name: 'x', settings: { enforce_twofactor } } });
    assert.equal((await settle(true)).status, 200);
    await assertRefusedSoon(headers, `${a.account}/members`);
    assert.equal((await settle(false)).status, 200);
  });

  test('an account deleted on one is soon gone on the other', async () => {
    const headers = chief;
    const created = await a.call('POST', '/accounts', {
      token: null,
      headers,
      body: { name: 'doomed' },
    });
    const { id } = created.json.result;
    const member = await knownMember(id);
    const deleted = await a.call('DELETE', `/accounts/${id}`, { token: null, headers });
    assert.equal(deleted.status, 200, deleted.text);
    await assertRefusedSoon(member.headers, `/accounts/${id}/members`);
  });

  test('of two Super Administrators who leave on two nodes at once, one stays', async () => {
    const { userId, memberId } = await createPerson(a, {
      accountId: a.accountId,
      roles: [SUPER_ADMINISTRATOR],
    });
    const first = await firstPerson(a);
    const leave = (node: TestServer, headers: SessionHeaders, id: string | undefined) =>
      node.call('DELETE', `/memberships/${id}`, { token: null, headers });
    const answers = await Promise.all([
      leave(a, chief, first.memberId),
      leave(b, await signInAs(b, userId), memberId),
    ]);
    const codes = answers.map(({ code }) => code);
    assert.deepEqual(codes.filter(Boolean), [3023]);
  });
});
