import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { request } from 'undici';
import { readSettings } from '../../src/config/settings.ts';
import { ForbiddenAddressError, createGuardedAgent } from '../../src/http/guarded-agent.ts';
import { createTrustedAgent } from '../../src/http/trusted-agent.ts';
import { parseAllowedTarget } from '../../src/lib/allowed-targets.ts';
import { readForwardProxies } from '../../src/lib/forward-proxies.ts';
import { DnsServer } from '../support/dns-server.ts';
import { startFileServer } from '../support/file-server.ts';
import { type ForwardProxyOptions, startForwardProxy } from '../support/forward-proxy.ts';
import type { TestScope } from '../support/server-process.ts';

const TIMEOUT_MS = 5_000;
const PROXY = 'http://proxy.example:3128';

describe('the rules for forward proxies', () => {
  const proxyOf = (noProxy: string, url: string): boolean => {
    const { protocol, hostname, port } = new URL(url);
    const proxies = readForwardProxies({
      HTTPS_PROXY: PROXY,
      HTTP_PROXY: PROXY,
      NO_PROXY: noProxy,
    });
    const byDefault = protocol === 'https:' ? 443 : 80;
    return proxies.find(protocol, hostname, Number(port) || byDefault) !== undefined;
  };

  test('NO_PROXY exempts domains, addresses, ranges and ports', () => {
    const cases: [noProxy: string, url: string, isProxied: boolean][] = [
      ['', 'https://api.example.com', true],
      ['*', 'https://api.example.com', false],
      ['example.com', 'https://api.example.com', false],
      ['example.com', 'https://example.com', false],
      ['example.com', 'https://badexample.com', true],
      ['.example.com', 'https://api.example.com', false],
      ['*.example.com', 'https://api.example.com', false],
      ['EXAMPLE.com.', 'https://API.example.com.', false],
      ['a.test, b.test', 'https://b.test', false],
      ['a.test b.test', 'https://b.test', false],
      ['example.com:8443', 'https://example.com:8443', false],
      ['example.com:8443', 'https://example.com', true],
      ['example.com:443', 'https://example.com', false],
      ['10.0.0.0/8', 'https://10.1.2.3', false],
      ['10.0.0.0/8', 'https://11.1.2.3', true],
      ['10.0.0.0/8', 'https://10.example.com', true],
      ['10.1.2.3', 'https://10.1.2.3', false],
      ['10.1.2.3:8443', 'https://10.1.2.3:8443', false],
      ['10.1.2.3:8443', 'https://10.1.2.3', true],
      ['fd00::/8', 'https://[fd00::1]', false],
      ['[fd00::1]', 'https://[fd00::1]', false],
      ['[fd00::1]:8443', 'https://[fd00::1]:8443', false],
      ['fd00::1', 'https://[fd00::2]', true],
      ['<local>,%%%', 'https://example.com', true],
      // This machine and the proxy itself.
      ['', 'http://localhost:11434', false],
      ['', 'http://api.localhost', false],
      ['', 'http://127.0.0.2:11434', false],
      ['', 'http://[::1]:11434', false],
      ['', 'http://proxy.example:3128', false],
      ['', 'http://proxy.example:3129', true],
    ];
    for (const [noProxy, url, isProxied] of cases) {
      assert.equal(proxyOf(noProxy, url), isProxied, `${noProxy} ${url}`);
    }
  });

  test('each scheme has its own proxy, and lower case takes precedence', () => {
    const nameOf = (environment: Record<string, string>, protocol: string) =>
      readForwardProxies(environment).find(protocol, 'example.com', 1)?.name;
    assert.equal(nameOf({ HTTPS_PROXY: 'http://a:1' }, 'https:'), 'a:1');
    assert.equal(nameOf({ HTTPS_PROXY: 'http://a:1' }, 'http:'), undefined);
    assert.equal(nameOf({ HTTP_PROXY: 'http://a:1' }, 'https:'), undefined);
    assert.equal(nameOf({ HTTP_PROXY: ' a:1\n', http_proxy: '' }, 'http:'), 'a:1');
    assert.equal(nameOf({ HTTP_PROXY: 'a:1', http_proxy: 'https://b' }, 'http:'), 'b:443');
    assert.equal(nameOf({ HTTPS_PROXY: 'http://[::1]:3128' }, 'https:'), '[::1]:3128');
    const withPassword = readForwardProxies({ HTTPS_PROXY: 'http://a%40b:c%3Ad@p' });
    const expected = `Basic ${Buffer.from('a@b:c:d').toString('base64')}`;
    assert.equal(withPassword.https?.authorization, expected);
  });

  test('an unusable variable stops the start, without its value', () => {
    for (const value of [
      'socks5://me:secret@p:1080',
      'http://',
      'ftp://secret',
      'http://me:%secret@p',
    ]) {
      assert.throws(
        () => readSettings({ HTTPS_PROXY: value }),
        (error: Error) =>
          error.message.startsWith('HTTPS_PROXY must ') && !error.message.includes('secret'),
        value,
      );
    }
  });

  test('an exempt domain is never proxied, and another one always is', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(domain, domain, label, (exempt, other, sub) => {
        assert.equal(proxyOf(`x.invalid,${exempt}`, `https://${exempt}`), false);
        assert.equal(proxyOf(exempt, `https://${sub}.${exempt}`), false);
        const isWithin = other === exempt || other.endsWith(`.${exempt}`);
        assert.equal(proxyOf(exempt, `https://${other}`), !isWithin);
        assert.equal(proxyOf(exempt, `https://${sub}${exempt}`), true);
      }),
    );
  });
});

