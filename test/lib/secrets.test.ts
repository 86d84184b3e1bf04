import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  SECRET_PATTERN,
  createSecret,
  digestSecret,
  isWellFormedSecret,
} from '../../src/lib/secrets.ts';

const prefixes = ['lkat_', 'lkut_', 'lkcs_'] as const;
const prefix = fc.constantFrom(...prefixes);
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a new secret is well formed, under its own prefix only', () => {
  fc.assert(
    fc.property(prefix, (own) => {
      const secret = createSecret(own);
      assert.match(secret, new RegExp(`^${SECRET_PATTERN}$`));
      for (const other of prefixes) assert.equal(isWellFormedSecret(secret, other), other === own);
    }),
  );
});

test('every change of a single character is refused', () => {
  const secret = createSecret('lkat_');
  for (let at = 0; at < secret.length; at++) {
    for (const letter of `${BASE62}_- é`) {
      if (letter === secret[at]) continue;
      const changed = secret.slice(0, at) + letter + secret.slice(at + 1);
      for (const own of prefixes) assert.equal(isWellFormedSecret(changed, own), false, changed);
    }
  }
});

test('two neighbours in the wrong order, a missing and a doubled character are refused', () => {
  fc.assert(
    fc.property(prefix, fc.nat(50), (own, at) => {
      const secret = createSecret(own);
      const [before, pair, after] = [
        secret.slice(0, at),
        secret.slice(at, at + 2),
        secret.slice(at + 2),
      ];
      const swapped = before + pair.slice(1) + pair.slice(0, 1) + after;
      if (swapped !== secret) assert.equal(isWellFormedSecret(swapped, own), false);
      assert.equal(isWellFormedSecret(before + pair.slice(1) + after, own), false);
      assert.equal(isWellFormedSecret(before + pair.slice(0, 1) + pair + after, own), false);
    }),
  );
});

test('no other text is well formed', () => {
  fc.assert(
    fc.property(prefix, fc.string(), (own, text) => {
      assert.equal(isWellFormedSecret(text, own), false);
      assert.equal(isWellFormedSecret(own + text, own), false);
    }),
  );
  const secret = createSecret('lkat_');
  for (const text of ['', ` ${secret}`, `${secret}\n`, secret.toUpperCase()]) {
    assert.equal(isWellFormedSecret(text, 'lkat_'), false);
  }
});

test('no two secrets are alike, and every letter is used', () => {
  const secrets = Array.from({ length: 2_000 }, () => createSecret('lkat_'));
  assert.equal(new Set(secrets).size, secrets.length);
  const letters = secrets.map((secret) => secret.slice(5, 45)).join('');
  for (const letter of BASE62) assert.ok(letters.includes(letter), letter);
});

test('digests are equal for equal texts alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      assert.equal(digestSecret(a) === digestSecret(b), a === b);
    }),
  );
  assert.equal(digestSecret('a').length, 43);
});
