import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { upstreamHeaders } from '../../src/gateway/http-headers.ts';
import { downstreamHeaders } from '../../src/gateway/response/response-headers.ts';
import { createSecret } from '../../src/lib/secrets.ts';

describe('headers for a provider', () => {
  const sent = (...pairs: [name: string, value: string][]) =>
    upstreamHeaders(pairs.flat(), false, ['x-own-key']);

  test('a credential of this server is in none of them, whatever its name', () => {
    const secret = createSecret('lkat_');
    for (const name of ['Authorization', 'x-own-key', 'x-anything', 'referer', 'x-csrf-token']) {
      const value = `https://x.example/?token=${secret}`;
      assert.deepEqual(sent([name, value]), ['accept-encoding', 'identity'], name);
    }
    assert.deepEqual(sent(['authorization', 'Bearer sk-theirs']).slice(0, 2), [
      'authorization',
      'Bearer sk-theirs',
    ]);
  });

  test('nothing of the connection, of the proxies before us, or of our own', () => {
    const dropped = [
      'Connection',
      'Host',
      'Cookie',
      'TE',
      'Upgrade',
      'Transfer-Encoding',
      'X-Forwarded-For',
      'Forwarded',
      'X-Real-IP',
      'CF-AIG-Authorization',
      'cf-aig-anything',
      'X-Named',
    ];
    const pairs = dropped.map((name): [string, string] => [
      name,
      name === 'Connection' ? 'close, X-Named' : 'x',
    ]);
    assert.deepEqual(sent(...pairs, ['X-Kept', 'v']), [
      'x-kept',
      'v',
      'accept-encoding',
      'identity',
    ]);
  });
});

describe('headers of a provider for the client', () => {
  const JSON_TYPE = 'application/json';

  test('clients receive what they need to retry, to pace themselves and to report errors', () => {
    const passed = {
      'content-type': JSON_TYPE,
      'content-length': '2',
      'retry-after': '5',
      'retry-after-ms': '5000',
      'x-should-retry': 'true',
      'x-ratelimit-remaining-requests': '1',
      'anthropic-ratelimit-tokens-remaining': '1',
      'openai-processing-ms': '7',
      'request-id': 'req_1',
      'x-amzn-errortype': 'ThrottlingException',
      'x-goog-upload-status': 'active',
    };
    assert.deepEqual(downstreamHeaders({ ...passed, 'x-request-id': 'theirs' }), {
      ...passed,
      'x-upstream-request-id': 'theirs',
    });
  });

  test('a header that instructs a browser, a cache or a proxy does not pass', () => {
    const refused = `
      accept-ch access-control-allow-origin age alt-svc basic-auth
      cache-control cdn-cache-control cdn-loop cf-aig-log-id clear-site-data
      content-security-policy content-security-policy-report-only critical-ch cross-origin-embedder-policy cross-origin-opener-policy
      document-policy expires cross-origin-resource-policy link location
      nel no-vary-search origin-agent-cluster origin-trial permissions-policy
      pragma refresh report-to reporting-endpoints service-worker-allowed
      set-cookie set-cookie2 set-login sourcemap speculation-rules
      strict-transport-security supports-loading-mode surrogate-control timing-allow-origin vary
      via warning www-authenticate x-accel-buffering x-accel-expires
      x-accel-redirect x-content-type-options x-dns-prefetch-control x-frame-options x-lighttpd-send-file
      x-reproxy-url x-robots-tag x-sendfile x-xss-protection
    `;
    const headers = Object.fromEntries(
      refused
        .trim()
        .split(/\s+/)
        .map((name) => [name, 'x']),
    );
    assert.deepEqual(downstreamHeaders({ ...headers, 'content-type': JSON_TYPE }), {
      'content-type': JSON_TYPE,
    });
  });

  test('a header that Connection names does not pass', () => {
    const headers = {
      connection: 'close, Request-Id',
      'request-id': 'x',
      'content-type': JSON_TYPE,
    };
    assert.deepEqual(downstreamHeaders(headers), { 'content-type': JSON_TYPE });
  });

  for (const [contentType, isInline] of [
    [JSON_TYPE, true],
    ['Application/JSON; charset=utf-8', true],
    ['application/problem+json', true],
    ['text/event-stream', true],
    ['text/plain', true],
    ['audio/mpeg', true],
    ['image/png', true],
    ['text/html', false],
    ['TEXT/HTML', false],
    ['application/xhtml+xml', false],
    ['image/svg+xml', false],
    ['text/xml', false],
    ['application/pdf', false],
    ['application/json, text/html', false],
    ['application/json;a="b, text/html', false],
    ['multipart/x-mixed-replace', false],
    ['', false],
    [undefined, false],
  ] as const) {
    test(`${contentType} is ${isInline ? 'shown' : 'a download'}`, () => {
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const passed = downstreamHeaders({ ...headers, 'content-disposition': 'inline' });
      assert.equal(passed['content-disposition'], isInline ? undefined : 'attachment');
    });
  }

  test('of several content types the client receives the first', () => {
    const types = [JSON_TYPE, 'text/html'] as unknown as string;
    assert.deepEqual(downstreamHeaders({ 'content-type': types }), { 'content-type': JSON_TYPE });
  });

  test('a name outside the allowlist does not pass, whatever it is', () => {
    const name = fc.stringMatching(
      /^(?:x|cf|cdn|sec|cross-origin|access-control|set|surrogate)(?:-[a-z]{1,9}){1,4}$/,
    );
    const known =
      /^(?:x-(?:amzn|compute|envoy|generation|goog|groq|inference|model|ms|ratelimit|request|should|together|api)|cf-ray$)/;
    fc.assert(
      fc.property(name, fc.string(), (header, value) => {
        fc.pre(!known.test(header));
        assert.deepEqual(downstreamHeaders({ [header]: value, 'content-type': JSON_TYPE }), {
          'content-type': JSON_TYPE,
        });
      }),
    );
  });
});
