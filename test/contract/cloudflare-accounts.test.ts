import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { permissions } from '../../src/iam/permissions.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  type SessionHeaders,
  createPerson,
  createUserToken,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';

/** The client as its users have it, pointed at this server and otherwise unmodified. */
onEachDatabase((database) => {
  let server: TestServer;
  let account_id: string;
  /** With a token of the first person, which holds everything. */
  let client: Cloudflare;
  let roleIds: Map<string, string>;
  before(async () => {
    server = await bootServer(database);
    account_id = server.accountId;
    const headers = await signInAs(server, (await firstPerson(server)).userId);
    const slugs = permissions.map(({ slug }) => slug);
    client = clientWith((await createUserToken(server, headers, slugs)).value);
    roleIds = new Map();
    for await (const role of client.accounts.roles.list({ account_id, per_page: 3 })) {
      roleIds.set(role.name, role.id);
    }
  });
  after(() => server.stop());

  const clientWith = (apiToken: string) => new Cloudflare({ apiToken, baseURL: server.baseUrl });

  /** The same client as the browser's: it sends no token. */
  const clientOf = (session: SessionHeaders) =>
    new Cloudflare({
      apiToken: null,
      baseURL: server.baseUrl,
      defaultHeaders: { ...session, authorization: null },
    });

  const role = (name: string): string => roleIds.get(name) ?? '';

  test('accounts: create, get, update, list by its pages, delete', async () => {
    const created = await client.accounts.create({
      name: 'by the client',
      type: 'standard',
      'Idempotency-Key': 'one',
    });
    assert.equal(created.name, 'by the client');
    assert.deepEqual(await client.accounts.get({ account_id: created.id }), created);
    const updated = await client.accounts.update({
      account_id: created.id,
      id: created.id,
      name: 'renamed',
      type: 'standard',
      managed_by: {},
      settings: { enforce_twofactor: false, abuse_contact_email: 'abuse@example.com' },
    });
    assert.equal(updated.name, 'renamed');
    assert.equal(updated.settings?.abuse_contact_email, 'abuse@example.com');
    for (let i = 0; i < 24; i++) await client.accounts.create({ name: `account ${i}` });
    const names: string[] = [];
    for await (const { name } of client.accounts.list({ direction: 'desc' })) names.push(name);
    assert.equal(names.length, 26);
    assert.deepEqual(names, names.toSorted().toReversed());
    const found = await client.accounts.list({ name: 'renamed' });
    assert.deepEqual(found.result, [updated]);
    const deleted = await client.accounts.delete({ account_id: created.id });
    assert.deepEqual(deleted, { id: created.id });
    await assert.rejects(
      client.accounts.get({ account_id: created.id }),
      Cloudflare.PermissionDeniedError,
    );
  });

  test('roles: by pages and one', async () => {
    assert.equal(roleIds.size, 11);
    const found = await client.accounts.roles.get(role('Tag Admin'), { account_id });
    assert.equal(found.name, 'Tag Admin');
    assert.deepEqual(
      Object.entries(found.permissions).find(([subject]) => subject === 'tags'),
      ['tags', { read: true, write: true }],
    );
  });

  test('members: create, get, update, list by its pages, delete', async () => {
    const created = await client.accounts.members.create({
      account_id,
      email: 'member@example.com',
      roles: [role('Member')],
    });
    const id = created.id ?? '';
    assert.equal(created.status, 'pending');
    assert.equal(created.user?.email, 'member@example.com');
    const updated = await client.accounts.members.update(id, {
      account_id,
      roles: [{ id: role('Tag Admin') }],
    });
    assert.deepEqual(
      updated.roles?.map(({ name }) => name),
      ['Tag Admin'],
    );
    assert.deepEqual(
      updated.policies?.[0]?.permission_groups?.map(({ name }) => name),
      ['Account Settings Read', 'Tags Write'],
    );
    assert.deepEqual(await client.accounts.members.get(id, { account_id }), updated);
    await assert.rejects(
      client.accounts.members.update(id, { account_id, policies: [] }),
      Cloudflare.BadRequestError,
    );

    for (let i = 0; i < 45; i++) await createPerson(server, { accountId: account_id });
    const query = { account_id, order: 'user.email', direction: 'desc', per_page: 20 } as const;
    const emails: string[] = [];
    for await (const member of client.accounts.members.list(query)) emails.push(member.email ?? '');
    assert.equal(emails.length, 47);
    assert.deepEqual(emails, emails.toSorted().toReversed());
    const pending = await client.accounts.members.list({ account_id, status: 'pending' });
    assert.deepEqual(
      pending.result.map((member) => member.id),
      [id],
    );
    assert.deepEqual(await client.accounts.members.delete(id, { account_id }), { id });
    await assert.rejects(client.accounts.members.get(id, { account_id }), Cloudflare.NotFoundError);
  });

  test('memberships and the user: read by token, changed by session', async () => {
    const { userId, email } = await createPerson(server);
    const session = await signInAs(server, userId);
    const browser = clientOf(session);
    const edited = await browser.user.edit({ first_name: 'Ada', last_name: null });
    assert.equal(edited.first_name, 'Ada');
    const roles = [role('Member')];
    const invite = () => client.accounts.members.create({ account_id, email, roles });
    const { id = '' } = await invite();
    const accepted = await browser.memberships.update(id, { status: 'accepted' });
    assert.equal(accepted.status, 'accepted');

    const { value } = await createUserToken(server, session, [
      'memberships.read',
      'user-details.read',
    ]);
    const program = clientWith(value);
    const user = await program.user.get();
    assert.deepEqual([user.id, user.email, user.suspended], [userId, email, false]);
    const list = await program.memberships.list({
      status: 'accepted',
      order: 'account.name',
      direction: 'asc',
    });
    assert.deepEqual(
      list.result.map((membership) => membership.id),
      [id],
    );
    const name = accepted.account?.name ?? '';
    const found = [];
    for await (const membership of program.memberships.list({ account: { name }, per_page: 1 })) {
      found.push(membership);
    }
    assert.deepEqual(found, list.result);
    const got = await program.memberships.get(id);
    assert.deepEqual([got.roles, got.api_access_enabled], [['Member'], true]);
    await assert.rejects(program.memberships.delete(id), Cloudflare.PermissionDeniedError);
    assert.deepEqual(await browser.memberships.delete(id), { id });
    const again = await invite();
    const rejected = await browser.memberships.update(again.id ?? '', { status: 'rejected' });
    assert.equal(rejected.status, 'rejected');
  });
});
