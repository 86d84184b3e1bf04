import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { Follower, feedOf } from './following.ts';
import { assertBooksAgree, createTagging } from './tagging.ts';

const WRITERS = 16;
const ROUNDS = 8;
const RESOURCES = 8;

/** Writes of one writer: sets, changes and deletions of resources that others write to. */
async function write(server: TestServer, writer: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const id = `r${(writer * 5 + round * 3) % RESOURCES}`;
    const kind = (writer + round) % 4;
    const tags = { own: `${writer}-${round}`, shared: String(round % 3), [`k${writer % 5}`]: 'x' };
    const named = { resource_type: 'worker', resource_id: id };
    const [method, body] = [
      ['PUT', { ...named, tags }],
      ['PATCH', { ...named, tags: { ...tags, shared: null } }],
      ['PUT', { ...named, tags: { shared: 'y' } }],
      ['DELETE', named],
    ][kind] as [string, unknown];
    const answer = await server.call(method, `${server.account}/tags`, { body });
    assert.equal(answer.status, method === 'DELETE' ? 204 : 200, answer.text);
  }
}

onEachDatabase((database) => {
  test('who follows the changes has what the resources have', async (t) => {
    const first = await bootServer(database);
    t.after(() => first.stop());
    const nodes = [first];
    if (database === 'postgres') {
      const second = await bootServer(database, { besides: first });
      t.after(() => second.stop());
      nodes.push(second);
    }
    const node = (index: number): TestServer => nodes[index % nodes.length] as TestServer;

    const writers = new AbortController();
    const followers = [new Follower(3), new Follower(1_000)];
    const following = followers.map(async (follower, index) => {
      for (let page = index; !writers.signal.aborted; page++)
        await follower.readPage(feedOf(node(page)));
    });
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(node(writer), writer));
    await Promise.all(writing).finally(() => writers.abort());
    await Promise.all(following);

    const listed = await createTagging(first).all('resources');
    for (const follower of followers) {
      await follower.catchUp(feedOf(first));
      follower.assertCopyOf(listed);
      assert.deepEqual(follower.changes.map(idOf), followers[0]?.changes.map(idOf));
    }
    await assertBooksAgree(first);
  });
});

/** Each request makes one change at most. */
function idOf(change: { request_id: string }): string {
  return change.request_id;
}
