import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type TestContext, after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type BootOptions, type TestServer, bootServer } from '../support/server.ts';
import { createClient, patch } from './client-bodies.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and what follows', 'latin1');
const GIF = Buffer.from('GIF89a and what follows', 'latin1');
const KIB = 1024;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const send =
  (content: Buffer | string, contentType = 'image/png') =>
  (_request: unknown, response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': contentType }).end(content);

const redirectTo =
  (location: string, status = 302) =>
  (_request: unknown, response: ServerResponse): void =>
    void response.writeHead(status, { location }).end();

/** Fetches the logo of a client as browsers do. */
async function getLogo(
  server: TestServer,
  clientId: string,
  requestHeaders: Record<string, string> = {},
) {
  const response = await fetch(`${server.origin}/oauth2/clients/${clientId}/logo`, {
    headers: requestHeaders,
  });
  const content = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  const type = headers.get('content-type');
  return { status, headers, type, content, isTile: content.includes('<text') };
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let shared: TestServer;
  before(async () => {
    shared = await bootServer(database, { clock, settings: { UPSTREAM_ALLOW: '127.0.0.1' } });
  });
  after(() => shared.stop());

  /** A file server of its own, beside a server that several tests use. */
  async function boot(t: TestContext) {
    return { clock, server: shared, files: await startFileServer(t) };
  }

  /** Both of its own. */
  async function bootOwn(t: TestContext, settings: BootOptions['settings'] = {}) {
    const server = await bootServer(database, {
      clock,
      settings: { UPSTREAM_ALLOW: '127.0.0.1', ...settings },
    });
    t.after(() => server.stop());
    return { ...(await boot(t)), server };
  }

  /** A client whose logo is at the path of a server. */
  async function clientWith(
    server: TestServer,
    files: FileServer,
    path = '/logo',
  ): Promise<string> {
    const client = await createClient(server, { logo_uri: files.origin + path });
    return client.client_id as string;
  }

  test('our copy is served, as what it is', async (t) => {
    const { server, files } = await boot(t);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [type, content] of [
      ['image/png', PNG],
      ['image/gif', GIF],
      ['image/gif', 'GIF87a…'],
      ['image/jpeg', Buffer.from('ffd8ffe0', 'hex')],
      ['image/webp', 'RIFF....WEBPVP8 '],
      ['image/avif', '\0\0\0 ftypavif'],
      ['image/avif', '\0\0\0 ftypavis'],
      ['image/svg+xml', svg],
      ['image/svg+xml', `\ufeff<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg>\n${svg}`],
    ] as const) {
      // Whatever its server says that it is.
      files.answer = send(Buffer.from(content), 'text/html');
      const logo = await getLogo(server, await clientWith(server, files));
      assert.deepEqual([logo.status, logo.type], [200, type]);
      assert.ok(logo.content.equals(Buffer.from(content)), String(content));
    }
  });

  test('a picture is no page', async (t) => {
    const { server, files } = await boot(t);
    files.answer = send(PNG);
    const { headers } = await getLogo(server, await clientWith(server, files));
    const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    assert.equal(headers.get('content-security-policy'), policy);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="logo"');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.equal(headers.get('cache-control'), 'private, max-age=3600');
    assert.equal(headers.get('access-control-allow-origin'), null);
  });

  test('what is no picture is a letter', async (t) => {
    const { server, files } = await boot(t);
    for (const content of [
      '',
      '<html><svg></svg></html>',
      'svg',
      '<svgx></svgx>',
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg></svg>',
      'GIF88a',
      'RIFF....WAVE',
      '\0\0\0 ftypmp42',
      '%PDF-1.7',
      '\x89PNG',
    ]) {
      files.answer = send(Buffer.from(content, 'latin1'));
      const logo = await getLogo(server, await clientWith(server, files));
      assert.deepEqual([logo.status, logo.type, logo.isTile], [200, 'image/svg+xml', true]);
      assert.equal(logo.headers.get('cache-control'), 'private, max-age=60');
    }
    for (const status of [204, 206, 404, 500]) {
      files.answer = (_request, response) => response.writeHead(status).end(PNG);
      assert.ok((await getLogo(server, await clientWith(server, files))).isTile, String(status));
    }
  });

  test('no logo, or no client', async (t) => {
    const { server } = await boot(t);
    const { client_id: clientId } = await createClient(server, { client_name: ' <é' });
    const tile = await getLogo(server, clientId);
    assert.ok(tile.isTile);
    assert.match(tile.content.toString(), />&lt;<\/text>/);
    for (const id of ['0'.repeat(32), 'x', `${clientId}x`, '__proto__', 'x'.repeat(3_000)]) {
      assert.equal((await getLogo(server, id)).status, 404, id);
    }
    const posted = await fetch(`${server.origin}/oauth2/clients/${clientId}/logo`, {
      method: 'POST',
    });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  });

  test('up to 256 KiB', async (t) => {
    const { server, files } = await boot(t);
    const largest = Buffer.concat([PNG, Buffer.alloc(256 * KIB - PNG.length)]);
    files.answer = send(largest);
    const logo = await getLogo(server, await clientWith(server, files));
    assert.ok(logo.content.equals(largest));
    files.answer = send(Buffer.concat([largest, Buffer.alloc(1)]));
    assert.ok((await getLogo(server, await clientWith(server, files))).isTile);
    // Without end, and without a length.
    const endless = function* () {
      for (;;) yield Buffer.alloc(KIB);
    };
    files.answer = (_request, response) => {
      response.write(PNG);
      pipeline(endless, response, () => {});
    };
    assert.ok((await getLogo(server, await clientWith(server, files))).isTile);
  });

  /** So that whatever is not in memory is fetched anew. */
  async function forgetCopies(server: TestServer): Promise<void> {
    await server.app.database.transaction((tx) => tx.deleteFrom('oauth_client_logos').execute());
  }

  test('a copy that was asked for lately is in memory, up to 8 MiB of them', async (t) => {
    const { server, files } = await bootOwn(t);
    files.answer = send(Buffer.concat([PNG, Buffer.alloc(256 * KIB - PNG.length)]));
    const ids = [];
    for (let i = 0; i < 33; i++) ids.push(await clientWith(server, files, `/${i}`));
    const [first = '', ...others] = ids;
    for (const id of ids) await getLogo(server, id);
    await forgetCopies(server);
    for (const id of others) assert.equal((await getLogo(server, id)).type, 'image/png');
    assert.equal(files.requests.length, 33);
    await getLogo(server, first);
    assert.equal(files.requests.at(-1), '/0');
    // Also that there is none.
    files.answer = (_request, response) => response.writeHead(404).end();
    const none = await clientWith(server, files, '/none');
    for (let i = 0; i < 2; i++) {
      assert.ok((await getLogo(server, none)).isTile);
      await forgetCopies(server);
    }
    assert.equal(files.requests.length, 35);
  });

  test('whoever has it already is told so', async (t) => {
    const { server, files } = await boot(t);
    files.answer = send(PNG);
    const { client_id: plain } = await createClient(server);
    const tags = [];
    for (const [id, age] of [
      [await clientWith(server, files), 3_600],
      [plain, 60],
    ] as const) {
      const logo = await getLogo(server, id);
      const etag = logo.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]{43}"$/);
      tags.push(etag);
      for (const named of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
        const { status, headers, content } = await getLogo(server, id, { 'if-none-match': named });
        assert.deepEqual([status, content.length, headers.get('etag')], [304, 0, etag], named);
        assert.equal(headers.get('cache-control'), `private, max-age=${age}`);
      }
      for (const other of ['', '"x"', etag.slice(1, -1), `${etag}x`]) {
        const again = await getLogo(server, id, { 'if-none-match': other });
        assert.deepEqual([again.status, again.content], [200, logo.content], other);
      }
    }
    assert.notEqual(tags[0], tags[1]);
  });

  test('a copy is kept for a day, and while its server has none', async (t) => {
    const { clock, server, files } = await boot(t);
    files.answer = send(PNG);
    const clientId = await clientWith(server, files);
    const typeNow = async () => (await getLogo(server, clientId)).type;
    assert.equal(await typeNow(), 'image/png');
    files.answer = send(GIF);
    clock.advance(DAY_MS - 1);
    assert.equal(await typeNow(), 'image/png');
    assert.equal(files.requests.length, 1);
    clock.advance(1);
    assert.equal(await typeNow(), 'image/gif');
    assert.equal(files.requests.length, 2);
    files.answer = (_request, response) => response.writeHead(503).end();
    clock.advance(DAY_MS);
    assert.equal(await typeNow(), 'image/gif');
    clock.advance(10 * MINUTE_MS - 1);
    assert.equal(await typeNow(), 'image/gif');
    assert.equal(files.requests.length, 3);
    files.answer = send(PNG);
    clock.advance(1);
    assert.equal(await typeNow(), 'image/png');
  });

  test('that there is none is remembered for ten minutes', async (t) => {
    const { clock, server, files } = await boot(t);
    const clientId = await clientWith(server, files);
    assert.ok((await getLogo(server, clientId)).isTile);
    files.answer = send(PNG);
    clock.advance(10 * MINUTE_MS - 1);
    assert.ok((await getLogo(server, clientId)).isTile);
    assert.equal(files.requests.length, 1);
    clock.advance(1);
    assert.equal((await getLogo(server, clientId)).type, 'image/png');
  });

  test('another address is another logo, at once', async (t) => {
    const { server, files } = await boot(t);
    files.answer = send(PNG);
    const clientId = await clientWith(server, files);
    await getLogo(server, clientId);
    files.answer = (_request, response) => response.writeHead(404).end();
    await patch(server, clientId, { logo_uri: `${files.origin}/other` });
    assert.ok((await getLogo(server, clientId)).isTile);
    assert.deepEqual(files.requests, ['/logo', '/other']);
    await patch(server, clientId, { logo_uri: '' });
    assert.ok((await getLogo(server, clientId)).isTile);
    assert.equal(files.requests.length, 2);
  });

  test('of many who ask at once, one fetches; and only so many logos at once', async (t) => {
    const { server, files } = await bootOwn(t);
    const held: ServerResponse[] = [];
    files.answer = (_request, response) => void held.push(response);
    const ids = [];
    for (let i = 0; i < 9; i++) ids.push(await clientWith(server, files, `/${i}`));
    const [last = ''] = ids.splice(8);
    const asked = ids.flatMap((id) => [getLogo(server, id), getLogo(server, id)]);
    await eventually('eight fetches run', () => Promise.resolve(held.length === 8));
    assert.ok((await getLogo(server, last)).isTile);
    for (const response of held) response.end(PNG);
    for (const logo of await Promise.all(asked)) assert.equal(logo.type, 'image/png');
    assert.equal(files.requests.length, 8);
    // It was not its fault.
    files.answer = send(PNG);
    assert.equal((await getLogo(server, last)).type, 'image/png');
  });

  test('redirects: three, and only to https', async (t) => {
    const { server, files } = await boot(t);
    const secure = await startFileServer(t, 'https');
    const hops = (count: number, status?: number): void => {
      files.answer = redirectTo(`${secure.origin}/${count}`, status);
    };
    secure.answer = ({ url }, response) => {
      const left = Number(url?.slice(1)) - 1;
      if (left === 0) send(PNG)(undefined, response);
      else redirectTo(`/${left}`, 307)(undefined, response);
    };
    for (const status of [301, 302, 303, 307, 308]) {
      hops(1, status);
      assert.equal((await getLogo(server, await clientWith(server, files))).type, 'image/png');
    }
    hops(3);
    assert.equal((await getLogo(server, await clientWith(server, files))).type, 'image/png');
    hops(4);
    assert.ok((await getLogo(server, await clientWith(server, files))).isTile);
    const count = files.requests.length;
    for (const location of [
      `${files.origin}/other`,
      'file:///etc/passwd',
      'data:image/png;base64,iVBORw0KGgo=',
      'https://',
    ]) {
      secure.answer = redirectTo(location);
      assert.ok((await getLogo(server, await clientWith(server, secure))).isTile, location);
    }
    assert.equal(files.requests.length, count);
  });

  test('private addresses are not asked, unless an operator allows them', async (t) => {
    const { server, files } = await bootOwn(t, { UPSTREAM_ALLOW: '' });
    files.answer = send(PNG);
    for (const origin of [files.origin, `http://localhost:${files.port}`]) {
      const client = await createClient(server, { logo_uri: `${origin}/logo` });
      assert.ok((await getLogo(server, client.client_id)).isTile);
    }
    assert.equal(files.connections, 0);
  });

  test('nor when an allowed one leads there', async (t) => {
    const { server } = await boot(t);
    const secure = await startFileServer(t, 'https');
    for (const host of ['127.0.0.2', '[::1]', '10.0.0.1', '169.254.169.254', '0']) {
      secure.answer = redirectTo(`https://${host}:${secure.port}/logo`);
      const client = await createClient(server, { logo_uri: `${secure.origin}/${host}` });
      assert.ok((await getLogo(server, client.client_id)).isTile, host);
    }
  });

  test('a client may go while its logo comes', async (t) => {
    const { server, files } = await boot(t);
    const held: ServerResponse[] = [];
    files.answer = (_request, response) => void held.push(response);
    const clientId = await clientWith(server, files);
    const asked = getLogo(server, clientId);
    await eventually('it is asked for', () => Promise.resolve(held.length === 1));
    await server.call('DELETE', `${server.account}/oauth_clients/${clientId}`);
    held[0]?.end(PNG);
    assert.equal((await asked).status, 200);
    assert.equal((await getLogo(server, clientId)).status, 404);
  });

  test('a stop does not wait for it', async (t) => {
    const files = await startFileServer(t);
    const server = await bootServer(database, {
      settings: { UPSTREAM_ALLOW: '127.0.0.1', SHUTDOWN_TIMEOUT_MS: '0' },
    });
    let isGone = false;
    files.answer = (_request, response) => {
      response.on('close', () => {
        isGone = true;
      });
    };
    const asked = clientWith(server, files).then((id) => getLogo(server, id));
    asked.catch(() => {});
    await eventually('it is asked for', () => Promise.resolve(files.requests.length === 1));
    await server.stop();
    await assert.rejects(asked);
    await eventually('the connection is closed', () => Promise.resolve(isGone));
    assert.ok(!server.logLines.some((line) => line.includes('"level":50')), server.logLines.join());
  });
});
