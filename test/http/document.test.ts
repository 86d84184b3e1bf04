import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '../../src/http/document.ts';
import { type TestServer, bootServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await bootServer('sqlite');
});
after(() => server.stop());

/** Unlike fetch, decodes nothing and adds no header. */
async function get(path: string, headers: Record<string, string> = {}) {
  const sent = request(server.origin + path, { headers }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

for (const path of ['/openapi.json', '/docs/json']) {
  test(`${path} is compressed, and fetched once`, async () => {
    const plain = await get(path);
    assert.equal(plain.status, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers['cache-control'], 'no-cache');
    assert.match(plain.headers.vary ?? '', /accept-encoding/i);
    const document = JSON.parse(plain.body.toString());
    assert.equal(document.openapi, '3.1.0');
    const zipped = await get(path, { 'accept-encoding': 'br, gzip' });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(zipped.body), plain.body);
    assert.ok(zipped.body.length < plain.body.length / 5);
    assert.notEqual(zipped.headers.etag, plain.headers.etag);
    for (const [answer, accepted] of [
      [plain, 'identity'],
      [zipped, 'gzip'],
    ] as const) {
      const known = { 'accept-encoding': accepted, 'if-none-match': answer.headers.etag ?? '' };
      const again = await get(path, known);
      assert.deepEqual([again.status, again.body.length], [304, 0]);
      assert.equal(again.headers.etag, answer.headers.etag);
      const other = await get(path, { ...known, 'if-none-match': '"other"' });
      assert.equal(other.status, 200);
    }
  });
}

test('the accepted content codings', () => {
  for (const header of [
    'gzip',
    'br, GZIP',
    'gzip;q=0.1',
    'gzip ; q=1',
    '*',
    'br, *;q=0.5',
    'x-gzip',
  ]) {
    assert.equal(acceptsGzip(header), true, header);
  }
  for (const header of [
    undefined,
    '',
    'br',
    'identity',
    'gzip;q=0',
    'gzip; q=0.000',
    '*;q=0',
    'gzip;q=0, *',
    'gzipped',
  ]) {
    assert.equal(acceptsGzip(header), false, String(header));
  }
});
