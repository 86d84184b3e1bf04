import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { impliedPermissions, permissions } from '../../src/iam/permissions.ts';
import {
  EVERY_ACCOUNT,
  type PolicyResource,
  type StoredPolicy,
  compilePolicy,
  formatResourceName,
  isAllowed,
  parseResourceName,
} from '../../src/iam/policy.ts';
import { isAllowedThroughout } from '../../src/iam/policy-index.ts';
import { holds, holdsThroughout } from '../../src/iam/principal.ts';

// Few of each, so that policies and targets meet often.
const accountId = fc.constantFrom('a'.repeat(32), 'b'.repeat(32));
const gatewayId = fc.constantFrom('one', 'two');
const slug = fc.constantFrom('tags.read', 'tags.write', 'ai-gateway.run' as const);
const plain = { noNullPrototype: true };
const userId = fc.constantFrom('c'.repeat(32), 'd'.repeat(32));
/** What a request can touch. */
const target: fc.Arbitrary<PolicyResource> = fc.oneof(
  fc.record({ accountId }, plain),
  fc.record({ accountId, gatewayId }, plain),
  fc.record({ userId }, plain),
);
const everyAccount = fc.constant(EVERY_ACCOUNT);
/** What a policy can name. */
const resource: fc.Arbitrary<PolicyResource> = fc.oneof(
  target,
  fc.record({ accountId: everyAccount }, plain),
  fc.record({ accountId: everyAccount, gatewayId }, plain),
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

/** The names under which a policy may speak of something. */
function namesOf(touched: PolicyResource): PolicyResource[] {
  if ('userId' in touched) return [touched, { accountId: EVERY_ACCOUNT }];
  const { gatewayId: gateway } = touched;
  return [touched.accountId, EVERY_ACCOUNT].flatMap((account) => [
    { accountId: account },
    ...(gateway === undefined ? [] : [{ accountId: account, gatewayId: gateway }]),
  ]);
}

/** The rule, once more and in other words. */
function isExpected(
  stored: readonly StoredPolicy[],
  permission: (typeof permissions)[number]['slug'],
  touched: PolicyResource,
): boolean {
  const names = namesOf(touched).map((name) => formatResourceName('x', name));
  const matching = stored.filter(
    (policy) =>
      policy.resources.some((named) => names.includes(formatResourceName('x', named))) &&
      (policy.permissions.includes(permission) ||
        (policy.effect === 'allow' &&
          policy.permissions.some((held) => impliedPermissions(held).includes(permission)))),
  );
  return matching.length > 0 && matching.every(({ effect }) => effect === 'allow');
}

test('explicit deny, explicit allow, implicit deny', () => {
  fc.assert(
    fc.property(policies, slug, target, (stored, permission, touched) => {
      assert.equal(
        isAllowed(compile(stored), permission, touched),
        isExpected(stored, permission, touched),
      );
    }),
  );
});

test('no policy allows nothing', () => {
  fc.assert(
    fc.property(slug, resource, (permission, named) => {
      assert.equal(isAllowed([], permission, named), false);
      assert.equal(isAllowedThroughout([], permission, named), false);
    }),
  );
});

test('the order of policies is of no account', () => {
  fc.assert(
    fc.property(policies, slug, resource, (stored, permission, named) => {
      const compiled = compile(stored);
      for (const ask of [isAllowed, isAllowedThroughout]) {
        assert.equal(
          ask(compiled, permission, named),
          ask(compiled.toReversed(), permission, named),
        );
      }
    }),
  );
});

test('another deny never widens', () => {
  fc.assert(
    fc.property(policies, denying, slug, resource, (stored, extra, permission, named) => {
      for (const ask of [isAllowed, isAllowedThroughout]) {
        const before = ask(compile(stored), permission, named);
        assert.ok(before || !ask(compile([...stored, extra]), permission, named));
      }
    }),
  );
});

test('a deny that names the thing wins over every allow', () => {
  fc.assert(
    fc.property(policies, denying, target, (stored, extra, touched) => {
      const names = namesOf(touched);
      const [permission] = extra.permissions;
      for (const named of names) {
        const denied = compile([...stored, { ...extra, resources: [named] }]);
        assert.equal(isAllowed(denied, permission ?? 'tags.read', touched), false);
        assert.equal(isAllowedThroughout(denied, permission ?? 'tags.read', touched), false);
      }
    }),
  );
});

test('another allow never narrows', () => {
  fc.assert(
    fc.property(policies, allowing, slug, resource, (stored, extra, permission, named) => {
      for (const ask of [isAllowed, isAllowedThroughout]) {
        const before = ask(compile(stored), permission, named);
        assert.ok(!before || ask(compile([...stored, extra]), permission, named));
      }
    }),
  );
});

test('another layer never widens, and each alone can refuse', () => {
  const layers = fc.array(policies, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(layers, policies, slug, resource, (stored, extra, permission, named) => {
      const compiled = stored.map(compile);
      const more = [...compiled, compile(extra)];
      const principal = (of: typeof compiled) => ({ type: 'anonymous', layers: of }) as const;
      const before = holds(principal(compiled), permission, named);
      assert.ok(before || !holds(principal(more), permission, named));
      assert.equal(
        before,
        compiled.every((layer) => isAllowed(layer, permission, named)),
      );
      const throughout = holdsThroughout(compiled, permission, named);
      assert.ok(throughout || !holdsThroughout(more, permission, named));
      assert.equal(holds(principal([...compiled, []]), permission, named), false);
    }),
  );
});

test('allowed throughout a resource is allowed on it and on everything below it', () => {
  fc.assert(
    fc.property(policies, slug, resource, target, (stored, permission, named, touched) => {
      const compiled = compile(stored);
      fc.pre(isAllowedThroughout(compiled, permission, named));
      assert.ok(isAllowed(compiled, permission, named));
      const isBelow = namesOf(touched).some(
        (name) => formatResourceName('x', name) === formatResourceName('x', named),
      );
      if (isBelow) assert.ok(isAllowed(compiled, permission, touched));
    }),
    { numRuns: 2_000 },
  );
});

test('a denial in every account is one in each: what lies below cannot be handed on', () => {
  const stored = compile([
    {
      id: 'id',
      effect: 'allow',
      permissions: ['ai-gateway.run'],
      resources: [{ accountId: EVERY_ACCOUNT }],
    },
    {
      id: 'id',
      effect: 'deny',
      permissions: ['ai-gateway.run'],
      resources: [{ accountId: EVERY_ACCOUNT, gatewayId: 'one' }],
    },
  ]);
  const [account] = fc.sample(accountId, 1);
  assert.ok(account);
  const may = (named: PolicyResource) => isAllowedThroughout(stored, 'ai-gateway.run', named);
  assert.equal(may({ accountId: account }), false);
  assert.equal(may({ accountId: account, gatewayId: 'one' }), false);
  assert.equal(may({ accountId: account, gatewayId: 'two' }), true);
  assert.equal(may({ accountId: EVERY_ACCOUNT }), false);
});

test('a token whose every grant its creator holds throughout allows nothing that the creator lacks', () => {
  fc.assert(
    fc.property(policies, allowing, slug, target, (creator, created, permission, touched) => {
      const held = compile(creator);
      const isGranted = created.permissions
        .flatMap(impliedPermissions)
        .every((granted) =>
          created.resources.every((named) => isAllowedThroughout(held, granted, named)),
        );
      fc.pre(isGranted);
      if (isAllowed(compile([created]), permission, touched)) {
        assert.ok(isAllowed(held, permission, touched));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a resource keeps its meaning when it is written and read', () => {
  fc.assert(
    fc.property(resource, fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/), (named, brand) => {
      const namespace = `com.${brand}`;
      const name = formatResourceName(brand, named);
      assert.deepEqual(parseResourceName(name), { ...named, namespace });
      assert.equal(formatResourceName('other', { ...named, namespace }), name);
    }),
  );
});

test('no other text is a resource', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      // All accounts of a person.
      fc.pre(text !== EVERY_ACCOUNT);
      assert.equal(parseResourceName(text), undefined);
      assert.equal(parseResourceName(`com.latchkey.api.account.${text}`), undefined);
      assert.equal(parseResourceName(`com.latchkey.api.user.${text}`), undefined);
    }),
  );
  for (const text of [
    'com.latchkey.api.user.*',
    'com.latchkey.api.account.**',
    'com.latchkey.api.account.*.',
    'com.latchkey.api.account.*.ai-gateway.',
    'com.latchkey.api.account.*.ai-gateway.*',
    `com.latchkey.api.user.${'c'.repeat(32)}.ai-gateway.one`,
    `com.latchkey.api.account.${'A'.repeat(32)}`,
    `.api.account.${'a'.repeat(32)}`,
    ` com.latchkey.api.account.${'a'.repeat(32)}`,
    `com.latchkey.api.account.${'a'.repeat(32)}\n`,
  ]) {
    assert.equal(parseResourceName(text), undefined, text);
  }
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
