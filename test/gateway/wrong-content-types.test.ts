import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import Anthropic from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import OpenAI from 'openai';
import { streamOf } from '../../src/gateway/response/streamed-json.ts';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  type Action,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const CHAT =
  delta('hel') +
  delta('lo') +
  event({
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  }) +
  event('[DONE]');

const CALLS = {
  ...completion(),
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
};

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database, { settings: { UPSTREAM_IDLE_TIMEOUT_MS: '5000' } });
  });
  after(() => bench.stop());

  const ai = (): string => `${bench.server.baseUrl}${bench.server.account}/ai`;
  const openai = (): OpenAI =>
    new OpenAI({ apiKey: bench.server.token, baseURL: `${ai()}/v1`, maxRetries: 0 });
  const anthropic = (): Anthropic =>
    new Anthropic({ authToken: bench.server.token, apiKey: null, baseURL: ai(), maxRetries: 0 });
  const chat = (model: string): Promise<OpenAI.ChatCompletion> =>
    openai()
      .chat.completions.stream({
        model,
        messages: [{ role: 'user', content: 'hello' }],
        stream_options: { include_usage: true },
      })
      .finalChatCompletion();
  const messages = (model: string): Promise<Anthropic.Message> =>
    anthropic()
      .messages.stream({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] })
      .finalMessage();
  const newest = async (): Promise<unknown[]> => {
    const [row] = await bench.logs();
    return [row.status_code, row.success, row.tokens_in, row.tokens_out];
  };

  describe('an event stream', () => {
    const types: [name: string, headers: Record<string, string>][] = [
      ['without a content type', {}],
      ['as text/plain', { 'content-type': 'text/plain; charset=utf-8' }],
      ['as JSON', { 'content-type': 'application/json' }],
      ['as bytes', { 'content-type': 'application/octet-stream' }],
    ];
    for (const [name, headers] of types) {
      test(name, async () => {
        await bench.upstream.set('mistyped', [head(200, headers), CHAT]);
        const whole = await chat('openai/mistyped');
        assert.equal(whole.choices[0]?.message.content, 'hello');
        // Clients leave at the last event, which may be before the end of the stream.
        const raw = await bench.complete(
          'mistyped',
          {},
          {
            stream: true,
            stream_options: { include_usage: true },
          },
        );
        assert.equal(raw.text, CHAT);
        assert.match(raw.headers.get('content-type') ?? '', /^text\/event-stream/);
        assert.deepEqual(await newest(), [200, true, 11, 7]);
        const translated = await messages('openai/mistyped');
        assert.deepEqual(
          translated.content.map((block) => (block.type === 'text' ? block.text : block.type)),
          ['hello'],
        );
      });
    }

    test('that begins with a comment, white space or a single byte', async () => {
      for (const parts of [
        [': hi\n\n', CHAT],
        ['\r\n\r\n', CHAT],
        [...'data: {'.split(''), CHAT.slice(7)],
      ]) {
        const script: Action[] = [head(200, { 'content-type': 'text/plain' })];
        for (const part of parts) script.push(part, { waitMs: 5 });
        await bench.upstream.set('slowly', script);
        assert.equal((await chat('openai/slowly')).choices[0]?.message.content, 'hello');
      }
    });

    test('with an error is an error', async () => {
      await bench.upstream.set('mistyped-error', [
        head(200, { 'content-type': 'text/plain' }),
        event({ error: { code: 429, message: 'slow down' } }),
      ]);
      await bench.complete('mistyped-error', {}, { stream: true });
      assert.deepEqual((await newest()).slice(0, 2), [429, false]);
    });
  });

  describe('JSON for a stream', () => {
    for (const type of ['application/json', 'text/plain', undefined]) {
      test(`as ${type ?? 'nothing'}, for a client of chat completions`, async () => {
        const headers = type === undefined ? {} : { 'content-type': type };
        await bench.upstream.set('whole', [head(200, headers), JSON.stringify(completion())]);
        const whole = await chat('openai/whole');
        assert.equal(whole.choices[0]?.message.content, 'hello');
        assert.equal(whole.choices[0].finish_reason, 'stop');
        assert.equal(whole.usage?.total_tokens, 18);
      });
    }

    test('without usage, where the client does not ask for it', async () => {
      await bench.upstream.set('whole', answer(200, completion()));
      const { text, headers } = await bench.complete('whole', {}, { stream: true });
      assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
      assert.ok(!text.includes('"usage"') && text.endsWith('data: [DONE]\n\n'), text);
      assert.deepEqual(await newest(), [200, true, 11, 7]);
    });

    test('with calls of tools, for clients of both APIs', async () => {
      await bench.upstream.set('calls', answer(200, CALLS));
      const whole = await chat('openai/calls');
      assert.deepEqual(
        whole.choices[0]?.message.tool_calls?.map(
          (call) => call.type === 'function' && call.function,
        ),
        CALLS.choices[0]?.message.tool_calls
          .map((call) => call.function)
          .map((one) => ({ ...one })),
      );
      const { content, stop_reason: reason } = await messages('openai/calls');
      assert.equal(reason, 'tool_use');
      assert.deepEqual(
        content.map((block) => block.type === 'tool_use' && block.input),
        [{ path: 'a' }, { path: 'b' }],
      );
    });

    test('of Anthropic, for clients of both APIs', async () => {
      await bench.upstream.set('claude', answer(200, message()));
      const { content, usage } = await messages('anthropic/claude');
      assert.deepEqual(
        content.map((block) => (block.type === 'text' ? block.text : block.type)),
        ['hello'],
      );
      assert.deepEqual([usage.input_tokens, usage.output_tokens], [11, 7]);
      const whole = await chat('anthropic/claude');
      assert.equal(whole.choices[0]?.message.content, 'hello');
    });

    test('compressed', async () => {
      const zipped = gzipSync(JSON.stringify(completion()));
      await bench.upstream.set('zipped', [
        head(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
        { base64: zipped.toString('base64') },
      ]);
      assert.equal((await chat('openai/zipped')).choices[0]?.message.content, 'hello');
    });

    test('is replayed from the cache as a stream', async () => {
      await bench.upstream.set('cached', answer(200, completion()));
      const texts: string[] = [];
      for (const status of ['MISS', 'HIT']) {
        const headers = { 'cf-aig-cache-ttl': '60' };
        const found = await bench.complete('cached', headers, { stream: true });
        assert.equal(found.headers.get('cf-aig-cache-status'), status);
        texts.push(found.text);
      }
      assert.equal(texts[0], texts[1]);
    });

    test('of another API passes as it is, and so does JSON without a stream', async () => {
      await bench.upstream.set('other', answer(200, { id: 'job_1' }));
      const { text, headers } = await bench.complete('other', {}, { stream: true });
      assert.equal(text, '{"id":"job_1"}');
      assert.match(headers.get('content-type') ?? '', /json/);
      await bench.upstream.set('plain', answer(200, completion()));
      assert.deepEqual((await bench.complete('plain')).json, completion());
      const native: Answer = await bench.callHost('POST', 'default/openai/v1/chat/completions', {
        body: { model: 'plain', messages: MESSAGES, stream: true },
      });
      assert.deepEqual(native.json, completion());
    });
  });
});

