import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/lib/clock.ts';
import { findTaggedResources } from '../../src/tags/store/tag-store.ts';
import { applyManyWrites, applyWrites, evaluateWrites } from '../../src/tags/write/apply-writes.ts';
import { EMPTY_ETAG } from '../../src/tags/tag-set/etag.ts';
import { tagMapOf, tagSetOf } from '../../src/tags/tag-set/tag-set.ts';
import {
  NO_LONGER_MATCHES,
  type BriefOutcome,
  type TagWrite,
} from '../../src/tags/write/tag-write.ts';
import { onEachDatabase } from '../support/databases.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';
import { type Tags, assertBooksAgree } from './tagging.ts';

const ACCOUNT = 'an-account';

const services = {
  clock: systemClock,
  findResourceName: () => Promise.resolve(undefined),
  notFoundStatus: 500,
  bodyLimitBytes: 16 * 1024 * 1024,
} as const;

function shared(id: string) {
  return {
    resource: { accountId: ACCOUNT, type: 'worker', id },
    ifMatch: undefined,
    requestId: undefined,
    facts: {
      name: undefined,
      workerId: undefined,
      zoneId: undefined,
      accessApplicationId: undefined,
    },
  };
}

function put(id: string, tags: Tags): TagWrite {
  return { ...shared(id), operation: 'put', tagSet: tagSetOf(tagMapOf(tags)) };
}

function patch(id: string, tags: Record<string, string | null>): TagWrite {
  return { ...shared(id), operation: 'patch', patch: new Map(Object.entries(tags)) };
}

function remove(id: string): TagWrite {
  return { ...shared(id), operation: 'delete', workerId: undefined };
}

/** What an outcome says, in short. */
function told(outcome: BriefOutcome): unknown {
  if ('refusal' in outcome) return outcome.refusal.entries[0]?.code;
  return [outcome.wasTagged, outcome.isChanged];
}

/** Writes that share a transaction, as requests that come at once and bulk requests do. */
onEachDatabase((kind) => {
  test('each write sees what those before it have left', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const write = (writes: TagWrite[]) =>
      database.transaction((tx) => applyWrites(tx, services, ACCOUNT, writes));
    await write([put('a', { env: 'dev' }), put('b', { env: 'dev' })]);
    const { etag } = tagSetOf(tagMapOf({ env: 'dev', team: 'core' }));
    const writes: TagWrite[] = [
      patch('a', { team: 'core' }),
      { ...patch('a', { size: 'small' }), ifMatch: '"v1:stale"' },
      { ...patch('a', { env: 'prod' }), ifMatch: etag },
      patch('a', { env: 'prod' }),
      remove('a'),
      remove('a'),
      { ...patch('a', { gone: '1' }), onlyIf: () => true },
      { ...patch('b', { gone: '1' }), onlyIf: ({ tags }) => tags.env !== 'dev' },
      { ...patch('b', { team: 'web' }), onlyIf: ({ tags }) => tags.env === 'dev' },
      put('a', { env: 'dev', again: '1' }),
      put('c', { env: 'dev' }),
      put('c', {}),
      put('d', { env: 'dev' }),
    ];
    const dry = await evaluateWrites(database.read, services, ACCOUNT, writes);
    const outcomes = await write(writes);
    assert.deepEqual(outcomes.map(told), [
      [true, true],
      1016,
      [true, true],
      [true, false],
      [true, true],
      [false, false],
      1016,
      1016,
      [true, true],
      [false, true],
      [false, true],
      [true, true],
      [false, true],
    ]);
    assert.deepEqual(dry.map(told), outcomes.map(told));
    // Only these two say that a search has found what is not so any more.
    const refusals = outcomes.map((outcome) => 'refusal' in outcome && outcome.refusal);
    const isUnmatched = refusals.map((refusal) => refusal === NO_LONGER_MATCHES);
    assert.deepEqual(
      isUnmatched.flatMap((is, index) => (is ? [index] : [])),
      [6, 7],
    );
    const last = outcomes[9];
    assert.ok(last !== undefined && 'resource' in last);
    assert.deepEqual(last.resource.tags, { env: 'dev', again: '1' });
    // A resource that lost its tags in between is at the end of every list.
    const seqs = Array.from({ length: 10 }, (_, index) => index);
    const stored = await findTaggedResources(database.read, ACCOUNT, seqs);
    assert.deepEqual(
      stored.map(({ id, seq, tags }) => [id, seq, tags]),
      [
        ['b', 2, { env: 'dev', team: 'web' }],
        ['a', 3, { env: 'dev', again: '1' }],
        ['d', 5, { env: 'dev' }],
      ],
    );
    await assertBooksAgree({ app: { database } });
  });

  test('sets that do not fit into memory together are written a few at a time', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const ids = ['a', 'b', 'c', 'd'];
    const long = 'x'.repeat(1_500_000);
    for (const id of ids) {
      const writes = [put(id, { long: long + id, of: id })];
      await database.transaction((tx) => applyWrites(tx, services, ACCOUNT, writes));
    }
    const writes = ['1', '2'].flatMap((round) => [
      ...ids.map((id) =>
        patch(id, { [`round-${round}`]: 'yes', of: round === '1' ? null : 'all' }),
      ),
      patch('e', { env: round }),
    ]);
    const dry = await evaluateWrites(database.read, services, ACCOUNT, [...writes, remove('a')]);
    const outcomes = await database.transaction((tx) =>
      applyManyWrites(tx, services, ACCOUNT, [...writes, remove('a')]),
    );
    assert.deepEqual(dry, outcomes);
    const changed = [true, true];
    const first = [...ids.map(() => changed), [false, true]];
    assert.deepEqual(outcomes.map(told), [...first, ...first.map(() => changed), changed]);
    const removed = outcomes.at(-1);
    assert.ok(removed !== undefined && 'etag' in removed);
    assert.equal(removed.etag, EMPTY_ETAG);
    const [b] = await findTaggedResources(database.read, ACCOUNT, [2]);
    assert.deepEqual(b?.tags, { long: `${long}b`, of: 'all', 'round-1': 'yes', 'round-2': 'yes' });
    await assertBooksAgree({ app: { database } });
  });
});
