import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { createClient, patch } from './client-bodies.ts';

/** The tags of a client follow it. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  async function createTagged(): Promise<string> {
    const { client_id: id } = await createClient(server);
    const answer = await server.call('PUT', `${server.account}/tags`, {
      body: { resource_type: 'oauth_client', resource_id: id, tags: { team: 'web' } },
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.result.name, 'Example');
    return id;
  }

  function tagsOf(id: string) {
    return server.call(
      'GET',
      `${server.account}/tags?resource_type=oauth_client&resource_id=${id}`,
    );
  }

  test('a tagged client shows its new name', async () => {
    const id = await createTagged();
    const renamed = await patch(server, id, { client_name: 'Renamed' });
    assert.equal(renamed.status, 200, renamed.text);
    const answer = await tagsOf(id);
    assert.equal(answer.json.result.name, 'Renamed');
    assert.deepEqual(answer.json.result.tags, { team: 'web' });
  });

  test('a deleted client leaves no tags', async () => {
    const id = await createTagged();
    const deleted = await server.call('DELETE', `${server.account}/oauth_clients/${id}`);
    assert.equal(deleted.status, 200, deleted.text);
    assert.notEqual((await tagsOf(id)).status, 200);
    const listed = await server.call('GET', `${server.account}/tags/resources?tag=team=web`);
    assert.equal(listed.text.includes(id), false);
  });
});
