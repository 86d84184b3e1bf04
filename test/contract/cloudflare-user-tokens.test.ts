import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

/** The client as its users have it, pointed at this server and otherwise unmodified. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  let userId: string;
  before(async () => {
    server = await bootServer(database);
    const person = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    ({ userId } = person);
    const session = await signInAs(server, userId);
    const { value } = await createUserToken(server, session, [
      'api-tokens.write',
      'user-details.read',
      'tags.read',
    ]);
    client = clientWith(value);
  });
  after(() => server.stop());

  const clientWith = (apiToken: string) => new Cloudflare({ apiToken, baseURL: server.baseUrl });

  const policies = (resource: string, ...slugs: string[]) => {
    const { permission_groups } = allowPolicy('', slugs);
    return [{ effect: 'allow' as const, permission_groups, resources: { [resource]: '*' } }];
  };
  const everywhere = (...slugs: string[]) => policies('com.cloudflare.api.account.*', ...slugs);

  test('create, get, verify, update, roll, delete', async () => {
    const created = await client.user.tokens.create({
      name: 'by the client',
      policies: everywhere('api-tokens.read'),
      expires_on: '2100-01-01T00:00:00Z',
      not_before: '2020-01-01T00:00:00Z',
      condition: { request_ip: { in: ['127.0.0.1'] } },
    });
    const { id = '', value = '' } = created;
    assert.match(value, /^lkut_/);
    assert.deepEqual(created.policies?.[0]?.resources, { 'com.cloudflare.api.account.*': '*' });

    const got = await client.user.tokens.get(id);
    assert.equal(got.name, 'by the client');
    assert.equal(got.not_before, '2020-01-01T00:00:00.000Z');
    assert.equal('value' in got, false);

    const verified = await clientWith(value).user.tokens.verify();
    assert.deepEqual(verified, {
      id,
      status: 'active',
      not_before: '2020-01-01T00:00:00.000Z',
      expires_on: '2100-01-01T00:00:00.000Z',
    });
    const account_id = server.accountId;
    const read = await clientWith(value).accounts.tokens.list({ account_id });
    assert.ok(read.result.length > 0);

    const updated = await client.user.tokens.update(id, {
      name: 'renamed',
      policies: policies(`com.cloudflare.api.user.${userId}`, 'user-details.read'),
      status: 'active',
    });
    assert.deepEqual([updated.name, updated.expires_on], ['renamed', undefined]);

    const rolled = await client.user.tokens.value.update(id, { body: {} });
    assert.match(rolled, /^lkut_/);
    await assert.rejects(clientWith(value).user.tokens.verify(), Cloudflare.AuthenticationError);
    assert.equal((await clientWith(rolled).user.tokens.verify()).id, id);

    assert.deepEqual(await client.user.tokens.delete(id), { id });
    await assert.rejects(clientWith(rolled).user.tokens.verify(), Cloudflare.AuthenticationError);
  });

  test('list goes through all pages by itself, and ends', async () => {
    for (let i = 0; i < 22; i++) {
      await client.user.tokens.create({ name: `n${i}`, policies: everywhere('tags.read') });
    }
    for (const per_page of [undefined, 7]) {
      const names: string[] = [];
      const query = per_page === undefined ? {} : { per_page };
      for await (const token of client.user.tokens.list(query)) names.push(token.name ?? '');
      assert.equal(names.length, 23);
      assert.equal(new Set(names).size, 23);
    }
    const newest = await client.user.tokens.list({ direction: 'desc' });
    const oldest = await client.user.tokens.list({ direction: 'asc' });
    assert.notEqual(newest.result[0]?.id, oldest.result[0]?.id);
  });

  test('permission groups', async () => {
    const scopes: (string[] | undefined)[] = [];
    for await (const group of client.user.tokens.permissionGroups.list({
      name: 'User Details Read',
    })) {
      scopes.push(group.scopes);
    }
    assert.deepEqual(scopes, [['com.latchkey.api.user']]);
  });

  test('refusals arrive as the classes that callers catch', async () => {
    await assert.rejects(client.user.tokens.get(createId()), Cloudflare.NotFoundError);
    await assert.rejects(client.user.tokens.delete(createId()), Cloudflare.NotFoundError);
    await assert.rejects(
      client.user.tokens.value.update(createId(), { body: {} }),
      Cloudflare.NotFoundError,
    );
    const wide = client.user.tokens.create({ name: 'x', policies: everywhere('tags.write') });
    await assert.rejects(wide, (error) => {
      assert.ok(error instanceof Cloudflare.PermissionDeniedError);
      assert.equal(error.errors[0]?.code, 3012);
      return true;
    });
    // A token of an account has no person behind it.
    await assert.rejects(
      clientWith(server.token).user.tokens.list(),
      Cloudflare.PermissionDeniedError,
    );
  });
});
