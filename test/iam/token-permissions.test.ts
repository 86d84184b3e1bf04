import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { permissions } from '../../src/iam/permissions.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let tokens: string;
  before(async () => {
    // The tests come from whatever address they say they do.
    server = await bootServer(database, { settings: { TRUST_PROXY: '127.0.0.1' } });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  const allow = (slugs: string[], gatewayId?: string) =>
    allowPolicy(server.accountId, slugs, gatewayId);
  const deny = (slugs: string[], gatewayId?: string) => ({
    ...allow(slugs, gatewayId),
    effect: 'deny',
  });

  function create(
    policies: unknown[],
    { token = server.token, ...fields }: { token?: string; condition?: unknown } = {},
  ): Promise<Answer> {
    return server.call('POST', tokens, { token, body: { name: 'any', policies, ...fields } });
  }

  async function valueOf(policies: unknown[], fields = {}): Promise<string> {
    const { json, text } = await create(policies, fields);
    assert.equal(json.success, true, text);
    return json.result.value;
  }

  const list = (token: string, headers = {}) => server.call('GET', tokens, { token, headers });

  test('a permission allows just what it names', async () => {
    const value = await valueOf([allow(['api-tokens.read'])]);
    assert.equal((await list(value)).status, 200);
    assert.equal((await create([allow(['api-tokens.read'])], { token: value })).code, 10_000);
    const other = await valueOf([allow(['tags.write', 'webhooks.read', 'ai-gateway.run'])]);
    assert.equal((await list(other)).status, 403);
  });

  test('.write implies .read of the same subject', async () => {
    const value = await valueOf([allow(['api-tokens.write'])]);
    assert.equal((await list(value)).status, 200);
  });

  test('deny beats allow, in whatever order they stand', async () => {
    const policies = [allow(['api-tokens.write', 'tags.read']), deny(['api-tokens.read'])];
    for (const order of [policies, policies.toReversed()]) {
      const value = await valueOf(order);
      assert.equal((await list(value)).status, 403);
      assert.equal((await create([allow(['tags.read'])], { token: value })).status, 200);
    }
  });

  test('a token limited to one gateway can do nothing to the account', async () => {
    const { value } = await server.createToken(['api-tokens.write', 'ai-gateway.read'], 'mine');
    assert.equal((await list(value)).status, 403);
    assert.equal(
      (await create([allow(['ai-gateway.read'], 'mine')], { token: value })).status,
      403,
    );
  });

  test('a denial for one gateway leaves the account alone', async () => {
    const value = await valueOf([allow(['api-tokens.read']), deny(['api-tokens.read'], 'one')]);
    assert.equal((await list(value)).status, 200);
  });

  test('a creator hands on what it holds and no more: 3012', async () => {
    const creator = await valueOf([allow(['api-tokens.write', 'tags.write'])]);
    for (const slugs of [['tags.read'], ['tags.write'], ['api-tokens.write', 'api-tokens.read']]) {
      assert.equal((await create([allow(slugs)], { token: creator })).status, 200, String(slugs));
    }
    assert.equal((await create([allow(['tags.read'], 'one')], { token: creator })).status, 200);
    for (const slugs of [['members.read'], ['tags.read', 'webhooks.write'], ['ai-gateway.run']]) {
      const answer = await create([allow(slugs)], { token: creator });
      assert.equal(answer.status, 403, String(slugs));
      assert.equal(answer.code, 3012);
      const pointer = '/policies/0/permission_groups';
      assert.deepEqual(answer.json.errors[0].source, { pointer });
      assert.match(answer.json.errors[0].message, /: "[A-Z][A-Za-z ]+" is missing$/);
    }
    assert.equal((await create([allow(['ai-gateway.run'], 'a')], { token: creator })).code, 3012);
    // A denial hands nothing on.
    const denying = [allow(['tags.read']), deny(['members.write'])];
    assert.equal((await create(denying, { token: creator })).status, 200);
  });

  test('a creator that is denied one gateway cannot hand on the account', async () => {
    const held = ['api-tokens.write', 'ai-gateway.run'];
    const creator = await valueOf([allow(held), deny(['ai-gateway.run'], 'secret')]);
    for (const [gatewayId, code] of [
      [undefined, 3012],
      ['secret', 3012],
      ['other', undefined],
    ] as const) {
      const answer = await create([allow(['ai-gateway.run'], gatewayId)], { token: creator });
      assert.equal(answer.code, code, String(gatewayId));
    }
  });

  test('a creator that is denied .read cannot get it back by handing on .write', async () => {
    const creator = await valueOf([
      allow(['api-tokens.write', 'tags.write']),
      deny(['tags.read', 'api-tokens.read']),
    ]);
    for (const slug of ['tags.write', 'api-tokens.write', 'tags.read']) {
      assert.equal((await create([allow([slug])], { token: creator })).code, 3012, slug);
    }
  });

  test('the first token holds everything and can hand on everything', async () => {
    const slugs = permissions.map(({ slug }) => slug);
    assert.equal((await create([allow(slugs)])).status, 200);
  });

  test('request_ip: only from these addresses, never from those', async () => {
    const condition = {
      request_ip: { in: ['203.0.113.0/24', '2001:db8::/32'], not_in: ['203.0.113.66'] },
    };
    const value = await valueOf([allow(['api-tokens.read'])], { condition });
    const from = async (address: string) =>
      (await list(value, { 'x-forwarded-for': address })).status;
    assert.equal(await from('203.0.113.1'), 200);
    assert.equal(await from('203.0.113.255'), 200);
    assert.equal(await from('::ffff:203.0.113.1'), 200);
    assert.equal(await from('2001:db8::1'), 200);
    assert.equal(await from('203.0.113.66'), 403);
    assert.equal(await from('::ffff:203.0.113.66'), 403);
    assert.equal(await from('203.0.114.1'), 403);
    assert.equal(await from('2001:db9::1'), 403);
    const refused = await list(value);
    assert.equal(refused.status, 403);
    assert.equal(refused.code, 10_000);
  });

  test('request_ip: a list of exceptions alone, in the mapped spelling too', async () => {
    for (const not_in of [['198.51.100.0/24'], ['::ffff:198.51.100.0/120']]) {
      const condition = { request_ip: { not_in } };
      const value = await valueOf([allow(['api-tokens.read'])], { condition });
      const from = async (address: string) =>
        (await list(value, { 'x-forwarded-for': address })).status;
      assert.equal(await from('198.51.100.7'), 403);
      assert.equal(await from('198.51.101.7'), 200);
      assert.equal(await from('::1'), 200);
    }
  });
});
