import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditRow } from '../../dashboard/src/api/audit-log.ts';
import {
  type Past,
  UNKNOWN,
  restorable,
  stepsOf,
} from '../../dashboard/src/pages/tags/resource/tag-history.ts';

/** Entries as the log has them, the oldest first. */
function put(tags: Record<string, unknown>): AuditRow {
  return rowOf('update', 'PUT', { tags });
}

function patch(tags: Record<string, unknown>, more: object = {}): AuditRow {
  return rowOf('update', 'PATCH', { tags, ...more });
}

function rowOf(type: string, method: string, request: object): AuditRow {
  return {
    id: 'row',
    action: { type, result: 'success', time: '2026-01-01T00:00:00Z', description: '' },
    actor: { type: 'system', context: 'system' },
    raw: { method },
    resource: { type: 'worker', product: 'tags', scope: 'accounts', request },
  };
}

function inShort(past: Past): string {
  return past === UNKNOWN ? '?' : (past ?? '-');
}

/** Each step as `key before>after`, the newest first. */
function told(rows: AuditRow[], isWhole: boolean, current: Record<string, string>): string[][] {
  const steps = stepsOf(rows.toReversed(), isWhole, new Map(Object.entries(current)));
  return steps.map(({ changes }) =>
    changes.map(({ key, before, after }) => `${key} ${inShort(before)}>${inShort(after)}`),
  );
}

/** The tags that each step can bring back, and those that nobody knows. */
function back(rows: AuditRow[], isWhole: boolean, current: Record<string, string>) {
  const now = new Map(Object.entries(current));
  return stepsOf(rows.toReversed(), isWhole, now).map((step) => {
    const { tags, unknown } = restorable(step, now);
    return [Object.fromEntries(tags), unknown];
  });
}

test('what each entry did is told from all before it', () => {
  const rows = [
    put({ env: 'dev', team: 'core' }),
    patch({ env: 'prod', team: null, owner: 'ops' }),
    put({ owner: 'ops' }),
    rowOf('delete', 'DELETE', {}),
    rowOf('update', 'POST', { op: 'put', tags: { a: '1' } }),
    rowOf('update', 'POST', { tags: { b: '2', a: '1' } }),
  ];
  assert.deepEqual(told(rows, true, { a: '1', b: '2' }), [
    ['b ->2'],
    ['a ->1'],
    ['owner ops>-'],
    ['env prod>-'],
    ['env dev>prod', 'owner ->ops', 'team core>-'],
    ['env ->dev', 'team ->core'],
  ]);
  assert.deepEqual(back(rows, true, { a: '1', b: '2' }).at(-2), [
    { env: 'prod', owner: 'ops' },
    [],
  ]);
});

test('what lies before the first page is not made up', () => {
  const rows = [patch({ env: 'prod' }), patch({ team: 'web' })];
  const current = { env: 'prod', team: 'web', tier: 'gold' };
  assert.deepEqual(told(rows, false, current), [['team ?>web'], ['env ?>prod']]);
  // Nobody has touched the tier since; the team before is not known.
  assert.deepEqual(back(rows, false, current).at(-1), [{ env: 'prod', tier: 'gold' }, []]);
});

test('what the log does not keep stays as it is', () => {
  const cut = `${'x'.repeat(256)}… (900 characters)`;
  const rows = [
    patch({ token: '[redacted]', note: cut, text: cut }, { _shortened: {} }),
    patch({ token: null, env: 'dev' }),
  ];
  const current = { env: 'dev', note: 'whole', text: 'whole' };
  assert.deepEqual(told(rows, true, current).at(-1), ['note ->?', 'text ->?', 'token ->?']);
  const [, [tags, unknown] = []] = back(rows, true, current);
  assert.deepEqual(tags, { note: 'whole', text: 'whole' });
  assert.deepEqual(unknown, ['token']);
  const large = [put({ omitted_tags: 500 }), patch({ env: 'dev' })];
  assert.deepEqual(told(large, true, { env: 'dev', a: '1' }), [['env ?>dev'], []]);
});
