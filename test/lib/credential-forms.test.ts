import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redactFormsIn } from '../../src/lib/credential-forms.ts';
import { createSecret } from '../../src/lib/secrets.ts';

const RANDOM = 'aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6hJ8k';
const PREFIXES = ['npm_', 'r8_', 'rk_live_', 'fw_', 'tgp_', 'nvapi-', 'sk-', 'ghp_', 'xai-', 'hf_'];

const word = fc.string({
  unit: fc.constantFrom('\\', 'u', '0', 'n', 't', '"', '\n', ' ', '/', '%'),
});

test('a key behind backslashes is found, in JSON and in plain text', () => {
  for (const prefix of PREFIXES) {
    for (const before of ['\\', '\\\\', ' \\', '"\\', 'C:\\keys\\', '\n', '\\u', '\\u00']) {
      const text = before + prefix + RANDOM;
      for (const shown of [redactFormsIn(text), redactFormsIn(JSON.stringify({ text }))]) {
        // Behind letters of the text itself, a key is part of a longer word.
        if (!/[u0]$/.test(before)) assert.ok(!shown.includes(RANDOM.slice(1)), shown);
      }
    }
  }
});

test('JSON stays valid, and no credential of this server remains', () => {
  fc.assert(
    fc.property(word, word, fc.constantFrom('', ...PREFIXES), (before, after, prefix) => {
      const secret = prefix === '' ? createSecret('lkat_') : prefix + RANDOM;
      const shown = redactFormsIn(JSON.stringify({ text: before + secret + after }));
      JSON.parse(shown);
      if (prefix === '') assert.ok(!shown.includes(secret.slice(5)), shown);
    }),
    { numRuns: 2_000 },
  );
});

/** A word of any length that is no credential, and belongs to no form. */
const harmlessWord = fc.string({
  unit: fc.constantFrom('a', 'c', 'd', '1', '.', '-', '/', '=', '\\'),
  maxLength: 40,
});
const credential = fc.constantFrom(
  `Bearer ${RANDOM.slice(0, 16)}`,
  `bearer${' '.repeat(16)}${RANDOM}`,
  'eyJ.eyJ12345678',
  'AKIA0123456789ABCDEF',
  ...PREFIXES.map((prefix) => prefix + RANDOM),
  createSecret('lkss_'),
);

test('a credential is found between words of any length, and the words stay', () => {
  fc.assert(
    fc.property(
      fc.array(harmlessWord),
      fc.array(fc.tuple(credential, fc.array(harmlessWord, { minLength: 1 })), { minLength: 1 }),
      (first, rest) => {
        const join = (textOf: (found: string) => string): string =>
          [...first, ...rest.flatMap(([found, words]) => [textOf(found), ...words])].join(', ');
        const shown = join((found) => `${/^bearer +/i.exec(found)?.[0] ?? ''}[redacted]`);
        assert.equal(redactFormsIn(join((found) => found)), shown);
      },
    ),
    { numRuns: 2_000 },
  );
});
