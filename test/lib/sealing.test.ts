import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { MasterKey, SealError, parseKeyBytes, sealerFromSecret } from '../../src/lib/sealing.ts';
import { createSecret } from '../../src/lib/secrets.ts';

const key = new MasterKey(randomBytes(32));
const sealer = key.sealer('test');
const unicode = fc.string({ unit: 'binary' });

describe('sealing', () => {
  test('what was sealed opens again, whatever it is', () => {
    fc.assert(
      fc.property(unicode, unicode, (plaintext, context) => {
        const sealed = sealer.seal(plaintext, context);
        assert.match(sealed, /^v1\.[A-Za-z0-9_-]{38,}$/);
        assert.equal(sealer.open(sealed, context), plaintext);
      }),
    );
    for (const plaintext of ['', '\0', 'ключ 🔑', 'x'.repeat(100_000)]) {
      assert.equal(sealer.open(sealer.seal(plaintext, 'row'), 'row'), plaintext);
    }
  });

  test('the same text is sealed differently each time, and shows nothing of itself', () => {
    const sealed = Array.from({ length: 1_000 }, () => sealer.seal('the secret', 'row'));
    assert.equal(new Set(sealed).size, sealed.length);
    const bytes = Buffer.from((sealed[0] ?? '').slice(3), 'base64url');
    assert.equal(bytes.includes('secret'), false);
  });

  test('a change of any byte is noticed', () => {
    fc.assert(
      fc.property(unicode, fc.nat(), fc.integer({ min: 1, max: 255 }), (plaintext, at, by) => {
        const bytes = Buffer.from(sealer.seal(plaintext, 'row').slice(3), 'base64url');
        const position = at % bytes.length;
        bytes[position] = (bytes[position] ?? 0) ^ by;
        assert.throws(() => sealer.open(`v1.${bytes.toString('base64url')}`, 'row'), SealError);
      }),
    );
  });

  test('a change of any character, a missing and an added one are noticed', () => {
    const sealed = sealer.seal('the secret', 'row');
    for (let at = 0; at < sealed.length; at++) {
      for (const letter of ['A', 'B', '-', '_', '.', '=', '+', ' ', '\n', '']) {
        const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1);
        if (changed === sealed) continue;
        assert.throws(() => sealer.open(changed, 'row'), SealError, changed);
      }
    }
    for (const suffix of ['A', '=', ' ', '\n', '.', '.AAAA']) {
      assert.throws(() => sealer.open(sealed + suffix, 'row'), SealError, suffix);
    }
  });

  test('other texts are refused', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        assert.throws(() => sealer.open(text, 'row'), SealError);
        assert.throws(() => sealer.open(`v1.${text}`, 'row'), SealError);
      }),
    );
    const sealed = sealer.seal('the secret', 'row');
    assert.throws(() => sealer.open(sealed.replace('v1', 'v2'), 'row'), SealError);
    // Nonce and tag need 28 bytes: one less is too short, and 28 of zeros are sealed by nobody.
    for (const length of [0, 27, 28]) {
      const zeros = Buffer.alloc(length).toString('base64url');
      assert.throws(() => sealer.open(`v1.${zeros}`, 'row'), SealError);
    }
  });

  test('a value opens in its own context alone', () => {
    fc.assert(
      fc.property(unicode, unicode, (own, other) => {
        const sealed = sealer.seal('the secret', own);
        if (own !== other) assert.throws(() => sealer.open(sealed, other), SealError);
      }),
    );
  });

  test('a value opens under its own key and purpose alone', () => {
    const sealed = sealer.seal('the secret', 'row');
    assert.throws(() => key.sealer('another').open(sealed, 'row'), SealError);
    assert.throws(
      () => new MasterKey(randomBytes(32)).sealer('test').open(sealed, 'row'),
      SealError,
    );
  });

  test('half a surrogate pair is refused: it would come back as another character', () => {
    assert.throws(() => sealer.seal('\ud83d', 'row'), TypeError);
  });
});

