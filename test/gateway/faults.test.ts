import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { DnsServer } from '../support/dns-server.ts';
import {
  EVENT_STREAM,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import { exchange } from '../support/raw-connection.ts';
import type { Answer, Json } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

// Nothing here depends on the database.
describe('what providers do wrong', () => {
  let bench: ScriptedBench;
  let dns: DnsServer;
  before(async () => {
    dns = await DnsServer.start();
    bench = await startScripted('sqlite', { settings: { DNS_SERVERS: dns.address } });
  });
  after(async () => {
    await bench.stop();
    dns.stop();
  });

  const complete: ScriptedBench['complete'] = (...args) => bench.complete(...args);
  const set: ScriptedBench['upstream']['set'] = (...args) => bench.upstream.set(...args);

  async function lastLog(): Promise<Json> {
    return (await bench.logs())[0];
  }

  /** An answer of a translated provider: the client speaks OpenAI, the provider Anthropic. */
  const translate = (model: string, extra: object = {}): Promise<Answer> =>
    complete(`anthropic/${model}`, {}, { max_tokens: 10, ...extra });

  const callMessages = (model: string, extra: object = {}): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/messages`, {
      body: { model: `anthropic/${model}`, max_tokens: 10, messages: MESSAGES, ...extra },
    });

  async function assertFailed({ status, code }: Answer, expected: [number, number]): Promise<void> {
    assert.deepEqual([status, code], expected);
    const { status_code: logged, success } = await lastLog();
    assert.deepEqual([logged, success], [expected[0], false]);
  }

  describe('before the answer', () => {
    test('504/2006: no head in time, or half of one', async () => {
      await set('silent', ['hang']);
      await assertFailed(await complete('silent'), [504, 2006]);
      await set('half-head', ['HTTP/1.1 200 OK\r\ncontent-ty', 'hang']);
      await assertFailed(await translate('half-head'), [504, 2006]);
    });

    test('504/2006: no body in time where nothing was sent yet', async () => {
      await set('no-body', [head(200, { ...JSON_TYPE, 'content-length': '10' }), 'hang']);
      await assertFailed(await complete('no-body'), [504, 2006]);
    });

    test('502/2005: it hangs up, resets, or is not there', async () => {
      await set('hangs-up', []);
      await assertFailed(await complete('hangs-up'), [502, 2005]);
      await set('resets', ['reset']);
      await assertFailed(await complete('resets'), [502, 2005]);
      await set('resets-in-head', ['HTTP/1.1 200 OK\r\nx-a', 'reset']);
      await assertFailed(await complete('resets-in-head'), [502, 2005]);
      await assertFailed(await complete('mistral/refused'), [502, 2005]);
    });

    test('502/2005: no TLS where it is wanted', async () => {
      await assertFailed(await complete('xai/plain'), [502, 2005]);
    });

    test('502/2005: no HTTP, or a head without an end', async () => {
      await set('no-http', ['220 mail.example ESMTP\r\n']);
      await assertFailed(await complete('no-http'), [502, 2005]);
      await set('large-head', [head(200, { 'x-large': 'x'.repeat(64 * 1024) })]);
      await assertFailed(await complete('large-head'), [502, 2005]);
    });

    test('the ways in tell it in their own words', async () => {
      await set('gone', []);
      const { json } = await callMessages('gone');
      assert.deepEqual([json.type, json.error.type], ['error', 'api_error']);
      const native = await bench.callHost('GET', 'default/openai/models/gone');
      assert.deepEqual([native.status, native.json.internalCode], [502, 2005]);
    });

    test('heads that only announce an answer are passed over', async () => {
      const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
      await set('announced', [early, early, ...answer(200, completion())]);
      const { status, json, headers } = await complete('announced');
      assert.deepEqual([status, json.choices[0].message.content], [200, 'hello']);
      assert.equal(headers.get('link'), null);
    });
  });

  describe('in the middle of the answer', () => {
    const begun = [head(200, EVENT_STREAM), delta('one ')];
    const chunked = head(200, { ...EVENT_STREAM, 'transfer-encoding': 'chunked' });

    test('a stream that falls silent ends with an error event', async () => {
      await set('stalls', [...begun, 'hang']);
      const { status, text } = await complete('stalls', {}, { stream: true });
      assert.equal(status, 200);
      assert.ok(text.startsWith(delta('one ')));
      assert.equal(lastData(text).error.code, '2006');
      assert.deepEqual(
        [(await lastLog()).status_code, (await lastLog()).success],
        [504, false],
      );
    });

    test('so does one that breaks off in mid-chunk, or loses its last chunk', async () => {
      await set('mid-chunk', [chunked, `100\r\n${delta('one ').slice(0, 40)}`, 'reset']);
      const { text } = await complete('mid-chunk', {}, { stream: true });
      assert.equal(lastData(text).error.code, '2005');
      const whole = delta('one ');
      await set('no-last-chunk', [chunked, `${whole.length.toString(16)}\r\n${whole}\r\n`]);
      const lost = await complete('no-last-chunk', {}, { stream: true });
      assert.equal(lastData(lost.text).error.code, '2005');
      assert.equal((await lastLog()).status_code, 502);
    });

    test('and a chunk whose length is no number', async () => {
      const whole = delta('one ');
      await set('bad-chunk', [chunked, `${whole.length.toString(16)}\r\n${whole}\r\nxyz\r\n`]);
      const { text } = await complete('bad-chunk', {}, { stream: true });
      assert.equal(lastData(text).error.code, '2005');
    });

    test('clients of the Anthropic API get an `event: error`', async () => {
      const start = event({ type: 'message_start', message: message() }, 'message_start');
      await set('claude-stalls', [head(200, EVENT_STREAM), start, 'hang']);
      const { text } = await callMessages('claude-stalls', { stream: true });
      assert.ok(text.startsWith(start));
      assert.match(text, /\n\nevent: error\ndata: /);
      assert.deepEqual(lastData(text), {
        type: 'error',
        error: { type: 'api_error', message: 'Upstream timed out' },
      });
      // The same behind a translation.
      await set('groq-stalls', [...begun, 'hang']);
      const translated = await bench.server.call('POST', `${bench.server.account}/ai/v1/messages`, {
        body: { model: 'groq/groq-stalls', max_tokens: 10, messages: MESSAGES, stream: true },
      });
      assert.match(translated.text, /^event: message_start/);
      assert.match(translated.text, /\n\nevent: error\ndata: /);
    });

    test('a translated stream that breaks off says so to an OpenAI client', async () => {
      const start = event({ type: 'message_start', message: message() }, 'message_start');
      await set('claude-breaks', [head(200, { ...EVENT_STREAM, 'content-length': '9999' }), start]);
      const { text } = await translate('claude-breaks', { stream: true });
      assert.equal(lastData(text).error.code, '2005');
      assert.equal((await lastLog()).status_code, 502);
    });

    test('anything else is cut', async () => {
      await set('short', [head(200, { ...JSON_TYPE, 'content-length': '100' }), '{"a":']);
      await assert.rejects(complete('short'));
      assert.equal((await lastLog()).status_code, 502);
    });

    test('but a translated answer was not begun yet: 502/2005', async () => {
      await set('short-claude', [head(200, { ...JSON_TYPE, 'content-length': '100' }), '{"a":']);
      await assertFailed(await translate('short-claude'), [502, 2005]);
    });

    test('more than was announced is not passed on', async () => {
      const body = JSON.stringify(completion());
      const length = String(Buffer.byteLength(body));
      await set('long', [head(200, { ...JSON_TYPE, 'content-length': length }), `${body}HTTP/1.1 `]);
      const { status, text } = await complete('long');
      assert.deepEqual([status, text], [200, body]);
    });
  });

  describe('answers that nobody can translate', () => {
    const odd: [string, string][] = [
      ['no JSON', '<html>'],
      ['a list', '[]'],
      ['nothing', ''],
    ];
    for (const [what, body] of odd) {
      test(`502: ${what}; the log says so too`, async () => {
        const model = `odd-${body.length}`;
        await set(model, answer(200, body, JSON_TYPE));
        const { status, json } = await translate(model);
        assert.equal(status, 502);
        assert.equal(typeof json.error.message, 'string');
        const log = await lastLog();
        assert.deepEqual([log.status_code, log.success], [502, false]);
      });
    }
  });

  describe('compressed although identity was asked', () => {
    const text = JSON.stringify(completion('compressed'));
    const encodings: [string, Buffer][] = [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
    ];
    for (const [encoding, bytes] of encodings) {
      test(`${encoding} passes as it is, and its usage is logged`, async () => {
        const headers = {
          ...JSON_TYPE,
          'content-encoding': encoding,
          'content-length': String(bytes.length),
        };
        await set(encoding, [head(200, headers), { base64: bytes.toString('base64') }]);
        const { statusCode, headers: got, body } = await send(completions(), {
          method: 'POST',
          headers: { authorization: `Bearer ${bench.server.token}` },
          body: JSON.stringify({ model: `openai/${encoding}`, messages: MESSAGES }),
        });
        assert.deepEqual([statusCode, got['content-encoding']], [200, encoding]);
        assert.deepEqual(Buffer.from(await body.arrayBuffer()), bytes);
        const { tokens_in: tokensIn, tokens_out: tokensOut } = await lastLog();
        assert.deepEqual([tokensIn, tokensOut], [11, 7]);
      });
    }

    test('a translated one is decompressed, whole or streamed', async () => {
      const bytes = gzipSync(JSON.stringify(message('unfolded')));
      const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
      await set('gzip-claude', [head(200, headers), { base64: bytes.toString('base64') }]);
      const { status, json, headers: got } = await translate('gzip-claude');
      assert.deepEqual([status, json.choices[0].message.content], [200, 'unfolded']);
      assert.equal(got.get('content-encoding'), null);
      assert.equal((await lastLog()).tokens_out, 7);

      const events =
        event({ type: 'message_start', message: message() }, 'message_start') +
        event({ type: 'message_stop' }, 'message_stop');
      const stream = brotliCompressSync(events).toString('base64');
      const streamHeaders = { ...EVENT_STREAM, 'content-encoding': 'br' };
      await set('br-claude', [head(200, streamHeaders), { base64: stream }]);
      const streamed = await translate('br-claude', { stream: true });
      assert.equal(streamed.headers.get('content-encoding'), null);
      assert.ok(streamed.text.endsWith('data: [DONE]\n\n'));
    });

    test('502: a translated one that is damaged, or in an encoding that nobody knows', async () => {
      for (const [model, encoding] of [
        ['damaged', 'gzip'],
        ['unknown-encoding', 'rot13'],
      ] as const) {
        await set(model, answer(200, 'no gzip', { ...JSON_TYPE, 'content-encoding': encoding }));
        assert.equal((await translate(model)).status, 502);
        const log = await lastLog();
        assert.deepEqual([log.status_code, log.success], [502, false], model);
      }
    });
  });

  describe('passed through as they are', () => {
    test('429 with what it says of waiting', async () => {
      const headers = { 'retry-after': '7', 'retry-after-ms': '6500' };
      await set('slow-down', answer(429, { error: { message: 'slow down' } }, headers));
      const { status, json, headers: got } = await complete('slow-down');
      assert.deepEqual([status, json.error.message], [429, 'slow down']);
      assert.deepEqual([got.get('retry-after'), got.get('retry-after-ms')], ['7', '6500']);
      assert.equal(json.name, undefined);
    });

    test('redirects, which are not followed', async () => {
      const location = `${bench.upstream.origin}/v1/secret`;
      for (const status of [301, 302, 303, 307, 308]) {
        await set(`redirect-${status}`, answer(status, '', { location }));
        const got = await bench.callHost('GET', `default/openai/redirect-${status}`);
        assert.deepEqual([got.status, got.headers.get('location')], [status, location]);
      }
      assert.deepEqual(await bench.upstream.requests('secret'), []);
    });

    test('answers without a body: to HEAD, 204, 304', async () => {
      await set('head', [head(200, { 'content-length': '1234' })]);
      const toHead = await bench.callHost('HEAD', 'default/openai/files/head');
      assert.deepEqual([toHead.status, toHead.headers.get('content-length')], [200, '1234']);
      await set('none', ['HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n']);
      assert.equal((await bench.callHost('DELETE', 'default/openai/files/none')).status, 204);
      await set('same', [head(304, { etag: '"1"' })]);
      const same = await bench.callHost('GET', 'default/openai/files/same');
      assert.deepEqual([same.status, same.headers.get('etag')], [304, '"1"']);
      const { status_code: logged, success } = await lastLog();
      assert.deepEqual([logged, success], [304, true]);
    });

    test('200 MiB, within bounded memory; the usage at the end is read', async () => {
      const before = '{"object":"list","data":"';
      const behind = '","usage":{"prompt_tokens":5,"completion_tokens":3}}';
      const bytes = 200 * MIB;
      const length = String(before.length + bytes + behind.length);
      const type = { ...JSON_TYPE, 'content-length': length };
      await set('huge', [head(200, type) + before, { fillBytes: bytes }, behind]);
      const atRest = process.memoryUsage().rss;
      const { statusCode, body } = await send(completions(), {
        method: 'POST',
        headers: { authorization: `Bearer ${bench.server.token}` },
        body: JSON.stringify({ model: 'openai/huge', messages: MESSAGES }),
      });
      let received = 0;
      let most = 0;
      for await (const chunk of body) {
        received += (chunk as Buffer).length;
        if (received % 16 === 0) most = Math.max(most, process.memoryUsage.rss());
      }
      assert.deepEqual([statusCode, received], [200, Number(length)]);
      const grownMib = Math.round((most - atRest) / MIB);
      assert.ok(grownMib < 150, `${grownMib} MiB more in use`);
      const { tokens_in: tokensIn, tokens_out: tokensOut } = await lastLog();
      assert.deepEqual([tokensIn, tokensOut], [5, 3]);
    });
  });

  describe('custom providers', () => {
    before(async () => {
      const body = { name: 'Rebound', slug: 'rebound', base_url: 'https://rebound.example/v1' };
      const path = `${bench.server.account}/ai-gateway/custom-providers`;
      assert.equal((await bench.server.call('POST', path, { body })).status, 200);
    });

    test('a name that changes to a private address between two calls leads nowhere', async () => {
      // Nobody is there.
      dns.set('rebound.example', { addresses: ['198.41.0.250'] });
      const first = await complete('custom-rebound/x', { 'cf-aig-request-timeout': '100' });
      assert.ok([502, 504].includes(first.status));
      assert.equal(forbidden(), 0);
      const asked = dns.asked('rebound.example');
      assert.ok(asked > 0);

      const { hostname } = new URL(bench.upstream.origin);
      dns.set('rebound.example', { addresses: [hostname] });
      await assertFailed(await complete('custom-rebound/x'), [502, 2005]);
      assert.ok(dns.asked('rebound.example') > asked);
      assert.equal(forbidden(), 1);
    });

    const forbidden = (): number =>
      bench.server.logLines.filter((line) => line.includes('no address of the public Internet'))
        .length;
  });

  describe('what no HTTP request can have', () => {
    const bad: [string, Record<string, string>][] = [
      ['a line end in a value', { 'x-a': 'b\r\nx-injected: 1' }],
      ['a NUL in a value', { 'x-a': 'b\0' }],
      ['a value that is no Latin-1', { 'x-a': '世界' }],
      ['a name with a space', { 'x a': 'b' }],
      ['a name with a line end', { 'x-a: b\r\nx-injected': '1' }],
      ['an empty name', { '': 'b' }],
    ];
    for (const [what, headers] of bad) {
      test(`400: ${what}, from the entry of a universal request`, async () => {
        await set('never', answer(200, completion()));
        const { status, json } = await bench.callUniversal([entryOf('openai', 'never', { headers })]);
        assert.deepEqual([status, json.name], [400, 'AiGatewayError']);
        assert.deepEqual(await bench.upstream.requests('never'), []);
      });
    }

    test('400/2022: in what the gateway itself would send back', async () => {
      for (const value of ['a\r\nset-cookie: b=c', '世界', 'a\0']) {
        const headers = { 'cf-aig-event-id': value };
        const { status, code, json } = await bench.callUniversal([
          entryOf('local', 'echo', { headers }),
        ]);
        assert.deepEqual([status, code], [400, 2022], JSON.stringify(value));
        assert.match(json.error[0].message, /cf-aig-event-id/);
      }
    });

    test('a body that breaks off before its end calls nobody', async () => {
      await set('half-body', answer(200, completion()));
      const { status } = await exchange(
        bench.server.origin,
        `POST ${new URL(completions()).pathname} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n` +
          `authorization: Bearer ${bench.server.token}\r\ntransfer-encoding: chunked\r\n\r\n` +
          '5\r\n{"mod\r\nzz\r\n',
      );
      assert.equal(status, 400);
      assert.deepEqual(await bench.upstream.requests('half-body'), []);
    });
  });

  const completions = (): string =>
    `${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`;
});

/** What the last event of a stream says. */
function lastData(text: string): Json {
  const line = text.split('\n').findLast((one) => one.startsWith('data: '));
  return JSON.parse(line?.slice('data: '.length) ?? '');
}
