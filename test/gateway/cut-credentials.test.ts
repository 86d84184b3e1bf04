import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeaderAllowList } from '../../src/request-log/redaction/header-allow-list.ts';
import { storableUserAgent } from '../../src/iam/user-agent.ts';
import { createSecret } from '../../src/lib/secrets.ts';

const FILLINGS = ['x ', 'é ', 'Bearer '];

test('a bounded text contains no part of a credential, wherever the bound cuts it', () => {
  const before = fc.tuple(fc.constantFrom(...FILLINGS), fc.nat(600));
  const secret = fc.constantFrom('lkat_', 'lkss_').map((prefix) => createSecret(prefix));
  // One for all texts, because it remembers fields.
  const allowList = new HeaderAllowList();
  fc.assert(
    fc.property(
      before,
      fc.array(secret, { minLength: 1, maxLength: 12 }),
      ([filling, length], all) => {
        const text = `${filling.repeat(600).slice(0, length)} ${all.join(' ')}`;
        const stored = [
          storableUserAgent(text),
          allowList.apply(['User-Agent', text, text.replaceAll(' ', '-'), 'x']).json,
          allowList.apply(['user-agent', text, 'server', text]).json,
        ];
        // The random part of a secret has 40 characters: the checksum follows from them.
        for (const one of all) {
          const part = one.slice(0, 20);
          for (const shown of stored)
            assert.ok(!shown.toLowerCase().includes(part.toLowerCase()), shown);
        }
        assert.ok((stored[0] ?? '').length <= 256);
      },
    ),
    { numRuns: 2_000 },
  );
});