describe('a sealer from a secret', () => {
  test('opens with the same secret and purpose alone', () => {
    const secret = createSecret('lkat_');
    const sealed = sealerFromSecret(secret, 'test').seal('the answer', 'row');
    assert.equal(sealerFromSecret(secret, 'test').open(sealed, 'row'), 'the answer');
    for (const other of [
      sealerFromSecret(createSecret('lkat_'), 'test'),
      sealerFromSecret(secret, 'another'),
      sealerFromSecret('', 'test'),
    ]) {
      assert.throws(() => other.open(sealed, 'row'), SealError);
    }
  });

  test('differs from the sealer of a master key with the same bytes', () => {
    const secret = 'a'.repeat(32);
    const sealed = new MasterKey(Buffer.from(secret)).sealer('test').seal('the secret', 'row');
    assert.throws(() => sealerFromSecret(secret, 'test').open(sealed, 'row'), SealError);
  });
});

describe('a master key', () => {
  test('has 32 bytes', () => {
    for (const length of [0, 31, 33, 64]) {
      assert.throws(() => new MasterKey(Buffer.alloc(length)), RangeError);
    }
  });

  test('is told apart by its fingerprint, which is always the same', () => {
    const bytes = randomBytes(32);
    const fingerprint = new MasterKey(bytes).fingerprint();
    assert.match(fingerprint, /^[0-9a-f]{32}$/);
    assert.equal(new MasterKey(bytes).fingerprint(), fingerprint);
    bytes[31] = (bytes[31] ?? 0) ^ 1;
    assert.notEqual(new MasterKey(bytes).fingerprint(), fingerprint);
  });

  test('does not follow the buffer that it was made from, and shows nothing of it', () => {
    const bytes = Buffer.alloc(32, 'k');
    const own = new MasterKey(bytes);
    const fingerprint = own.fingerprint();
    assert.equal(JSON.stringify(own), '{}');
    assert.equal(inspect(own, { depth: 9, showHidden: true }).includes('6b6b'), false);
    bytes.fill(0);
    assert.equal(own.fingerprint(), fingerprint);
  });

  // Whoever changes the derivation loses what older versions sealed.
  test('opens what older versions sealed', () => {
    const old = new MasterKey(Buffer.alloc(32, 7));
    assert.equal(old.fingerprint(), '6926df16d394cfca769f20a89732dc19');
    assert.equal(
      old.sealer('test').open('v1.WyC3JVAou-AuqOrSpBz7vsKZOVMmoA30vRLmXmd7bWc', 'row'),
      'kept',
    );
  });
});

describe('a key in writing', () => {
  test('is read from base64, base64url and hex, with white space around it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (array) => {
        const bytes = Buffer.from(array);
        const base64 = bytes.toString('base64');
        const hex = bytes.toString('hex');
        for (const text of [
          base64,
          base64.slice(0, -1),
          bytes.toString('base64url'),
          `${bytes.toString('base64url')}=`,
          hex,
          hex.toUpperCase(),
          ` ${base64}\r\n`,
        ]) {
          assert.deepEqual(parseKeyBytes(text), bytes, text);
        }
      }),
    );
  });

  test('is refused when it has another length or is mistyped', () => {
    const base64 = Buffer.alloc(32, 0xfb).toString('base64');
    const refused = [
      '',
      'x',
      '0'.repeat(63),
      '0'.repeat(65),
      `${'0'.repeat(63)}g`,
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      `${base64}=`,
      base64.slice(0, -2),
      `${base64.slice(0, 20)} ${base64.slice(20)}`,
      `${base64.slice(0, -3)}/-=`,
      // The last character of 43 carries two bits that must be zero.
      base64.replace(/s=$/, 't='),
    ];
    assert.match(base64, /s=$/);
    for (const text of refused) assert.equal(parseKeyBytes(text), undefined, text);
  });
});
