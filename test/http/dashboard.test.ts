import assert from 'node:assert/strict';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { methodsBesides } from '../../src/http/methods.ts';
import { createPerson } from '../support/people.ts';
import { exchange } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';
import { Visitor, redirectOf } from '../support/visitor.ts';

const DIST = path.join(import.meta.dirname, '../../dashboard/dist');
const PAGES = ['/', '/accounts', '/accounts/', '/accounts/a/b?c=d', '/profile', '/profile/x'];
const SESSION = { cookie: 'latchkey_session=any' };
const PASSWORD = 'blue kettle on the roof';
const MAX_SCRIPT_BYTES = 200 * 1024;

/** The built page, and the addresses of the files that it loads at once. */
async function readIndex() {
  const text = await readFile(path.join(DIST, 'index.html'), 'utf8').catch(() => {
    throw new Error('there is no build of the dashboard: `npm run build` makes it');
  });
  const tags = [...text.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag);
  const addressesOf = (kind: RegExp): string[] =>
    tags
      .filter((tag) => kind.test(tag))
      .map((tag) => /(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? '');
  return {
    text,
    scripts: addressesOf(/<script|rel="modulepreload"/),
    styles: addressesOf(/rel="stylesheet"/),
    icons: addressesOf(/rel="icon"/),
  };
}

async function fetchFile(method: 'GET' | 'HEAD', url: string, acceptEncoding?: string) {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const answer = await send(url, { method, headers });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    content: Buffer.from(await answer.body.arrayBuffer()),
  };
}

