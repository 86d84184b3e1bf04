import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const NAMES = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];

/** The client as its users have it, pointed at this server and otherwise unmodified. */
onEachDatabase((database) => {
  const clock = new ManualClock(Date.UTC(2024, 9, 30, 12));
  let server: TestServer;
  let client: Cloudflare;
  let window: { account_id: string; since: string; before: string };
  const ids: string[] = [];
  before(async () => {
    server = await bootServer(database, { clock });
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl });
    window = { account_id: server.accountId, since: '2024-10-30', before: '2024-10-31' };
    for (const _name of NAMES) {
      clock.advance(1_000);
      ids.push((await server.createToken(['tags.read'])).id);
    }
    await server.call('DELETE', `${server.account}/tokens/${ids[0]}`);
  });
  after(() => server.stop());

  type Query = Partial<Omit<Cloudflare.Accounts.Logs.AuditListParams, 'account_id'>>;

  async function list(query: Query = {}): Promise<Cloudflare.Accounts.Logs.AuditListResponse[]> {
    const rows = [];
    for await (const row of client.accounts.logs.audit.list({ ...window, ...query })) {
      rows.push(row);
    }
    return rows;
  }

  const resourcesOf = (rows: Cloudflare.Accounts.Logs.AuditListResponse[]) =>
    rows.map(({ resource }) => resource?.id);

  test('a row as the client types it', async () => {
    const [row] = await list({ limit: 1 });
    assert.equal(row?.account?.id, server.accountId);
    assert.equal(row?.action?.type, 'delete');
    assert.equal(row?.action?.result, 'success');
    assert.equal(row?.action?.time, new Date(clock.now()).toISOString());
    assert.equal(row?.actor?.context, 'api_token');
    assert.equal(row?.actor?.token_name, 'First token');
    assert.equal(row?.raw?.method, 'DELETE');
    assert.equal(row?.raw?.status_code, 200);
    assert.match(row?.raw?.cf_ray_id ?? '', /^[0-9a-f-]{36}$/);
    assert.match(row?.raw?.user_agent ?? '', /./);
    assert.equal(row?.resource?.id, ids[0]);
    assert.equal(row?.resource?.product, 'api_tokens');
    assert.deepEqual(row?.resource?.request, { name: 'test' });
    assert.deepEqual(row?.resource?.response, { id: ids[0] });
  });

  test('all pages by themselves, in both directions', async () => {
    const expected = [server.accountId, ...ids, ids[0]];
    for (const limit of [undefined, 1, 3, 9, 1_000]) {
      const query = limit === undefined ? {} : { limit };
      assert.deepEqual(resourcesOf(await list({ ...query, direction: 'asc' })), expected);
      assert.deepEqual(resourcesOf(await list(query)), expected.toReversed());
    }
  });

  test('the window, by days and by moments', async () => {
    assert.equal((await list({ since: '2024-10-31', before: '2024-11-01' })).length, 0);
    assert.equal((await list({ since: '2024-10-29', before: '2024-10-30' })).length, 0);
    const rows = await list({
      since: '2024-10-30T12:00:02Z',
      before: '2024-10-30T13:00:04+01:00',
      direction: 'asc',
    });
    assert.deepEqual(resourcesOf(rows), [ids[1], ids[2]]);
  });

  test('its filters, which leave out', async () => {
    assert.equal((await list({ action_type: { not: ['create'] } })).length, 1);
    assert.equal((await list({ action_type: { not: ['create', 'delete'] } })).length, 0);
    const rows = await list({
      resource_id: { not: [ids[1] ?? '', ids[2] ?? ''] },
      raw_method: { not: ['DELETE'] },
      raw_status_code: { not: [404] },
      actor_type: { not: ['system'] },
      zone_id: { not: ['x'] },
      direction: 'asc',
      limit: 2,
    });
    assert.deepEqual(resourcesOf(rows), [ids[0], ...ids.slice(3)]);
  });

  test('product categories', async () => {
    assert.equal((await list({ product_category: ['ai'] })).length, 0);
    assert.equal((await list({ product_category: ['ai', 'account'] })).length, ids.length + 2);
    const categories: (string | undefined)[] = [];
    for await (const category of client.accounts.logs.audit.productCategories({
      account_id: server.accountId,
    })) {
      categories.push(category.value);
      assert.ok(category.products?.every(({ value, label }) => value && label));
    }
    assert.ok(categories.includes('account'));
    await assert.rejects(list({ product_category: ['nonsense'] }), Cloudflare.BadRequestError);
  });

  test('what is refused', async () => {
    await assert.rejects(list({ since: 'yesterday' }), Cloudflare.BadRequestError);
    await assert.rejects(list({ limit: 1_001 }), Cloudflare.BadRequestError);
    const { value } = await server.createToken(['tags.read']);
    const other = new Cloudflare({ apiToken: value, baseURL: server.baseUrl });
    await assert.rejects(
      async () => other.accounts.logs.audit.list(window),
      Cloudflare.PermissionDeniedError,
    );
  });
});
