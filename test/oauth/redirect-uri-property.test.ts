import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findCorsOriginFault } from '../../src/oauth/clients/cors-origin.ts';
import { NO_REDIRECT_RULES, parseHttpHost } from '../../src/lib/redirect-rules.ts';
import { findRedirectUriFault } from '../../src/oauth/clients/redirect-uri.ts';
import { findWebUriFault } from '../../src/oauth/clients/web-uri.ts';
import { verifiedHostOf } from '../../src/oauth/verification/verification.ts';
import { accepted, privateUse, scriptSchemes } from './redirect-uri-cases.ts';

/** What an attacker would put together: the pieces that parsers disagree on. */
// prettier-ignore
const pieceList = [
  'https', 'http', 'javascript', 'com.evil.app', ':', '/', '//', '\\', '@', '#', '?', '%',
  'localhost', '127.0.0.1', '[::1]', 'app.example.com', 'evil.example', '.', '*', ' ',
  '\t', '\n', '\r', '\u0000', '%2e', '%40', '%5c', '%0a', '。', '／', '：', '＠', '﹕', 'Ａ',
  '0x7f.1', ':80', ':443', '..', '&', ';', '\u00AD', '\u200D', 'xn--', 'ß', '\u212A',
];
const pieces = fc.array(
  fc.oneof(fc.constantFrom(...pieceList), fc.string({ unit: 'grapheme', maxLength: 3 })),
  { maxLength: 12 },
);
const texts = fc.oneof(
  pieces.map((parts) => parts.join('')),
  pieces.map((parts) => `https://${parts.join('')}`),
  pieces.map((parts) => `https://app.example.com${parts.join('')}`),
  pieces.map((parts) => `http://localhost${parts.join('')}`),
  pieces.map((parts) => `com.example.app:/${parts.join('')}`),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
);

/** The scheme and host that a person reads in a URI: nothing is decoded, stripped or repaired. */
function plainReading(text: string): { scheme: string; host: string } {
  const [, scheme = '', host = ''] =
    /^([a-z0-9.+-]+):(?:\/\/((?:\[[0-9a-f:]*\])|[a-z0-9._~-]*)(?::[0-9]+)?(?=[/?]|$))?/i.exec(
      text,
    ) ?? [];
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase() };
}

/** The rules of an operator who allows much. */
const WIDE = {
  schemes: ['cursor', 'vscode', 'obsidian'],
  httpHosts: ['nas', '*.local', '*.localhost', '10.0.0.0/8', 'fd00::/8'].map((text) => {
    const host = parseHttpHost(text);
    if (host === undefined) throw new Error(text);
    return host;
  }),
};

/** One character of any kind. */
const character = fc.oneof(
  fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCodePoint(code)),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);

describe('whatever text is accepted', () => {
  function check(text: string, holdsSecret: boolean): void {
    if (findRedirectUriFault(text, holdsSecret, NO_REDIRECT_RULES) !== undefined) return;
    const browser = new URL(text);
    const { scheme, host } = plainReading(text);
    assert.equal(browser.protocol, `${scheme}:`);
    assert.equal(browser.username + browser.password + browser.hash, '');
    assert.match(text, /^[!-~]{1,2048}$/);
    assert.doesNotMatch(text, /[#*\\]/);
    if (scheme === 'https' || scheme === 'http') {
      assert.equal(browser.hostname, host);
      assert.notEqual(host, '');
      // Appending an answer must neither change the host nor end up in a fragment.
      const answered = new URL(`${text}${text.includes('?') ? '&' : '?'}code=x`);
      assert.equal(answered.hostname, host);
      assert.equal(answered.searchParams.get('code'), 'x');
    }
    if (scheme === 'http') assert.ok(['localhost', '127.0.0.1', '[::1]'].includes(host));
    if (scheme !== 'https' && scheme !== 'http') {
      assert.equal(holdsSecret, false);
      assert.match(scheme, /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/);
    }
  }

  test('a browser reads the scheme and the host that stand there', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, holdsSecret) => check(text, holdsSecret)),
      { numRuns: 20_000 },
    );
    for (const text of [...accepted, ...privateUse]) check(text, false);
  });

  test('one character put anywhere into a good URI makes no other host', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...accepted, ...privateUse),
        character,
        fc.nat(),
        (uri, c, at) => {
          const position = at % (uri.length + 1);
          check(uri.slice(0, position) + c + uri.slice(position), false);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  test('one character taken out of a good URI, or doubled, makes no other host either', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...accepted, ...privateUse),
        fc.nat(),
        fc.boolean(),
        (uri, at, isDoubled) => {
          const position = at % uri.length;
          const next = isDoubled ? position : position + 1;
          check(uri.slice(0, isDoubled ? position + 1 : position) + uri.slice(next), false);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('a client_uri names the host that is verified, as it is read', () => {
    const anywhere = fc
      .tuple(fc.constantFrom(...accepted), character, fc.nat())
      .map(([uri, c, at]) => {
        const position = at % (uri.length + 1);
        return uri.slice(0, position) + c + uri.slice(position);
      });
    fc.assert(
      fc.property(fc.oneof(texts, anywhere), (text) => {
        if (findWebUriFault(text) !== undefined) return;
        const withoutFragment = text.split('#', 1)[0] ?? '';
        assert.equal(verifiedHostOf(text), plainReading(withoutFragment).host);
      }),
      { numRuns: 20_000 },
    );
  });

  test('an origin is what browsers send as one', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          fc.webUrl(),
          fc.webUrl().map((url) => new URL(url).origin),
        ),
        (text) => {
          if (findCorsOriginFault(text) === undefined) assert.equal(new URL(text).origin, text);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('no spelling of a script scheme', () => {
    const spelling = fc
      .tuple(
        fc.constantFrom(...scriptSchemes),
        fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
      )
      .map(([scheme, upper]) =>
        Array.from(scheme, (c, i) => (upper[i] === true ? c.toUpperCase() : c)).join(''),
      );
    fc.assert(
      fc.property(
        spelling,
        fc.string({ unit: 'grapheme' }),
        fc.boolean(),
        fc.constantFrom(NO_REDIRECT_RULES, WIDE),
        (scheme, rest, secret, rules) => {
          assert.notEqual(findRedirectUriFault(`${scheme}:${rest}`, secret, rules), undefined);
          assert.notEqual(findRedirectUriFault(`${scheme}:/${rest}`, secret, rules), undefined);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
