import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import fc from 'fast-check';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  let admin: { headers: SessionHeaders; accounts: [string, string] };
  before(async () => {
    server = await bootServer(database, { settings: { TAGS_NOT_FOUND_STATUS: '404' } });
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl, maxRetries: 0 });
    admin = await personWithTwoAccounts();
  });
  after(() => server.stop());

  async function personWithTwoAccounts() {
    const { userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['super-administrator'],
    });
    const headers = await signInAs(server, userId);
    const options = { token: null, headers, body: { name: 'Second' } };
    const { json } = await server.call('POST', '/accounts', options);
    const accounts: [string, string] = [server.accountId, json.result.id];
    return { headers: await signInAs(server, userId), accounts };
  }

  const asPerson = (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, path, { token: null, headers: admin.headers, body });

  function assertRefused(answer: Answer, status: number, code: number): void {
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
  }

  test('the cloudflare client sets, gets and deletes the tags of a zone and of a resource in it', async () => {
    const zone_id = createId();
    const { zoneTags } = client.resourceTagging;
    const zone = { zone_id, resource_type: 'zone', resource_id: zone_id } as const;
    const record = { zone_id, resource_type: 'dns_record', resource_id: createId() } as const;
    const set = await zoneTags.update({ ...zone, tags: { env: 'prod' } });
    assert.deepEqual(set.tags, { env: 'prod' });
    await zoneTags.update({ ...record, tags: { env: 'test' } });
    assert.deepEqual((await zoneTags.get(zone)).tags, { env: 'prod' });
    const got = await zoneTags.get(record);
    assert.deepEqual([got.tags, (got as { zone_id?: string }).zone_id], [{ env: 'test' }, zone_id]);
    const query = `resource_type=dns_record&resource_id=${record.resource_id}`;
    const { json } = await server.call('GET', `${server.account}/tags?${query}`);
    assert.deepEqual(json.result, got);

    await assert.rejects(zoneTags.update({ ...zone, tags: {}, 'If-Match': '"other"' }), {
      status: 412,
    });
    await assert.rejects(zoneTags.delete({ zone_id, 'If-Match': '"other"' }), { status: 412 });
    await zoneTags.delete({ zone_id, 'If-Match': set.etag });
    await assert.rejects(zoneTags.get(zone), { status: 404 });
    // Only the tags of the zone itself.
    assert.deepEqual((await zoneTags.get(record)).tags, { env: 'test' });
    const path = `/zones/${zone_id}/tags`;
    assert.equal((await server.call('DELETE', `${path}?${query}`)).status, 204);
    await assert.rejects(zoneTags.get(record), { status: 404 });
    assert.equal((await server.call('DELETE', path)).status, 204);
  });

  test('a resource of another zone is not found', async () => {
    const [zone, other, id] = [createId(), createId(), createId()];
    const body = { resource_type: 'dns_record', resource_id: id, tags: { a: 'b' } };
    assert.equal((await server.call('PUT', `/zones/${zone}/tags`, { body })).status, 200);
    const query = `resource_type=dns_record&resource_id=${id}`;
    assertRefused(await server.call('GET', `/zones/${other}/tags?${query}`), 404, 1004);
    assertRefused(await server.call('DELETE', `/zones/${other}/tags?${query}`), 400, 1015);
    assert.equal((await server.call('GET', `/zones/${zone}/tags?${query}`)).status, 200);
    assertRefused(await server.call('GET', `/zones/${other}/tags`), 404, 1004);
  });

  test('rejects other types, other zones and other members', async () => {
    const zone = createId();
    const path = `/zones/${zone}/tags`;
    const body = { resource_type: 'zone', resource_id: zone, tags: {} };
    for (const type of ['worker', 'ai_gateway', 'account', 'none']) {
      const typed = { ...body, resource_type: type };
      assertRefused(await server.call('PUT', path, { body: typed }), 400, 1006);
      const query = `?resource_type=${type}&resource_id=x`;
      assertRefused(await server.call('GET', path + query), 400, 1006);
      assertRefused(await server.call('DELETE', path + query), 400, 1006);
    }
    assertRefused(await server.call('GET', `${path}?resource_type=dns_record`), 400, 1003);
    assertRefused(await server.call('GET', `${path}?resource_type=`), 400, 1003);
    assertRefused(await server.call('DELETE', `${path}?resource_type=dns_record`), 400, 1015);
    assertRefused(await server.call('DELETE', path, { body: { tags: {} } }), 400, 1015);
    for (const changed of [
      { resource_id: createId() },
      { zone_id: zone },
      { tags: { a: 1 } },
      { tags: undefined },
    ]) {
      assertRefused(await server.call('PUT', path, { body: { ...body, ...changed } }), 400, 1002);
    }
    assertRefused(
      await server.call('PUT', path, { body: { ...body, tags: { ' ': '' } } }),
      400,
      1014,
    );
  });

  test('requires tags.read and tags.write in an account', async () => {
    const zone = createId();
    const path = `/zones/${zone}/tags`;
    const body = { resource_type: 'zone', resource_id: zone, tags: { a: 'b' } };
    await server.call('PUT', path, { body });
    const { value: reader } = await server.createToken(['tags.read']);
    const { value: other } = await server.createToken(['ai-gateway.read']);
    assert.equal((await server.call('GET', path, { token: reader })).status, 200);
    assertRefused(await server.call('PUT', path, { token: reader, body }), 403, 10_000);
    assertRefused(await server.call('DELETE', path, { token: reader }), 403, 10_000);
    assertRefused(await server.call('GET', path, { token: other }), 403, 10_000);
    assertRefused(await server.call('GET', path, { token: null }), 401, 10_000);
  });

  test('with several accounts, the account in which the zone has tags', async () => {
    const zone = createId();
    const path = `/zones/${zone}/tags`;
    const body = { resource_type: 'zone', resource_id: zone, tags: { n: '1' } };
    assertRefused(await asPerson('PUT', path, body), 400, 6010);
    assertRefused(await asPerson('GET', path), 400, 6010);
    assertRefused(await asPerson('DELETE', path), 400, 6010);
    const [first, second] = admin.accounts;
    await asPerson('PUT', `/accounts/${second}/tags`, body);
    assert.equal((await asPerson('GET', path)).json.result.tags.n, '1');
    const record = { resource_type: 'dns_record', resource_id: createId(), tags: { n: '2' } };
    assert.equal((await asPerson('PUT', path, record)).status, 200);
    const query = `resource_type=dns_record&resource_id=${record.resource_id}`;
    assert.equal((await asPerson('GET', `/accounts/${second}/tags?${query}`)).status, 200);
    await asPerson('PUT', `/accounts/${first}/tags`, body);
    assertRefused(await asPerson('GET', path), 400, 6010);
  });

  test('never shows tags of an account that the credential cannot access', async () => {
    const [, second] = admin.accounts;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('zone', 'dns_record', 'worker_route'),
        fc.boolean(),
        async (type, isAlsoOwn) => {
          const zone = createId();
          const id = type === 'zone' ? zone : createId();
          const body = { resource_type: type, resource_id: id, tags: { secret: 'theirs' } };
          await asPerson('PUT', `/accounts/${second}/tags`, { ...body, zone_id: zone });
          const own = { ...body, tags: { secret: 'own' } };
          if (isAlsoOwn) await server.call('PUT', `/zones/${zone}/tags`, { body: own });
          const query = `?resource_type=${type}&resource_id=${id}`;
          const { text } = await server.call('GET', `/zones/${zone}/tags${query}`);
          assert.ok(!text.includes('theirs'), text);
          assert.equal(text.includes('own'), isAlsoOwn);
          await server.call('DELETE', `/zones/${zone}/tags${query}`);
          const theirs = await asPerson('GET', `/accounts/${second}/tags${query}`);
          assert.equal(theirs.json.result.tags.secret, 'theirs');
        },
      ),
      { numRuns: 10 },
    );
  });
});
