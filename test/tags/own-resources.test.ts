import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { createResourceTagging } from '../../src/tags/resource-tagging.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, assertBooksAgree, createTagging } from './tagging.ts';

/** A deletion or a new name looks at none of this but the clock. */
const writing = {
  clock: systemClock,
  findResourceName: () => Promise.resolve(undefined),
  notFoundStatus: 500,
  bodyLimitBytes: 1,
} as const;

/** Resources of our own must exist, and their tags follow them. */
onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  const put = (type: string, id: string) =>
    server.call('PUT', `${server.account}/tags`, {
      body: { resource_type: type, resource_id: id, tags: { own: 'yes' }, name: 'given' },
    });

  test('the name is that of the record, whatever the body says', async () => {
    const { id } = await server.createToken(['tags.read']);
    assert.equal((await put('api_token', id)).json.result.name, 'test');
    const account = await put('account', server.accountId);
    assert.equal(account.status, 200, account.text);
    assert.notEqual(account.json.result.name, 'given');
    assert.deepEqual(await tagging.ids(['name', 'TES'], ['type', 'api_token']), [id]);
  });

  test('500, 1004: one that does not exist', async () => {
    for (const type of ['account', 'ai_gateway', 'api_token', 'oauth_client']) {
      const id = createId();
      const answer = await put(type, id);
      assert.equal(answer.status, 500);
      assert.deepEqual(answer.json.errors, [
        { code: 1004, message: `resource not found: type=${type} id=${id}` },
      ]);
      assert.equal(answer.headers.get('x-should-retry'), 'false');
      assert.deepEqual(await tagging.ids(['id', id]), []);
    }
  });

  test('a resource that is deleted loses its tags', async () => {
    const { id } = await server.createToken(['tags.read']);
    await put('api_token', id);
    const untagged = await server.createToken(['tags.read']);
    for (const tokenId of [id, untagged.id]) {
      const path = `${server.account}/tokens/${tokenId}`;
      assert.equal((await server.call('DELETE', path)).status, 200);
    }
    assert.equal((await tagging.get('api_token', id)).code, 1004);
    assert.equal((await put('api_token', id)).code, 1004);
    await assertBooksAgree(server);
  });

  test('a resource that is renamed keeps its tags', async () => {
    const { id } = await server.createToken(['tags.read']);
    await put('api_token', id);
    const resource = { accountId: server.accountId, type: 'api_token', id } as const;
    const hooks = createResourceTagging(writing);
    await server.app.database.transaction(async (tx) => {
      await hooks.renamed(tx, resource, 'Ærlig');
      await hooks.renamed(tx, { ...resource, id: createId() }, 'never tagged');
    });
    const { result } = (await tagging.get('api_token', id)).json;
    assert.deepEqual([result.name, result.tags], ['Ærlig', { own: 'yes' }]);
    assert.deepEqual(await tagging.ids(['name', 'æRL']), [id]);
    await assertBooksAgree(server);
  });

  test('tags come back when the deletion is rolled back', async () => {
    const { id } = await server.createToken(['tags.read']);
    await put('api_token', id);
    const resource = { accountId: server.accountId, type: 'api_token', id } as const;
    const deletion = server.app.database.transaction(async (tx) => {
      await createResourceTagging(writing).deleted(tx, resource, 'request');
      throw new Error('no');
    });
    await assert.rejects(deletion, /^Error: no$/);
    assert.deepEqual((await tagging.get('api_token', id)).json.result.tags, { own: 'yes' });
  });

  test('setting tags while the resource is deleted leaves none behind', async () => {
    for (let round = 0; round < 15; round++) {
      const { id } = await server.createToken(['tags.read']);
      const [deleted, ...puts] = await Promise.all([
        server.call('DELETE', `${server.account}/tokens/${id}`),
        put('api_token', id),
        put('api_token', id),
      ]);
      assert.equal(deleted.status, 200, deleted.text);
      for (const answer of puts) assert.ok([200, 500].includes(answer.status), answer.text);
      assert.equal((await tagging.get('api_token', id)).code, 1004);
    }
    await assertBooksAgree(server);
  });
});
