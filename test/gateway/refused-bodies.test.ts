import assert from 'node:assert/strict';
import net from 'node:net';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** Sends the head and a part of the body, and closes the connection after the response, or at once. */
  async function abort(contentLength: number, isAtOnce: boolean): Promise<string> {
    const { hostname, port } = new URL(server.origin);
    const socket = net.connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      socket.destroy();
    });
    const head =
      `POST /client/v4${server.account}/ai/v1/chat/completions HTTP/1.1\r\nhost: x\r\n` +
      `authorization: Bearer ${createSecret('lkat_')}\r\ncontent-type: application/json\r\n` +
      `content-length: ${contentLength}\r\n\r\n{"model":`;
    if (isAtOnce) socket.end(head);
    else socket.write(head);
    await once(socket, 'close');
    return text;
  }

  test('a rejected request whose body breaks off harms no other request', async () => {
    for (const contentLength of [100, 65_536, 65_537]) {
      assert.match(await abort(contentLength, false), /^HTTP\/1\.1 401 /);
      for (let i = 0; i < 10; i++) await abort(contentLength, true);
    }
    const { status } = await server.call('GET', server.account);
    assert.equal(status, 200);
  });
});
