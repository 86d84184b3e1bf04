import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type Socket, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { ConnectionsByNetwork } from '../../src/http/connections-by-network.ts';
import { SlowBodies } from '../../src/http/slow-bodies.ts';
import { eventually } from '../support/eventually.ts';
import { RawConnection, parseAnswer } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

const MOST = 5;
const GRACE_MS = 1_000;
const PROXY = '127.0.0.9';

describe('connections from one address', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite', {
      settings: {
        MAX_CONNECTIONS_PER_ADDRESS: String(MOST),
        TRUST_PROXY: `${PROXY},10.0.0.0/8`,
      },
    });
  });
  after(() => server.stop());

  const open = (localAddress: string): Socket => {
    const port = Number(new URL(server.origin).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    return socket;
  };

  /** Resolves to true when the server answers on a connection, to false when it closes it. */
  async function isServed(socket: Socket): Promise<boolean> {
    socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    const ended = once(socket, 'close').then(() => false);
    return Promise.race([once(socket, 'data').then(() => true), ended]);
  }

  test('at the limit one is served, above it none is, and others are not affected', async (t) => {
    const sockets = Array.from({ length: MOST }, () => open('127.0.0.2'));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) assert.equal(await isServed(socket), true);
    const above = Array.from({ length: 10 }, () => open('127.0.0.2'));
    for (const socket of above) assert.equal(await isServed(socket), false);
    const other = open('127.0.0.3');
    assert.equal(await isServed(other), true);
    other.destroy();
    const { text } = await request('GET', `${server.origin}/metrics`);
    assert.match(text, /^latchkey_connections_refused_by_address_total 10$/m);
    assert.match(server.logLines.join(''), /too many connections from one address/);
    // One that closes makes room.
    sockets[0]?.destroy();
    await eventually('there is room', async () => {
      const next = open('127.0.0.2');
      const served = await isServed(next);
      next.destroy();
      return served;
    });
  });

  test('from a proxy any number comes', async () => {
    const sockets = Array.from({ length: 4 * MOST }, () => open(PROXY));
    for (const socket of sockets) assert.equal(await isServed(socket), true);
    for (const socket of sockets) socket.destroy();
  });
});

test('an IPv6 /48 counts as one address, an IPv4 address is the same in both notations', () => {
  const connections = new ConnectionsByNetwork(2, []);
  const take = (remoteAddress: string): [boolean, () => void] => {
    let close = (): void => {};
    const socket = { remoteAddress, once: (_: string, run: () => void) => (close = run) };
    return [connections.take(socket as unknown as Socket), () => close()];
  };
  assert.equal(take('2001:db8:1:1::1')[0], true);
  const [isTaken, close] = take('2001:db8:1:ffff::2');
  assert.equal(isTaken, true);
  assert.equal(take('2001:db8:1:2::3')[0], false);
  assert.equal(take('2001:db8:2:1::1')[0], true);
  close();
  assert.equal(take('2001:db8:1:2::3')[0], true);
  assert.equal(take('192.0.2.1')[0], true);
  assert.equal(take('::ffff:192.0.2.1')[0], true);
  assert.equal(take('192.0.2.1')[0], false);
});

test('never more than the limit are open, whatever opens and closes', () => {
  const step = fc.tuple(fc.nat(3), fc.boolean());
  fc.assert(
    fc.property(fc.array(step), fc.integer({ min: 1, max: 4 }), (steps, most) => {
      const connections = new ConnectionsByNetwork(most, []);
      const open = new Map<number, (() => void)[]>();
      for (const [client, isOpening] of steps) {
        const closers = open.get(client) ?? [];
        open.set(client, closers);
        if (!isOpening) closers.pop()?.();
        else {
          const socket = {
            remoteAddress: `192.0.2.${client}`,
            once: (_: string, run: () => void) => void closers.push(run),
          };
          const isTaken = connections.take(socket as unknown as Socket);
          assert.ok(closers.length <= most);
          assert.equal(isTaken || closers.length === most, true);
        }
      }
    }),
  );
});

describe('slow bodies', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite', { settings: { HEADERS_TIMEOUT_MS: String(GRACE_MS) } });
  });
  after(() => server.stop());

  function begin(path: string, length: number): RawConnection {
    const connection = new RawConnection(server.origin);
    connection.write(
      `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`,
    );
    return connection;
  }

  const paths = (): string[] => [
    `/client/v4${server.account}/tokens`,
    `/client/v4${server.account}/ai/v1/chat/completions`,
  ];

  test('a body of a byte now and then: 408 long before the request timeout', async () => {
    for (const path of paths()) {
      const connection = begin(path, 10_000);
      const over = new AbortController();
      const dripping = (async () => {
        while (!over.signal.aborted) {
          connection.write('x');
          await delay(100);
        }
      })();
      const answer = parseAnswer(await connection.receivedToEnd());
      over.abort();
      await dripping;
      assert.deepEqual([answer.status, answer.code], [408, 6012], path);
    }
    const { text } = await request('GET', `${server.origin}/metrics`);
    assert.match(text, /^latchkey_connections_slow_total 2$/m);
  });

  test('a body that stops is ended the same way, in chunks too', async () => {
    const connection = new RawConnection(server.origin);
    connection.write(
      `POST ${paths()[0]} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.token}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
    );
    const answer = parseAnswer(await connection.receivedToEnd());
    assert.deepEqual([answer.status, answer.code], [408, 6012]);
  });

  test('a body that goes on after its answer is ended too', async () => {
    for (const [method, path] of [
      ['POST', '/nope'],
      ['GET', '/healthz'],
      ['POST', `/client/v4${server.account}/tokens`],
    ] as const) {
      const connection = new RawConnection(server.origin);
      connection.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\nx`);
      const before = performance.now();
      await connection.receivedToEnd();
      assert.ok(performance.now() - before < 20_000, path);
    }
  });

  test('a body with a modest rate arrives, however long it takes', async () => {
    const body = JSON.stringify({ model: 'local/echo', messages: [], user: 'x'.repeat(5_000) });
    const connection = begin(`/client/v4${server.account}/ai/v1/chat/completions`, body.length);
    for (let i = 0; i < body.length; i += 300) {
      connection.write(body.slice(i, i + 300));
      await delay(200);
    }
    const answer = parseAnswer(await connection.receivedToEnd());
    assert.notEqual(answer.status, 408);
  });

  test('a slow answer is no slow body', async () => {
    const connection = new RawConnection(server.origin);
    connection.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await connection.receivedUntil('ok');
    await delay(GRACE_MS + 1_500);
    connection.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    assert.equal((await connection.receivedToEnd()).split('HTTP/1.1 200').length, 3);
  });
});

test('the average counts from the first look: at 500 bytes a second, never below', () => {
  const rate = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(rate, fc.integer({ min: 0, max: 20 }), (perSecond, graceSeconds) => {
      const bodies = new SlowBodies(graceSeconds * 1_000);
      const message = { complete: false, readableLength: 0, readableHighWaterMark: 65_536 };
      let bytesRead = 0;
      let second = 0;
      const look = (): boolean =>
        bodies.isTooSlow(
          message as IncomingMessage,
          { bytesRead } as unknown as Socket,
          second * 1_000,
        );
      assert.equal(look(), false);
      for (const bytes of perSecond) {
        bytesRead += bytes;
        second++;
        assert.equal(look(), second > graceSeconds + bytesRead / 500);
      }
    }),
  );
});
