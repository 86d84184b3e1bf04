import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { request as send } from 'undici';
import { heldBytes } from '../support/held-memory.ts';
import {
  EVENT_STREAM,
  HANG,
  RESET,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  bootServer,
  createDataDir,
} from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

// Nothing here depends on the database.
describe('what providers do wrong', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
  });
  after(() => bench.stop());

  const complete: ScriptedBench['complete'] = (...args) => bench.complete(...args);
  const set: ScriptedBench['upstream']['set'] = (...args) => bench.upstream.set(...args);
  const lastLog = () => bench.lastLog();
  const translate: ScriptedBench['translate'] = (...args) => bench.translate(...args);

  const callMessages = (model: string, extra: object = {}): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/messages`, {
      body: { model: `anthropic/${model}`, max_tokens: 10, messages: MESSAGES, ...extra },
    });

  async function assertFailed(
    { status, code, headers }: Answer,
    expected: [number, number],
  ): Promise<void> {
    assert.deepEqual([status, code], expected);
    const log = await lastLog();
    assert.deepEqual([log.status_code, log.success], [expected[0], false]);
    assert.equal(headers.get('cf-aig-log-id'), log.id);
    assert.equal(headers.get('cf-aig-provider'), log.provider);
  }

  describe('before the answer', () => {
    test('504/2006: no head in time, or half of one', async () => {
      await set('silent', [HANG]);
      await assertFailed(await complete('silent'), [504, 2006]);
      await set('half-head', ['HTTP/1.1 200 OK\r\ncontent-ty', HANG]);
      await assertFailed(await translate('half-head'), [504, 2006]);
    });

    test('504/2006: no body in time where nothing was sent yet', async () => {
      await set('no-body', [head(200, { ...JSON_TYPE, 'content-length': '10' }), HANG]);
      await assertFailed(await complete('no-body'), [504, 2006]);
    });

    test('502/2005: it hangs up, resets, or is not there', async () => {
      await set('hangs-up', []);
      await assertFailed(await complete('hangs-up'), [502, 2005]);
      await set('resets', [RESET]);
      await assertFailed(await complete('resets'), [502, 2005]);
      await set('resets-in-head', ['HTTP/1.1 200 OK\r\nx-a', RESET]);
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
      await set('stalls', [...begun, HANG]);
      const { status, text } = await complete('stalls', {}, { stream: true });
      assert.equal(status, 200);
      assert.ok(text.startsWith(delta('one ')));
      assert.equal(lastData(text).error.code, '2006');
      assert.deepEqual([(await lastLog()).status_code, (await lastLog()).success], [504, false]);
    });

    test('502/2005: a stream that breaks off within its first event', async () => {
      await set('mid-chunk', [chunked, `100\r\n${delta('one ').slice(0, 40)}`, RESET]);
      await assertFailed(await complete('mid-chunk', {}, { stream: true }), [502, 2005]);
    });

    test('so does one that loses its last chunk', async () => {
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
      await set('claude-stalls', [head(200, EVENT_STREAM), start, HANG]);
      const { text } = await callMessages('claude-stalls', { stream: true });
      assert.ok(text.startsWith(start));
      assert.match(text, /\n\nevent: error\ndata: /);
      assert.deepEqual(lastData(text), {
        type: 'error',
        error: { type: 'api_error', message: 'Upstream timed out' },
      });
      // The same behind a translation.
      await set('groq-stalls', [...begun, HANG]);
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

    test('a long answer is cut', async () => {
      const long = `{"a":"${'x'.repeat(20_000)}`;
      await set('short', [head(200, { ...JSON_TYPE, 'content-length': '30000' }), long]);
      await assert.rejects(complete('short'));
      assert.equal((await lastLog()).status_code, 502);
    });

    test('502/2005: a short answer, which was not begun yet', async () => {
      await set('shorter', [head(200, { ...JSON_TYPE, 'content-length': '100' }), '{"a":']);
      await assertFailed(await complete('shorter'), [502, 2005]);
    });

    test('but a translated answer was not begun yet: 502/2005', async () => {
      await set('short-claude', [head(200, { ...JSON_TYPE, 'content-length': '100' }), '{"a":']);
      await assertFailed(await translate('short-claude'), [502, 2005]);
    });

    test('more than was announced is not passed on', async () => {
      const body = JSON.stringify(completion());
      const length = String(Buffer.byteLength(body));
      await set('long', [
        head(200, { ...JSON_TYPE, 'content-length': length }),
        `${body}HTTP/1.1 `,
      ]);
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
        // A location would make this server an open redirect.
        assert.deepEqual([got.status, got.headers.get('location')], [status, null]);
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

    test('200 MiB, of which little is held; the usage at the end is read', async () => {
      const before = '{"object":"list","data":"';
      const behind = '","usage":{"prompt_tokens":5,"completion_tokens":3}}';
      const bytes = 200 * MIB;
      const length = String(before.length + bytes + behind.length);
      const type = { ...JSON_TYPE, 'content-length': length };
      await set('huge', [head(200, type) + before, { fillBytes: bytes }, behind]);
      const atRest = await heldBytes();
      const { statusCode, body } = await send(completions(), {
        method: 'POST',
        headers: { authorization: `Bearer ${bench.server.token}` },
        body: JSON.stringify({ model: 'openai/huge', messages: MESSAGES }),
      });
      let received = 0;
      let most = 0;
      let nextLook = 0;
      for await (const chunk of body) {
        received += (chunk as Buffer).length;
        if (received < nextLook) continue;
        nextLook = received + 40 * MIB;
        most = Math.max(most, await heldBytes());
      }
      assert.deepEqual([statusCode, received], [200, Number(length)]);
      const heldMib = Math.round((most - atRest) / MIB);
      // Some 13: what the log keeps of it, and what is on its way.
      assert.ok(heldMib < 32, `${heldMib} MiB are held`);
      const { tokens_in: tokensIn, tokens_out: tokensOut } = await lastLog();
      assert.deepEqual([tokensIn, tokensOut], [5, 3]);
    });
  });

  test('a custom provider at an address that is private is not called: 502/2005', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const allowing = { UPSTREAM_ALLOW: '127.0.0.1' };
    const first = await bootServer('sqlite', { dataDir, settings: allowing });
    const call = (server: TestServer): Promise<Answer> =>
      server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        body: { model: 'custom-inside/inside', messages: MESSAGES },
      });
    try {
      const body = { name: 'Inside', slug: 'inside', base_url: `${bench.upstream.origin}/v1` };
      const path = `${first.account}/ai-gateway/custom-providers`;
      assert.equal((await first.call('POST', path, { body })).status, 200);
      const location = `${bench.upstream.origin}/v1/secret`;
      await set('inside', answer(307, '', { location }));
      // Opened by the operator, it is reached; where it points to is not.
      assert.equal((await call(first)).status, 307);
      assert.deepEqual(await bench.upstream.requests('secret'), []);
    } finally {
      await first.stop();
    }
    const second = await bootServer('sqlite', { dataDir, besides: first });
    t.after(() => second.stop());
    const { status, code } = await call(second);
    assert.deepEqual([status, code], [502, 2005]);
    assert.equal((await bench.upstream.requests('inside')).length, 1);
  });

  const completions = (): string =>
    `${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`;
});

/** What the last event of a stream says. */
function lastData(text: string): Json {
  const line = text.split('\n').findLast((one) => one.startsWith('data: '));
  return JSON.parse(line?.slice('data: '.length) ?? '');
}
