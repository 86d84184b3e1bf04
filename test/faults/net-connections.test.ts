import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { httpSettings } from '../../src/app-settings.ts';
import { readSettings } from '../../src/config/settings.ts';
import { drain } from '../../src/http/drain.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { eventually } from '../support/eventually.ts';
import { RawConnection, exchange, parseAnswer } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

const SEND_TIMEOUT_MS = 600;
const MAX_CONNECTIONS = 40;

// What is measured here happens before any database is asked.
describe('connections', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite', {
      settings: {
        SEND_TIMEOUT_MS: String(SEND_TIMEOUT_MS),
        MAX_CONNECTIONS: String(MAX_CONNECTIONS),
      },
    });
  });
  after(() => server.stop());

  const healthz = (extra = ''): string => `GET /healthz HTTP/1.1\r\nhost: a\r\n${extra}\r\n`;
  const counts = () => server.app.connections;

  async function assertServed(): Promise<void> {
    assert.equal((await request('GET', `${server.origin}/readyz`)).status, 200);
  }

  async function metric(name: string): Promise<number> {
    const { text } = await request('GET', `${server.origin}/metrics`);
    const [, value] = new RegExp(`^latchkey_connections_${name} (\\d+)$`, 'm').exec(text) ?? [];
    return Number(value);
  }

  test('requests that come before the answer are answered in order, one after the other', async () => {
    const connection = new RawConnection(server.origin);
    const paths = Array.from({ length: 50 }, (_, index) => `/none-${index}`);
    const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    connection.write(requests.join('') + healthz('connection: close\r\n'));
    const received = await connection.receivedToEnd();
    const answered = [...received.matchAll(/none-\d+/g)].map(([path]) => `/${path}`);
    assert.deepEqual(answered, paths);
    assert.ok(received.endsWith('"result":{"status":"ok"}}'), received.slice(-200));
  });

  test('more than 64 are not waited for: the connection is cut, and others are served', async () => {
    const before = await metric('pipelined_total');
    const connection = new RawConnection(server.origin);
    connection.write(healthz().repeat(3_000));
    // With a reset, since not all of it was read.
    await eventually('it is cut', async () => connection.socket.closed);
    await assertServed();
    assert.equal(await metric('pipelined_total'), before + 1);
  });

  /** Asks for much more than what the two systems keep, and reads nothing of it. */
  function askForMuch(): Socket {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(30));
    return socket;
  }

  test('a client that takes nothing of its answer is cut', async () => {
    const before = counts().notTaken;
    const socket = askForMuch();
    await eventually('it is cut', async () => counts().notTaken === before + 1);
    assert.equal(await metric('not_taken_total'), before + 1);
    socket.destroy();
    await assertServed();
  });

  test('one that takes its answer bit by bit is not', async () => {
    const before = counts().notTaken;
    const socket = askForMuch();
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      socket.pause();
    });
    const startMs = performance.now();
    while (performance.now() - startMs < SEND_TIMEOUT_MS * 3) {
      socket.resume();
      await once(socket, 'data');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(counts().notTaken, before);
    assert.ok(!socket.destroyed && bytes > 0);
    socket.destroy();
  });

  test('one that waits for its answer is not cut, and may be silent between two requests', async () => {
    const connection = new RawConnection(server.origin);
    connection.write(
      `POST /client/v4${server.account}/tokens HTTP/1.1\r\nhost: a\r\nconnection: close\r\n` +
        `authorization: Bearer ${server.token}\r\ncontent-type: application/json\r\n` +
        'content-length: 2\r\n\r\n{',
    );
    await new Promise((resolve) => setTimeout(resolve, SEND_TIMEOUT_MS * 2));
    connection.write('}');
    assert.equal(parseAnswer(await connection.receivedToEnd()).code, 3001);
  });

  test('more than there may be are refused, and served again when others have gone', async () => {
    const refusedBefore = counts().refused;
    await eventually('no other test holds one', async () => counts().open <= 5);
    const sockets = Array.from({ length: MAX_CONNECTIONS * 2 }, () => {
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
      socket.on('error', () => {});
      return socket;
    });
    await eventually('some are refused', async () => counts().refused >= refusedBefore + 30);
    assert.equal(counts().open, MAX_CONNECTIONS);
    await assert.rejects(
      exchange(server.origin, healthz()).then(({ status }) => assert.equal(status, 200)),
    );
    for (const socket of sockets) socket.destroy();
    await eventually('they are gone', async () => counts().open <= 5);
    await assertServed();
    assert.ok((await metric('refused_total')) >= refusedBefore + 30);
    const lines = server.logLines.filter((line) => line.includes('too many connections'));
    assert.equal(lines.length, 1);
  });
});

