import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, assertBooksAgree, createTagging } from './tagging.ts';

const WRITERS = 32;
// Of those who try again until they succeed: how often they do grows with the square.
const RIVALS = 16;

/** Writers at the same moment; on PostgreSQL half of them on another node. */
onEachDatabase((database) => {
  const nodes: TestServer[] = [];
  let tagging: Tagging;
  before(async () => {
    const first = await bootServer(database);
    nodes.push(first);
    if (database === 'postgres') nodes.push(await bootServer(database, { besides: first }));
    tagging = createTagging(first);
  });
  after(async () => {
    for (const node of nodes.toReversed()) await node.stop();
  });

  /** One request of a writer, to the node that it talks to. */
  function call(writer: number, method: string, body: unknown, ifMatch?: string): Promise<Answer> {
    const node = nodes[writer % nodes.length] as TestServer;
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    return node.call(method, `${node.account}/tags`, { body, headers });
  }

  const writers = <T>(write: (writer: number) => Promise<T>, count = WRITERS): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));

  const assertBooks = () => assertBooksAgree(nodes[0] as TestServer);

  /** A set in which every tag says the same, so that parts of two sets would show. */
  function markedSet(id: string, mark: string) {
    const tags = Object.fromEntries(['a', 'b', 'c', `own-${mark}`].map((key) => [key, mark]));
    return { resource_type: 'worker', resource_id: id, tags, name: mark };
  }

  function assertWhole({ id, name, tags }: Json): void {
    assert.deepEqual(tags, markedSet(id, name).tags);
  }

  test('of sets without If-Match every reader sees a whole one', async () => {
    const state = { areWriting: true };
    const writing = writers(async (writer) => {
      for (let round = 0; round < 4; round++) {
        const body = markedSet(`marked-${(writer + round) % 3}`, String(writer));
        if (writer % 8 === 7) {
          const { resource_type, resource_id } = body;
          const answer = await call(writer, 'DELETE', { resource_type, resource_id });
          assert.equal(answer.status, 204, answer.text);
        } else {
          const answer = await call(writer, 'PUT', body);
          assert.equal(answer.status, 200, answer.text);
          assertWhole(answer.json.result);
        }
      }
    });
    const reading = nodes.map(async (node) => {
      const reader = createTagging(node);
      while (state.areWriting) {
        const one = await reader.get('worker', 'marked-0');
        if (one.code !== 1004) assertWhole(one.json.result);
        const listed = await reader.all<{ id: string }>('resources?tag=a&name=&type=worker');
        listed.forEach(assertWhole);
        const ids = listed.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
      }
    });
    await writing;
    state.areWriting = false;
    await Promise.all(reading);
    await assertBooks();
    // All the same, the last word is that of one writer.
    await writers((writer) => call(writer, 'PUT', markedSet('marked-0', String(writer))));
    assertWhole((await tagging.get('worker', 'marked-0')).json.result);
    assert.deepEqual(await tagging.ids(['id', 'marked-0']), ['marked-0']);
  });

  test('under If-Match no update is lost, whether sets are replaced or merged', async () => {
    await tagging.put('queue', 'counter', { n: '0' });
    await writers(async (writer) => {
      // Whenever one fails, another one has succeeded.
      for (let tries = 0; ; tries++) {
        assert.ok(tries < RIVALS, 'nobody gets on');
        const { etag, tags } = (await tagging.get('queue', 'counter')).json.result;
        const body = {
          resource_type: 'queue',
          resource_id: 'counter',
          tags: { n: String(Number(tags.n) + 1) },
        };
        const answer = await call(writer, writer % 2 === 0 ? 'PUT' : 'PATCH', body, `"${etag}"`);
        if (answer.status === 200) return;
        assert.deepEqual([answer.status, answer.code], [412, 1016], answer.text);
      }
    }, RIVALS);
    const { tags } = (await tagging.get('queue', 'counter')).json.result;
    assert.deepEqual(tags, { n: String(RIVALS) });
    await assertBooks();
  });

  test('of those who ask that there be nothing yet, one is the first', async () => {
    const nothing = 'v1:RBNvo1WzZ4oRRq0W9-hkng';
    const answers = await writers((writer) => {
      const body = { resource_type: 'queue', resource_id: 'lock', tags: { owner: String(writer) } };
      return call(writer, writer % 2 === 0 ? 'PUT' : 'PATCH', body, nothing);
    });
    const owners = answers.flatMap(({ status }, writer) => (status === 200 ? [writer] : []));
    assert.equal(owners.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 412));
    const { tags } = (await tagging.get('queue', 'lock')).json.result;
    assert.deepEqual(tags, { owner: String(owners[0]) });
  });

  test('merges of different keys all count', async () => {
    await writers(async (writer) => {
      for (const round of [1, 2]) {
        const tags = { [`key-${writer}`]: String(round), shared: String(writer), gone: null };
        const body = { resource_type: 'zone', resource_id: 'merged', tags };
        const answer = await call(writer, 'PATCH', body);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.result.tags[`key-${writer}`], String(round));
      }
    });
    const { shared, ...own } = (await tagging.get('zone', 'merged')).json.result.tags;
    assert.ok(Number(shared) < WRITERS);
    assert.deepEqual(
      own,
      Object.fromEntries(Array.from({ length: WRITERS }, (_, i) => [`key-${i}`, '2'])),
    );
    await assertBooks();
  });

  test('a refused write leaves those beside it alone', async () => {
    const answers = await writers((writer) => {
      const body = {
        resource_type: writer % 4 === 1 ? 'api_token' : 'image',
        resource_id: `beside-${writer}`,
        tags: { beside: String(writer) },
      };
      return call(writer, 'PUT', body, writer % 4 === 2 ? '*' : undefined);
    });
    assert.deepEqual(
      answers.map(({ code }) => code),
      answers.map((_, writer) => [undefined, 1004, 1016][writer % 4]),
    );
    const listed = await tagging.ids(['tag', 'beside']);
    const made = Array.from({ length: WRITERS }, (_, i) => i).filter(
      (i) => i % 4 === 0 || i % 4 === 3,
    );
    assert.deepEqual(listed.toSorted(), made.map((i) => `beside-${i}`).toSorted());
    await assertBooks();
  });

  test('places and counts are exact after all kinds of writes to many resources', async () => {
    await writers(async (writer) => {
      for (let round = 0; round < 6; round++) {
        const resource = { resource_type: 'zone', resource_id: `r${(writer + round) % 10}` };
        const tags = { a: String(round % 2), [`b${(writer + round) % 3}`]: String(writer % 4) };
        const kind = (writer + round) % 4;
        const answer =
          kind === 0
            ? await call(writer, 'DELETE', resource)
            : await call(writer, kind === 1 ? 'PATCH' : 'PUT', { ...resource, tags });
        assert.ok(answer.status < 300, answer.text);
      }
    });
    await assertBooks();
    const ids = await tagging.ids(['type', 'zone'], ['limit', '3']);
    assert.equal(new Set(ids).size, ids.length);
  });

  test('bulk requests and single ones go on side by side', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `bulk-${i}`);
    await writers(async (writer) => {
      const shifted = [...ids.slice(writer % 12), ...ids.slice(0, writer % 12)];
      if (writer % 4 === 0) {
        const operations = shifted.map((id) => ({ op: 'put', ...markedSet(id, String(writer)) }));
        const node = nodes[(writer / 4) % nodes.length] as TestServer;
        const answer = await node.call('POST', `${node.account}/tags/bulk`, {
          body: { operations },
        });
        assert.equal(answer.json.result?.failed, 0, answer.text);
      } else {
        for (const id of shifted.slice(0, 3)) {
          const answer = await call(writer, 'PUT', markedSet(id, String(writer)));
          assert.equal(answer.status, 200, answer.text);
        }
      }
    });
    for (const id of ids) assertWhole((await tagging.get('worker', id)).json.result);
    await assertBooks();
  });
});