async function through(
  t: TestScope,
  scheme: 'http' | 'https',
  options: Partial<ForwardProxyOptions>,
) {
  const files = await startFileServer(t, scheme);
  files.answer = (incoming, response) => response.end(`${incoming.method} ${incoming.url}`);
  const proxy = await startForwardProxy(t, { route: () => files.port, ...options });
  return { files, proxy };
}

describe('an agent for trusted destinations', () => {
  const agentOf = (t: TestScope, environment: Record<string, string>, timeoutMs = TIMEOUT_MS) => {
    const agent = createTrustedAgent(timeoutMs, readForwardProxies(environment));
    t.after(() => agent.destroy());
    return agent;
  };

  test('reaches HTTPS through a tunnel, also of a proxy with TLS and a password', async (t) => {
    for (const secure of [false, true]) {
      const { proxy } = await through(t, 'https', { secure, credentials: 'me:se:cret' });
      const HTTPS_PROXY = proxy.url.replace('//', '//me:se%3Acret@');
      const dispatcher = agentOf(t, { HTTPS_PROXY });
      for (const path of ['/a', '/b']) {
        const { statusCode, body } = await request(`https://provider.example${path}`, {
          dispatcher,
        });
        assert.deepEqual([statusCode, await body.text()], [200, `GET ${path}`]);
        // The connection is free for the next request a moment later.
        await delay(50);
      }
      // The second request uses the connection of the first.
      assert.deepEqual(proxy.requests, ['CONNECT provider.example:443']);
    }
  });

  test('reaches HTTP with the absolute form, and adds headers for the proxy only', async (t) => {
    for (const secure of [false, true]) {
      const { files, proxy } = await through(t, 'http', { secure, credentials: 'me:secret' });
      const seen: unknown[] = [];
      files.answer = (incoming, response) => {
        seen.push(incoming.headers['proxy-authorization'], incoming.headers.host);
        response.end(String(incoming.headers['x-mine']));
      };
      const HTTP_PROXY = proxy.url.replace('//', '//me:secret@');
      const dispatcher = agentOf(t, { HTTP_PROXY });
      for (const headers of [{ 'x-mine': 'a' }, ['x-mine', 'a'], new Map([['x-mine', 'a']])]) {
        const { statusCode, body } = await request('http://inner.example:8080/p?q=1', {
          dispatcher,
          method: 'POST',
          body: 'hello',
          headers: headers as Record<string, string>,
        });
        assert.deepEqual([statusCode, await body.text()], [200, 'a']);
      }
      assert.deepEqual(proxy.requests, Array(3).fill('POST http://inner.example:8080/p?q=1'));
      assert.deepEqual(
        seen,
        [1, 2, 3].flatMap(() => [undefined, 'inner.example:8080']),
      );
    }
  });

  test('reports a proxy that refuses, is silent or is unreachable, without the password', async (t) => {
    const { proxy } = await through(t, 'https', { credentials: 'me:right' });
    const silent = await startForwardProxy(t, { route: () => 9, silent: true });
    const refusing = await startForwardProxy(t, { route: () => undefined });
    const cases: [url: string, expected: RegExp][] = [
      [proxy.url.replace('//', '//me:wrong-secret@'), /status 407$/],
      [refusing.url, /status 403$/],
      [silent.url, /no response in time$/],
      ['http://localhost:9', /ECONNREFUSED$/],
    ];
    for (const [HTTPS_PROXY, expected] of cases) {
      const dispatcher = agentOf(t, { HTTPS_PROXY }, 300);
      await assert.rejects(request('https://provider.example/', { dispatcher }), (error: Error) => {
        assert.match(error.message, /^the forward proxy localhost:\d+ did not connect to provider/);
        assert.match(error.message, expected);
        return !error.message.includes('secret');
      });
    }
  });

  test('verifies the certificate of the destination', async (t) => {
    const { proxy } = await through(t, 'https', {});
    const dispatcher = agentOf(t, { HTTPS_PROXY: proxy.url });
    await assert.rejects(request('https://other.example/', { dispatcher }), /altnames/);
  });
});

