/** One operation on a worker. */
export const op = (kind: string, id: string, more: Record<string, unknown> = {}) => ({
  op: kind,
  resource_type: 'worker',
  resource_id: id,
  ...more,
});

const own = { resource_type: 'ai_gateway', resource_id: 'none', tags: { a: '1' } };
const many = { resource_type: 'worker', resource_id: 'many' };
/** Operations that fail, each with its code, and where its shape is at fault with the place. */
export const operationFaults: [unknown, number, string?][] = [
  [null, 1002, '/op'],
  [7, 1002, '/op'],
  [[], 1002, '/op'],
  [{}, 1002, '/op'],
  [op('post', 'x', { tags: {} }), 1002, '/op'],
  [op('constructor', 'x', { tags: {} }), 1002, '/op'],
  [op('put', 'x'), 1002, '/tags'],
  [op('patch', 'x'), 1002, '/tags'],
  [op('put', '', { tags: {} }), 1002, '/resource_id'],
  [op('put', 'x', { tags: { a: null } }), 1002, '/tags/a'],
  [op('put', 'x', { tags: { 'a\nb': 1 } }), 1002, '/tags/a\nb'],
  [JSON.parse('{"op":"put","tags":{"__proto__":1}}'), 1002],
  [op('patch', 'x', { tags: { a: 1 } }), 1002, '/tags/a'],
  [op('patch', 'x', { tags: [] }), 1002, '/tags'],
  [op('delete', 'x', { tags: { a: '1' } }), 1002, '/tags'],
  [op('delete', 'x', { name: 'x' }), 1002, '/name'],
  [op('put', 'x', { tags: {}, tag: 'x' }), 1002, '/tag'],
  [op('put', 'x', { tags: {}, if_match: 1 }), 1002, '/if_match'],
  [{ ...op('put', 'x', { tags: {} }), resource_type: 'worker_version' }, 1002, '/worker_id'],
  [{ ...op('patch', 'x', { tags: { a: '1' } }), resource_type: 'worker_version' }, 1002],
  [{ ...op('put', 'x', { tags: {} }), resource_type: 'workers' }, 1006],
  [{ ...op('delete', 'x'), resource_type: '__proto__' }, 1006],
  [op('put', 'x', { tags: { ['k'.repeat(257)]: '' } }), 1011],
  [op('patch', 'x', { tags: { ['k'.repeat(257)]: null } }), 1011],
  [op('put', 'x', { tags: { 'a b': '' } }), 1014],
  [op('patch', 'x', { tags: { '': null } }), 1014],
  [op('patch', 'x', { tags: { k: 'v'.repeat(1_025) } }), 1012],
  [{ op: 'put', ...own }, 1004],
  [{ op: 'patch', ...own }, 1004],
  [op('put', 'x', { tags: { a: '1' }, if_match: '*' }), 1016],
  [{ op: 'patch', ...many, tags: { a: 'v'.repeat(1_024), b: 'v'.repeat(1_024) } }, 1018],
];

const operations = [op('delete', 'x')];
const filter = { tag: ['a'] };
/** Bodies that are refused whole with 1002, by what is wrong with them, and the place. */
export const bodyFaults: [string, unknown, string | undefined][] = [
  ['no body', undefined, undefined],
  ['not JSON', '{', undefined],
  ['a list', operations, ''],
  ['null', 'null', undefined],
  ['an empty object', {}, '/operations'],
  ['no operations', { operations: [] }, '/operations'],
  ['operations that are no list', { operations: {} }, '/operations'],
  ['an unknown field', { operations, dryRun: true }, '/dryRun'],
  ['dry_run as a text', { operations, dry_run: 'true' }, '/dry_run'],
  ['both forms', { operations, filter }, '/filter'],
  ['operations with tags', { operations, tags: { a: '1' } }, '/tags'],
  ['operations with a limit', { operations, limit: 5 }, '/limit'],
  ['operations with a cursor', { operations, cursor: 'x' }, '/cursor'],
];
