import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, type Server, Socket, createServer } from 'node:net';
import { type TestContext, after, before, describe, test } from 'node:test';
import { Agent, request as send } from 'undici';
import { ActiveCalls, shuttingDown } from '../../src/gateway/execution/active-calls.ts';
import { HttpClientResponse } from '../../src/gateway/ingress/http-client-response.ts';
import { callUpstream } from '../../src/gateway/execution/upstream-call.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { heldBytes } from '../support/held-memory.ts';
import { EVENT_STREAM, completion, head } from '../support/scripted-upstream.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

const TIMEOUT_MS = 800;
const MIB = 1024 * 1024;
const ENDLESS_BYTES = 40 * MIB;
// The log keeps the first ten million of them.
const HELD_BYTES = 20 * MIB;
const BODY = JSON.stringify(completion());
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

/** A provider that speaks no HTTP of its own: a test says what it does on each connection. */
class RawUpstream {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** What it does with a connection on which a request begins. */
  onRequest: (socket: Socket) => void = () => {};
  /** What it does with a new connection. */
  onConnection: (socket: Socket) => void = () => {};
  connections = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
      this.onConnection(socket);
      socket.on('data', (data) => {
        if (data.includes('POST ')) this.onRequest(socket);
      });
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function startRawUpstream(): Promise<RawUpstream> {
  const server = createServer();
  const upstream = new RawUpstream(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return upstream;
}

// Nothing here depends on the database.
describe('providers that', () => {
  let upstream: RawUpstream;
  let server: TestServer;
  before(async () => {
    upstream = await startRawUpstream();
    server = await bootServer('sqlite', {
      settings: {
        PROVIDER_OPENAI_BASE_URL: `${upstream.origin}/v1`,
        PROVIDER_OPENAI_API_KEY: 'sk-openai',
        PROVIDER_ANTHROPIC_BASE_URL: `${upstream.origin}/anthropic`,
        PROVIDER_ANTHROPIC_API_KEY: 'sk-ant',
        UPSTREAM_HEADERS_TIMEOUT_MS: String(TIMEOUT_MS),
        UPSTREAM_IDLE_TIMEOUT_MS: String(TIMEOUT_MS),
      },
    });
    const body = gatewayBody('default');
    await server.call('POST', `${server.account}/ai-gateway/gateways`, { body });
  });
  after(async () => {
    await server.stop();
    upstream.stop();
  });

  const complete = (content = 'hello') =>
    server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      body: { model: 'openai/any', messages: [{ role: 'user', content }] },
    });

  async function assertFails(status: number, code: number, content?: string): Promise<void> {
    const answer = await complete(content);
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
    // It is as ready as before.
    assert.equal((await request('GET', `${server.origin}/readyz`)).status, 200);
  }

  /** Does something again and again, for as long as the connection lasts. */
  function keepDoing(socket: Socket, write: string): void {
    const timer = setInterval(() => socket.write(write), 20);
    socket.on('close', () => clearInterval(timer));
  }

  test('announce an answer for ever: 504/2006', async () => {
    upstream.onRequest = (socket) =>
      keepDoing(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    await assertFails(504, 2006);
  });

  test('send a head line by line, without an end: 504/2006 or 502/2005', async () => {
    upstream.onRequest = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      keepDoing(socket, 'x: y\r\n');
    };
    await assertFails(504, 2006);
    upstream.onRequest = (socket) =>
      keepDoing(socket, `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(5_000)}`);
    await assertFails(502, 2005);
  });

  test('do not read what they are sent: 504/2006', async () => {
    upstream.onConnection = (socket) => socket.pause();
    await assertFails(504, 2006, 'x'.repeat(12 * MIB));
    upstream.onConnection = () => {};
  });

  test('say that they answer in HTTP/1.0: served as ever', async () => {
    upstream.onRequest = (socket) =>
      socket.end(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${BODY}`);
    assert.equal((await complete()).status, 200);
  });

  test('answer with a page or with bytes that are no text: passed on as they are', async () => {
    for (const [type, bytes] of [
      ['text/html', Buffer.from('<html>sorry')],
      ['application/json', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ] as const) {
      upstream.onRequest = (socket) => {
        socket.write(head(200, { 'content-type': type, 'content-length': String(bytes.length) }));
        socket.end(bytes);
      };
      const { statusCode, headers, body } = await send(
        `${server.baseUrl}${server.account}/ai/v1/chat/completions`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${server.token}` },
          body: JSON.stringify({ model: 'openai/any', messages: [] }),
        },
      );
      assert.deepEqual([statusCode, headers['content-type']], [200, type]);
      assert.deepEqual(Buffer.from(await body.arrayBuffer()), bytes);
    }
  });

  test('end connections that were kept open, as a request comes: it is sent on another one', async () => {
    for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const kept = new Set<Socket>();
      upstream.onRequest = (socket) => {
        // The second request finds the connection ended, though nobody could know.
        if (kept.has(socket)) socket[end]();
        else {
          kept.add(socket);
          socket.write(ANSWER);
        }
      };
      for (let i = 0; i < 4; i++) assert.equal((await complete()).status, 200);
      assert.ok(kept.size >= 3, `${end}: ${kept.size} connections`);
    }
  });

  test('end a connection after a part of an answer: called once, 502/2005', async () => {
    for (const begun of ['HTTP/1.1 2', 'HTTP/1.1 103 Early Hints\r\n\r\n']) {
      for (const answers of [0, 1]) {
        const seen = new Set<Socket>();
        let requests = 0;
        upstream.onRequest = (socket) => {
          if (requests++ < answers) socket.write(ANSWER);
          else socket.end(begun);
          seen.add(socket);
        };
        if (answers > 0) assert.equal((await complete()).status, 200);
        await assertFails(502, 2005);
        assert.equal(requests, answers + 1, begun);
        assert.equal(seen.size, 1);
      }
    }
  });

  test('hang up on a new connection are called once: 502/2005', async () => {
    upstream.onRequest = (socket) => socket.destroy();
    const before = upstream.connections;
    await assertFails(502, 2005);
    // At most what was left of connections from before, and a new one.
    assert.ok(upstream.connections <= before + 1);
  });

  test('send an event without an end: memory is bounded, and a translation gives up', async () => {
    const chunk = Buffer.alloc(256 * 1024, 'x');
    let sent = 0;
    upstream.onRequest = (socket) => {
      sent = 0;
      socket.write(`${head(200, EVENT_STREAM)}data: {"x":"`);
      const pump = (): void => {
        while (!socket.destroyed && sent < ENDLESS_BYTES) {
          sent += chunk.length;
          if (socket.write(chunk)) continue;
          socket.once('drain', pump);
          return;
        }
        socket.end();
      };
      pump();
    };
    const ask = async (model: string) => {
      const { statusCode, body } = await send(
        `${server.baseUrl}${server.account}/ai/v1/chat/completions`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${server.token}` },
          body: JSON.stringify({ model, messages: [], stream: true, max_tokens: 5 }),
        },
      );
      assert.equal(statusCode, 200);
      return body as AsyncIterable<Buffer>;
    };
    const atRest = await heldBytes();
    let seen = 0;
    let held: number | undefined;
    for await (const piece of await ask('openai/endless')) {
      seen += piece.length;
      if (seen > ENDLESS_BYTES * 0.9) held ??= (await heldBytes()) - atRest;
    }
    assert.ok(held !== undefined && held < HELD_BYTES, `${held} bytes held`);
    let last = '';
    for await (const piece of await ask('anthropic/endless')) last = String(piece.subarray(-300));
    assert.match(last, /"code":"2005"/);
  });
});

/** A call whose connection is made, or fails, as a test says. */
function callBy(t: TestContext, connect: () => [Error, null]) {
  const agent = new Agent({ connect: (_options, callback) => callback(...connect()) });
  t.after(() => agent.destroy());
  const client = new HttpClientResponse(new ServerResponse(new IncomingMessage(new Socket())));
  return callUpstream(
    agent,
    { origin: 'http://127.0.0.1:1', path: '/', method: 'GET' },
    {
      client,
      call: new ActiveCalls().open(client),
      idleTimeoutMs: 1_000,
      maxHoldMs: 1_000,
      probe: () => undefined,
      accept: () => assert.fail('nobody answers'),
      report: () => {},
    },
  );
}

test('no descriptor is left for a connection: 503/1001, since it is not the provider that failed', async (t) => {
  for (const code of ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL']) {
    const call = callBy(t, () => [Object.assign(new Error(code), { code }), null]);
    await assert.rejects(call, { name: 'Error', status: 503, code: 1001 });
  }
});

test('when the server stops, no call begins any more', () => {
  const calls = new ActiveCalls();
  const owner = { isClosed: false, activeCall: undefined };
  const call = calls.open(owner);
  assert.equal(calls.abortAll(), true);
  assert.equal(call.signal.reason, shuttingDown);
  call.close();
  assert.equal(calls.abortAll(), false);
  assert.equal(calls.open(owner).signal.reason, shuttingDown);
  assert.equal(calls.isStopping, true);
});
