import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, describe, test } from 'node:test';
import { request as send } from 'undici';
import { httpSettings } from '../../src/app-settings.ts';
import { readSettings } from '../../src/config/settings.ts';
import { type DashboardOptions, addDashboard } from '../../src/http/dashboard.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { exchange } from '../support/raw-connection.ts';
import { request } from '../support/server.ts';

describe('the dashboard of some directory', () => {
  const facts = { title: 'Some', meta: { brand: 'some' } };

  async function listen(
    t: TestContext,
    files: Record<string, string>,
    options: Partial<DashboardOptions> = {},
  ) {
    const directory = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const write = async (name: string, content: string): Promise<void> => {
      const file = path.join(directory, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    };
    for (const [name, content] of Object.entries(files)) await write(name, content);
    const log: string[] = [];
    const http = createHttpServer(httpSettings(readSettings({}, {})), systemClock, {
      logDestination: { write: (line) => void log.push(line) },
    });
    t.after(() => http.close());
    await addDashboard(http, {
      directory,
      facts: () => facts,
      signInPath: () => undefined,
      ...options,
    });
    const origin = await http.listen({ port: 0, host: '127.0.0.1' });
    const warnings = () => log.map((line) => JSON.parse(line)).filter(({ level }) => level > 30);
    return { origin, write, warnings };
  }

  test('where it is not built, a page says so, and the build is found without a new start', async (t) => {
    const { origin, write, warnings } = await listen(t, {});
    assert.deepEqual(
      warnings().map(({ msg }) => msg),
      ['the dashboard is not built: run `npm run build`. Everything else works without it'],
    );
    for (const target of ['/', '/accounts', '/accounts/a/b?c=d', '/profile/x']) {
      const { status, headers, text } = await request('GET', origin + target);
      assert.equal(status, 503, target);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
      assert.match(text, /npm run build/);
      assert.equal(/<script|<style/.test(text), false);
    }
    assert.equal((await request('GET', `${origin}/dashboard/x.js`)).code, 7003);
    assert.equal((await request('POST', `${origin}/`)).code, 7001);
    assert.equal(warnings().length, 1);
    await write('index.html', 'built');
    await write('dashboard/x.js', 'built');
    assert.equal((await request('GET', `${origin}/`)).text, 'built');
    assert.equal((await request('GET', `${origin}/dashboard/x.js`)).text, 'built');
  });

  test('a later build is served at once, and no warning is given', async (t) => {
    const { origin, write, warnings } = await listen(t, { 'index.html': 'first' });
    assert.equal((await request('GET', `${origin}/`)).text, 'first');
    await write('index.html', 'second');
    assert.equal((await request('GET', `${origin}/`)).text, 'second');
    assert.deepEqual(warnings(), []);
  });

  test('whether a file is still the same is told of the form that was asked for, and there are no parts', async (t) => {
    const { origin } = await listen(t, {
      'index.html': '',
      'dashboard/x.js': 'plain text of it',
      'dashboard/x.js.br': 'compressed',
    });
    const ask = async (headers: Record<string, string>) => {
      const answer = await send(`${origin}/dashboard/x.js`, { headers });
      return {
        status: answer.statusCode,
        etag: String(answer.headers.etag),
        vary: answer.headers.vary,
        text: await answer.body.text(),
      };
    };
    const plain = await ask({});
    const compressed = await ask({ 'accept-encoding': 'br' });
    assert.deepEqual([plain.text, compressed.text], ['plain text of it', 'compressed']);
    assert.notEqual(plain.etag, compressed.etag);
    for (const [etag, accepted, status, text] of [
      [plain.etag, 'identity', 304, ''],
      [compressed.etag, 'br', 304, ''],
      [plain.etag, 'br', 200, 'compressed'],
      [compressed.etag, 'identity', 200, 'plain text of it'],
    ] as const) {
      const got = await ask({ 'if-none-match': etag, 'accept-encoding': accepted });
      assert.deepEqual([got.status, got.text], [status, text], `${etag} ${accepted}`);
      assert.match(String(got.vary), /accept-encoding/i);
    }
    for (const range of ['bytes=0-3', 'bytes=99-', 'apples=1-2']) {
      const got = await ask({ range, 'accept-encoding': 'br' });
      assert.deepEqual([got.status, got.text], [200, 'compressed'], range);
    }
  });

  test('what is filled in is text, whatever it looks like', async (t) => {
    const template = '<title>__TITLE__</title><!--meta--><p data-theme="__THEME__">__CSP_NONCE__';
    const hostile = `"><script>alert('1')</script>&amp; $& $1 __CSP_NONCE__ <!--meta-->`;
    const { origin } = await listen(
      t,
      { 'index.html': template },
      { facts: () => ({ title: hostile, meta: { brand: hostile, empty: '' } }) },
    );
    const { text } = await request('GET', `${origin}/`);
    const escaped =
      '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp; $&amp; $1 ' +
      '__CSP_NONCE__ &lt;!--meta--&gt;';
    assert.equal(
      text.replace(/[\w-]{24}$/, 'NONCE').replaceAll(/\s+/g, ' '),
      `<title>${escaped}</title><meta name="latchkey:brand" content="${escaped}" /> ` +
        '<meta name="latchkey:empty" content="" /><p data-theme="system">NONCE',
    );
  });

  test('no path leads out of its files', async (t) => {
    const { origin, warnings } = await listen(t, {
      'index.html': 'secret page',
      'secret.js': 'secret',
      'dashboard/x.js': 'public',
      'dashboard/.hidden.js': 'secret',
      'dashboard/deep/y.js': 'public',
    });
    const ask = (target: string) =>
      exchange(origin, `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    for (const target of ['/dashboard/x.js', '/dashboard/deep/y.js', '/dashboard/x.js?v=../..']) {
      const { status, text } = await ask(target);
      assert.deepEqual([status, text], [200, 'public'], target);
    }
    for (const target of [
      '/dashboard/../secret.js',
      '/dashboard/%2e%2e/secret.js',
      '/dashboard/.%2e/secret.js',
      '/dashboard/..%2fsecret.js',
      '/dashboard/..%5csecret.js',
      '/dashboard/..\\secret.js',
      '/dashboard/%252e%252e/secret.js',
      '/dashboard/deep/../../secret.js',
      '/dashboard/deep/%2e%2e/%2e%2e/secret.js',
      '/dashboard//secret.js',
      '/dashboard/./x.js',
      '/dashboard/deep/../x.js',
      '/dashboard//etc/passwd',
      '/dashboard/.hidden.js',
      '/dashboard/deep',
      '/dashboard/deep/',
      '/dashboard/x.js/',
      '/dashboard/x.js.map',
      '/dashboard/x.js%3F',
      '/../dashboard/x.js',
    ]) {
      const { status, code, text } = await ask(target);
      assert.deepEqual([status, code], [404, 7003], `${target}: ${text}`);
      assert.equal(text.includes('secret page'), false);
    }
    assert.equal((await ask('/dashboard/x.js%00')).status, 400);
    assert.deepEqual(warnings(), []);
  });
});
