import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { onEachDatabase } from '../support/databases.ts';
import { answer, completion, message } from '../support/scripted-upstream.ts';
import type { Json } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const MIB = 1024 * 1024;

const CODINGS: [name: string, compress: (body: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['DEFLATE', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
];

onEachDatabase((database) => {
  describe('a compressed request body', () => {
    let bench: ScriptedBench;
    before(async () => {
      bench = await startScripted(database, {
        settings: {
          GATEWAY_BODY_LIMIT_BYTES: String(2 * MIB),
          GATEWAY_BODIES_LIMIT_BYTES: String(12 * MIB),
        },
      });
      await bench.upstream.set('model', answer(200, completion()));
      await bench.upstream.set('claude', answer(200, message()));
    });
    after(() => bench.stop());

    async function post(
      path: string,
      body: Buffer,
      coding: string,
    ): Promise<{ status: number; headers: Headers; json: Json }> {
      const base = path.startsWith('/v1/') ? bench.server.origin : bench.server.baseUrl;
      const response = await fetch(base + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.server.token}`,
          'cf-aig-authorization': `Bearer ${bench.server.token}`,
          'content-type': 'application/json',
          'content-encoding': coding,
        },
        body: new Uint8Array(body),
      });
      const { status, headers } = response;
      return { status, headers, json: (await response.json()) as Json };
    }
    const rest = (operation: string): string => `${bench.server.account}/ai/v1/${operation}`;
    const chat = { model: 'openai/model', messages: MESSAGES };
    const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

    for (const [coding, compress] of CODINGS) {
      test(`${coding} is decoded`, async () => {
        const { status, json } = await post(
          rest('chat/completions'),
          compress(bytes(chat)),
          coding,
        );
        assert.deepEqual([status, json.choices?.[0].message.content], [200, 'hello']);
        const sent = (await bench.upstream.requests('model')).at(-1);
        assert.deepEqual(JSON.parse(sent?.body ?? ''), { ...chat, model: 'model' });
        const names = sent?.headers.filter((_, index) => index % 2 === 0);
        assert.equal(
          names?.some((name) => /content-encoding/i.test(name)),
          false,
        );
      });
    }

    test('also for messages, the gateway host, universal requests and run', async () => {
      const messages = { model: 'anthropic/claude', max_tokens: 5, messages: MESSAGES };
      const account = `/v1/${bench.server.accountId}/default`;
      for (const [path, body] of [
        [rest('messages'), messages],
        [`${account}/compat/chat/completions`, chat],
        [account, [entryOf('openai', 'model')]],
        [`${bench.server.account}/ai/run/openai/model`, { messages: MESSAGES }],
      ] as const) {
        const { status, json } = await post(path, zstdCompressSync(bytes(body)), 'zstd');
        assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
      }
    });

    test('passes byte for byte on a native path', async () => {
      const path = `/v1/${bench.server.accountId}/default/openai/native-echo`;
      await bench.upstream.set('native-echo', answer(200, {}));
      const body = gzipSync(bytes({ input: 'a' }));
      assert.equal((await post(path, body, 'gzip')).status, 200);
      const sent = (await bench.upstream.requests('native-echo')).at(-1);
      const at = sent?.headers.findIndex((name) => /content-encoding/i.test(name)) ?? -1;
      assert.equal(sent?.headers[at + 1], 'gzip');
    });

    test('the log contains what was decoded', async () => {
      await post(rest('chat/completions'), gzipSync(bytes(chat)), 'gzip');
      const [row] = await bench.logs();
      const path = `${bench.server.account}/ai-gateway/gateways/default/logs/${row.id}/request`;
      assert.deepEqual((await bench.server.call('GET', path)).json, chat);
    });

    test('another coding is refused with 415, which names those that are supported', async () => {
      for (const coding of ['compress', 'gzip, gzip', 'nonsense', 'x'.repeat(1_000)]) {
        const { status, headers, json } = await post(rest('chat/completions'), bytes(chat), coding);
        assert.equal(status, 415);
        assert.equal(headers.get('accept-encoding'), 'gzip, deflate, br, zstd');
        const text = JSON.stringify(json);
        assert.ok(text.includes(`content-encoding ${coding.slice(0, 64)} is not supported`), text);
        assert.ok(text.includes('gzip, deflate, br, zstd'), text);
      }
      const { status, json } = await post(rest('messages'), bytes(chat), 'compress');
      assert.deepEqual([status, json.type], [415, 'error']);
    });

    test('a damaged or truncated body is refused with 400', async () => {
      for (const body of [bytes(chat), gzipSync(bytes(chat)).subarray(0, -12)]) {
        const { status, json } = await post(rest('chat/completions'), body, 'gzip');
        assert.equal(status, 400);
        assert.match(JSON.stringify(json), /not valid gzip/);
      }
    });

    test('the limit counts decoded bytes: at, below and above it', async () => {
      const bodyOf = (size: number): Buffer => {
        const empty = bytes({ ...chat, user: '' });
        return bytes({ ...chat, user: 'x'.repeat(size - empty.length) });
      };
      for (const [size, expected] of [
        [2 * MIB - 1, 200],
        [2 * MIB, 200],
        [2 * MIB + 1, 413],
        [64 * MIB, 413],
      ] as const) {
        const { status } = await post(rest('chat/completions'), gzipSync(bodyOf(size)), 'gzip');
        assert.equal(status, expected, String(size));
      }
    });

    test('clients that leave while their bodies are decoded take no memory', async () => {
      const body = gzipSync(bytes({ ...chat, user: 'x'.repeat(MIB) }));
      const { hostname, port } = new URL(bench.server.origin);
      const request = [
        `POST ${new URL(bench.server.baseUrl).pathname}${rest('chat/completions')} HTTP/1.1`,
        `host: ${hostname}`,
        `authorization: Bearer ${bench.server.token}`,
        'content-type: application/json',
        'content-encoding: gzip',
        `content-length: ${body.length}`,
      ].join('\r\n');
      // More than the server holds for all requests together.
      for (let count = 0; count < 24; count++) {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(`${request}\r\n\r\n`);
        await new Promise<void>((resolve) => {
          socket.write(body, () => resolve());
        });
        if (count % 3 === 1) await setImmediate();
        if (count % 3 === 2) await setTimeout(1);
        socket.destroy();
      }
      for (let attempt = 0; ; attempt++) {
        const { status } = await post(rest('chat/completions'), body, 'gzip');
        if (status === 200) break;
        assert.ok(attempt < 100, `status ${status}`);
        await setTimeout(20);
      }
    });

    test('identity and an empty value mean no coding', async () => {
      for (const coding of ['identity', '']) {
        assert.equal((await post(rest('chat/completions'), bytes(chat), coding)).status, 200);
      }
    });
  });
});