test('every address of a name has the same limits, and a stop waits for what came to each', async () => {
  const settings = readSettings({}, { LATCHKEY_SEND_TIMEOUT_MS: '300' });
  const http = createHttpServer(httpSettings(settings), systemClock, {
    logDestination: { write: () => {} },
  });
  let begun = 0;
  const onRequest = async (): Promise<void> => void begun++;
  http.post('/echo', { onRequest }, async ({ body }) => body);
  await http.listen({ host: '127.0.0.1', port: 0 });
  // On Linux every address of this network is its own.
  const other = '127.0.0.2';
  await http.connections.listenAlso(other);
  const { port } = http.server.address() as AddressInfo;
  const origin = `http://${other}:${port}`;
  const { counts } = http.connections;

  const greedy = new RawConnection(origin);
  greedy.write('GET /none HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3_000));
  await eventually('it is cut', async () => counts.pipelined === 1);
  const silent = new RawConnection(origin);
  await silent.receivedToEnd();

  const held = new RawConnection(origin);
  held.write(
    'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
  );
  await eventually('it has begun', async () => begun === 1);
  let isOver = false;
  const drained = drain(http, 5_000, () => false).then(() => (isOver = true));
  await eventually('nothing listens', async () => {
    const late = connect(port, other);
    const [refusal] = await Promise.race([once(late, 'close'), once(late, 'connect')]).catch(
      (e) => [e],
    );
    late.destroy();
    return refusal?.code === 'ECONNREFUSED';
  });
  assert.equal(isOver, false);
  held.write('}');
  assert.equal(parseAnswer(await held.receivedToEnd()).text, '{}');
  await drained;
});

describe('what one server reads as one request and another as two', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite', { settings: { HEADERS_TIMEOUT_MS: '500' } });
  });
  after(() => server.stop());

  const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n';
  const head = (lines: string, version = '1.1'): string =>
    `POST /healthz HTTP/${version}\r\nhost: a\r\n${lines}\r\n\r\n`;
  const chunked = 'transfer-encoding: chunked';
  const length = (bytes: number): string => `content-length: ${bytes}`;

  for (const [what, bytes] of Object.entries({
    'length and chunks': head(`${length(4)}\r\n${chunked}`) + `0\r\n\r\n${SMUGGLED}`,
    'chunks and length': head(`${chunked}\r\n${length(4)}`) + `0\r\n\r\n${SMUGGLED}`,
    'a space before the colon': head('transfer-encoding : chunked') + `0\r\n\r\n${SMUGGLED}`,
    'an unknown encoding behind chunked': head(`${chunked}, x`) + `0\r\n\r\n${SMUGGLED}`,
    'an encoding of a similar name': head('transfer-encoding: xchunked') + SMUGGLED,
    'chunked with a vertical tab': head('transfer-encoding: \u000bchunked') + SMUGGLED,
    'two lengths': head(`${length(0)}\r\n${length(SMUGGLED.length)}`) + SMUGGLED,
    'a list of lengths': head('content-length: 0, 0') + SMUGGLED,
    'a signed length': head('content-length: +0') + SMUGGLED,
    'a hexadecimal length': head('content-length: 0x0') + SMUGGLED,
    'a length of more than 64 bits': head('content-length: 18446744073709551616') + SMUGGLED,
    'a folded header': head(`x: a\r\n ${chunked}`) + SMUGGLED,
    'a bare line feed between headers': head(`x: a\n${chunked}`) + SMUGGLED,
    'a bare carriage return': head(`x: a\r${chunked}`) + SMUGGLED,
    'a chunk length with a prefix': head(chunked) + `0x0\r\n\r\n${SMUGGLED}`,
    'a chunk length that is negative': head(chunked) + `-0\r\n\r\n${SMUGGLED}`,
    'a chunk without its line end': head(chunked) + `1\r\nab\r\n0\r\n\r\n${SMUGGLED}`,
    'a chunk that ends with a line feed': head(chunked) + `1\na\n0\n\n${SMUGGLED}`,
    'endless chunk extensions': head(chunked) + `1;${'a'.repeat(20_000)}\r\n${SMUGGLED}`,
    'two Host headers': `GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n`,
  })) {
    test(`${what}: refused, and nothing behind it is served`, async () => {
      const connection = new RawConnection(server.origin);
      connection.write(bytes);
      const received = await connection.receivedToEnd();
      // Some come after a request whose path had already been refused.
      assert.match(received, /^HTTP\/1\.1 4\d\d /);
      assert.equal(received.includes('smuggled'), false, received);
      assert.equal(
        server.logLines.some((line) => line.includes('/smuggled')),
        false,
      );
    });
  }

  test('two Host headers: 6011', async () => {
    const { status, code } = await exchange(
      server.origin,
      'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n',
    );
    assert.deepEqual([status, code], [400, 6011]);
  });

  test('thousands of headers, and one that is very large: 6013, at once', async () => {
    const many = `GET /healthz HTTP/1.1\r\nhost: a\r\n${'a:\r\n'.repeat(4_200)}\r\n`;
    const large = `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`;
    for (const bytes of [many, large]) {
      const { status, code } = await exchange(server.origin, bytes);
      assert.deepEqual([status, code], [431, 6013]);
    }
  });

  test('the end of a half-closed connection is that of its requests', async () => {
    const connection = new RawConnection(server.origin);
    connection.socket.end('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    assert.equal(parseAnswer(await connection.receivedToEnd()).status, 200);
  });
});
