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

  test('update and delete', async () => {
    const params = { account_id: server.accountId };
    const created = await create('changed');
    const updated = await client.aiGateway.update('changed', {
      ...params,
      cache_invalidate_on_update: true,
      cache_ttl: 60,
      collect_logs: false,
      rate_limiting_interval: 60,
      rate_limiting_limit: 100,
      rate_limiting_technique: 'sliding',
      retry_max_attempts: 3,
      retry_delay: 100,
      retry_backoff: 'linear',
      spend_limits: { rules: [{ limit: 1, limitType: 'cost', window: 3_600 }] },
      guardrails: null,
      log_management: 10_000,
      log_management_strategy: 'STOP_INSERTING',
      otel: [
        {
          url: 'https://otel.example/v1/traces',
          authorization: 'Bearer secret-of-the-collector-1234',
          headers: { 'x-api-key': 'secret-of-the-collector-5678' },
          content_type: 'json',
        },
      ],
      zdr: true,
    });
    assert.equal(updated.created_at, created.created_at);
    assert.deepEqual(
      [updated.cache_ttl, updated.rate_limiting_limit, updated.retry_backoff],
      [60, 100, 'linear'],
    );
    assert.equal(updated.spend_limits?.rules?.[0]?.limit, 1);
    assert.deepEqual(
      [updated.log_management, updated.log_management_strategy, updated.zdr],
      [10_000, 'STOP_INSERTING', true],
    );
    const masked = {
      url: 'https://otel.example/v1/traces',
      authorization: '…1234',
      headers: { 'x-api-key': '…5678' },
      content_type: 'json' as const,
    };
    assert.deepEqual(updated.otel, [masked]);
    // What was read is written back.
    const again = await client.aiGateway.update('changed', {
      ...params,
      cache_invalidate_on_update: updated.cache_invalidate_on_update,
      cache_ttl: updated.cache_ttl,
      collect_logs: updated.collect_logs,
      rate_limiting_interval: updated.rate_limiting_interval,
      rate_limiting_limit: updated.rate_limiting_limit,
      otel: updated.otel ?? null,
    });
    assert.deepEqual(again.otel, [masked]);
    assert.deepEqual([again.log_management, again.zdr], [null, false]);
    const deleted = await client.aiGateway.delete('changed', params);
    assert.deepEqual(deleted, again);
    await assert.rejects(client.aiGateway.get('changed', params), Cloudflare.NotFoundError);
  });

  test('urls.get', async () => {
    await create('addressed');
    const url = await client.aiGateway.urls.get('openai', {
      account_id: server.accountId,
      gateway_id: 'addressed',
    });
    assert.equal(url, `${server.origin}/v1/${server.accountId}/addressed/openai`);
  });

  test('providerConfigs: create, list over several pages', async () => {
    await create('keys');
    const params = { account_id: server.accountId };
    for (const alias of ['one', 'two', 'three']) {
      const made = await client.aiGateway.providerConfigs.create('keys', {
        ...params,
        alias,
        default_config: alias === 'one',
        provider_slug: 'openai',
        secret: `sk-secret-of-${alias}-0123456789`,
        rate_limit: 5,
        rate_limit_period: 60,
      });
      assert.deepEqual(
        [made.alias, made.gateway_id, made.secret_preview, made.rate_limit_period],
        [alias, 'keys', '…6789', 60],
      );
    }
    const aliases: string[] = [];
    const list = client.aiGateway.providerConfigs.list('keys', { ...params, per_page: 2 });
    for await (const config of list) aliases.push(config.alias);
    assert.deepEqual(aliases, ['one', 'three', 'two']);
  });

  test('customProviders: create, get, list over several pages, delete', async () => {
    const params = { account_id: server.accountId };
    const ids: string[] = [];
    for (const slug of ['a', 'b', 'c']) {
      const made = await client.aiGateway.customProviders.create({
        ...params,
        name: slug,
        slug,
        base_url: 'https://models.example/v1',
        enable: slug !== 'b',
      });
      ids.push(made.id);
      assert.deepEqual(await client.aiGateway.customProviders.get(made.id, params), made);
    }
    const slugsOf = async (query: object): Promise<string[]> => {
      const slugs: string[] = [];
      const list = client.aiGateway.customProviders.list({ ...params, per_page: 1, ...query });
      for await (const provider of list) slugs.push(provider.slug);
      return slugs;
    };
    assert.deepEqual(await slugsOf({}), ['a', 'b', 'c']);
    assert.deepEqual(await slugsOf({ enable: true }), ['a', 'c']);
    const [first = ''] = ids;
    assert.equal((await client.aiGateway.customProviders.delete(first, params)).id, first);
    assert.deepEqual(await slugsOf({}), ['b', 'c']);
    await assert.rejects(
      client.aiGateway.customProviders.get(first, params),
      Cloudflare.NotFoundError,
    );
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
