import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { lockResource, unlockUntagged } from '../../src/tags/store/tag-store.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, assertBooksAgree, createTagging } from './tagging.ts';

const WRITERS = 32;

onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
  });
  after(() => server.stop());

  const writers = <T>(write: (writer: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  test('of sets of one new resource the last one wins whole', async () => {
    for (let round = 0; round < 3; round++) {
      const id = `new-${round}`;
      await writers((writer) => {
        const of = String(writer % 8);
        return tagging.put('worker', id, { one: of, two: of, [`own-${of}`]: of }, { name: of });
      });
      const { name, tags } = (await tagging.get('worker', id)).json.result;
      assert.deepEqual(tags, { one: name, two: name, [`own-${name}`]: name });
      assert.deepEqual(await tagging.ids(['id', id]), [id]);
    }
    await assertBooksAgree(server);
  });

  test('counts are exact after sets and deletions of many resources', async () => {
    await writers(async (writer) => {
      for (let round = 0; round < 6; round++) {
        const id = `r${(writer + round) % 10}`;
        if ((writer + round) % 4 === 0) {
          assert.equal((await tagging.remove('zone', id)).status, 204);
        } else {
          // Keys in an order of its own for each writer: whoever locked in it would deadlock.
          const keys = ['a', 'b', 'c', 'd'].toSorted(() => (writer % 2 === 0 ? 1 : -1));
          const tags = Object.fromEntries(keys.map((key) => [key, String((writer + round) % 3)]));
          await tagging.put('zone', id, tags);
        }
      }
    });
    await assertBooksAgree(server);
  });

  test('If-Match loses no update', async () => {
    await tagging.put('queue', 'counter', { n: '0' });
    const outcomes = await writers(async () => {
      const { etag, tags } = (await tagging.get('queue', 'counter')).json.result;
      const answer = await server.call('PUT', `${server.account}/tags`, {
        body: {
          resource_type: 'queue',
          resource_id: 'counter',
          tags: { n: String(Number(tags.n) + 1) },
        },
        headers: { 'if-match': `"${etag}"` },
      });
      assert.ok([200, 412].includes(answer.status), answer.text);
      return answer.status;
    });
    const written = outcomes.filter((status) => status === 200).length;
    assert.ok(written > 0);
    const { tags } = (await tagging.get('queue', 'counter')).json.result;
    assert.equal(tags.n, String(written));
    await assertBooksAgree(server);
  });

  test('a set and a deletion of one resource leave all or nothing', async () => {
    await writers(async (writer) => {
      if (writer % 2 === 0) await tagging.put('image', 'both', { a: '1', b: '2' });
      else assert.equal((await tagging.remove('image', 'both')).status, 204);
    });
    const left = await tagging.ids(['id', 'both']);
    if (left.length > 0) {
      const { tags } = (await tagging.get('image', 'both')).json.result;
      assert.deepEqual(tags, { a: '1', b: '2' });
    }
    await assertBooksAgree(server);
  });

  test('a place that another resource has is not given again', async () => {
    const resource = { accountId: server.accountId, type: 'image', id: 'second' };
    await tagging.put('image', 'first', { a: '1' });
    const { database } = server.app;
    const { seq: taken } = await database.read
      .selectFrom('tagged_resources')
      .select('seq')
      .where('resource_id', '=', 'first')
      .executeTakeFirstOrThrow();
    const places = [taken, taken, -1];
    const place = await database.transaction(async (tx) => {
      const locked = await lockResource(tx, resource, () => places.shift() ?? taken);
      await unlockUntagged(tx, locked);
      return locked.seq;
    });
    assert.equal(place, -1);
    await assert.rejects(
      database.transaction((tx) => lockResource(tx, resource, () => taken)),
      /^Error: no lock on the resource after 20 attempts$/,
    );
    await assertBooksAgree(server);
  });
});

test('two nodes at the same instant', async (t) => {
  const clock = new ManualClock();
  const first = await bootServer('postgres', { clock });
  const second = await bootServer('postgres', { clock, besides: first });
  t.after(async () => {
    await second.stop();
    await first.stop();
  });
  const even = createTagging(first);
  const odd = createTagging(second);
  await Promise.all(
    // Several hundred numbers within one millisecond of 4,096: some are given by both nodes.
    Array.from({ length: 200 }, (_, i) =>
      (i % 2 === 0 ? even : odd).put('worker', `w${i}`, { all: 'same' }),
    ),
  );
  assert.equal((await even.ids(['tag', 'all=same'])).length, 200);
  await assertBooksAgree(first);
});
