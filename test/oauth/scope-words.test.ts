import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions } from '../../src/iam/permissions.ts';
import { isAccountScope, scopeWords } from '../../src/oauth/authorize/scope-words.ts';
import { listScopeIds } from '../../src/oauth/clients/scopes.ts';

test('every scope has words of its own', () => {
  const ids = listScopeIds();
  const catalogue = permissions.map(({ slug }) => slug);
  for (const id of [...catalogue, 'openid', 'profile', 'email', 'offline_access']) {
    assert.ok(ids.includes(id), id);
  }
  const words = ids.map((id) => scopeWords(id));
  assert.equal(new Set(words).size, ids.length);
  for (const [i, text] of words.entries()) {
    assert.notEqual(text, ids[i]);
    // They go on from "It requests permission to".
    assert.match(text, /^[a-z].*[a-z]$/);
  }
  assert.equal(scopeWords('constructor'), 'constructor');
});

test('what is about accounts, and what about the person', () => {
  for (const { slug, scope } of permissions) {
    // Which memberships: the person picks the accounts.
    assert.equal(isAccountScope(slug), scope === 'account' || slug === 'memberships.read');
  }
  for (const id of ['openid', 'profile', 'email', 'offline_access', 'x']) {
    assert.ok(!isAccountScope(id));
  }
});
