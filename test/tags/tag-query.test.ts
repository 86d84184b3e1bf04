import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BitBlock } from '../../src/lib/bit-block.ts';
import { encodeCursor } from '../../src/lib/cursors.ts';
import { combineSets } from '../../src/tags/query/read-postings.ts';
import { planSearch } from '../../src/tags/query/tag-plan.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createSecondAccount } from '../support/second-account.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Operation, type Tagging, assertBooksAgree, createTagging, query } from './tagging.ts';

type Parameters = [string, string][];

const ANY_CASE: [string, string] = ['case_insensitive', 'true'];

/** How resources are found by sets in blocks of 4,096 places. */
onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  /** What was tagged, in the order of the list. */
  const tagged: { id: string; seq: number; isEven: boolean }[] = [];
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
    // So many in the first block that its sets are not lists any more, some around the next borders.
    await tagFrom(1, 620);
    for (const border of [4_096, 8_192]) await tagFrom(border - 3, 6);
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  /** Tags some new resources, which get the places from that one on. */
  async function tagFrom(seq: number, count: number): Promise<void> {
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('tag_heads')
        .set({ last_seq: seq - 1 })
        .execute();
    });
    const places = Array.from({ length: count }, (_, i) => seq + i);
    await tagging.bulk(places.map((place) => resourceAt(place)));
    tagged.push(...places.map((at) => ({ id: `n${at}`, seq: at, isEven: at % 2 === 0 })));
  }

  function resourceAt(seq: number): Operation {
    const isEven = seq % 2 === 0;
    return {
      op: 'put',
      resource_type: seq % 3 === 0 ? 'queue' : 'worker',
      resource_id: `n${seq}`,
      name: `${isEven ? 'Gerade' : 'Ungerade'} ${seq}`,
      tags: {
        half: isEven ? 'even' : 'odd',
        [isEven ? 'is-even' : 'is-odd']: '',
        third: String(seq % 3),
        [seq % 5 === 0 ? 'Fifth' : 'fifth']: String(seq % 5),
      },
    };
  }

  const idsOf = (keep: (seq: number) => boolean): string[] =>
    tagged.filter(({ seq }) => keep(seq)).map(({ id }) => id);

  const searches: [string, Parameters, (seq: number) => boolean][] = [
    ['everything', [], () => true],
    ['one set', [['tag', 'half=even']], (n) => n % 2 === 0],
    ['sets of several values', [['tag', 'third=0,2,none']], (n) => n % 3 !== 1],
    ['sets in common', tags('half=even', 'third=0'), (n) => n % 6 === 0],
    ['sets with nothing in common', tags('half=even', 'is-odd'), () => false],
    ['less another set', tags('half=even', 'third!=0'), (n) => n % 2 === 0 && n % 3 !== 0],
    ['nothing left', tags('half=even', 'is-even', 'third', '!is-even'), () => false],
    ['only negations', tags('half!=odd', '!nothing', 'third!=0,1'), (n) => n % 6 === 2],
    ['a type', [['type', 'queue']], (n) => n % 3 === 0],
    ['a type and a set', [['type', 'queue'], ...tags('half=odd')], (n) => n % 6 === 3],
    ['a type without such tags', [['type', 'queue'], ...tags('third=1')], () => false],
    ['a type that all such tags have', [['type', 'queue'], ...tags('third=0')], (n) => n % 3 === 0],
    ['a type that has no such tags', [['type', 'queue'], ...tags('third!=1')], (n) => n % 3 === 0],
    ['keys in any case', [...tags('FIFTH', '!x'), ANY_CASE], () => true],
    [
      'values in any case',
      [...tags('FIFTH=0,1', 'HALF=Even'), ANY_CASE],
      (n) => n % 10 < 7 && [0, 6].includes(n % 10),
    ],
    [
      'less in any case',
      [...tags('fifth!=0', 'Third=0'), ANY_CASE],
      (n) => n % 3 === 0 && n % 5 !== 0,
    ],
    ['a name of none', [['name', ' GERADE']], () => false],
    ['a name of many', [['name', 'UNG']], (n) => n % 2 === 1],
    ['a name of few', [['name', '81']], (n) => String(n).includes('81')],
    [
      'a name and sets',
      [['name', '9'], ...tags('half=odd')],
      (n) => n % 2 === 1 && String(n).includes('9'),
    ],
  ];
  for (const [name, parameters, keep] of searches) {
    test(`${name}, whatever the size of a page`, async () => {
      for (const limit of ['1000', '97']) {
        assert.deepEqual(await tagging.ids(...parameters, ['limit', limit]), idsOf(keep), limit);
      }
    });
  }

  test('pages that end at the border of a block, or begin there', async () => {
    for (const parameters of [[], tags('half'), tags('third!=x'), tags('half', 'third', '!x')]) {
      for (const { seq, id } of tagged.slice(-12)) {
        const limit = String(tagged.findIndex((one) => one.id === id) + 1);
        const first = await page(...parameters, ['limit', limit]);
        assert.equal(first.result.at(-1)?.id, id);
        const rest = idsOf((n) => n > seq);
        const cursor = first.result_info.cursor;
        assert.equal(cursor === undefined, rest.length === 0);
        if (cursor === undefined) continue;
        const { result } = await page(...parameters, ['limit', limit], ['cursor', cursor]);
        assert.deepEqual(
          result.map((one) => one.id),
          rest,
        );
      }
    }
  });

  async function page(
    ...parameters: Parameters
  ): Promise<{ result: { id: string }[]; result_info: { cursor?: string } }> {
    const answer = await tagging.list(`resources?${query(...parameters)}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  test('ids, also of several types, and what else is asked of them', async () => {
    await tagging.put('image', 'n4096', { half: 'even', more: 'x' });
    const ids: Parameters = [
      ['id', 'n8193'],
      ['id', 'n4096'],
      ['id', 'n7'],
      ['id', 'none'],
    ];
    const both = ['n7', 'n4096', 'n8193', 'n4096'];
    assert.deepEqual(await tagging.ids(...ids), both);
    assert.deepEqual(await tagging.ids(...ids, ['limit', '1']), both);
    assert.deepEqual(await tagging.ids(...ids, ['tag', 'half=even']), ['n4096', 'n4096']);
    assert.deepEqual(await tagging.ids(...ids, ['type', 'image'], ['tag', '!third']), ['n4096']);
    assert.deepEqual(await tagging.ids(...ids, ['name', 'UNGERADE']), ['n7', 'n8193']);
    assert.deepEqual(await tagging.ids(...ids, ['tag', 'HALF=ODD'], ANY_CASE), ['n7', 'n8193']);
    await tagging.remove('image', 'n4096');
  });

  test('a cursor, whatever loses its tags or gets some meanwhile', async () => {
    const parameters = tags('third=0', 'half=odd');
    const expected = idsOf((n) => n % 6 === 3);
    const first = await page(...parameters, ['limit', '3']);
    const [second = '', last = '', next = ''] = expected.slice(1);
    for (const id of [second, last, next]) await tagging.remove('queue', id);
    await tagging.put('queue', 'new', { third: '0', half: 'odd' });
    const rest = await page(...parameters, ['limit', '1000'], cursorOf(first));
    assert.deepEqual(
      rest.result.map(({ id }) => id),
      [...expected.slice(4), 'new'],
    );
    // What comes back comes last.
    await tagging.put('queue', last, { third: '0', half: 'odd' });
    const { result } = await page(...parameters, ['limit', '1000'], cursorOf(first));
    assert.deepEqual(result.at(-1)?.id, last);
    for (const id of ['new', last]) await tagging.remove('queue', id);
    tagged.splice(
      0,
      tagged.length,
      ...tagged.filter(({ id }) => ![second, last, next].includes(id)),
    );
  });

  test('6010: a cursor from the time when resources had other places', async () => {
    const filter = { filters: [], types: [], ids: [], name: '', caseInsensitive: false };
    const old = { list: 'tagged-resources', accountId: server.accountId, ...filter };
    const answer = await tagging.list(`resources?${query(['cursor', encodeCursor([5], old)])}`);
    assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
  });

  test('6010: a cursor that was made up, from before the first place', async () => {
    const { cursor = '' } = (await page(['limit', '1'])).result_info;
    const [binding] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
    for (const place of [-1, Number.MIN_SAFE_INTEGER]) {
      const made = Buffer.from(JSON.stringify([binding, place])).toString('base64url');
      const answer = await tagging.list(`resources?${query(['limit', '1'], ['cursor', made])}`);
      assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
    }
  });

  test('the same tags in another account', async () => {
    const second = await createSecondAccount(server);
    const { token } = second;
    const body = { resource_type: 'worker', resource_id: 'theirs', tags: { half: 'even' } };
    const answer = await server.call('PUT', `${second.account}/tags`, { body, token });
    assert.equal(answer.status, 200, answer.text);
    for (const parameters of [[], tags('half'), tags('half!=odd'), [['id', 'theirs']]]) {
      const path = `${second.account}/tags/resources?${query(...(parameters as Parameters))}`;
      const { result } = (await server.call('GET', path, { token })).json;
      assert.deepEqual(
        result.map(({ id }: { id: string }) => id),
        ['theirs'],
      );
    }
    assert.deepEqual(await tagging.ids(['id', 'theirs']), []);
    assert.deepEqual(
      await tagging.ids(...tags('half')),
      idsOf(() => true),
    );
  });

  test('long tags among short ones, and pages of 1 MiB of them', async () => {
    const filler = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 'v'.repeat(1_024)]));
    // From 4 KiB on they are read apart from the others, and together up to 256 KiB.
    const fillers: Record<string, number> = { l1: 300, l2: 300, m1: 5, l3: 300, m2: 5, m3: 250 };
    const ids = ['s1', 'l1', 'l2', 'm1', 'l3', 's2', 'm2', 's3', 'm3', 's4'];
    for (const id of ids) {
      await tagging.put('image', id, { size: id, ...filler(fillers[id] ?? 0) });
    }
    assert.deepEqual(await tagging.ids(['type', 'image']), ids);
    assert.deepEqual(await tagging.ids(['type', 'image'], ...tags('size=l2,m2,s3')), [
      'l2',
      'm2',
      's3',
    ]);
    const first = await page(['type', 'image']);
    assert.deepEqual(
      first.result.map(({ id }) => id),
      ids.slice(0, 8),
    );
    for (const id of ids) await tagging.remove('image', id);
  });

  test('a key in more spellings than one statement takes, and in too many', async () => {
    const spell = async (id: string, from: number, end: number): Promise<void> => {
      const keys = Array.from({ length: end - from }, (_, i) => [spelling(from + i), 'x']);
      await tagging.put('image', id, Object.fromEntries(keys) as Record<string, string>);
    };
    await spell('some', 0, 800);
    await spell('others', 800, 1_500);
    await tagging.put('image', 'once', { [spelling(1_499)]: 'Y' });
    const key = spelling(0);
    for (const [filter, expected] of [
      [key, ['some', 'others', 'once']],
      [`${key}=X`, ['some', 'others']],
      [`${key}=y`, ['once']],
      [`${key}!=x`, ['once']],
    ] as const) {
      const found = await tagging.ids(['tag', filter], ['type', 'image'], ANY_CASE);
      assert.deepEqual(found, expected, filter);
    }
    await spell('others', 800, 1_600);
    await spell('more', 1_600, 2_501);
    const answer = await tagging.list(`resources?${query(['tag', key], ANY_CASE)}`);
    assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
    assert.ok(answer.json.errors[0].message.includes('too many variants'), answer.text);
    for (const id of ['some', 'others', 'more', 'once']) await tagging.remove('image', id);
  });

  test('places far away from all others', async () => {
    await tagFrom(40_000_000, 2);
    for (const parameters of [[], tags('half'), tags('half', '!x'), tags('third!=7')]) {
      const found = await tagging.ids(...parameters, ['limit', '1000']);
      assert.deepEqual(
        found,
        idsOf(() => true),
      );
    }
    assert.deepEqual(await tagging.ids(...tags('half=even', 'is-odd')), []);
  });
});

function tags(...filters: string[]): Parameters {
  return filters.map((filter) => ['tag', filter]);
}

function cursorOf(first: { result_info: { cursor?: string } }): [string, string] {
  return ['cursor', first.result_info.cursor ?? ''];
}

/** The letters of one word, large where the number has a bit. */
function spelling(number: number): string {
  return Array.from('abcdefghijklm', (letter, bit) =>
    (number & (1 << bit)) === 0 ? letter : letter.toUpperCase(),
  ).join('');
}

describe('the plan of a search', () => {
  const filter = (term: string, count: number, negated = false) => ({
    negated,
    terms: [term],
    isOfOneKey: true,
    count,
    wantedCount: count,
  });
  const all = { count: 1_000_000, wantedCount: 1_000_000, lastSeq: 1_000_000 };

  test('the rarest condition that is not negated drives', () => {
    const plan = planSearch(
      { ...all, filters: [filter('a', 500_000), filter('b', 400_000), filter('c', 5, true)] },
      [],
    );
    assert.deepEqual(plan?.driver.terms, ['b']);
    assert.deepEqual(
      plan?.probes.map(({ terms }) => terms),
      [['a'], ['c']],
    );
    const ofType = planSearch({ ...all, wantedCount: 300_000, filters: [filter('a', 200_000)] }, [
      't',
    ]);
    assert.deepEqual(ofType?.driver.terms, ['a']);
    const ofRareType = planSearch({ ...all, wantedCount: 300, filters: [filter('a', 200)] }, ['t']);
    assert.deepEqual([ofRareType?.driver.terms, ofRareType?.probes.length], [['a'], 0]);
  });

  test('a filter that all fulfil is left out, one that none fulfils ends the search', () => {
    const plan = planSearch(
      { ...all, filters: [filter('a', 1_000_000), filter('b', 0, true)] },
      [],
    );
    assert.deepEqual([plan?.driver.terms, plan?.probes], [[''], []]);
    assert.equal(planSearch({ ...all, filters: [filter('a', 0)] }, []), undefined);
    assert.equal(planSearch({ ...all, filters: [filter('a', 1_000_000, true)] }, []), undefined);
    assert.equal(planSearch({ ...all, wantedCount: 0, filters: [] }, ['t']), undefined);
  });

  test('of few resources no other sets are read', () => {
    const filters = [filter('a', 250), filter('b', 500_000)];
    assert.deepEqual(planSearch({ ...all, filters }, [])?.probes, []);
  });

  test('sets are combined as the conditions say', () => {
    const sets = new Map(
      Object.entries({ a: [1, 2, 3, 4], b: [2, 3, 9], c: [3], d: [4] }).map(([term, places]) => {
        const block = new BitBlock();
        for (const place of places) block.add(place);
        return [term, block.toStored() ?? new Uint8Array()];
      }),
    );
    const places = (...conditions: [terms: string, negated: boolean][]): number[] =>
      combineSets(
        conditions.map(([terms, negated]) => ({ terms: Array.from(terms), negated, count: 0 })),
        sets,
      )?.places() ?? [];
    assert.deepEqual(places(['a', false], ['b', false]), [2, 3]);
    assert.deepEqual(places(['a', false], ['bd', false], ['c', true]), [2, 4]);
    assert.deepEqual(places(['a', false], ['xy', false]), []);
    assert.deepEqual(places(['a', false], ['xy', true]), [1, 2, 3, 4]);
    assert.deepEqual(places(['cd', false], ['a', true]), []);
  });
});
