import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findPermissionBySlug } from '../../src/iam/permissions.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  test('public tools recognize a token of an account by the codes', async () => {
    for (const [path, status, code] of [
      ['/user/tokens/verify', 401, 1000],
      ['/user', 403, 9109],
      ['/memberships', 403, 10_000],
    ] as const) {
      const answer = await server.call('GET', path);
      assert.deepEqual([answer.status, answer.code], [status, code], path);
    }
    const verified = await server.call('GET', '/user/tokens/verify');
    assert.equal(
      verified.json.errors[0].message,
      'Invalid API Token: the token belongs to an account. Use /accounts/{account_id}/tokens/verify',
    );
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const session = await signInAs(server, userId);
    const { value } = await createUserToken(server, session, ['user-details.read']);
    const own = await server.call('GET', '/user/tokens/verify', { token: value });
    assert.equal(own.status, 200, own.text);
    const foreign = await server.call('GET', `${server.account}/tokens/verify`, { token: value });
    assert.deepEqual([foreign.status, foreign.code], [403, 10_000]);
  });

  test('each token can list its account, and sees the settings only with the permission', async () => {
    const whole = (await server.call('GET', '/accounts')).json.result;
    assert.deepEqual(
      whole.map(({ id, settings }: Json) => [id, typeof settings]),
      [[server.accountId, 'object']],
    );
    const { settings: _, ...facts } = whole[0];
    for (const token of [
      await server.createToken(['tags.read']),
      await server.createToken(['ai-gateway.run'], 'one'),
    ]) {
      const { status, json, text } = await server.call('GET', '/accounts', { token: token.value });
      assert.equal(status, 200, text);
      assert.deepEqual(json.result, [facts]);
      assert.equal(json.result_info.total_count, 1);
      const one = await server.call('GET', server.account, { token: token.value });
      assert.equal(one.status, 403);
    }
  });

  test("a user's token lists the accounts that its policies name", async () => {
    const { userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['super-administrator'],
    });
    const session = await signInAs(server, userId);
    const body = { name: 'Second' };
    const headers = { ...session };
    const second = await server.call('POST', '/accounts', { token: null, headers, body });
    assert.equal(second.status, 200, second.text);
    const idsFor = async (policies: object[]): Promise<string[]> => {
      const made = await server.call('POST', '/user/tokens', {
        token: null,
        headers,
        body: { name: 'test', policies },
      });
      assert.equal(made.status, 200, made.text);
      const { json } = await server.call('GET', '/accounts', { token: made.json.result.value });
      return json.result.map(({ id }: Json) => id);
    };
    const one = allowPolicy(server.accountId, ['tags.read']);
    assert.deepEqual(await idsFor([one]), [server.accountId]);
    const { permission_groups: groups } = one;
    const every = { effect: 'allow', permission_groups: groups };
    const all = await idsFor([{ ...every, resources: { 'com.latchkey.api.account.*': '*' } }]);
    assert.deepEqual(new Set(all), new Set([server.accountId, second.json.result.id]));
    const own = allowPolicy(server.accountId, ['user-details.read']).permission_groups;
    const self = { [`com.latchkey.api.user.${userId}`]: '*' };
    assert.deepEqual(
      await idsFor([{ effect: 'allow', permission_groups: own, resources: self }]),
      [],
    );
  });

  test('permission groups have the ids of the public API, too', async () => {
    const publicIds = {
      '4dc8917b4b40457d88d3035d5dadb054': 'ai-gateway.read',
      '6c8a3737f07f46369c1ea1f22138daaf': 'ai-gateway.write',
      '644535f4ed854494a59cb289d634b257': 'ai-gateway.run',
      eb56a6953c034b9d97dd838155666f06: 'api-tokens.read',
      '5bc3f8b21c554832afc660159ab75fa4': 'api-tokens.write',
      c1fde68c7bcc44588cbb6ddbc16d6480: 'account-settings.read',
      '1af1fa2adc104452b74a9a3364202f20': 'account-settings.write',
    };
    const groups = Object.keys(publicIds).map((id) => ({ id }));
    const resources = { [`com.cloudflare.api.account.${server.accountId}`]: '*' };
    const body = {
      name: 'public',
      policies: [{ effect: 'allow', permission_groups: groups, resources }],
    };
    const created = await server.call('POST', `${server.account}/tokens`, { body });
    assert.equal(created.status, 200, created.text);
    const { id, value, policies } = created.json.result;
    const expected = Object.entries(publicIds).map(([groupId, slug]) => ({
      id: groupId,
      name: findPermissionBySlug(slug)?.name,
    }));
    assert.deepEqual(policies[0].permission_groups, expected);
    const read = await server.call('GET', `${server.account}/tokens/${id}`, { token: value });
    assert.deepEqual(read.json.result.policies, policies, read.text);
    const denied = await server.call('GET', `${server.account}/members`, { token: value });
    assert.equal(denied.status, 403);
    // Our own ids stay what they are.
    const own = await server.call('GET', `${server.account}/tokens/permission_groups`);
    assert.equal(
      own.json.result.some((group: Json) => Object.hasOwn(publicIds, group.id)),
      false,
    );
  });
});
