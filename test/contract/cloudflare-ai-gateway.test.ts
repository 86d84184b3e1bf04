import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';

/** The unmodified `cloudflare` package: gateways and their logs. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  before(async () => {
    server = await bootServer(database);
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl, maxRetries: 0 });
  });
  after(() => server.stop());

  const create = (id: string) =>
    client.aiGateway.create({
      account_id: server.accountId,
      id,
      cache_invalidate_on_update: true,
      cache_ttl: 0,
      collect_logs: true,
      rate_limiting_interval: 0,
      rate_limiting_limit: 0,
    });

  test('create, get, list over several pages', async () => {
    for (const id of ['a', 'b', 'c']) assert.equal((await create(id)).id, id);
    const params = { account_id: server.accountId };
    assert.equal((await client.aiGateway.get('b', params)).authentication, true);
    const ids: string[] = [];
    for await (const gateway of client.aiGateway.list({ ...params, per_page: 2 })) {
      ids.push(gateway.id);
    }
    assert.deepEqual(ids, ['a', 'b', 'c']);
    await assert.rejects(create('a'), Cloudflare.BadRequestError);
    await assert.rejects(client.aiGateway.get('none', params), Cloudflare.NotFoundError);
  });

  test('logs.list over several pages', async () => {
    await create('logged');
    for (const content of ['one', 'two', 'three']) {
      await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        headers: { 'cf-aig-gateway-id': 'logged' },
        body: { model: 'local/echo', messages: [{ role: 'user', content }] },
      });
    }
    const models: string[] = [];
    for await (const log of client.aiGateway.logs.list('logged', {
      account_id: server.accountId,
      per_page: 2,
    })) {
      models.push(log.model);
    }
    assert.deepEqual(models, ['echo', 'echo', 'echo']);
  });
});
