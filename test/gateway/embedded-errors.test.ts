import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { findEmbeddedError } from '../../src/gateway/response/embedded-error.ts';
import { NO_ERROR, createResponseProbe } from '../../src/gateway/response/response-probe.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  type Action,
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
import type { Answer, Json } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const RATE_LIMITED = { error: { code: 429, message: 'Rate limited upstream' }, user_id: 'u' };
const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const OVERLOADED_EVENT = event(OVERLOADED, 'error');
const DONE = event('[DONE]');
const upTo = (attempts: number): Record<string, string> => ({
  'cf-aig-max-attempts': String(attempts),
  'cf-aig-retry-delay': '1',
});
const stream = (...actions: Action[]): Action[] => [head(200, EVENT_STREAM), ...actions];

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database, {
      settings: { STREAM_PING_INTERVAL_MS: '200', UPSTREAM_IDLE_TIMEOUT_MS: '20000' },
    });
  });
  after(() => bench.stop());

  const calls = async (name: string): Promise<number> =>
    (await bench.upstream.requests(name)).length;
  const newestLog = async (): Promise<Json> => (await bench.logs())[0];
  const messages = (model: string, extra: object = {}): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/messages`, {
      body: { model, max_tokens: 5, messages: MESSAGES, ...extra },
    });

  describe('a JSON body with an error and status 200', () => {
    test('fails over to the next step', async () => {
      await bench.upstream.set('router', answer(200, RATE_LIMITED));
      await bench.upstream.set('spare', answer(200, completion('spare')));
      const entries = [entryOf('openai', 'router'), entryOf('groq', 'spare')];
      const { status, headers, json } = await bench.callUniversal(entries);
      assert.equal(status, 200);
      assert.equal(headers.get('cf-aig-step'), '1');
      assert.equal(json.choices[0].message.content, 'spare');
      const [, failed] = await bench.logs();
      assert.deepEqual([failed.status_code, failed.success, failed.step], [429, false, 0]);
      const bodyPath = `${bench.server.account}/ai-gateway/gateways/default/logs/${failed.id}/response`;
      assert.deepEqual((await bench.server.call('GET', bodyPath)).json, RATE_LIMITED);
    });

    test('is retried, and charges nothing', async () => {
      await bench.upstream.set('flaky', answer(200, RATE_LIMITED), answer(200, completion()));
      const { status, json } = await bench.complete('flaky', upTo(3));
      assert.deepEqual([status, json.choices[0].message.content], [200, 'hello']);
      const { attempts, success, tokens_in: tokensIn } = await newestLog();
      assert.deepEqual([attempts, success, tokensIn], [2, true, 11]);
    });

    test('reaches the client with the status that it names, and its body unchanged', async () => {
      await bench.upstream.set('limited', answer(200, RATE_LIMITED));
      const { status, json } = await bench.complete('limited', upTo(3));
      assert.deepEqual([status, json], [429, RATE_LIMITED]);
      assert.equal(await calls('limited'), 3);
      const { status_code: logged, success, usage_source: source } = await newestLog();
      assert.deepEqual([logged, success, source ?? null], [429, false, null]);
      const client = new OpenAI({
        apiKey: bench.server.token,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai/v1`,
        maxRetries: 0,
      });
      await assert.rejects(
        client.chat.completions.create({
          model: 'openai/limited',
          messages: [{ role: 'user', content: 'hello' }],
        }),
        (error) => error instanceof OpenAI.RateLimitError && /Rate limited/.test(error.message),
      );
    });

    test('is not cached', async () => {
      await bench.upstream.set('cached', answer(200, RATE_LIMITED), answer(200, completion()));
      const headers = { 'cf-aig-cache-ttl': '60' };
      assert.equal((await bench.complete('cached', headers)).status, 429);
      const second = await bench.complete('cached', headers);
      assert.deepEqual([second.status, second.headers.get('cf-aig-cache-status')], [200, 'MISS']);
      const third = await bench.complete('cached', headers);
      assert.equal(third.headers.get('cf-aig-cache-status'), 'HIT');
    });

    test('is translated as an error', async () => {
      await bench.upstream.set('translated', answer(200, RATE_LIMITED));
      const { status, json } = await messages('groq/translated');
      assert.deepEqual(
        [status, json],
        [
          429,
          { type: 'error', error: { type: 'rate_limit_error', message: 'Rate limited upstream' } },
        ],
      );
      await bench.upstream.set('claude', answer(200, OVERLOADED));
      const chat = await bench.complete('anthropic/claude', {}, { max_tokens: 5 });
      assert.deepEqual([chat.status, chat.json.error.message], [529, 'Overloaded']);
    });

    test('a failed response of the Responses API keeps its status for the client', async () => {
      const failed = {
        id: 'resp_1',
        object: 'response',
        status: 'failed',
        error: { code: 'server_error', message: 'It broke' },
        output: [],
      };
      await bench.upstream.set('responses-model', answer(200, failed));
      const { status, json } = await bench.server.call(
        'POST',
        `${bench.server.account}/ai/v1/responses`,
        { headers: upTo(2), body: { model: 'openai/responses-model', input: 'hello' } },
      );
      assert.deepEqual([status, json], [200, failed]);
      assert.equal(await calls('responses-model'), 2);
      const { status_code: logged, success } = await newestLog();
      assert.deepEqual([logged, success], [500, false]);
    });

    test('a status that is not worth another call is not retried', async () => {
      const invalid = { error: { type: 'invalid_request_error', message: 'no' } };
      await bench.upstream.set('invalid', answer(200, invalid));
      assert.equal((await bench.complete('invalid', upTo(3))).status, 400);
      assert.equal(await calls('invalid'), 1);
    });

    test('bodies without an error pass as before', async () => {
      const bodies: [string, object][] = [
        ['null', { ...completion(), error: null }],
        ['empty', { ...completion(), error: {} }],
        ['beside-a-result', { ...completion(), error: { code: 429, message: 'a warning' } }],
        ['in-the-text', completion('{"error":{"code":429}}')],
        ['deeper', { ...completion(), extra: { error: { code: 500 } } }],
      ];
      for (const [name, body] of bodies) {
        await bench.upstream.set(name, answer(200, body));
        const { status, json } = await bench.complete(name, upTo(3));
        assert.deepEqual([status, json], [200, body], name);
        assert.equal(await calls(name), 1, name);
        assert.equal((await newestLog()).success, true, name);
      }
    });

    test('an operation retries a body that is no object; a path of the provider passes it', async () => {
      const type = { 'content-type': 'application/json' };
      for (const [name, body] of Object.entries({
        nothing: '',
        half: '{"id":"x","choi',
        list: '[]',
      })) {
        await bench.upstream.set(name, [head(200, type) + body], answer(200, completion()));
        assert.equal((await bench.complete(name, upTo(2))).status, 200, name);
        await bench.upstream.set(name, [head(200, type) + body]);
        const failed = await bench.complete(name, upTo(2));
        assert.deepEqual([failed.status, failed.text], [200, body], name);
        assert.deepEqual([(await newestLog()).success, await calls(name)], [false, 4], name);
        assert.equal((await messages(`groq/${name}`)).status, 502, name);
        const native = await bench.callHost('POST', 'default/openai/chat/completions', {
          body: { model: name, messages: MESSAGES },
        });
        assert.deepEqual([native.status, native.text], [200, body], name);
      }
      await bench.upstream.set('spaced', [`${head(200, type)}\ufeff\n {"choices":[{}]} \n`]);
      assert.equal((await bench.complete('spaced')).status, 200);
    });

    test('a long body passes while it comes', async () => {
      const long = completion('x'.repeat(40_000));
      await bench.upstream.set('long', answer(200, long));
      assert.deepEqual((await bench.complete('long')).json, long);
    });

    test('blank lines of a provider that is busy pass after the ping interval', async () => {
      const type = { 'content-type': 'application/json' };
      await bench.upstream.set('busy', [
        `${head(200, type)}\n\n`,
        { waitMs: 400 },
        JSON.stringify(completion()),
      ]);
      const response = await fetch(
        `${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${bench.server.token}`, ...upTo(3) },
          body: JSON.stringify({ model: 'openai/busy', messages: MESSAGES }),
        },
      );
      const parts: string[] = [];
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) parts.push(decoder.decode(chunk));
      assert.deepEqual([parts[0], JSON.parse(parts.join(''))], ['\n\n', completion()]);
    });
  });

  describe('a stream whose first event is an error', () => {
    test('fails over and is retried, since the client has got nothing', async () => {
      await bench.upstream.set('busy-stream', stream(OVERLOADED_EVENT), stream(delta('one'), DONE));
      const { text } = await bench.complete('busy-stream', upTo(2), { stream: true });
      assert.equal(text, delta('one') + DONE);
      await bench.upstream.set('gone-stream', stream(OVERLOADED_EVENT));
      await bench.upstream.set('spare-stream', stream(delta('two'), DONE));
      const asked = (model: string) => ({ query: { model, messages: MESSAGES, stream: true } });
      const answered = await bench.callUniversal([
        entryOf('openai', 'gone-stream', asked('gone-stream')),
        entryOf('groq', 'spare-stream', asked('spare-stream')),
      ]);
      assert.deepEqual(
        [answered.text, answered.headers.get('cf-aig-step')],
        [delta('two') + DONE, '1'],
      );
    });

    test('pings and comments before it change nothing', async () => {
      const pings = `: waiting\n\n${event({ type: 'ping' }, 'ping')}data: {"type": "ping"}\n\n`;
      await bench.upstream.set(
        'pinging',
        stream(pings, OVERLOADED_EVENT),
        answer(200, message('hi')),
      );
      const { status, text } = await bench.callHost('POST', 'default/anthropic/v1/messages', {
        headers: upTo(2),
        body: { model: 'pinging', max_tokens: 5, messages: MESSAGES, stream: true },
      });
      assert.deepEqual([status, JSON.parse(text).content[0].text], [200, 'hi']);
    });

    test('reaches the client byte for byte at last, and the log has the named status', async () => {
      await bench.upstream.set('overloaded', stream(OVERLOADED_EVENT));
      const { status, text } = await messages('anthropic/overloaded', { stream: true });
      assert.deepEqual([status, text], [200, OVERLOADED_EVENT]);
      const { status_code: logged, success } = await newestLog();
      assert.deepEqual([logged, success], [529, false]);
      const client = new Anthropic({
        apiKey: bench.server.token,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai`,
        maxRetries: 0,
      });
      const running = client.messages.stream({
        model: 'anthropic/overloaded',
        max_tokens: 5,
        messages: [{ role: 'user', content: 'hello' }],
      });
      await assert.rejects(running.finalMessage(), /Overloaded/);
    });

    test('is translated as a response with that status', async () => {
      await bench.upstream.set('claude-stream', stream(OVERLOADED_EVENT));
      const chat = await bench.complete(
        'anthropic/claude-stream',
        {},
        { max_tokens: 5, stream: true },
      );
      assert.deepEqual([chat.status, chat.json.error.message], [529, 'Overloaded']);
      await bench.upstream.set('groq-stream', stream(event(RATE_LIMITED)));
      const { status, json } = await messages('groq/groq-stream', { stream: true });
      assert.deepEqual([status, json.error.type], [429, 'rate_limit_error']);
    });

    test('response.failed and Gemini errors are errors too', async () => {
      const failed = {
        type: 'response.failed',
        response: { error: { code: 'rate_limit_exceeded' } },
      };
      await bench.upstream.set('failed', stream(event(failed, 'response.failed')));
      const body = { model: 'openai/failed', input: 'hello', stream: true };
      const path = `${bench.server.account}/ai/v1/responses`;
      await bench.server.call('POST', path, { headers: upTo(2), body });
      assert.equal(await calls('failed'), 2);
      assert.equal((await newestLog()).status_code, 429);
    });

    test('that breaks off, or ends the connection, within its first event is retried', async () => {
      const start = delta('one').slice(0, 20);
      await bench.upstream.set(
        'breaks',
        [head(200, EVENT_STREAM), start, RESET],
        stream(delta('a'), DONE),
      );
      const { text } = await bench.complete('breaks', upTo(2), { stream: true });
      assert.equal(text, delta('a') + DONE);
    });

    test('after the ping interval the client gets what there is, and the error is logged', async () => {
      await bench.upstream.set(
        'late',
        stream(': waiting\n\n', { waitMs: 500 }, OVERLOADED_EVENT),
        stream(delta('never'), DONE),
      );
      const { status, text } = await bench.complete('late', upTo(2), { stream: true });
      assert.equal(status, 200);
      assert.ok(text.startsWith(': waiting\n\n') && text.endsWith(OVERLOADED_EVENT), text);
      assert.equal(await calls('late'), 1);
      assert.equal((await newestLog()).success, false);
    });

    test('a client that leaves meanwhile ends the call: 499', async () => {
      await bench.upstream.set('left', stream(': waiting\n\n', HANG));
      const abort = new AbortController();
      const call = fetch(`${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bench.server.token}`, ...upTo(3) },
        body: JSON.stringify({ model: 'openai/left', messages: MESSAGES, stream: true }),
        signal: abort.signal,
      });
      while ((await calls('left')) === 0);
      abort.abort();
      await assert.rejects(call);
      while ((await newestLog()).model !== 'left');
      assert.equal((await newestLog()).status_code, 499);
      assert.equal(await calls('left'), 1);
    });
  });
});

const statuses: [object | unknown[], number | undefined][] = [
  [{ error: 'out of memory' }, 502],
  [{ error: { message: 'x' } }, 502],
  [{ error: { code: '503' } }, 503],
  [{ error: { code: 99 } }, 502],
  [{ error: { code: 'rate_limit_exceeded' } }, 429],
  [{ error: { type: 'insufficient_quota' } }, 429],
  [{ error: { code: 14, status: 'UNAVAILABLE' } }, 503],
  [[{ error: { code: 503, status: 'UNAVAILABLE' } }], 503],
  [{ type: 'error', error: { type: 'request_too_large' } }, 413],
  [{ type: 'error', code: 'server_error', message: 'x' }, 500],
  [{ type: 'response.failed', response: { error: { code: 'rate_limit_exceeded' } } }, 429],
  [{ error: { code: 'constructor' } }, 502],
  [{ error: '' }, undefined],
  [{ error: [] }, undefined],
  [{ error: false }, undefined],
  [{ choices: [{}], error: { code: 500 } }, undefined],
  [{ choices: [], error: { code: 500 } }, 500],
  [{}, undefined],
  [[], undefined],
];
for (const [body, expected] of statuses) {
  test(`${JSON.stringify(body)} means ${expected}`, () => {
    assert.equal(findEmbeddedError(body)?.status, expected);
  });
}

test('a verdict does not depend on how a response is cut into pieces', () => {
  const body = fc.oneof(
    fc.constantFrom<object>(RATE_LIMITED, OVERLOADED, completion(), completion('é"error"🌍')),
    fc.object({ maxDepth: 2 }),
  );
  const cuts = fc.array(fc.nat(300), { maxLength: 6 });
  fc.assert(
    fc.property(body, fc.boolean(), cuts, (value, isStream, positions) => {
      const type = isStream ? 'text/event-stream' : 'application/json';
      const text = isStream ? `: x\n\n${event(value)}${DONE}` : JSON.stringify(value);
      const bytes = Buffer.from(text);
      const probe = createResponseProbe({ 'content-type': type }, true, false);
      assert.ok(probe !== undefined);
      const edges = [0, ...positions.filter((at) => at < bytes.length), bytes.length];
      edges.sort((a, b) => a - b);
      let verdict;
      for (let i = 1; i < edges.length && verdict === undefined; i++) {
        verdict = probe.feed(bytes.subarray(edges[i - 1], edges[i]));
      }
      verdict ??= probe.end();
      assert.deepEqual(verdict, findEmbeddedError(JSON.parse(JSON.stringify(value))) ?? NO_ERROR);
    }),
  );
});
