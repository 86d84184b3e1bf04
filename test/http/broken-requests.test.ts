import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawAnswer, RawConnection, exchange, parseAnswer } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

// What node:http's parser refuses never comes near a database: one of them is enough here.
describe('broken requests', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite', {
      settings: { HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' },
    });
  });
  after(() => server.stop());

  function assertRefused(answer: RawAnswer, status: number, code: number): void {
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.code, code);
    assert.deepEqual(Object.keys(answer.json), ['success', 'errors', 'messages', 'result']);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)));
    assert.equal(answer.headers.connection, 'close');
  }

  for (const [what, bytes] of Object.entries({
    'no HTTP at all': 'garbage\r\n\r\n',
    'a TLS handshake': Buffer.from('16030100a5010000a10303', 'hex'),
    'a wrong version': 'GET / HTTP/9.9\r\nhost: a\r\n\r\n',
    'a space before the colon': 'GET /healthz HTTP/1.1\r\nhost : a\r\n\r\n',
    'a control character in a header': 'GET /healthz HTTP/1.1\r\nhost: a\r\nx: \u0001\r\n\r\n',
    'a folded header': 'GET /healthz HTTP/1.1\r\nhost: a\r\nx: a\r\n b\r\n\r\n',
    'two lengths': 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'length and chunks at once':
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'an unknown transfer encoding':
      'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n',
    'bare line feeds': 'GET /healthz HTTP/1.1\nhost: a\n\n',
  })) {
    test(`${what}: 6011`, async () => {
      assertRefused(await exchange(server.origin, bytes), 400, 6011);
    });
  }

  test('no Host header: 6011, but HTTP/1.0 needs none', async () => {
    const close = 'connection: close\r\n\r\n';
    const answer = await exchange(server.origin, `GET /healthz HTTP/1.1\r\n${close}`);
    assertRefused(answer, 400, 6011);
    assert.equal((await exchange(server.origin, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200);
  });

  test('headers that do not come in time: 6012', async () => {
    assertRefused(await exchange(server.origin, 'GET /healthz HTTP/1.1\r\nhost:'), 408, 6012);
  });

  test('a body that does not come in time: 6012', async () => {
    const answer = await exchange(
      server.origin,
      `POST /client/v4${server.account}/tokens HTTP/1.1\r\nhost: a\r\n` +
        `authorization: Bearer ${server.token}\r\n` +
        'content-type: application/json\r\ncontent-length: 10\r\n\r\n{',
    );
    assertRefused(answer, 408, 6012);
  });

  test('headers over the limit: 6013', async () => {
    const header = `x: ${'a'.repeat(17 * 1024)}\r\n`;
    assertRefused(
      await exchange(server.origin, `GET /healthz HTTP/1.1\r\nhost: a\r\n${header}\r\n`),
      431,
      6013,
    );
  });

  test('a refused request has its line in the log, under the id that was answered', async () => {
    const answer = await exchange(server.origin, 'garbage\r\n\r\n');
    const line = server.logLines
      .map((text) => JSON.parse(text))
      .find(({ reqId }) => reqId === answer.headers['x-request-id']);
    assert.equal(line.status, 400);
    assert.equal(line.ip, '127.0.0.1');
  });

  test('garbage behind a request does not end up within its answer', async () => {
    // Too much for the buffers of the connection: the answers are on their way when garbage comes.
    for (const count of [1, 20]) {
      const connection = new RawConnection(server.origin);
      connection.write(
        'GET /docs/static/swagger-ui-bundle.js HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(count),
      );
      await connection.receivedUntil('\r\n\r\n');
      connection.socket.pause();
      connection.write('garbage\r\n\r\n');
      await request('GET', `${server.origin}/healthz`);
      connection.socket.resume();
      const received = await connection.receivedToEnd();
      const answer = parseAnswer(received);
      assert.equal(answer.status, 200);
      const body = answer.text.slice(0, Number(answer.headers['content-length']));
      assert.equal(body.includes('HTTP/1.1 400'), false);
      if (count > 1) assert.equal(received.includes('HTTP/1.1 400'), false);
    }
  });

  test('a client that breaks off in the middle of its body is no error of ours', async () => {
    const connection = new RawConnection(server.origin);
    connection.write(
      `POST /client/v4${server.account}/tokens HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n` +
        `authorization: Bearer ${server.token}\r\n` +
        'content-type: application/json\r\ncontent-length: 10\r\n\r\n',
    );
    await connection.receivedUntil('100 Continue');
    connection.write('{');
    connection.socket.destroy();
    const isNoticed = () => server.logLines.some((line) => line.includes('INVALID_EOF_STATE'));
    while (!isNoticed()) await request('GET', `${server.origin}/healthz`);
    assert.equal(
      server.logLines.some((line) => line.includes('request failed')),
      false,
    );
  });

  test('Expect: 100-continue is answered, other expectations are ignored', async () => {
    const body = '{';
    const post = (expect: string) =>
      `POST /client/v4${server.account}/tokens HTTP/1.1\r\nhost: a\r\nexpect: ${expect}\r\n` +
      `authorization: Bearer ${server.token}\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const connection = new RawConnection(server.origin);
    connection.write(post('100-continue'));
    assert.match(await connection.receivedUntil('\r\n\r\n'), /^HTTP\/1\.1 100 Continue\r\n/);
    connection.write(body);
    assert.match(await connection.receivedToEnd(), /"code":6007/);
    assert.equal((await exchange(server.origin, post('miracles') + body)).code, 6007);
  });
});
