import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { impliedPermissions, permissions } from '../../src/iam/permissions.ts';
import {
  type StoredPolicy,
  compilePolicy,
  formatResourceName,
  isAllowed,
  isAllowedThroughout,
  parseResourceName,
} from '../../src/iam/policy.ts';

// Few of each, so that policies and targets meet often.
const accountId = fc.constantFrom('a'.repeat(32), 'b'.repeat(32));
const gatewayId = fc.constantFrom('one', 'two');
const slug = fc.constantFrom('tags.read', 'tags.write', 'ai-gateway.run' as const);
const resource = fc.oneof(
  fc.record({ accountId }, { noNullPrototype: true }),
  fc.record({ accountId, gatewayId }, { noNullPrototype: true }),
);
const policyOf = (effect: fc.Arbitrary<'allow' | 'deny'>): fc.Arbitrary<StoredPolicy> =>
  fc.record({
    id: fc.constant('id'),
    effect,
    permissions: fc.uniqueArray(slug, { minLength: 1, maxLength: 3 }),
    resources: fc.array(resource, { minLength: 1, maxLength: 3 }),
  });
const policies = fc.array(policyOf(fc.constantFrom('allow', 'deny')), { maxLength: 5 });
const allowing = policyOf(fc.constant('allow'));
const denying = policyOf(fc.constant('deny'));

const compile = (stored: readonly StoredPolicy[]) => stored.map(compilePolicy);

/** The rule, once more and in other words. */
function isExpected(
  stored: readonly StoredPolicy[],
  permission: (typeof permissions)[number]['slug'],
  target: { accountId: string; gatewayId?: string },
): boolean {
  const matching = stored.filter(
    (policy) =>
      policy.resources.some(
        (named) =>
          named.accountId === target.accountId &&
          [undefined, target.gatewayId].includes(named.gatewayId),
      ) &&
      (policy.permissions.includes(permission) ||
        (policy.effect === 'allow' &&
          policy.permissions.some((held) => impliedPermissions(held).includes(permission)))),
  );
  return matching.length > 0 && matching.every(({ effect }) => effect === 'allow');
}

test('explicit deny, explicit allow, implicit deny', () => {
  fc.assert(
    fc.property(policies, slug, resource, (stored, permission, target) => {
      assert.equal(
        isAllowed(compile(stored), permission, target),
        isExpected(stored, permission, target),
      );
    }),
  );
});

test('no policy allows nothing', () => {
  fc.assert(
    fc.property(slug, resource, (permission, target) => {
      assert.equal(isAllowed([], permission, target), false);
      assert.equal(isAllowedThroughout([], permission, target), false);
    }),
  );
});

test('the order of policies is of no account', () => {
  fc.assert(
    fc.property(policies, slug, resource, (stored, permission, target) => {
      const compiled = compile(stored);
      assert.equal(
        isAllowed(compiled, permission, target),
        isAllowed(compiled.toReversed(), permission, target),
      );
    }),
  );
});

test('another deny never widens', () => {
  fc.assert(
    fc.property(policies, denying, slug, resource, (stored, extra, permission, target) => {
      const before = isAllowed(compile(stored), permission, target);
      const after = isAllowed(compile([...stored, extra]), permission, target);
      assert.ok(before || !after);
      const throughout = isAllowedThroughout(compile(stored), permission, target);
      assert.ok(
        throughout || !isAllowedThroughout(compile([...stored, extra]), permission, target),
      );
    }),
  );
});

test('another allow never narrows', () => {
  fc.assert(
    fc.property(policies, allowing, slug, resource, (stored, extra, permission, target) => {
      const before = isAllowed(compile(stored), permission, target);
      const after = isAllowed(compile([...stored, extra]), permission, target);
      assert.ok(!before || after);
    }),
  );
});

test('allowed throughout a resource is allowed on it and on everything below it', () => {
  fc.assert(
    fc.property(policies, slug, resource, gatewayId, (stored, permission, target, below) => {
      const compiled = compile(stored);
      if (!isAllowedThroughout(compiled, permission, target)) return;
      assert.ok(isAllowed(compiled, permission, target));
      assert.ok(isAllowed(compiled, permission, { gatewayId: below, ...target }));
    }),
  );
});

test('a token whose every grant its creator holds throughout allows nothing that the creator lacks', () => {
  fc.assert(
    fc.property(policies, allowing, slug, resource, (creator, created, permission, target) => {
      const held = compile(creator);
      const isGranted = created.permissions
        .flatMap(impliedPermissions)
        .every((granted) =>
          created.resources.every((named) => isAllowedThroughout(held, granted, named)),
        );
      fc.pre(isGranted);
      if (isAllowed(compile([created]), permission, target)) {
        assert.ok(isAllowed(held, permission, target));
      }
    }),
    { numRuns: 500 },
  );
});

test('a resource keeps its meaning when it is written and read', () => {
  fc.assert(
    fc.property(resource, fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/), (named, brand) => {
      assert.deepEqual(parseResourceName(formatResourceName(brand, named)), named);
    }),
  );
});

test('no other text is a resource', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.equal(parseResourceName(text), undefined);
      assert.equal(parseResourceName(`com.latchkey.api.account.${text}`), undefined);
    }),
  );
});

test('the catalogue: slugs, names and ids are unique, and ids never change', () => {
  for (const key of ['slug', 'name', 'id'] as const) {
    assert.equal(new Set(permissions.map((entry) => entry[key])).size, permissions.length);
  }
  const [first] = permissions;
  assert.equal(first?.slug, 'account-settings.read');
  assert.equal(first?.id, '69db61a0a1b9bb854e5da2857211dcbe');
  for (const { id } of permissions) assert.match(id, /^[0-9a-f]{32}$/);
});