describe('an agent for destinations that users choose', () => {
  const agentOf = async (t: TestScope, proxyUrl: string, allowed: string[] = []) => {
    const dns = await DnsServer.start(t);
    const targets = allowed.map((text) => parseAllowedTarget(text) ?? assert.fail(text));
    const agent = createGuardedAgent(targets, TIMEOUT_MS, {
      dnsServers: [dns.address],
      proxies: readForwardProxies({ HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl }),
    });
    t.after(() => agent.destroy());
    return { dns, agent };
  };

  test('asks the proxy for the checked address', async (t) => {
    const { proxy } = await through(t, 'https', {});
    const { dns, agent: dispatcher } = await agentOf(t, proxy.url);
    dns.set('provider.example', { addresses: ['10.0.0.1', '93.184.216.34'] });
    const { body } = await request('https://provider.example/x', { dispatcher });
    assert.equal(await body.text(), 'GET /x');
    assert.deepEqual(proxy.requests, ['CONNECT 93.184.216.34:443']);
  });

  test('never asks the proxy for an address that is not public', async (t) => {
    const { proxy } = await through(t, 'https', {});
    const { dns, agent: dispatcher } = await agentOf(t, proxy.url);
    const octet = fc.nat(255);
    const address = fc.oneof(
      fc.constantFrom('169.254.169.254', '0.0.0.0', '::1', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1'),
      fc.tuple(octet, octet, octet).map((rest) => `10.${rest.join('.')}`),
      fc.tuple(octet, octet).map((rest) => `192.168.${rest.join('.')}`),
      fc.tuple(fc.integer({ min: 16, max: 31 }), octet).map(([a, b]) => `172.${a}.${b}.1`),
    );
    await fc.assert(
      fc.asyncProperty(
        address,
        fc.boolean(),
        fc.integer({ min: 1, max: 65_535 }),
        async (target, isNamed, port) => {
          dns.set('provider.example', { addresses: [target] });
          const host = target.includes(':') ? `[${target}]` : target;
          const url = `https://${isNamed ? 'provider.example' : host}:${port}/`;
          await assert.rejects(request(url, { dispatcher }), ForbiddenAddressError);
        },
      ),
      { numRuns: 60 },
    );
    await assert.rejects(request('https://unknown.example/', { dispatcher }), /ENOTFOUND/);
    assert.deepEqual(proxy.requests, []);
  });

  test('asks the proxy by name for a host that the operator has named', async (t) => {
    const { proxy } = await through(t, 'https', {});
    const { agent: dispatcher } = await agentOf(t, proxy.url, ['provider.example:443']);
    const { body } = await request('https://provider.example/x', { dispatcher });
    assert.equal(await body.text(), 'GET /x');
    assert.deepEqual(proxy.requests, ['CONNECT provider.example:443']);
  });

  test('connects directly without TLS, and never to the proxy itself', async (t) => {
    const { files, proxy } = await through(t, 'http', {});
    const { dns, agent: dispatcher } = await agentOf(t, proxy.url, ['127.0.0.1']);
    dns.set('inner.example', { addresses: ['127.0.0.1'] });
    const { body } = await request(`http://inner.example:${files.port}/x`, { dispatcher });
    assert.equal(await body.text(), 'GET /x');
    assert.deepEqual(proxy.requests, []);
    const strict = await agentOf(t, proxy.url);
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://localhost:${proxy.port}/`;
      await assert.rejects(request(url, { dispatcher: strict.agent }), ForbiddenAddressError);
    }
    assert.deepEqual(proxy.requests, []);
  });
});
