import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { RawConnection, exchange } from '../support/raw-connection.ts';
import {
  AWAIT_RELEASE,
  EVENT_STREAM,
  HANG,
  delta,
  event,
  head,
} from '../support/scripted-upstream.ts';
import { type Json, allowPolicy } from '../support/server.ts';
import { type ScriptedBench, entryOf, startScripted } from './scripted.ts';
import { UniversalClient, refusedHandshake } from './universal-client.ts';

const ECHO = entryOf('local', 'echo');
const UNAUTHORIZED = {
  success: false,
  result: [],
  messages: [],
  error: [{ code: 2009, message: 'Unauthorized' }],
  name: 'AiGatewayError',
  httpCode: 401,
  internalCode: 2009,
};

const urlOf = ({ server }: ScriptedBench, gateway: string): string =>
  `${server.origin.replace('http:', 'ws:')}/v1/${server.accountId}/${gateway}`;

const bearer = (token: string): Record<string, string> => ({
  'cf-aig-authorization': `Bearer ${token}`,
});

const protocolOf = (token: string): string => `cf-aig-authorization.${token}`;

/** The head of a handshake as a client writes it. */
function handshake(path: string, headers: Record<string, string> = {}, method = 'GET'): string {
  const all = {
    host: 'x',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines: Json[] = Object.entries(all).filter(([, value]) => value !== '');
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Universal requests over WebSocket: who gets a connection. */
onEachDatabase((database) => {
  let bench: ScriptedBench;
  const tokens: Record<string, string | undefined> = {};
  before(async () => {
    bench = await startScripted(database);
    await bench.createGateway('on');
    await bench.createGateway('off', { authentication: false });
    const run = ['ai-gateway.run'];
    const { server } = bench;
    const denied = await server.call('POST', `${server.account}/tokens`, {
      body: {
        name: 'denied',
        policies: [
          allowPolicy(server.accountId, run),
          { ...allowPolicy(server.accountId, run, 'on'), effect: 'deny' },
        ],
      },
    });
    tokens['a token with Run'] = (await server.createToken(run)).value;
    tokens['no token'] = undefined;
    tokens['an unknown token'] = createSecret('lkat_');
    tokens['a provider key'] = 'sk-proj-0123456789';
    tokens['a token without Run'] = (await server.createToken(['ai-gateway.write'])).value;
    tokens['a token for another gateway'] = (await server.createToken(run, 'other')).value;
    tokens['a token denied this gateway'] = denied.json.result.value;
  });
  after(() => bench.stop());

  const path = (gateway: string): string => `/v1/${bench.server.accountId}/${gateway}`;
  const raw = (text: string) => exchange(bench.server.origin, text);

  /** Opens a connection, asks for something, closes it. */
  async function use(
    gateway: string,
    headers: Record<string, string>,
    protocols: string[] = [],
  ): Promise<{ answer: Json; protocol: string }> {
    const client = await UniversalClient.open(urlOf(bench, gateway), headers, { protocols });
    const [answer] = await client.call(ECHO);
    client.webSocket.close();
    return { answer, protocol: client.webSocket.protocol };
  }

  const CASES = [
    'no token',
    'an unknown token',
    'a provider key',
    'a token without Run',
    'a token for another gateway',
    'a token denied this gateway',
  ];

  describe('authentication on', () => {
    test('a token with Run opens a connection', async () => {
      const { answer } = await use('on', bearer(tokens['a token with Run'] ?? ''));
      assert.equal(answer.response.choices[0].message.content, 'hello');
    });

    for (const name of CASES) {
      test(`${name} is refused with an ordinary answer, and nothing is logged`, async () => {
        const rows = (await bench.logs('on')).length;
        const token = tokens[name];
        const headers = token === undefined ? {} : bearer(token);
        const refused = await refusedHandshake(urlOf(bench, 'on'), headers);
        assert.deepEqual([refused.status, refused.json], [401, UNAUTHORIZED]);
        assert.equal(refused.headers['www-authenticate'], 'Bearer');
        assert.equal(refused.headers['x-content-type-options'], 'nosniff');
        assert.equal(refused.headers.connection, 'close');
        if (token !== undefined) {
          const named = await refusedHandshake(urlOf(bench, 'on'), {}, [protocolOf(token)]);
          assert.deepEqual([named.status, named.json], [401, UNAUTHORIZED]);
        }
        assert.equal((await bench.logs('on')).length, rows);
      });
    }

    test('a malformed header is refused', async () => {
      const headers = { 'cf-aig-authorization': 'Basic dXNlcjpwYXNz' };
      assert.equal((await refusedHandshake(urlOf(bench, 'on'), headers)).status, 401);
    });
  });

  describe('authentication off', () => {
    for (const name of ['a token with Run', ...CASES]) {
      test(`${name}: a connection is opened`, async () => {
        const token = tokens[name];
        assert.ok((await use('off', token === undefined ? {} : bearer(token))).answer.response);
      });
    }

    test('403: pages of others get no connection without a token; our own and programs do', async () => {
      const foreign = { origin: 'https://elsewhere.example' };
      const { status, json } = await refusedHandshake(urlOf(bench, 'off'), foreign);
      assert.deepEqual([status, json.internalCode], [403, 10_000]);
      assert.ok((await use('off', { origin: bench.server.origin })).answer.response);
      const token = bearer(tokens['a token with Run'] ?? '');
      assert.ok((await use('off', { ...foreign, ...token })).answer.response);
    });
  });

  describe('browsers', () => {
    test('name the token in a subprotocol, which is chosen: they demand one', async () => {
      const protocol = protocolOf(tokens['a token with Run'] ?? '');
      // The one that Node.js has is that of browsers.
      const webSocket = new WebSocket(urlOf(bench, 'on'), [protocol]);
      await once(webSocket, 'open');
      assert.equal(webSocket.protocol, protocol);
      const message = once(webSocket, 'message') as Promise<[{ data: string }]>;
      webSocket.send(JSON.stringify({ type: 'universal.create', request: ECHO }));
      const [{ data }] = await message;
      assert.equal(JSON.parse(data).type, 'universal.created');
      webSocket.close();
    });

    test('the token is not repeated where another one is offered', async () => {
      const protocol = protocolOf(tokens['a token with Run'] ?? '');
      for (const offered of [
        [protocol, 'universal'],
        ['universal', protocol],
      ]) {
        const { answer, protocol: chosen } = await use('on', {}, offered);
        assert.ok(answer.response);
        assert.equal(chosen, 'universal');
      }
    });

    test('a header counts more', async () => {
      const protocol = protocolOf(tokens['a token with Run'] ?? '');
      const headers = bearer(tokens['a token without Run'] ?? '');
      assert.equal((await refusedHandshake(urlOf(bench, 'on'), headers, [protocol])).status, 401);
    });
  });

  describe('other handshakes', () => {
    test('a slash at the end is as good', async () => {
      const { answer } = await use('default/', bearer(bench.server.token));
      assert.ok(answer.response);
    });

    test('no compression is agreed on', async () => {
      const connection = new RawConnection(bench.server.origin);
      const extension = { 'sec-websocket-extensions': 'permessage-deflate' };
      connection.write(handshake(path('off'), extension));
      const answer = await connection.receivedUntil('\r\n\r\n');
      assert.match(answer, /^HTTP\/1.1 101 /);
      assert.doesNotMatch(answer, /extensions/i);
      connection.socket.destroy();
    });

    test('404/2001: no such gateway, and strangers are not told', async () => {
      const known = await refusedHandshake(urlOf(bench, 'none'), bearer(bench.server.token));
      assert.deepEqual([known.status, known.json.internalCode], [404, 2001]);
      assert.equal((await refusedHandshake(urlOf(bench, 'none'), {})).status, 401);
    });

    test('400/6011: no handshake of a WebSocket', async () => {
      for (const headers of [
        { 'sec-websocket-key': '' },
        { 'sec-websocket-key': 'short' },
        { 'sec-websocket-version': '8' },
        { 'sec-websocket-version': '' },
        { 'sec-websocket-protocol': 'a b' },
      ]) {
        const { status, json, code } = await raw(handshake(path('off'), headers));
        assert.deepEqual([status, code, json.name], [400, 6011, 'AiGatewayError']);
      }
      assert.equal((await raw(handshake(path('on'), { 'sec-websocket-key': '' }))).status, 401);
    });

    test('on any other path and method an upgrade is ignored', async () => {
      const last = { connection: 'Upgrade, close' };
      assert.equal((await raw(handshake('/healthz', last))).status, 200);
      assert.equal((await raw(handshake('/v1/a', last))).status, 404);
      const native = await raw(handshake(`${path('off')}/local/chat/completions`, last));
      assert.equal(native.status, 405);
      const post = { ...last, 'content-length': '2', 'content-type': 'application/json' };
      const posted = await raw(`${handshake(path('off'), post, 'POST')}[]`);
      assert.deepEqual([posted.status, posted.code], [400, 2020]);
      const h2c = await raw(handshake(path('off'), { ...last, upgrade: 'h2c' }));
      assert.deepEqual([h2c.status, h2c.headers.allow], [405, 'POST']);
    });

    test('405: GET that is no upgrade', async () => {
      const { status, headers } = await bench.callHost('GET', 'off');
      assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
    });
  });

  describe('a connection', () => {
    test('is cut off when its client gives no sign of life', async () => {
      const connection = new RawConnection(bench.server.origin);
      connection.write(handshake(path('off')));
      // It never answers a ping.
      assert.match(await connection.receivedToEnd(), /^HTTP\/1.1 101 /);
    });

    test('stays while its client answers pings', async () => {
      const client = await UniversalClient.open(urlOf(bench, 'off'), {});
      // One every third of the longest silence.
      for (let i = 0; i < 5; i++) await once(client.webSocket, 'ping');
      assert.ok((await client.call(ECHO))[0].response);
      client.webSocket.close();
    });

    test('is in the access log, and no credential is', async () => {
      const token = tokens['a token with Run'] ?? '';
      await use('on', {}, [protocolOf(token)]);
      const lines: Json[] = bench.server.logLines.map((line) => JSON.parse(line));
      const opened = lines.findLast(({ status }) => status === 101);
      assert.deepEqual([opened.method, opened.path], ['GET', path('on')]);
      assert.ok(!bench.server.logLines.some((line) => line.includes(token)));
    });
  });
});

describe('messages that are too large', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite', { settings: { GATEWAY_BODY_LIMIT_BYTES: '4096' } });
  });
  after(() => bench.stop());

  for (const [what, bytes, isTaken] of [
    ['at the limit', 4096, true],
    ['above it', 4097, false],
  ] as const) {
    test(what, async () => {
      const client = await UniversalClient.open(
        urlOf(bench, 'default'),
        bearer(bench.server.token),
      );
      const message = JSON.stringify({ type: 'universal.create', request: ECHO });
      client.send(message.padEnd(bytes));
      if (isTaken) {
        await client.find(({ type }) => type === 'universal.created');
        client.webSocket.close();
      } else assert.equal(await client.closed, 1009);
    });
  }
});

