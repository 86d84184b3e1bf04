import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { createTagging } from '../tags/tagging.ts';

/** The public client, unmodified, against the operations on tags. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  let account_id: string;
  before(async () => {
    server = await bootServer(database);
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl });
    account_id = server.accountId;
  });
  after(() => server.stop());

  const requests = (): number =>
    server.logLines.filter((line) => line.includes('"path":"/client/v4/')).length;

  test('set, get and overwrite with If-Match', async () => {
    const { accountTags } = client.resourceTagging;
    const worker = { account_id, resource_type: 'worker', resource_id: 'w' } as const;
    const set = await accountTags.update({ ...worker, tags: { env: 'prod', empty: '' } });
    assert.deepEqual(await accountTags.get(worker), set);
    assert.deepEqual(set.tags, { env: 'prod', empty: '' });
    const next = { ...worker, tags: { env: 'staging' }, 'If-Match': set.etag };
    const changed = await accountTags.update(next);
    assert.deepEqual(changed.tags, { env: 'staging' });
    await assert.rejects(accountTags.update(next), (error) => {
      assert.ok(error instanceof Cloudflare.APIError);
      assert.equal(error.status, 412);
      assert.deepEqual(error.errors[0], { code: 1016, message: 'Precondition Failed' });
      return true;
    });
  });

  test('a worker version with its worker', async () => {
    const version = {
      account_id,
      resource_type: 'worker_version',
      resource_id: 'v',
      worker_id: 'w',
    } as const;
    const { accountTags } = client.resourceTagging;
    await accountTags.update({ ...version, tags: { a: '1' } });
    const got = await accountTags.get(version);
    assert.ok(got.type === 'worker_version');
    assert.equal(got.worker_id, 'w');
  });

  test('a resource without tags is an error that the client does not retry', async () => {
    const before = requests();
    const get = client.resourceTagging.accountTags.get({
      account_id,
      resource_type: 'queue',
      resource_id: 'none',
    });
    await assert.rejects(get, (error) => {
      assert.ok(error instanceof Cloudflare.InternalServerError);
      assert.equal(error.errors[0]?.code, 1004);
      return true;
    });
    assert.equal(requests() - before, 1);
  });

  test('delete names the resource in the options, as it has no parameters of its own for it', async () => {
    const { accountTags } = client.resourceTagging;
    for (const by of ['query', 'body'] as const) {
      const named = { resource_type: 'image', resource_id: by } as const;
      const { etag } = await accountTags.update({ account_id, ...named, tags: { a: '1' } });
      const stale = accountTags.delete({ account_id, 'If-Match': 'v1:stale' }, { [by]: named });
      await assert.rejects(stale, { status: 412 });
      await accountTags.delete({ account_id, 'If-Match': etag }, { [by]: named });
      await assert.rejects(accountTags.get({ account_id, ...named }), { status: 500 });
    }
    await assert.rejects(accountTags.delete({ account_id }), { status: 400 });
  });

  test('lists come page by page', async () => {
    const { resourceTagging } = client;
    const ids = Array.from({ length: 205 }, (_, i) => String(i));
    await createTagging(server).bulk(
      ids.map((id) => ({
        op: 'put',
        resource_type: 'kv_namespace',
        resource_id: id,
        tags: { [`key-${id}`]: id, shared: `value ${id}` },
      })),
    );
    const search = {
      account_id,
      tag: ['shared', 'shared!=none', '!absent'],
      type: ['kv_namespace' as const, 'zone' as const],
      case_insensitive: true,
      name: '',
    };
    const found: string[] = [];
    for await (const { id } of resourceTagging.list(search)) found.push(id);
    assert.deepEqual(found, ids);
    const pages: number[] = [];
    for await (const { result } of (await resourceTagging.list(search)).iterPages()) {
      pages.push(result.length);
    }
    assert.deepEqual(pages, [100, 100, 5]);
    const some = await resourceTagging.list({ account_id, id: ['1', '2'], tag: ['shared'] });
    assert.equal(some.result.length, 2);
    assert.equal(some.hasNextPage(), false);
    const none = await resourceTagging.list({ account_id, tag: ['absent'] });
    assert.deepEqual([none.result, none.hasNextPage()], [[], false]);
    const keys: string[] = [];
    for await (const key of resourceTagging.keys.list({ account_id })) keys.push(key);
    assert.equal(keys.filter((key) => key.startsWith('key-')).length, 205);
    const values: string[] = [];
    const params = { account_id, type: 'kv_namespace' } as const;
    for await (const value of resourceTagging.values.list('shared', params)) values.push(value);
    assert.equal(values.length, 205);
    await assert.rejects(resourceTagging.list({ account_id, tag: ['!'] }), (error) => {
      assert.ok(error instanceof Cloudflare.BadRequestError);
      assert.equal(error.errors[0]?.code, 1007);
      return true;
    });
  });

  test('the summary comes page by page too, to those who hand the cursor on', async () => {
    const { summary } = client.resourceTagging;
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const asked = summary.get({ account_id, ...(cursor === undefined ? {} : { cursor }) });
      const { result, result_info: info } = (await (await asked.asResponse()).json()) as Json;
      for (const { key, values } of result) {
        assert.notEqual(values.length, 0);
        seen.push(key);
      }
      cursor = info.cursor;
    } while (cursor !== undefined);
    const keys: string[] = [];
    for await (const key of client.resourceTagging.keys.list({ account_id })) keys.push(key);
    assert.deepEqual(seen, keys);
    const first = await summary.get({ account_id });
    assert.deepEqual(first.find(({ key }) => key === 'key-1')?.values, ['1']);
  });

  test('the tags of a zone', async () => {
    const { zoneTags } = client.resourceTagging;
    const zone = { zone_id: 'z', resource_type: 'dns_record', resource_id: 'r' } as const;
    const set = await zoneTags.update({ ...zone, tags: { env: 'prod' } });
    assert.deepEqual(set.tags, { env: 'prod' });
    assert.deepEqual((await zoneTags.get(zone)).tags, { env: 'prod' });
    await zoneTags.delete({ zone_id: 'z' });
    assert.deepEqual((await zoneTags.get(zone)).tags, { env: 'prod' });
  });
});
