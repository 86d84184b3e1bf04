import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { request } from 'undici';
import { type TestServer, bootServer } from '../support/server.ts';

const PUBLIC = 'https://id.example.com';

describe('the page of a rejected form names the cause', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite', {
      settings: {
        BASE_URL: `${PUBLIC}/client/v4`,
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'noreply@latchkey.example',
      },
    });
  });
  after(() => server.stop());

  const PATHS = ['/login', '/forgot-password'];

  async function submit(path: string, headers: Record<string, string>): Promise<string> {
    const { statusCode, body } = await request(server.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: 'email=ada%40example.com&password=a-password&form_token=x',
    });
    const text = await body.text();
    assert.equal(statusCode, 403, text);
    return text;
  }

  async function openPage(path: string, headers: Record<string, string>): Promise<string> {
    const response = await request(server.origin + path, { headers });
    await response.body.dump();
    return [response.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ');
  }

  test('another address than the configured one', async () => {
    const { host } = new URL(server.origin);
    const visits: Record<string, string>[] = [
      // As a browser sends them from the address in the local network, over http.
      { host, origin: server.origin },
      { host, origin: 'null' },
      { host, 'sec-fetch-site': 'same-origin' },
      { host: 'id.example.com:8787' },
      // The configured host without TLS.
      { host: 'id.example.com', origin: 'http://id.example.com', 'sec-fetch-site': 'cross-site' },
    ];
    for (const path of PATHS) {
      for (const headers of visits) {
        const text = await submit(path, headers);
        assert.match(text, /does not accept forms at the address that you opened/);
        assert.ok(text.includes(`Open ${PUBLIC}`), text);
      }
    }
    const logged = server.logLines.filter((line) => line.includes('LATCHKEY_BASE_URL is at'));
    assert.equal(logged.length, PATHS.length * visits.length);
    assert.match(logged[0] ?? '', new RegExp(`a browser visits ${host}, but`));
  });

  test('another site, a missing cookie and an expired form', async () => {
    const here = { host: 'id.example.com' };
    const before = server.logLines.length;
    for (const path of PATHS) {
      const foreign = await submit(path, { ...here, origin: 'https://evil.example' });
      assert.match(foreign, /was sent from another site/);
      const crossSite = await submit(path, { ...here, 'sec-fetch-site': 'cross-site' });
      assert.match(crossSite, /was sent from another site/);
      const bare = await submit(path, { ...here, origin: PUBLIC });
      assert.match(bare, /did not send the cookie of this form/);
      const cookie = await openPage(path, here);
      const late = await submit(path, { ...here, origin: PUBLIC, cookie });
      assert.match(late, /This form has expired\. Submit it again/);
    }
    const lines = server.logLines.slice(before).join('\n');
    assert.equal(lines.includes('LATCHKEY_BASE_URL is at'), false);
  });

  test('a server without a public address accepts every host, so it is not the cause', async (t) => {
    const other = await bootServer('sqlite', { settings: { HOST: '0.0.0.0' } });
    t.after(() => other.stop());
    const { port } = new URL(other.origin);
    for (const host of ['localhost', '192.168.1.5']) {
      const { body } = await request(`http://127.0.0.1:${port}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', host: `${host}:${port}` },
        body: 'email=a&password=b&form_token=x',
      });
      const text = await body.text();
      assert.match(text, /Allow cookies and try again/);
      assert.equal(text.includes('0.0.0.0'), false);
    }
  });

  test('a host that is no host does not reach the log', async () => {
    const text = await submit('/login', { host: 'a"<script>' });
    assert.equal(text.includes('<script>'), false);
    assert.equal(server.logLines.join('').includes('<script>'), false);
  });
});