describe('the stream of a whole response', () => {
  function eventsOf(text: string): JsonObject[] {
    const found: JsonObject[] = [];
    const parser = createParser({
      onEvent: ({ data }) => {
        if (data !== '[DONE]') found.push(JSON.parse(data) as JsonObject);
      },
    });
    parser.feed(text);
    return found;
  }

  test('says the same to a Messages client as the whole response', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const call = fc.record({
      name: fc.stringMatching(/^\w{1,9}$/),
      input: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    fc.assert(
      fc.property(
        fc.option(text),
        fc.option(text),
        fc.array(call, { maxLength: 3 }),
        (said, thought, calls) => {
          const whole = {
            id: 'c',
            model: 'm',
            choices: [
              {
                index: 0,
                finish_reason: 'stop',
                message: {
                  role: 'assistant',
                  content: said,
                  reasoning_content: thought,
                  tool_calls: calls.map(({ name, input }, index) => ({
                    id: `call_${index}`,
                    function: { name, arguments: JSON.stringify(input) },
                  })),
                },
              },
            ],
            usage: { prompt_tokens: 3, completion_tokens: 4 },
          };
          const asked = { model: 'm', body: { messages: [], stream: true }, nowMs: 0 };
          const expected = messagesToChat.response(whole, asked);
          const stream = messagesToChat.stream(asked);
          const sent = (streamOf(whole) ?? []).flatMap((one) => stream.event(one));
          const written = [...sent, ...stream.end()]
            .map(({ data }) => `data: ${data}\n\n`)
            .join('');
          const content: JsonObject[] = [];
          for (const { type, content_block: block, delta: change } of eventsOf(written)) {
            if (type === 'content_block_start') content.push({ ...(block as JsonObject) });
            const last = content.at(-1);
            if (type !== 'content_block_delta' || last === undefined) continue;
            const { text: more, thinking, partial_json: json } = change as Record<string, string>;
            if (more !== undefined) last.text = String(last.text) + more;
            if (thinking !== undefined) last.thinking = String(last.thinking) + thinking;
            if (json !== undefined) last.input = JSON.parse(json);
          }
          assert.equal(JSON.stringify(content), JSON.stringify(expected?.content));
        },
      ),
    );
  });
});
