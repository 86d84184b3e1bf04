import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, type Tags, assertBooksAgree, createTagging, query } from './tagging.ts';

/** Whatever is written, every list must be what a reader of the contract would expect. */

const LONG = '𝒗'.repeat(120);
const TYPES = ['worker', 'zone', 'queue'];
const IDS = ['1', '2', '3', '4'];
const KEYS = ['env', 'Env', 'team', '__proto__', 'größe'];
// Two long values that differ in their last character alone, and ones that filters must escape.
const VALUES = [
  '',
  'prod',
  'PROD',
  'a,b',
  'back\\slash',
  'Straße',
  'STRASSE',
  `${LONG}x`,
  `${LONG}y`,
];

interface Model {
  type: string;
  id: string;
  name: string;
  tags: Map<string, string>;
}

interface Condition {
  key: string;
  values: string[] | undefined;
  negated: boolean;
}

interface Search {
  conditions: Condition[];
  types: string[];
  ids: string[];
  name: string;
  caseInsensitive: boolean;
  limit: number;
}

const resource = { type: fc.constantFrom(...TYPES), id: fc.constantFrom(...IDS) };
const tags = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES), { maxKeys: 3 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ ...resource, tags, name: fc.constantFrom('Alpha', 'ALPHA_1', 'béta%') }),
  },
  { weight: 1, arbitrary: fc.record({ ...resource, tags: fc.constant(undefined) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const condition = fc.record({
  key: fc.constantFrom(...KEYS, 'absent'),
  values: fc.option(fc.array(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 3 }), {
    nil: undefined,
    freq: 3,
  }),
  negated: fc.boolean(),
});
const search = fc.record({
  conditions: fc.array(condition, { maxLength: 3 }),
  types: fc.subarray(TYPES, { maxLength: 2 }),
  ids: fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.subarray(IDS) },
  ),
  name: fc.constantFrom('', '', 'alpha', '_', 'BÉTA', '%'),
  caseInsensitive: fc.boolean(),
  limit: fc.integer({ min: 1, max: 5 }),
});

const fold = (text: string): string => text.replace('ß', 'ss').toLowerCase();

function matches(model: Model, { conditions, types, ids, name, caseInsensitive }: Search): boolean {
  const same = (a: string, b: string): boolean => (caseInsensitive ? fold(a) === fold(b) : a === b);
  return (
    (types.length === 0 || types.includes(model.type)) &&
    (ids.length === 0 || ids.includes(model.id)) &&
    fold(model.name).includes(fold(name)) &&
    conditions.every(({ key, values, negated }) => {
      const found = [...model.tags].some(
        ([k, v]) => same(k, key) && (values?.some((value) => same(v, value)) ?? true),
      );
      return found !== negated;
    })
  );
}

function parametersOf(wanted: Search): [string, string][] {
  const { conditions, types, ids, name, caseInsensitive, limit } = wanted;
  const escape = (value: string): string => value.replaceAll(/[\\,]/g, String.raw`\$&`);
  return [
    ...conditions.map(({ key, values, negated }): [string, string] => {
      if (values === undefined) return ['tag', negated ? `!${key}` : key];
      return ['tag', `${key}${negated ? '!=' : '='}${values.map(escape).join(',')}`];
    }),
    ...types.map((type): [string, string] => ['type', type]),
    ...ids.map((id): [string, string] => ['id', id]),
    ['name', name],
    ['case_insensitive', String(caseInsensitive)],
    ['limit', String(limit)],
  ];
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

async function checkVocabulary(tagging: Tagging, models: readonly Model[]): Promise<void> {
  for (const type of [undefined, 'zone']) {
    const some = models.filter((model) => type === undefined || model.type === type);
    const parameter = type === undefined ? '' : `?${query(['type', type])}`;
    const keys = [...new Set(some.flatMap((model) => [...model.tags.keys()]))];
    assert.deepEqual(await tagging.all(`keys${parameter}`), keys.sort(byBytes));
    for (const key of KEYS) {
      const values = some.flatMap((model) => model.tags.get(key) ?? []);
      const listed = await tagging.all<string>(`values/${encodeURIComponent(key)}${parameter}`);
      assert.deepEqual(listed.toSorted(byBytes), [...new Set(values)].sort(byBytes));
    }
  }
  const summary = await tagging.all<{ key: string; count: number }>('summary');
  for (const { key, count } of summary) {
    assert.equal(count, models.filter((model) => model.tags.has(key)).length);
  }
}

onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
  });
  after(() => server.stop());

  async function apply(models: Map<string, Model>, write: Step) {
    const { type, id } = write;
    const name = `${type} ${id}`;
    if (write.tags === undefined) {
      assert.equal((await tagging.remove(type, id)).status, 204);
      models.delete(name);
      return;
    }
    await tagging.put(type, id, write.tags, { name: write.name });
    const now = new Map(Object.entries(write.tags as Tags));
    const known = models.get(name);
    if (now.size === 0) models.delete(name);
    else if (known === undefined) models.set(name, { type, id, name: write.name, tags: now });
    else Object.assign(known, { name: write.name, tags: now });
  }

  test('lists agree with a naive model', async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 25 });
    const searches = fc.array(search, { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, searches, async (writes, wanted) => {
        await tagging.clear();
        // A Map keeps the order of first insertion, as the list does.
        const models = new Map<string, Model>();
        for (const write of writes) await apply(models, write);
        await assertBooksAgree(server);
        for (const one of wanted) {
          const found = await tagging.all<{ type: string; id: string }>(
            `resources?${query(...parametersOf(one))}`,
          );
          const expected = [...models.values()].filter((model) => matches(model, one));
          assert.deepEqual(
            found.map(({ type, id }) => `${type} ${id}`),
            expected.map(({ type, id }) => `${type} ${id}`),
            JSON.stringify(one),
          );
        }
        await checkVocabulary(tagging, [...models.values()]);
      }),
      { numRuns: 14 },
    );
  });
});
