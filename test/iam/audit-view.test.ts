import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  REDACTED,
  presentForAudit,
  presentUrl,
  showMembers,
} from '../../src/iam/audit/audit-view.ts';
import { createSecret } from '../../src/lib/secrets.ts';

const present = (content: unknown, view: Parameters<typeof presentForAudit>[1]): unknown =>
  JSON.parse(presentForAudit(content, view) ?? 'null');

test('a view shows the members that it lists, at every level and in arrays', () => {
  const view = {
    ...showMembers('name', 'roles'),
    settings: { mode: true },
    list: { id: true },
  } as const;
  const content = {
    name: 'a',
    roles: [{ id: 1 }],
    settings: { mode: 'x', key: 'hunter2' },
    list: [{ id: 1, key: 'hunter2' }, 'hunter2', null],
    cookies: ['hunter2'],
    other: { name: 'hunter2' },
    constructor: 'hunter2',
  };
  assert.deepEqual(present(content, view), {
    name: 'a',
    roles: [{ id: 1 }],
    settings: { mode: 'x', key: REDACTED },
    list: [{ id: 1, key: REDACTED }, REDACTED, null],
    cookies: REDACTED,
    other: REDACTED,
    constructor: REDACTED,
  });
});

test('an empty member shows that it is empty', () => {
  assert.deepEqual(present({ secret: null, key: '' }, {}), { secret: null, key: '' });
});

test('content without a view, and content that is not an object, does not appear', () => {
  assert.equal(presentForAudit({ name: 'a' }, undefined), undefined);
  for (const content of ['lkat_x', 42, true, null, undefined]) {
    assert.equal(presentForAudit(content, true), undefined);
  }
});

test('a URL appears without user information and query', () => {
  for (const [url, shown] of [
    [
      'https://user:hunter2@otel.example:4318/v1?key=hunter2#hunter2',
      'https://otel.example:4318/v1',
    ],
    ['hunter2', REDACTED],
    [42, REDACTED],
  ] as const) {
    assert.deepEqual(present({ url }, { url: presentUrl }), { url: shown });
  }
});

test('a credential of ours appears nowhere, also where the view shows a whole value', () => {
  const prefixes = ['lkss_', 'lkdv_', 'lkat_', 'lkut_', 'lkiv_', 'lkcs_'] as const;
  const place = fc.record({
    prefix: fc.constantFrom(...prefixes),
    before: fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('\\', 'u', '0', 'a', 'n', '%', '"', '\n', '-', 'l') }),
    ),
    after: fc.string({ unit: fc.constantFrom(' ', '"', '\\', '\n', '/', '&', ';') }),
    path: fc.array(fc.constantFrom('name', 'tags', 'roles', 'x'), { maxLength: 5 }),
    isKey: fc.boolean(),
    padding: fc.constantFrom(0, 250, 20_000),
  });
  fc.assert(
    fc.property(place, ({ prefix, before, after, path, isKey, padding }) => {
      const secret = createSecret(prefix);
      const text = `${'x '.repeat(padding / 2)}${before}${secret}${after}`;
      const leaf: unknown = isKey ? { [text]: 1 } : [text];
      const content = path.reduceRight((inner, name) => ({ [name]: inner }), leaf);
      for (const view of [true, showMembers('name', 'tags', '0')] as const) {
        const shown = presentForAudit(content, view) ?? '';
        // The random part begins after the prefix: no piece of it may remain after shortening.
        assert.ok(!shown.includes(secret.slice(5, 25)), shown);
        JSON.parse(shown);
      }
    }),
  );
});
