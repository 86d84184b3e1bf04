import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

/** The client as its users have it, pointed at this server and otherwise unmodified. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  let account_id: string;
  before(async () => {
    server = await bootServer(database);
    account_id = server.accountId;
    client = clientWith(server.token);
  });
  after(() => server.stop());

  const clientWith = (apiToken: string) => new Cloudflare({ apiToken, baseURL: server.baseUrl });

  const policies = (...slugs: string[]) => {
    const { permission_groups, resources } = allowPolicy(account_id, slugs);
    return [{ effect: 'allow' as const, permission_groups, resources }];
  };

  test('create, get, verify, delete', async () => {
    const created = await client.accounts.tokens.create({
      account_id,
      name: 'by the client',
      policies: policies('api-tokens.read'),
      expires_on: '2100-01-01T00:00:00Z',
      condition: { request_ip: { in: ['127.0.0.1'], not_in: ['10.0.0.0/8'] } },
    });
    const id = created.id ?? '';
    const value = created.value ?? '';
    assert.equal(created.status, 'active');
    assert.equal(created.name, 'by the client');
    assert.match(value, /^lkat_/);

    const got = await client.accounts.tokens.get(id, { account_id });
    assert.equal(got.name, 'by the client');
    assert.equal(got.expires_on, '2100-01-01T00:00:00.000Z');
    assert.deepEqual(got.condition?.request_ip, { in: ['127.0.0.1'], not_in: ['10.0.0.0/8'] });
    assert.equal(got.policies?.[0]?.permission_groups[0]?.name, 'Account API Tokens Read');
    assert.equal('value' in got, false);

    const holder = clientWith(value);
    const verified = await holder.accounts.tokens.verify({ account_id });
    assert.equal(verified.id, id);
    assert.equal(verified.status, 'active');
    assert.equal(verified.expires_on, '2100-01-01T00:00:00.000Z');

    assert.deepEqual(await client.accounts.tokens.delete(id, { account_id }), { id });
    await assert.rejects(
      holder.accounts.tokens.verify({ account_id }),
      Cloudflare.AuthenticationError,
    );
  });

  test('update', async () => {
    const { id = '', value = '' } = await client.accounts.tokens.create({
      account_id,
      name: 'before',
      policies: policies('api-tokens.read'),
      expires_on: '2100-01-01T00:00:00Z',
    });
    const holder = clientWith(value);
    const updated = await client.accounts.tokens.update(id, {
      account_id,
      name: 'after',
      policies: policies('api-tokens.read', 'tags.read'),
      condition: { request_ip: { in: ['127.0.0.0/8'] } },
    });
    assert.deepEqual([updated.id, updated.name, updated.status], [id, 'after', 'active']);
    assert.equal(updated.expires_on, undefined);
    assert.deepEqual(updated.condition?.request_ip?.in, ['127.0.0.0/8']);
    assert.equal(updated.policies?.[0]?.permission_groups.length, 2);
    assert.equal((await holder.accounts.tokens.verify({ account_id })).id, id);
    // What get answers can be sent back as it is, changed in one place.
    const got = await client.accounts.tokens.get(id, { account_id });
    const disabled = await client.accounts.tokens.update(id, {
      account_id,
      name: got.name ?? '',
      policies: got.policies ?? [],
      status: 'disabled',
    });
    assert.equal(disabled.status, 'disabled');
    await assert.rejects(
      holder.accounts.tokens.verify({ account_id }),
      Cloudflare.AuthenticationError,
    );
  });

  test('roll: the new value is a plain text', async () => {
    const { id = '', value = '' } = await client.accounts.tokens.create({
      account_id,
      name: 'rolled',
      policies: policies('api-tokens.read'),
    });
    const rolled = await client.accounts.tokens.value.update(id, { account_id });
    assert.equal(typeof rolled, 'string');
    assert.match(rolled, /^lkat_/);
    const verified = await clientWith(rolled).accounts.tokens.verify({ account_id });
    assert.equal(verified.id, id);
    await assert.rejects(
      clientWith(value).accounts.tokens.verify({ account_id }),
      Cloudflare.AuthenticationError,
    );
    await assert.rejects(
      client.accounts.tokens.value.update(createId(), { account_id }),
      Cloudflare.NotFoundError,
    );
  });

  test('list goes through all pages by itself, and ends', async () => {
    for (let i = 0; i < 25; i++) await server.createToken(['tags.read']);
    for (const per_page of [undefined, 7, 1_000]) {
      const ids: string[] = [];
      const query = { account_id, ...(per_page === undefined ? {} : { per_page }) };
      for await (const token of client.accounts.tokens.list(query)) ids.push(token.id ?? '');
      const { json } = await server.call('GET', `${server.account}/tokens?per_page=1000`);
      assert.deepEqual(
        ids,
        json.result.map(({ id }: { id: string }) => id),
      );
    }
    const newest = await client.accounts.tokens.list({ account_id, direction: 'desc' });
    const oldest = await client.accounts.tokens.list({ account_id, direction: 'asc' });
    assert.notEqual(newest.result[0]?.id, oldest.result[0]?.id);
    assert.equal(oldest.result[0]?.name, 'First token');
  });

  test('permission groups, all of them and by name', async () => {
    const groups = await client.accounts.tokens.permissionGroups.get({ account_id });
    assert.ok(groups.some(({ name }) => name === 'Tags Write'));
    const listed = [];
    for await (const group of client.accounts.tokens.permissionGroups.list({
      account_id,
      name: 'Tags Write',
    })) {
      listed.push(group);
    }
    assert.equal(listed.length, 1);
    assert.deepEqual(listed[0]?.scopes, ['com.latchkey.api.account']);
  });

  test('a token from a group that was looked up does what the group says', async () => {
    const [group] = await client.accounts.tokens.permissionGroups.get({
      account_id,
      name: 'Account API Tokens Read',
    });
    const { value } = await client.accounts.tokens.create({
      account_id,
      name: 'reader',
      policies: [
        {
          effect: 'allow',
          permission_groups: [{ id: group?.id ?? '' }],
          resources: { [`com.cloudflare.api.account.${account_id}`]: '*' },
        },
      ],
    });
    const reader = clientWith(value ?? '');
    assert.ok((await reader.accounts.tokens.list({ account_id })).result.length > 0);
    const refusal = reader.accounts.tokens.create({
      account_id,
      name: 'no',
      policies: policies('tags.read'),
    });
    await assert.rejects(refusal, (error) => {
      assert.ok(error instanceof Cloudflare.PermissionDeniedError);
      assert.equal(error.status, 403);
      assert.equal(error.errors[0]?.code, 10_000);
      assert.match(error.errors[0]?.message ?? '', /api-tokens\.write/);
      return true;
    });
  });

  test('refusals arrive as the classes that callers catch', async () => {
    await assert.rejects(
      clientWith(createSecret('lkat_')).accounts.tokens.list({ account_id }),
      Cloudflare.AuthenticationError,
    );
    await assert.rejects(
      clientWith('Basic x').accounts.tokens.list({ account_id }),
      Cloudflare.BadRequestError,
    );
    await assert.rejects(
      client.accounts.tokens.list({ account_id: createId() }),
      Cloudflare.PermissionDeniedError,
    );
    await assert.rejects(client.accounts.tokens.get(createId(), { account_id }), (error) => {
      assert.ok(error instanceof Cloudflare.NotFoundError);
      assert.equal(error.errors[0]?.code, 7003);
      return true;
    });
    await assert.rejects(
      client.accounts.tokens.delete(createId(), { account_id }),
      Cloudflare.NotFoundError,
    );
    const nameless = client.accounts.tokens.create({ account_id, name: '', policies: [] });
    await assert.rejects(nameless, (error) => {
      assert.ok(error instanceof Cloudflare.BadRequestError);
      assert.deepEqual(
        error.errors.map(({ code }) => code),
        [3001, 3001],
      );
      return true;
    });
  });

  test('a refusal is not tried again', async () => {
    const before = server.logLines.length;
    await assert.rejects(client.accounts.tokens.get('missing', { account_id }));
    await client.accounts.tokens.verify({ account_id });
    const lines = server.logLines.slice(before).map((line) => JSON.parse(line));
    assert.equal(lines.filter(({ path }) => path.endsWith('/missing')).length, 1);
  });
});