describe('when the server stops', () => {
  async function boot(settings: Record<string, string> = {}) {
    const bench = await startScripted('sqlite', { settings });
    const open = () => UniversalClient.open(urlOf(bench, 'default'), bearer(bench.server.token));
    return { bench, open };
  }

  test('what is under way may end; the connections are closed with 1001', async (t) => {
    const { bench, open } = await boot({ UPSTREAM_IDLE_TIMEOUT_MS: '5000' });
    t.after(() => bench.stop().catch(() => {}));
    await bench.upstream.set('streams', [
      head(200, EVENT_STREAM) + delta('one'),
      AWAIT_RELEASE,
      delta('two') + event('[DONE]'),
    ]);
    const idle = await open();
    const busy = await open();
    const id = busy.create(entryOf('openai', 'streams'));
    await busy.find(({ type }) => type === 'universal.stream');
    const stopped = bench.server.stop();
    assert.equal(await idle.closed, 1001);
    const late = busy.create(ECHO);
    const [{ error }] = await busy.all(late);
    assert.deepEqual([error.code, error.status], [1001, 503]);
    await bench.upstream.release();
    assert.equal((await busy.all(id)).at(-1).type, 'universal.done');
    assert.equal(await busy.closed, 1001);
    await stopped;
  });

  test('what does not end in time is told so, and the connection is closed', async (t) => {
    const { bench, open } = await boot({
      UPSTREAM_IDLE_TIMEOUT_MS: '60000',
      UPSTREAM_HEADERS_TIMEOUT_MS: '60000',
      SHUTDOWN_TIMEOUT_MS: '50',
    });
    t.after(() => bench.stop().catch(() => {}));
    await bench.upstream.set('hangs', [HANG]);
    const client = await open();
    const id = client.create(entryOf('openai', 'hangs'));
    await eventually('the call arrives', async () => {
      return (await bench.upstream.requests('hangs')).length === 1;
    });
    const stopped = bench.server.stop();
    const [{ type, error }] = await client.all(id);
    assert.deepEqual([type, error.status, error.code], ['error', 503, 1001]);
    assert.equal(await client.closed, 1001);
    await stopped;
  });
});
