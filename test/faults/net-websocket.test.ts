import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type ScriptedBench, startScripted } from '../gateway/scripted.ts';
import { UniversalClient } from '../gateway/universal-client.ts';
import { eventually } from '../support/eventually.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { request } from '../support/server.ts';

const MIB = 1024 * 1024;
const TOO_BIG = 1009;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

/** A frame as a client sends it: masked, with a mask that changes nothing. */
function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  assert.ok(payload.length < 126);
  const head = [(isLast ? 0x80 : 0) | opcode, 0x80 | payload.length, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from(head), payload]);
}

const CONTINUATION = 0x0;
const TEXT = 0x1;
const PING = 0x9;

// What is measured here happens before any database is asked.
describe('a WebSocket', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite', {
      settings: {
        UPSTREAM_IDLE_TIMEOUT_MS: '900',
        HEADERS_TIMEOUT_MS: '1000',
        REQUEST_TIMEOUT_MS: '1000',
        GATEWAY_BODY_LIMIT_BYTES: String(2 * MIB),
        GATEWAY_BODIES_LIMIT_BYTES: String(3 * MIB),
      },
    });
  });
  after(() => bench.stop());

  async function open() {
    const { server } = bench;
    const url = `${server.origin.replace('http', 'ws')}/v1/${server.accountId}/default`;
    const headers = { 'cf-aig-authorization': `Bearer ${server.token}` };
    const client = await UniversalClient.open(url, headers);
    // The library sends nothing that is wrong.
    const { _socket: socket } = client.webSocket as unknown as { _socket: Socket };
    return { client, socket };
  }

  async function assertServed(): Promise<void> {
    assert.equal((await request('GET', `${bench.server.origin}/readyz`)).status, 200);
    const { client } = await open();
    const echo = {
      provider: 'local',
      endpoint: 'chat/completions',
      query: { model: 'echo', messages: [] },
    };
    assert.ok((await client.call(echo)).length > 0);
    client.webSocket.close();
  }

  test('of a client that pings and takes no answers is cut; memory stays', async () => {
    const { socket } = await open();
    socket.pause();
    const pings = Buffer.concat(Array.from({ length: 500 }, () => frame(PING, Buffer.alloc(120))));
    const pump = (): void => {
      // As fast as it is taken; what is not taken any more waits here.
      while (!socket.destroyed && socket.write(pings));
      if (!socket.destroyed) socket.once('drain', pump);
    };
    socket.on('error', () => {});
    pump();
    await eventually('it is cut', async () => socket.destroyed);
    // Who has read no more cannot hold more; the systems on the way keep some of it.
    const takenMib = Math.round(socket.bytesWritten / MIB);
    assert.ok(takenMib < 64, `${takenMib} MiB were read`);
    await assertServed();
  });

  test('with a message of countless fragments is closed', async () => {
    const { client, socket } = await open();
    socket.write(frame(TEXT, Buffer.from('{'), false));
    const pieces = Array.from({ length: 1_000 }, () =>
      frame(CONTINUATION, Buffer.from(' '), false),
    );
    const block = Buffer.concat(pieces);
    for (let i = 0; i < 20; i++) socket.write(block);
    const code = await client.closed;
    assert.ok(code === POLICY_VIOLATION || code === TOO_BIG, String(code));
    await assertServed();
  });

  test('with a frame that announces gigabytes is closed before they come', async () => {
    const { client, socket } = await open();
    const head = Buffer.alloc(14);
    head[0] = 0x80 | TEXT;
    head[1] = 0x80 | 127;
    head.writeBigUInt64BE(4n * 1024n ** 3n, 2);
    socket.write(head);
    assert.equal(await client.closed, TOO_BIG);
    await assertServed();
  });

  test('with thousands of messages at once keeps nobody waiting; each is answered', async () => {
    const { client, socket } = await open();
    const count = 2_000;
    const block = Buffer.concat(Array.from({ length: count }, () => frame(TEXT, Buffer.from('x'))));
    socket.write(block);
    await assertServed();
    await eventually('all are answered', async () => client.messages.length === count);
    client.webSocket.close();
  });

  test('with a message that has no end is closed in time, though there are pings between', async () => {
    const { client, socket } = await open();
    socket.write(frame(TEXT, Buffer.from('{'), false));
    const timer = setInterval(() => {
      socket.write(frame(PING, Buffer.from('alive')));
      socket.write(frame(CONTINUATION, Buffer.from(' '), false));
    }, 50);
    assert.equal(await client.closed, POLICY_VIOLATION);
    clearInterval(timer);
  });

  test('that only pings lasts longer than a message may take', async () => {
    const { client, socket } = await open();
    const timer = setInterval(() => socket.write(frame(PING, Buffer.from('alive'))), 50);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    clearInterval(timer);
    assert.equal(client.webSocket.readyState, client.webSocket.OPEN);
    client.webSocket.close();
  });

  test('with an unfinished message takes from what all bodies may: one that finds no room is closed', async () => {
    const head = Buffer.alloc(14);
    head[0] = 0x80 | TEXT;
    head[1] = 0x80 | 127;
    head.writeBigUInt64BE(BigInt(2 * MIB), 2);
    const most = Buffer.concat([head, Buffer.alloc(2 * MIB - 100, 0x20)]);
    const clients = [await open(), await open()];
    for (const { socket } of clients) socket.write(most);
    const first = await Promise.race(clients.map(({ client }) => client.closed));
    assert.equal(first, TRY_AGAIN_LATER);
    for (const { client } of clients) client.webSocket.terminate();
    // What they held is given back.
    const { client, socket } = await open();
    socket.write(Buffer.concat([most, Buffer.alloc(100, 0x20)]));
    await eventually('it is refused as a message', async () => client.messages.length === 1);
    client.webSocket.close();
  });

  test('is not opened by a request with a body: 405, and the server lives', async () => {
    const { server } = bench;
    const opening =
      `GET /v1/${server.accountId}/default HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    for (const credential of ['', `cf-aig-authorization: Bearer ${server.token}\r\n`]) {
      for (const body of ['content-length: 4\r\n\r\n', 'transfer-encoding: chunked\r\n\r\n4\r\n']) {
        const connection = new RawConnection(server.origin);
        connection.write(`${opening}${credential}${body}ab`);
        assert.match(await connection.receivedUntil('\r\n\r\n'), /^HTTP\/1\.1 405 /);
        connection.socket.destroy();
      }
    }
    await assertServed();
  });
});