describe('the dashboard', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite');
  });
  after(() => server.stop());

  const open = (target: string, headers: Record<string, string> = SESSION) =>
    request('GET', server.origin + target, { headers });

  test('who has not signed in is sent to do so, and comes back', async () => {
    for (const [target, returnTo] of [
      ['/', ''],
      ['/?a=b', '?return_to=%2F%3Fa%3Db'],
      ['/accounts', '?return_to=%2Faccounts'],
      ['/accounts/x/tags?tag=a%3Db&c', '?return_to=%2Faccounts%2Fx%2Ftags%3Ftag%3Da%253Db%26c'],
      ['/profile', '?return_to=%2Fprofile'],
    ] as const) {
      for (const cookie of ['', 'latchkey_session=', 'latchkey_csrf=x; latchkey_theme=dark']) {
        const { status, headers, text } = await open(target, { cookie });
        const got = [status, headers.get('location'), text];
        assert.deepEqual(got, [303, `/login${returnTo}`, ''], `${target} ${cookie}`);
      }
    }
    const head = await request('HEAD', `${server.origin}/accounts`);
    assert.deepEqual(
      [head.status, head.headers.get('location')],
      [303, '/login?return_to=%2Faccounts'],
    );
    // Neither a target with an origin in front nor one that leaves this server is a way back.
    for (const target of ['http://evil.example/accounts', '/accounts/../..//evil.example']) {
      const head = `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`;
      const { status, headers } = await exchange(server.origin, head);
      assert.deepEqual([status, headers.location], [303, '/login'], target);
    }
  });

  test('the page is under a policy whose nonce is new each time', async () => {
    const nonces = new Set<string>();
    for (const target of PAGES) {
      const { status, headers, text } = await open(target);
      assert.equal(status, 200, target);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('x-frame-options'), 'DENY');
      const [, nonce = ''] = /<meta property="csp-nonce" nonce="([^"]+)"/.exec(text) ?? [];
      assert.match(nonce, /^[\w-]{22,}$/);
      nonces.add(nonce);
      assert.equal(
        headers.get('content-security-policy'),
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
          `img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; ` +
          `frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
      );
      for (const [, found] of text.matchAll(/nonce="([^"]*)"/g)) assert.equal(found, nonce);
      assert.equal(/__[A-Z_]+__|<!--meta/.test(text), false, text);
    }
    assert.equal(nonces.size, PAGES.length);
  });

  test('there is no script in the page itself, and all that it loads is there', async () => {
    const { text } = await open('/');
    const scripts = [...text.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)];
    assert.ok(scripts.length > 0);
    for (const [, attributes = '', content = ''] of scripts) {
      assert.match(attributes, / src="\/dashboard\//);
      assert.equal(content.trim(), '');
    }
    assert.equal(/\son[a-z]+=|javascript:|<style/i.test(text), false);
    for (const [, address = ''] of text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)) {
      assert.match(address, /^\/dashboard\//);
      assert.equal((await open(address, {})).status, 200, address);
    }
  });

  test('the page says of what installation it is', async (t) => {
    const metaOf = (text: string) =>
      Object.fromEntries(
        [...text.matchAll(/<meta name="latchkey:([^"]+)" content="([^"]*)"/g)].map(
          ([, name, content]) => [name, content],
        ),
      );
    const { text } = await open('/');
    assert.match(text, /<title>Latchkey<\/title>/);
    const { version, ...meta } = metaOf(text);
    assert.match(version ?? '', /^\d+\.\d+\.\d+/);
    assert.deepEqual(meta, {
      brand: 'latchkey',
      'base-url': server.baseUrl,
      'gateway-url': server.origin,
      'csrf-cookie': 'latchkey_csrf',
    });
    const settings = {
      BRAND: 'acme',
      BASE_URL: 'https://id.example/client/v4',
      GATEWAY_URL: 'https://ai.example',
    };
    const other = await bootServer('sqlite', { settings });
    t.after(() => other.stop());
    const headers = { cookie: '__Host-latchkey_session=any' };
    const page = await request('GET', `${other.origin}/`, { headers });
    assert.match(page.text, /<title>Acme<\/title>/);
    assert.deepEqual(metaOf(page.text), {
      brand: 'acme',
      'base-url': 'https://id.example/client/v4',
      'gateway-url': 'https://ai.example',
      'csrf-cookie': '__Host-latchkey_csrf',
      version,
    });
    assert.equal((await request('GET', `${other.origin}/`, { headers: SESSION })).status, 303);
  });

  test('it has the theme of the cookie, and so have the other pages', async () => {
    for (const [cookie, theme] of [
      ['latchkey_theme=light', 'light'],
      ['latchkey_theme=dark', 'dark'],
      ['a=b; latchkey_theme=dark; c=d', 'dark'],
      ['latchkey_theme=system', 'system'],
      ['latchkey_theme=', 'system'],
      ['latchkey_theme=Dark', 'system'],
      ['latchkey_theme=dark"><script>alert(1)</script>', 'system'],
      ['latchkey_theme=%22%3E%3Cscript%3E', 'system'],
      ['latchkey_theme=%', 'system'],
      ['latchkey_theme=__CSP_NONCE__', 'system'],
      ['latchkey_theme=__proto__', 'system'],
      ['latchkey_themes=dark', 'system'],
      ['theme=dark', 'system'],
    ] as const) {
      for (const [target, status] of [
        ['/', 200],
        ['/login', 200],
        ['/reset-password', 400],
      ] as const) {
        const page = await open(target, { cookie: `${SESSION.cookie}; ${cookie}` });
        const [, found] = /<html lang="en" data-theme="([^"]*)">/.exec(page.text) ?? [];
        assert.deepEqual([page.status, found], [status, theme], `${target} ${cookie}`);
      }
    }
    const { text } = await open('/login', { cookie: 'latchkey_theme=dark' });
    assert.match(text, /<meta name="color-scheme" content="dark" \/>/);
    const [, styles = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const css = (await open(styles)).text;
    assert.match(css, /\[data-theme='dark'\] \{\s*color-scheme: dark;/);
    assert.match(css, /\[data-theme='light'\] \{\s*color-scheme: light;/);
  });

  test('a person signs in on the way there', async () => {
    const { email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    const way = (await visitor.open('/accounts/x?y=z')).headers.get('location') ?? '';
    const signedIn = await visitor.submit(way, { email, password: PASSWORD });
    assert.deepEqual(redirectOf(signedIn), [303, '/accounts/x?y=z']);
    assert.match((await visitor.open('/accounts/x?y=z')).text, /<title>Latchkey<\/title>/);
  });

  test('its files may be kept for ever, and come as the browser can read them', async () => {
    const { scripts, styles, icons } = await readIndex();
    for (const [address, type] of [
      ...scripts.map((one) => [one, 'application/javascript; charset=utf-8'] as const),
      ...styles.map((one) => [one, 'text/css; charset=utf-8'] as const),
      ...icons.map((one) => [one, 'image/svg+xml'] as const),
    ]) {
      const url = server.origin + address;
      const plain = await readFile(path.join(DIST, address));
      const isCompressed = plain.length > 1_024;
      for (const [accepted, expected] of [
        [undefined, undefined],
        ['identity', undefined],
        ['gzip, deflate, br, zstd', isCompressed ? 'br' : undefined],
        ['gzip', isCompressed ? 'gzip' : undefined],
        ['br;q=0, gzip', isCompressed ? 'gzip' : undefined],
      ] as const) {
        const { status, headers, content } = await fetchFile('GET', url, accepted);
        assert.deepEqual(
          {
            status,
            encoding: headers['content-encoding'],
            type: headers['content-type'],
            cache: headers['cache-control'],
            vary: headers.vary,
            nosniff: headers['x-content-type-options'],
            policy: headers['content-security-policy'],
            for: headers['cross-origin-resource-policy'],
          },
          {
            status: 200,
            encoding: expected,
            type,
            cache: 'public, max-age=31536000, immutable',
            vary: 'accept-encoding',
            nosniff: 'nosniff',
            policy: "default-src 'none'; frame-ancestors 'none'",
            for: 'same-origin',
          },
          `${address} ${accepted}`,
        );
        const read = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
        assert.deepEqual(read[expected ?? 'none'](content), plain, `${address} ${accepted}`);
      }
      const head = await fetchFile('HEAD', url, 'br');
      assert.deepEqual([head.status, head.content.length], [200, 0]);
      assert.equal(head.headers['content-encoding'], isCompressed ? 'br' : undefined);
    }
  });

  test('HEAD has the headers of the page, and no page', async () => {
    const { status, headers, text } = await request('HEAD', `${server.origin}/accounts/x`, {
      headers: SESSION,
    });
    assert.deepEqual([status, text], [200, '']);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(headers.get('content-security-policy') ?? '', /'nonce-/);
  });

  test('405 for every other method, before anything else is looked at', async () => {
    for (const target of [...PAGES, '/dashboard/x.js', '/dashboard/']) {
      for (const method of methodsBesides(['GET', 'HEAD'])) {
        const answer = await request(method, server.origin + target);
        const got = [answer.status, answer.code, answer.headers.get('allow')];
        assert.deepEqual(got, [405, 7001, 'GET, HEAD'], `${method} ${target}`);
      }
    }
  });

  test('404 for what is not there, which nobody keeps', async () => {
    for (const target of [
      '/dashboard',
      '/dashboard/',
      '/dashboard/nothing.js',
      '/dashboard/index-%F0%9F%90%A2.js',
      '/index.html',
      '/Accounts',
      '/accountsx',
      '/profiles',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await request(method, server.origin + target, {
          headers: { ...SESSION, 'accept-encoding': 'br' },
        });
        const got = [answer.status, answer.headers.get('cache-control')];
        assert.deepEqual(got, [404, 'no-store'], `${method} ${target}`);
        assert.equal(answer.headers.get('content-encoding'), null);
        if (method === 'GET') assert.equal(answer.code, 7003, target);
      }
    }
  });

  test('every refusal is under the policy that allows nothing', async () => {
    for (const [method, target, headers] of [
      ['GET', '/accounts', {}],
      ['POST', '/accounts', SESSION],
      ['GET', '/dashboard/nothing.js', {}],
      ['GET', '/dashboard/%zz', {}],
      ['GET', `/profile/%00`, SESSION],
      ['GET', `/profile?x=${'y'.repeat(9_000)}`, {}],
    ] as const) {
      const answer = await request(method, server.origin + target, { headers });
      assert.ok(answer.status >= 300, target);
      const policy = answer.headers.get('content-security-policy');
      assert.equal(policy, "default-src 'none'; frame-ancestors 'none'", target);
      assert.equal(answer.headers.get('cache-control'), 'no-store', target);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', target);
    }
  });

  test('where the sources are is told to nobody', async () => {
    const files = await readdir(path.join(DIST, 'dashboard'));
    assert.deepEqual(
      files.filter((name) => name.includes('.map')),
      [],
    );
    for (const name of files.filter((file) => /\.(?:js|css)$/.test(file))) {
      const text = await readFile(path.join(DIST, 'dashboard', name), 'utf8');
      assert.equal(/[#@] sourceMappingURL/.test(text), false, name);
    }
  });

  test('what the browser loads before it shows anything stays small', async () => {
    const { scripts } = await readIndex();
    const sizes = await Promise.all(
      scripts.map(async (address) => {
        const file = path.join(DIST, address);
        return (await stat(`${file}.br`).catch(() => stat(file))).size;
      }),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= MAX_SCRIPT_BYTES, `${total} bytes: ${scripts.join(', ')}`);
  });
});
