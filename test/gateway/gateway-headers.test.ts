import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { downstreamHeaders, upstreamHeaders } from '../../src/gateway/headers.ts';
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

test('a provider says nothing to browsers in the name of our host', () => {
  const headers = {
    'content-type': 'text/html',
    'retry-after': '5',
    connection: 'x-named',
    'x-named': 'x',
    'x-request-id': 'theirs',
  };
  const refused = [
    'accept-ch',
    'access-control-allow-origin',
    'alt-svc',
    'cf-aig-log-id',
    'clear-site-data',
    'content-security-policy',
    'content-security-policy-report-only',
    'critical-ch',
    'nel',
    'origin-trial',
    'refresh',
    'report-to',
    'reporting-endpoints',
    'service-worker-allowed',
    'set-cookie',
    'set-login',
    'strict-transport-security',
  ];
  const all = { ...headers, ...Object.fromEntries(refused.map((name) => [name, 'x'])) };
  assert.deepEqual(downstreamHeaders(all), {
    'content-type': 'text/html',
    'retry-after': '5',
    'x-upstream-request-id': 'theirs',
  });
});
