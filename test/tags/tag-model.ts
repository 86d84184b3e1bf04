import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';

/**
 * What a reader of the contract expects of tags: all resources in a list, in which every question is
 * answered by looking at each of them. And random writes and searches to try it with.
 */

export interface ModelResource {
  type: string;
  id: string;
  name: string;
  tags: Map<string, string>;
}

/** What `If-Match` names. */
type IfMatch = 'current' | 'outdated' | 'any';

export interface ModelWrite {
  op: 'put' | 'patch' | 'delete';
  type: string;
  id: string;
  /** Of a PATCH: null removes a tag. */
  tags: Record<string, string | null>;
  name: string | undefined;
  ifMatch: IfMatch | undefined;
}

export interface Condition {
  key: string;
  values: string[] | undefined;
  negated: boolean;
}

export interface Search {
  conditions: Condition[];
  types: string[];
  ids: string[];
  name: string;
  caseInsensitive: boolean;
}

/** What a write is answered with: what is there then, and whether it is anything new; or a refusal. */
export type ModelOutcome = { etag: string; isChanged: boolean } | 'refused';

export class TagModel {
  /** In list order: whatever gets its first tag comes last. */
  readonly #resources = new Map<string, ModelResource>();

  get resources(): ModelResource[] {
    return [...this.#resources.values()];
  }

  etagOf({ type, id }: { type: string; id: string }): string {
    return etagOf(this.#resources.get(`${type} ${id}`)?.tags ?? new Map());
  }

  apply({ op, type, id, tags, name, ifMatch }: ModelWrite): ModelOutcome {
    const key = `${type} ${id}`;
    const known = this.#resources.get(key);
    const before = this.etagOf({ type, id });
    if (ifMatch === 'outdated' || (ifMatch === 'any' && known === undefined)) return 'refused';
    const next = new Map(op === 'patch' ? known?.tags : []);
    if (op !== 'delete') {
      for (const [one, value] of Object.entries(tags)) {
        if (value === null) next.delete(one);
        else next.set(one, value);
      }
    }
    const kept = op === 'patch' ? known?.name : undefined;
    const named = name ?? kept ?? id;
    if (next.size === 0) this.#resources.delete(key);
    else this.#resources.set(key, { type, id, name: named, tags: next });
    const etag = this.etagOf({ type, id });
    const isRenamed = known !== undefined && next.size > 0 && named !== known.name;
    return { etag, isChanged: etag !== before || isRenamed };
  }

  search(search: Search): ModelResource[] {
    return this.resources.filter((resource) => matches(resource, search));
  }
}

export function etagOf(tags: ReadonlyMap<string, string>): string {
  const digest = createHash('sha256').update(canonicalize(Object.fromEntries(tags)) ?? '');
  return `v1:${digest.digest().subarray(0, 16).toString('base64url')}`;
}

// Enough for the few texts below.
const fold = (text: string): string => text.normalize('NFC').replace('ß', 'ss').toLowerCase();

function matches(resource: ModelResource, search: Search): boolean {
  const { conditions, types, ids, name, caseInsensitive } = search;
  const same = (a: string, b: string): boolean =>
    caseInsensitive ? fold(a) === fold(b) : a.normalize('NFC') === b.normalize('NFC');
  return (
    (types.length === 0 || types.includes(resource.type)) &&
    (ids.length === 0 || ids.includes(resource.id)) &&
    fold(resource.name).includes(fold(name)) &&
    conditions.every(({ key, values, negated }) => {
      const found = [...resource.tags].some(
        ([k, v]) => same(k, key) && (values?.some((value) => same(v, value)) ?? true),
      );
      return found !== negated;
    })
  );
}

/** A condition as the parameter `tag` has it. */
export function writtenCondition({ key, values, negated }: Condition): string {
  if (values === undefined) return negated ? `!${key}` : key;
  const escaped = values.map((value) => value.replaceAll(/[\\,]/g, String.raw`\$&`));
  return `${key}${negated ? '!=' : '='}${escaped.join(',')}`;
}

export function parametersOf(search: Search): [string, string][] {
  const { conditions, types, ids, name, caseInsensitive } = search;
  return [
    ...conditions.map((condition): [string, string] => ['tag', writtenCondition(condition)]),
    ...types.map((type): [string, string] => ['type', type]),
    ...ids.map((id): [string, string] => ['id', id]),
    ['name', name],
    ['case_insensitive', String(caseInsensitive)],
  ];
}

const LONG = '𝒗'.repeat(120);
export const TYPES = ['worker', 'zone', 'queue'];
export const KEYS = ['env', 'Env', 'team', '__proto__', 'größe'];
// Two long values that differ in their last character alone, ones that filters must escape, and one value in two forms.
export const VALUES = [
  '',
  'prod',
  'PROD',
  'a,b',
  'back\\slash',
  'Straße',
  'STRASSE',
  `${LONG}x`,
  `${LONG}y`,
  'Z\u00fcrich',
  'Zu\u0308rich',
];

const value = fc.constantFrom(...VALUES);
const key = fc.constantFrom(...KEYS);

/** Writes to resources with these ids, of any type. */
export function writesTo(ids: readonly string[]): fc.Arbitrary<ModelWrite> {
  const common = {
    type: fc.constantFrom(...TYPES),
    id: fc.constantFrom(...ids),
    name: fc.option(fc.constantFrom('Alpha', 'ALPHA_1', 'béta%'), { nil: undefined }),
    ifMatch: fc.option(fc.constantFrom<IfMatch>('current', 'current', 'outdated', 'any'), {
      nil: undefined,
      freq: 2,
    }),
  };
  const put = fc.record({
    ...common,
    op: fc.constant('put' as const),
    tags: fc.dictionary(key, value, { maxKeys: 3 }),
  });
  const patch = fc.record({
    ...common,
    op: fc.constant('patch' as const),
    tags: fc.dictionary(key, fc.option(value, { freq: 2 }), { maxKeys: 3 }),
  });
  const deletion = fc.record({
    ...common,
    op: fc.constant('delete' as const),
    tags: fc.constant({}),
  });
  return fc.oneof(
    { weight: 4, arbitrary: put },
    { weight: 4, arbitrary: patch },
    { weight: 1, arbitrary: deletion },
  );
}

const condition = fc.record({
  key: fc.constantFrom(...KEYS, 'absent'),
  values: fc.option(fc.array(value, { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 3 }),
  negated: fc.boolean(),
});

/** Searches for resources with these ids, among others. */
export function searchesFor(ids: readonly string[]): fc.Arbitrary<Search> {
  return fc.record({
    conditions: fc.array(condition, { maxLength: 3 }),
    types: fc.subarray(TYPES, { maxLength: 2 }),
    ids: fc.oneof(
      { weight: 2, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: fc.subarray([...ids], { maxLength: Math.min(ids.length, 50) }) },
    ),
    name: fc.constantFrom('', '', 'alpha', '_', 'BÉTA', '%'),
    caseInsensitive: fc.boolean(),
  });
}
