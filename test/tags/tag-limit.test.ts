import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { MAX_TAGS_PER_RESOURCE } from '../../src/tags/tag-limits.ts';
import { tagMapOf, tagSetOf } from '../../src/tags/tag-set/tag-set.ts';
import { applyWrites } from '../../src/tags/write/apply-writes.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { type BulkCalls, createBulkCalls } from './bulk-calls.ts';
import { op } from './bulk-faults.ts';
import { type Tagging, type Tags, assertBooksAgree, createTagging } from './tagging.ts';

const TOO_LARGE = { code: 1018, message: 'tag set too large (maximum 1000 tags)' };

/** Returns the tags `k<from>` to `k<from + count - 1>`. */
function numbered<V>(count: number, value: V, from = 0): Record<string, V> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${from + i}`, value]));
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tagging: Tagging;
  let calls: BulkCalls;
  before(async () => {
    server = await bootServer(database, { clock });
    tagging = createTagging(server);
    calls = createBulkCalls(server);
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  const write = (method: 'PUT' | 'PATCH', id: string, tags: object): Promise<Answer> =>
    server.call(method, `${server.account}/tags`, {
      body: { resource_type: 'worker', resource_id: id, tags },
    });

  const tagsOf = async (id: string): Promise<Tags> =>
    (await tagging.get('worker', id)).json.result?.tags ?? {};

  function assertTooLarge({ status, json }: Answer): void {
    assert.deepEqual([status, json.errors], [400, [TOO_LARGE]]);
  }

  test('PUT accepts 1,000 tags and refuses 1,001', async () => {
    assert.equal(MAX_TAGS_PER_RESOURCE, 1_000);
    for (const count of [999, 1_000]) {
      assert.equal((await write('PUT', 'put', numbered(count, ''))).status, 200);
      assert.equal(Object.keys(await tagsOf('put')).length, count);
    }
    assertTooLarge(await write('PUT', 'put', numbered(1_001, '')));
    assert.equal(Object.keys(await tagsOf('put')).length, 1_000);
  });

  test('PATCH counts the tags of the result', async () => {
    assert.equal((await write('PATCH', 'patch', numbered(1_000, 'a'))).status, 200);
    assertTooLarge(await write('PATCH', 'patch', { more: '' }));
    assert.equal((await write('PATCH', 'patch', numbered(1_000, 'b'))).status, 200);
    assert.equal((await write('PATCH', 'patch', { k0: null, more: '' })).status, 200);
    assertTooLarge(await write('PATCH', 'patch', { k0: '' }));
    // Removed tags do not count, however many they are.
    const removals = { ...numbered(3_000, null), ...numbered(1_000, '', 5_000), more: null };
    assert.equal((await write('PATCH', 'patch', removals)).status, 200);
    assert.deepEqual(await tagsOf('patch'), numbered(1_000, '', 5_000));
  });

  test('the other errors of the tags come first, and If-Match before the size of a merged set', async () => {
    const many = numbered(1_001, '');
    for (const [tags, code] of [
      [{ ...many, x: 1 }, 1002],
      [{ ...many, 'a b': '' }, 1014],
      [{ ...many, x: 'v'.repeat(1_025) }, 1012],
    ] as const) {
      assert.equal((await write('PUT', 'order', tags)).code, code);
    }
    await write('PUT', 'order', numbered(1_000, ''));
    const stale = await server.call('PATCH', `${server.account}/tags`, {
      headers: { 'if-match': '"v1:stale"' },
      body: { resource_type: 'worker', resource_id: 'order', tags: { more: '' } },
    });
    assert.equal(stale.code, 1016);
  });

  describe('a bulk request', () => {
    test('refuses each operation that exceeds the limit, and no other', async () => {
      const { results } = await calls.run([
        op('put', 'bulk-full', { tags: numbered(1_000, '') }),
        op('put', 'bulk-put', { tags: numbered(1_001, '') }),
        op('patch', 'bulk-full', { tags: { more: '' } }),
        op('patch', 'bulk-patch', { tags: numbered(1_001, '') }),
        op('patch', 'bulk-full', { tags: { k0: null, more: '' } }),
      ]);
      const codes = results.map(({ errors }: { errors?: [{ code: number }] }) => errors?.[0].code);
      assert.deepEqual(codes, [undefined, 1018, 1018, 1018, undefined]);
      assert.deepEqual(results[1].errors, [TOO_LARGE]);
      assert.deepEqual(await tagsOf('bulk-put'), {});
    });

    test('with a filter refuses the resources that are full', async () => {
      await write('PUT', 'filter-full', numbered(1_000, 'filter'));
      await write('PUT', 'filter-room', numbered(999, 'filter'));
      const { results } = await calls.merge({ tag: ['k1=filter'] }, { more: '' });
      const outcomes = results.map(({ resource_id: id, success, errors }: Answer['json']) => [
        id,
        success ? undefined : errors[0].code,
      ]);
      assert.deepEqual(outcomes.sort(), [
        ['filter-full', 1018],
        ['filter-room', undefined],
      ]);
    });
  });

  test('a larger set that was stored earlier can be read, found, reduced and deleted', async () => {
    const large = numbered(3_000, 'old');
    const services = {
      clock,
      findResourceName: () => Promise.resolve(undefined),
      notFoundStatus: 500,
      bodyLimitBytes: 1024 * 1024,
    } as const;
    const facts = {
      name: undefined,
      workerId: undefined,
      zoneId: undefined,
      accessApplicationId: undefined,
    };
    const tagSet = tagSetOf(tagMapOf(large));
    await server.app.database.transaction((tx) =>
      applyWrites(
        tx,
        services,
        server.accountId,
        ['reduced', 'deleted'].map((id) => ({
          operation: 'put',
          resource: { accountId: server.accountId, type: 'worker', id },
          ifMatch: undefined,
          requestId: undefined,
          facts,
          tagSet,
        })),
      ),
    );
    assert.deepEqual(await tagsOf('reduced'), large);
    assert.equal(
      (await calls.merge({ tag: ['k2999=old'] }, { k0: 'old' }, { dry_run: true })).succeeded,
      2,
    );
    assertTooLarge(await write('PATCH', 'reduced', { k0: 'new' }));
    assertTooLarge(await write('PATCH', 'reduced', { k0: null }));
    // The same tags again are no change.
    assert.equal((await write('PATCH', 'reduced', { k0: 'old' })).status, 200);
    assertTooLarge(await write('PUT', 'reduced', large));
    assert.equal((await write('PATCH', 'reduced', numbered(2_000, null))).status, 200);
    assert.deepEqual(await tagsOf('reduced'), numbered(1_000, 'old', 2_000));
    assert.equal((await tagging.remove('worker', 'deleted')).status, 204);
    assert.deepEqual(await tagsOf('deleted'), {});
  });

  test('no sequence of writes makes a larger set', async () => {
    const change = fc.record({
      way: fc.constantFrom('PUT', 'PATCH', 'bulk put', 'bulk patch'),
      from: fc.constantFrom(0, 1, 500, 999, 1_000),
      count: fc.constantFrom(0, 1, 2, 500, 999, 1_000, 1_001),
      isRemoval: fc.boolean(),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const id = `sequence-${run++}`;
        let expected = new Set<string>();
        for (const { way, from, count, isRemoval } of changes) {
          const isPut = way.toUpperCase().endsWith('PUT');
          const tags = numbered(count, isRemoval && !isPut ? null : '', from);
          const next = new Set(isPut ? [] : expected);
          for (const [key, value] of Object.entries(tags)) {
            if (value === null) next.delete(key);
            else next.add(key);
          }
          const isTooLarge = next.size > 1_000;
          if (way.startsWith('bulk')) {
            const { results } = await calls.run([op(isPut ? 'put' : 'patch', id, { tags })]);
            assert.equal(results[0].success, !isTooLarge);
          } else {
            const answer = await write(way === 'PUT' ? 'PUT' : 'PATCH', id, tags);
            assert.equal(answer.status, isTooLarge ? 400 : 200);
          }
          if (!isTooLarge) expected = next;
          assert.deepEqual(new Set(Object.keys(await tagsOf(id))), expected);
        }
      }),
      { numRuns: 12 },
    );
  });
});
