import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { permissions } from '../../src/iam/permissions.ts';
import { SUPER_ADMINISTRATOR, findRoleBySlug, roles } from '../../src/iam/roles.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  type SessionHeaders,
  createPerson,
  createUserToken,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const roleId = (slug: string): string => findRoleBySlug(slug)?.id ?? '';
const everything = permissions.map(({ slug }) => slug);

/** Who may give which role: nobody gives what they do not hold. */
onEachDatabase((database) => {
  let server: TestServer;
  let members: string;
  before(async () => {
    server = await bootServer(database);
    members = `${server.account}/members`;
  });
  after(() => server.stop());

  type Caller = { token: string } | { token: null; headers: SessionHeaders };

  let count = 0;
  const invite = (caller: Caller, ...slugs: string[]): Promise<Answer> =>
    server.call('POST', members, {
      ...caller,
      body: { email: `invited-${count++}@example.com`, roles: slugs.map(roleId) },
    });

  const update = (caller: Caller, memberId: string | undefined, ...slugs: string[]) =>
    server.call('PUT', `${members}/${memberId}`, {
      ...caller,
      body: { roles: slugs.map((slug) => ({ id: roleId(slug) })) },
    });

  const remove = (caller: Caller, memberId: string | undefined) =>
    server.call('DELETE', `${members}/${memberId}`, caller);

  const join = (...slugs: string[]) =>
    createPerson(server, { accountId: server.accountId, roles: slugs });

  async function personWith(...slugs: string[]): Promise<Caller> {
    const { userId } = await join(...slugs);
    return { token: null, headers: await signInAs(server, userId) };
  }

  async function tokenWith(...slugs: string[]): Promise<Caller> {
    return { token: (await server.createToken(slugs)).value };
  }

  async function superAdministrator(): Promise<{ headers: SessionHeaders; token: null }> {
    const { userId } = await firstPerson(server);
    return { token: null, headers: await signInAs(server, userId) };
  }

  function assertRefused(answer: Answer, code: number): void {
    assert.deepEqual([answer.status, answer.code], [403, code], answer.text);
  }

  test('members.write alone gives no role: each lets its holder see the settings', async () => {
    const caller = await tokenWith('members.write');
    for (const { slug } of roles) {
      assertRefused(await invite(caller, slug), slug === SUPER_ADMINISTRATOR ? 3022 : 3024);
    }
  });

  test('a token gives roles within what it holds, and the message names what is missing', async () => {
    const caller = await tokenWith('members.write', 'account-settings.read', 'tags.write');
    assert.equal((await invite(caller, 'member')).status, 200);
    assert.equal((await invite(caller, 'tag-admin')).status, 200);
    const refused = await invite(caller, 'member', 'oauth-client-read');
    assertRefused(refused, 3024);
    assert.match(refused.text, /OAuth Clients Read.*OAuth Client Read/);
    assertRefused(await invite(caller, 'administrator'), 3024);
    const { memberId } = await join('member');
    assert.equal((await update(caller, memberId, 'tag-admin')).status, 200);
    assertRefused(await update(caller, memberId, 'tag-admin', 'ai-gateway-run'), 3024);
  });

  test('what a member has already may stay, whoever changes the rest', async () => {
    const caller = await tokenWith('members.write', 'account-settings.read', 'tags.write');
    const { memberId } = await join('ai-gateway-admin', 'member');
    assert.equal((await update(caller, memberId, 'ai-gateway-admin', 'tag-admin')).status, 200);
    assert.equal((await update(caller, memberId, 'tag-admin')).status, 200);
    assertRefused(await update(caller, memberId, 'ai-gateway-admin'), 3024);
  });

  test('a permission on one gateway, or denied on one, is not held on the account', async () => {
    const base = allowPolicy(server.accountId, ['members.write', 'account-settings.read']);
    const run = allowPolicy(server.accountId, ['ai-gateway.run']);
    const runOnOne = allowPolicy(server.accountId, ['ai-gateway.run'], 'one');
    for (const [policies, status] of [
      [[base, runOnOne], 403],
      [[base, run, { ...runOnOne, effect: 'deny' }], 403],
      [[base, run], 200],
    ] as const) {
      const { json } = await server.call('POST', `${server.account}/tokens`, {
        body: { name: 'x', policies },
      });
      const answer = await invite({ token: json.result.value }, 'ai-gateway-run');
      assert.equal(answer.status, status, answer.text);
    }
  });

  test('only Super Administrators make, unmake and remove Super Administrators', async () => {
    const administrator = await personWith('administrator');
    const everyPermission = { token: server.token };
    const chief = await superAdministrator();
    for (const caller of [administrator, everyPermission]) {
      assertRefused(await invite(caller, SUPER_ADMINISTRATOR), 3022);
      const { memberId } = await join('member');
      assertRefused(await update(caller, memberId, SUPER_ADMINISTRATOR), 3022);
      const { memberId: other } = await join(SUPER_ADMINISTRATOR);
      assertRefused(await update(caller, other, 'administrator'), 3022);
      assertRefused(await remove(caller, other), 3022);
      // Other roles of such a person are no such matter.
      assert.equal((await update(caller, other, SUPER_ADMINISTRATOR, 'tag-admin')).status, 200);
      assert.equal((await update(chief, other, 'administrator')).status, 200);
      assert.equal((await update(chief, other, SUPER_ADMINISTRATOR)).status, 200);
      assert.equal((await remove(chief, other)).status, 200);
    }
    assert.equal((await invite(chief, SUPER_ADMINISTRATOR)).status, 200);
  });

  test('an administrator gives and takes everything else', async () => {
    const administrator = await personWith('administrator');
    for (const { slug } of roles) {
      if (slug === SUPER_ADMINISTRATOR) continue;
      const { json, status, text } = await invite(administrator, slug);
      assert.equal(status, 200, text);
      assert.equal((await remove(administrator, json.result.id)).status, 200);
    }
  });

  test("a Super Administrator's token for something small decides over none", async () => {
    const { headers } = await superAdministrator();
    const weak = await createUserToken(server, headers, ['members.write', 'account-settings.read']);
    const refused = await invite({ token: weak.value }, SUPER_ADMINISTRATOR);
    assertRefused(refused, 3022);
    assert.match(refused.text, /this token of one lacks/);
    const { memberId } = await join(SUPER_ADMINISTRATOR);
    assertRefused(await remove({ token: weak.value }, memberId), 3022);
    assert.equal((await invite({ token: weak.value }, 'member')).status, 200);
    const strong = await createUserToken(server, headers, everything);
    assert.equal((await remove({ token: strong.value }, memberId)).status, 200);
  });

  test('who may not give the roles gets no new link for them either', async () => {
    const chief = await superAdministrator();
    const caller = await tokenWith('members.write', 'account-settings.read');
    for (const [slug, code] of [
      [SUPER_ADMINISTRATOR, 3022],
      ['administrator', 3024],
      ['member', undefined],
    ] as const) {
      const { json } = await invite(chief, slug);
      const path = `${members}/${json.result.id}/invitation`;
      const answer = await server.call('POST', path, caller);
      assert.equal(answer.code, code, answer.text);
      assert.equal((await server.call('POST', path, chief)).status, 200);
    }
  });

  test('a refusal is in the audit log', async () => {
    const caller = await tokenWith('members.write');
    assertRefused(await invite(caller, 'administrator'), 3024);
    const range = 'since=2020-01-01&before=2100-01-01&limit=1000&action_result=failure';
    const { json, text } = await server.call('GET', `${server.account}/logs/audit?${range}`);
    assert.ok(
      json.result.some(({ action }: { action: { description: string } }) =>
        action.description.includes('You can only assign roles whose permissions you have'),
      ),
      text,
    );
  });
});
