import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import {
  type Operation,
  type Tagging,
  type Tags,
  assertBooksAgree,
  createTagging,
  query,
} from './tagging.ts';

/**
 * Other writers work between the pages of a list. `always` matches all the while and `never` does not
 * at any time; both change in other ways. `sometimes` begins and ceases to match but keeps its place,
 * `anew` loses all its tags and gets others, so that it comes last.
 */
const KINDS = ['always', 'never', 'sometimes', 'anew'] as const;
type Kind = (typeof KINDS)[number];

interface Disturbance {
  kind: Kind | 'created';
  number: number;
  isMatch: boolean;
  noise: string;
}

const TYPE = 'queue';
const MATCH = { match: 'yes' };
const NO_MATCH = { match: 'no', no: '' };

/** Ways to ask for the same resources. */
const SEARCHES: [string, string][][] = [
  [['tag', 'match=yes']],
  [['tag', 'match=none,yes']],
  [
    ['tag', 'match'],
    ['tag', '!no'],
  ],
  [['tag', '!no']],
  [
    ['type', TYPE],
    ['tag', 'match!=no'],
  ],
  [
    ['tag', 'kind'],
    ['tag', 'match=yes'],
    ['tag', 'noise!=none'],
  ],
  [
    ['tag', 'MATCH=Yes'],
    ['tag', 'No!=x'],
    ['case_insensitive', 'true'],
  ],
  [
    ['tag', '!NO'],
    ['name', 'q'],
    ['case_insensitive', 'true'],
  ],
];

const disturbances = fc.array(
  fc.record<Disturbance>({
    kind: fc.constantFrom(...KINDS, 'created'),
    number: fc.nat(),
    isMatch: fc.boolean(),
    noise: fc.constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 8 },
);

onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  let created = 0;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  const idOf = (kind: string, number: number): string => `Q ${kind} ${number}`;

  const operation = (op: Operation['op'], id: string, tags?: Tags): Operation => {
    return { op, resource_type: TYPE, resource_id: id, ...(tags && { tags }) };
  };

  /** So many resources of each kind, one after the other, in three blocks of places. */
  async function fill(countOfKind: number): Promise<void> {
    await tagging.clear();
    for (const part of [0, 1, 2]) {
      await server.app.database.transaction(async (tx) => {
        await tx
          .updateTable('tag_heads')
          .set((set) => ({ last_seq: set('last_seq', '+', 4_000) }))
          .execute();
      });
      const numbers = Array.from({ length: countOfKind }, (_, i) => i).filter(
        (i) => i % 3 === part,
      );
      await tagging.bulk(
        numbers.flatMap((number) =>
          KINDS.map((kind) => {
            const tags = kind === 'never' ? NO_MATCH : MATCH;
            return operation('put', idOf(kind, number), { ...tags, kind, noise: 'a' });
          }),
        ),
      );
    }
  }

  function disturb({ kind, number, isMatch, noise }: Disturbance, countOfKind: number) {
    const tags = isMatch ? MATCH : NO_MATCH;
    const id = idOf(kind, number % countOfKind);
    switch (kind) {
      case 'always':
        // All but the match may change, and the set be replaced.
        return isMatch
          ? [operation('put', id, { ...MATCH, kind, noise, more: '' })]
          : [operation('patch', id, { noise })];
      case 'never':
        return [operation('put', id, { ...NO_MATCH, kind, noise })];
      case 'sometimes':
        return [operation('put', id, { ...tags, kind, noise })];
      case 'anew':
        return [operation('delete', id), operation('put', id, { ...tags, kind, noise })];
      case 'created':
        return [operation('put', idOf(kind, created++), { ...tags, kind, noise })];
    }
  }

  /** Reads all pages, and writes before each but the first. */
  async function readAll(
    search: [string, string][],
    limit: number,
    between: () => Promise<void>,
  ): Promise<Json[]> {
    const found: Json[] = [];
    for (let cursor = ''; ;) {
      const parameters = [...search, ['limit', String(limit)], ['cursor', cursor]];
      const answer = await tagging.list(
        `resources?${query(...(parameters as [string, string][]))}`,
      );
      assert.equal(answer.status, 200, answer.text);
      const { result, result_info: info } = answer.json;
      found.push(...result);
      if (info.cursor === undefined) return found;
      assert.equal(result.length, limit);
      cursor = info.cursor;
      await between();
    }
  }

  async function assertPromise(found: readonly Json[], countOfKind: number): Promise<void> {
    const idsOf = (kind: Kind): string[] =>
      found.filter(({ tags }) => tags.kind === kind).map(({ id }) => id as string);
    assert.deepEqual(
      idsOf('always').toSorted(),
      Array.from({ length: countOfKind }, (_, i) => idOf('always', i)).toSorted(),
    );
    assert.deepEqual(idsOf('never'), []);
    const sometimes = idsOf('sometimes');
    assert.equal(new Set(sometimes).size, sometimes.length);
    for (const { tags } of found) assert.equal(tags.match, 'yes');
    // What was deleted meanwhile had another place when it came.
    const rows = await server.app.database.read
      .selectFrom('tagged_resources')
      .select(['resource_id', 'seq'])
      .execute();
    const seqOf = new Map(rows.map((row) => [row.resource_id, row.seq]));
    const seqs = found.filter(({ tags }) => tags.kind !== 'anew').map(({ id }) => seqOf.get(id));
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => (a ?? 0) - (b ?? 0)),
    );
  }

  for (const [countOfKind, limits, numRuns] of [
    [8, [2, 5], 4],
    // So many are not looked at one by one.
    [100, [40, 90], 3],
  ] as const) {
    test(`what matches all the while comes once, of ${countOfKind} of each kind`, async () => {
      const property = fc.asyncProperty(
        fc.constantFrom(...SEARCHES),
        fc.constantFrom(...limits),
        fc.infiniteStream(disturbances),
        async (search, limit, writes) => {
          await fill(countOfKind);
          const found = await readAll(search, limit, async () => {
            const { value = [] } = writes.next();
            await tagging.bulk(
              (value as Disturbance[]).flatMap((one) => disturb(one, countOfKind)),
            );
          });
          await assertPromise(found, countOfKind);
        },
      );
      await tagging.put(TYPE, 'first', { place: '1' });
      await fc.assert(property, { numRuns, endOnFailure: true });
    });
  }

  test('what goes from one wanted value to another is never missed', async () => {
    await tagging.clear();
    await tagging.put(TYPE, 'other', { other: '' });
    const state = { areReading: true };
    const writing = (async () => {
      for (let i = 0; state.areReading; i++) {
        await tagging.put(TYPE, 'restless', { env: ['b', 'B', 'a'][i % 3] ?? '' });
      }
    })();
    await tagging.put(TYPE, 'restless', { env: 'a' });
    try {
      for (let i = 0; i < 60; i++) {
        const found = await tagging.ids(['tag', 'env=a,b,B'], ['tag', 'env!=c']);
        assert.deepEqual(found, ['restless']);
      }
    } finally {
      state.areReading = false;
      await writing;
    }
  });
});
