import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { presentForAudit } from '../../src/iam/audit/audit-view.ts';

const MAX_LENGTH = 16_384;

function shortened(content: unknown) {
  const text = presentForAudit(content, true) ?? '';
  assert.ok(text.length <= MAX_LENGTH, `${text.length} characters`);
  return JSON.parse(text);
}

test('one character too many: the text is cut, and the whole can be told again', () => {
  const ofLength = (length: number) => ({ text: 'x'.repeat(length - '{"text":""}'.length) });
  assert.equal(presentForAudit(ofLength(MAX_LENGTH), true), JSON.stringify(ofLength(MAX_LENGTH)));
  const whole = JSON.stringify(ofLength(MAX_LENGTH + 1));
  assert.deepEqual(shortened(ofLength(MAX_LENGTH + 1)), {
    text: `${'x'.repeat(256)}… (16374 characters)`,
    _shortened: {
      characters: MAX_LENGTH + 1,
      sha256: createHash('sha256').update(whole).digest('hex'),
    },
  });
});

const groups = (count: number, more = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`.padStart(32, '0'), ...more }));

test('what was granted cannot be kept out by what else is in the body', () => {
  const policies = (more: object) => [
    { effect: 'allow', permission_groups: groups(30, more), resources: { a: '*' } },
  ];
  const plain = policies({});
  for (const meta of [
    'x'.repeat(100_000),
    Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key-${index}`, 'x'])),
    { [`${'y'.repeat(30_000)}1`]: 1, [`${'y'.repeat(30_000)}2`]: 2 },
    Array.from({ length: 1_000 }, () => ['x']),
    { a: { b: { c: { d: 'x'.repeat(200).split('') } } } },
  ]) {
    const { name, policies: kept } = shortened({ name: 'all', policies: policies({ meta }) });
    assert.equal(name, 'all');
    for (const group of kept[0].permission_groups) delete group.meta;
    assert.deepEqual(kept, plain);
  }
});

test('a long array keeps its beginning and says how much there was', () => {
  const roles = Array.from({ length: 2_000 }, (_, index) => `role-${index}`);
  const kept = shortened({ email: 'x@example.com', roles });
  assert.deepEqual(kept.roles, [...roles.slice(0, 50), '… (2000 in all)']);
  assert.equal(kept.email, 'x@example.com');
  const list = shortened(roles.map((role) => ({ role, long: 'ä'.repeat(10) })));
  assert.deepEqual(list[0], { role: 'role-0', long: 'ä'.repeat(10) });
  assert.equal(list.at(-2), '… (2000 in all)');
  assert.match(list.at(-1)._shortened.sha256, /^[0-9a-f]{64}$/);
});

test('an array deep down is cut before one in the first levels', () => {
  const policies = Array.from({ length: 40 }, () => ({ permission_groups: groups(100) }));
  const kept = shortened({ policies });
  assert.equal(kept.policies.length, 40);
  const [first] = kept.policies;
  assert.ok(first.permission_groups.length > 3);
  assert.equal(first.permission_groups.at(-1), '… (100 in all)');
});

test('secrets stay out, also of a text that is cut', () => {
  const content = { client_secret: 'hunter2'.repeat(9_000), list: ['x'.repeat(20_000)] };
  const text = presentForAudit(content, { list: true }) ?? '';
  assert.equal(text.includes('hunter'), false);
  assert.equal(JSON.parse(text).client_secret, '[redacted]');
});

test('a text is not cut into half a character', () => {
  const { text } = shortened({ text: `x${'🎉'.repeat(10_000)}` });
  assert.ok(text.isWellFormed());
});

test('whatever it is, it is never longer', () => {
  const worst = (depth: number): unknown =>
    depth === 0
      ? '\u0001'.repeat(400)
      : Object.fromEntries(
          Array.from({ length: 12 }, (_, index) => [
            `${index}${'\u0002'.repeat(300)}`,
            index % 2 === 0 ? worst(depth - 1) : [worst(depth - 1), worst(depth - 1)],
          ]),
        );
  shortened(worst(3));
  shortened([worst(3), worst(2)]);
  shortened(JSON.parse(`{"__proto__":"${'x'.repeat(20_000)}"}`));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      shortened({ value, many: Array.from({ length: 600 }, () => value), pad: 'x'.repeat(17_000) });
    }),
    { numRuns: 50 },
  );
});
