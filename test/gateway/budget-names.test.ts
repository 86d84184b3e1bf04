import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SpendSubject, budgetOf } from '../../src/gateway/limits/spend-budget.ts';
import type { SpendRule } from '../../src/gateway-admin/spend-rules.ts';

// Values that could be taken for the separators of a key, and one that is too long to be remembered.
const value = fc.oneof(
  fc.constantFrom('', 'a', '1:a', '/1:a', '/4:team/1:a', '"', '\0', 'x'.repeat(600)),
  fc.string({ maxLength: 8, unit: fc.constantFrom('/', ':', '1', 'a') }),
);
const rule = fc.record({
  id: fc.constantFrom('one', 'two'),
  limit: fc.constant(1),
  windowSeconds: fc.constantFrom(60, 600),
  technique: fc.constantFrom('fixed' as const, 'sliding' as const),
  unpriced: fc.constant('estimate' as const),
  metadata: fc.constantFrom({}, { team: { mode: 'partition' as const } }),
});
const split = fc
  .boolean()
  .map((isSplit) => (isSplit ? { model: { mode: 'partition' as const } } : {}));
const call = fc.record({
  gateway: fc.record({ accountId: fc.constantFrom('a', 'b'), id: fc.constantFrom('g', 'h') }),
  rule: fc.tuple(rule, split, fc.boolean()).map(([whole, more, isOfAccount]): SpendRule => ({
    ...whole,
    ...more,
    ...(isOfAccount && { isOfAccount }),
  })),
  subject: fc.record({
    provider: fc.constant('openai'),
    model: value,
    tokenId: fc.constant(null),
    userId: fc.constant(null),
    oauthClientId: fc.constant(null),
    metadata: value.map((team) => ({ team })),
    isApart: fc.boolean(),
  }),
});

test('two calls share a budget exactly when they have the same rule and the same values', () => {
  const identityOf = ({
    gateway,
    rule,
    subject,
  }: {
    gateway: { accountId: string; id: string };
    rule: SpendRule;
    subject: SpendSubject;
  }) =>
    JSON.stringify([
      gateway.accountId,
      rule.isOfAccount === true ? '' : gateway.id,
      rule.id,
      rule.windowSeconds,
      rule.technique,
      subject.isApart,
      rule.model === undefined ? null : subject.model,
      'team' in rule.metadata ? subject.metadata.team : null,
    ]);
  const identities = new Map<string, string>();
  const names = new Map<string, string>();
  fc.assert(
    fc.property(call, (one) => {
      const { name } = budgetOf(one.gateway, one.rule, one.subject) ?? {};
      assert.ok(name !== undefined);
      const identity = identityOf(one);
      assert.equal(identities.get(name) ?? identity, identity);
      assert.equal(names.get(identity) ?? name, name);
      identities.set(name, identity);
      names.set(identity, name);
      // The same rule object, whose name is remembered by the object.
      assert.equal(budgetOf(one.gateway, one.rule, one.subject)?.name, name);
    }),
    { numRuns: 3_000 },
  );
});
