/** What became of one value. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'same';

/** A value that has no parts. */
export type Scalar = string | number | boolean | null;

/** One value of a nested whole, with its way there: `policies[0].effect`; an item with an id has that for a number. */
export interface Leaf {
  path: string;
  value: Scalar;
}

/** What became of one value: it has no `before` when it was added, and no `after` when it was removed. */
export interface Change {
  path: string;
  kind: ChangeKind;
  before?: Scalar;
  after?: Scalar;
}

/** A leaf with what makes it the same one in another version of the whole. */
interface KeyedLeaf extends Leaf {
  key: string;
}

/** All values of a whole, in its order. */
export function leavesOf(whole: unknown): Leaf[] {
  return [...keyedLeaves(whole, '')].map(({ path, value }) => ({ path, value }));
}

/**
 * What became of each value of a whole. Items of a list of plain values count as a set, and items with an
 * `id` are found again by it: what was only moved is the same.
 */
export function diffOf(before: unknown, after: unknown): Change[] {
  const old = new Map([...keyedLeaves(before, '')].map((leaf) => [leaf.key, leaf]));
  const changes: Change[] = [];
  for (const { key, path, value } of keyedLeaves(after, '')) {
    const was = old.get(key);
    old.delete(key);
    if (was === undefined) changes.push({ path, kind: 'added', after: value });
    else {
      const kind = was.value === value ? 'same' : 'changed';
      changes.push({ path, kind, before: was.value, after: value });
    }
  }
  for (const { path, value } of old.values()) {
    // What goes stands beside what came into the same place.
    const place = changes.findLastIndex((change) => change.path === path);
    const removed: Change = { path, kind: 'removed', before: value };
    if (place === -1) changes.push(removed);
    else changes.splice(place + 1, 0, removed);
  }
  return changes;
}

function* keyedLeaves(value: unknown, path: string, key = path): Generator<KeyedLeaf> {
  if (Array.isArray(value)) yield* leavesOfList(value, path, key);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const separator = path === '' ? '' : '.';
      yield* keyedLeaves(member, path + separator + name, key + separator + name);
    }
  } else if (isScalar(value)) yield { path, key, value };
}

function* leavesOfList(list: readonly unknown[], path: string, key: string): Generator<KeyedLeaf> {
  for (const [index, item] of list.entries()) {
    if (isScalar(item)) yield { path, key: `${key}[=${JSON.stringify(item)}]`, value: item };
    else {
      const id = idOf(item);
      const label = id === undefined ? index : shortened(id);
      yield* keyedLeaves(item, `${path}[${label}]`, `${key}[${id ?? index}]`);
    }
  }
}

function idOf(item: unknown): string | undefined {
  const id: unknown =
    typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

// Enough to tell the items of one list apart.
const LABEL_LENGTH = 8;

function shortened(id: string): string {
  return id.length > LABEL_LENGTH ? `${id.slice(0, LABEL_LENGTH)}…` : id;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
