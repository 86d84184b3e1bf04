import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';

/** The unmodified `cloudflare` package: a gateway's logs. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  let ids: string[];
  before(async () => {
    server = await bootServer(database);
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl, maxRetries: 0 });
    for (const model of ['echo', 'other', 'echo', 'echo', 'echo']) {
      await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        headers: { 'cf-aig-metadata': JSON.stringify({ model, flag: true }) },
        body: { model: `local/${model}`, messages: [{ role: 'user', content: 'hi there' }] },
      });
    }
    ids = await list({});
  });
  after(() => server.stop());

  type Params = Omit<Cloudflare.AIGateway.LogListParams, 'account_id'>;

  async function list(params: Params): Promise<string[]> {
    const found: string[] = [];
    const pages = client.aiGateway.logs.list('default', {
      account_id: server.accountId,
      ...params,
    });
    for await (const log of pages) found.push(log.id);
    return found;
  }

  test('list over several pages, with filters, search and orders', async () => {
    assert.equal(ids.length, 5);
    assert.deepEqual(await list({ per_page: 2 }), ids);
    assert.deepEqual(await list({ per_page: 2, order_by_direction: 'asc' }), ids.toReversed());
    const other = ids.slice(3, 4);
    const chosen: Params[] = [
      { filters: [{ key: 'model', operator: 'eq', value: ['other', 'none', null] }] },
      {
        filters: [
          { key: 'provider', operator: 'contains', value: ['loc'] },
          { key: 'success', operator: 'eq', value: [false] },
          { key: 'event_id', operator: 'eq', value: [null] },
          { key: 'cost', operator: 'lt', value: [0.5] },
          { key: 'cost', operator: 'eq', value: [null] },
        ].slice(0, 3) as NonNullable<Params['filters']>,
      },
      {
        filters: [
          { key: 'metadata.key', operator: 'eq', value: ['model'] },
          { key: 'metadata.value', operator: 'eq', value: ['other'] },
          { key: 'metadata.value', operator: 'eq', value: [true] },
        ],
      },
      { success: false, model: 'other', provider: 'local' },
      { search: 'OTHER' },
      {
        order_by: 'model',
        order_by_direction: 'desc',
        filters: [{ key: 'model', operator: 'gt', value: ['f'] }],
      },
    ];
    for (const params of chosen) {
      assert.deepEqual(await list({ ...params, per_page: 1 }), other, JSON.stringify(params));
    }
    const page = await client.aiGateway.logs.list('default', {
      account_id: server.accountId,
      meta_info: true,
    });
    assert.equal((page.result_info as { total_count?: number }).total_count, 5);
  });

  test('get, request, response', async () => {
    const [id = ''] = ids;
    const params = { account_id: server.accountId, gateway_id: 'default' };
    const log = await client.aiGateway.logs.get(id, params);
    assert.deepEqual([log.id, log.model, log.request_head_complete], [id, 'echo', true]);
    assert.match(log.request_head ?? '', /hi there/);
    const asked = (await client.aiGateway.logs.request(id, params)) as { model: string };
    assert.equal(asked.model, 'local/echo');
    const answered = (await client.aiGateway.logs.response(id, params)) as { object: string };
    assert.equal(answered.object, 'chat.completion');
    await assert.rejects(client.aiGateway.logs.get('none', params), Cloudflare.NotFoundError);
    await assert.rejects(client.aiGateway.logs.request('none', params), Cloudflare.NotFoundError);
  });

  test('edit, delete', async () => {
    const [id = '', second = ''] = ids;
    const params = { account_id: server.accountId, gateway_id: 'default' };
    await client.aiGateway.logs.edit(id, {
      ...params,
      feedback: -1,
      score: 7.5,
      metadata: { team: 'a', size: 3, ok: false },
    });
    const log = await client.aiGateway.logs.get(id, params);
    assert.deepEqual(JSON.parse(log.metadata ?? ''), { team: 'a', size: 3, ok: false });
    const judged = { key: 'feedback', operator: 'eq', value: [-1] } as const;
    const filters = [{ ...judged, value: [...judged.value] }];
    assert.deepEqual(await list({ filters }), [id]);
    await client.aiGateway.logs.edit(id, {
      ...params,
      feedback: null,
      metadata: null,
      score: null,
    });
    assert.deepEqual(await list({ filters }), []);
    const chosen = [{ key: 'id' as const, operator: 'eq' as const, value: [id, second] }];
    const { success } = await client.aiGateway.logs.delete('default', {
      account_id: server.accountId,
      filters: chosen,
      limit: 1,
      order_by: 'created_at',
      order_by_direction: 'desc',
    });
    assert.equal(success, true);
    assert.deepEqual(await list({}), ids.slice(1));
    await client.aiGateway.logs.delete('default', { account_id: server.accountId });
    assert.deepEqual(await list({}), []);
  });
});
