import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import Anthropic from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import OpenAI from 'openai';
import { KeepAlive } from '../../src/gateway/response/keep-alive.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Action, EVENT_STREAM, delta, event, head } from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';
import type { ClientResponse } from '../../src/gateway/gateway-request.ts';

const COMMENT = ': ping\n\n';
const PING_EVENT = 'event: ping\ndata: {"type": "ping"}\n\n';
const SILENCE: Action = { waitMs: 350 };
const stream = (...actions: Action[]): Action[] => [head(200, EVENT_STREAM), ...actions];

const END = event({
  id: 'chatcmpl-scripted',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
});
const CHAT_END = END + event('[DONE]');

const START = event(
  {
    type: 'message_start',
    message: {
      id: 'msg_scripted',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 1 },
    },
  },
  'message_start',
);
const TEXT = [
  event(
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    'content_block_start',
  ),
  event(
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
    'content_block_delta',
  ),
].join('');
const MESSAGE_END = [
  event({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
  event(
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    'message_delta',
  ),
  event({ type: 'message_stop' }, 'message_stop'),
].join('');

const count = (text: string, part: string): number => text.split(part).length - 1;

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database, {
      settings: { STREAM_PING_INTERVAL_MS: '100', UPSTREAM_IDLE_TIMEOUT_MS: '5000' },
    });
  });
  after(() => bench.stop());

  const messages = (model: string): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/messages`, {
      body: { model, max_tokens: 5, messages: MESSAGES, stream: true },
    });
  const baseURL = (): string => `${bench.server.baseUrl}${bench.server.account}/ai`;
  const openai = (): OpenAI =>
    new OpenAI({ apiKey: bench.server.token, baseURL: `${baseURL()}/v1`, maxRetries: 0 });
  const anthropic = (): Anthropic =>
    new Anthropic({
      authToken: bench.server.token,
      apiKey: null,
      baseURL: baseURL(),
      maxRetries: 0,
    });

  describe('silence of a provider', () => {
    test('chat completions: comments between the events, which pass byte for byte', async () => {
      const events = [delta('hel'), delta('lo'), CHAT_END];
      const script = events.flatMap((text) => [SILENCE, text]);
      await bench.upstream.set('thinks', stream(...script));
      const { text } = await bench.complete(
        'thinks',
        {},
        {
          stream: true,
          stream_options: { include_usage: true },
        },
      );
      const parts = text.split(/(?:: ping\n\n)+/).filter((part) => part !== '');
      assert.deepEqual(parts, events);
      assert.ok(count(text, COMMENT) >= 6, text);
    });

    test('Messages: ping events, in verbatim and in translated streams', async () => {
      const script = [SILENCE, START, SILENCE, TEXT, SILENCE, MESSAGE_END];
      await bench.upstream.set('verbatim', stream(...script));
      const { text } = await messages('anthropic/verbatim');
      assert.equal(text.replaceAll(PING_EVENT, ''), START + TEXT + MESSAGE_END);
      assert.ok(count(text, PING_EVENT) >= 6, text);
      await bench.upstream.set('translated', stream(SILENCE, delta('hello'), SILENCE, CHAT_END));
      const translated = (await messages('openai/translated')).text;
      assert.ok(translated.startsWith(PING_EVENT), translated);
      assert.ok(count(translated, PING_EVENT) >= 4, translated);
      assert.equal(count(translated, COMMENT), 0);
    });

    test('an event that arrives slowly is not interrupted', async () => {
      for (const slow of [CHAT_END, CHAT_END.replaceAll('\n', '\r\n')]) {
        const cut = slow.indexOf('}');
        const parts: Action[] = [delta('hello'), slow.slice(0, cut), SILENCE, slow.slice(cut)];
        await bench.upstream.set('slow', stream(...parts));
        const { text } = await bench.complete(
          'slow',
          {},
          {
            stream: true,
            stream_options: { include_usage: true },
          },
        );
        assert.equal(text, delta('hello') + slow);
      }
    });

    test('neither the log nor the cache contains pings', async () => {
      await bench.upstream.set('stored', stream(delta('hello'), SILENCE, CHAT_END));
      const extra = { stream: true, stream_options: { include_usage: true } };
      const cached = { 'cf-aig-cache-ttl': '60' };
      const first = await bench.complete('stored', cached, extra);
      assert.ok(count(first.text, COMMENT) >= 2, first.text);
      const [row] = await bench.logs();
      const logged = await bench.server.call(
        'GET',
        `${bench.server.account}/ai-gateway/gateways/default/logs/${row.id}/response`,
      );
      assert.equal(count(logged.text, 'ping'), 0);
      const second = await bench.complete('stored', cached, extra);
      assert.equal(second.headers.get('cf-aig-cache-status'), 'HIT');
      assert.equal(second.text, delta('hello') + CHAT_END);
    });

    test('a JSON response contains none', async () => {
      const json = JSON.stringify({ choices: [], usage: { prompt_tokens: 1 } });
      await bench.upstream.set('json', [
        head(200, { 'content-type': 'application/json' }),
        json.slice(0, 5),
        SILENCE,
        json.slice(5),
      ]);
      assert.equal((await bench.complete('json')).text, json);
    });

    test('a compressed stream is decoded, and contains them', async () => {
      const zipped = gzipSync(delta('hello') + CHAT_END);
      await bench.upstream.set('zipped', [
        head(200, { ...EVENT_STREAM, 'content-encoding': 'gzip' }),
        { base64: zipped.subarray(0, 20).toString('base64') },
        SILENCE,
        { base64: zipped.subarray(20).toString('base64') },
      ]);
      const { text, headers } = await bench.complete('zipped', {}, { stream: true });
      assert.equal(headers.get('content-encoding'), null);
      assert.ok(text.includes(COMMENT));
      assert.equal(text.replaceAll(COMMENT, ''), delta('hello') + CHAT_END);
    });
  });

  describe('pings of a provider', () => {
    test('pass in the terms of the client, in both directions', async () => {
      const ping = event({ type: 'ping' }, 'ping');
      await bench.upstream.set('pings', stream(START, ping, ping, ping, TEXT, MESSAGE_END));
      const chat = await bench.complete('anthropic/pings', {}, { stream: true });
      assert.equal(count(chat.text, COMMENT), 3);
      const comment = ': OPENROUTER PROCESSING\n\n';
      await bench.upstream.set('comments', stream(comment, comment, delta('hello'), CHAT_END));
      assert.equal(count((await messages('openai/comments')).text, PING_EVENT), 2);
    });

    test('pass unchanged in a stream of the same API', async () => {
      const comment = ': OPENROUTER PROCESSING\n\n';
      const body = comment + delta('hello') + comment + CHAT_END;
      await bench.upstream.set('same', stream(body));
      const { text } = await bench.complete(
        'same',
        {},
        {
          stream: true,
          stream_options: { include_usage: true },
        },
      );
      assert.equal(text, body);
    });
  });

  test('unmodified clients read streams with pings', async () => {
    await bench.upstream.set('quiet', stream(SILENCE, delta('hello'), SILENCE, CHAT_END));
    const completion = await openai()
      .chat.completions.stream({
        model: 'openai/quiet',
        messages: [{ role: 'user', content: 'hello' }],
      })
      .finalChatCompletion();
    assert.equal(completion.choices[0]?.message.content, 'hello');
    for (const model of ['openai/quiet', 'anthropic/quiet-message']) {
      await bench.upstream.set(
        'quiet-message',
        stream(SILENCE, START + TEXT, SILENCE, MESSAGE_END),
      );
      const message = await anthropic()
        .messages.stream({
          model,
          max_tokens: 5,
          messages: [{ role: 'user', content: 'hello' }],
        })
        .finalMessage();
      assert.deepEqual(
        message.content.map((block) => (block.type === 'text' ? block.text : block.type)),
        ['hello'],
      );
    }
  });
});

describe('keep-alive', () => {
  /** Collects the bytes that a client gets. */
  class Collector implements ClientResponse {
    readonly isClosed = false;
    activeCall = undefined;
    readonly hasBegun = true;
    isFull = false;
    text = '';
    write(chunk: Buffer | string): boolean {
      this.text += chunk.toString('latin1');
      return true;
    }
    begin(): void {}
    refuse(): void {}
    async drained(): Promise<void> {}
    end(): void {}
    abort(): void {}
    cut(): void {}
  }

  function eventsOf(text: string): string[] {
    const events: string[] = [];
    const parser = createParser({
      onEvent: ({ event: name, data }) => {
        if (name !== 'ping') events.push(`${name ?? ''} ${data}`);
      },
    });
    // The parser waits for the second half of a line end.
    parser.feed(`${text}:\n`);
    return events;
  }

  test('pings at any moment change no event, however the stream is cut into chunks', () => {
    const line = fc.tuple(
      fc.constantFrom('data: ', 'data:', 'event: ', 'id: ', ':'),
      fc.stringMatching(/^[a-z:{}" ]{0,6}$/),
    );
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const block = fc.array(line, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 5 }),
        lineEnd,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
        fc.constantFrom('anthropic' as const, 'openai' as const),
        (blocks, end, sizes, dialect) => {
          const text = blocks
            .map((lines) => lines.map(([field, value]) => field + value + end).join('') + end)
            .join('');
          const client = new Collector();
          const keepAlive = new KeepAlive(client, dialect, 60_000);
          let position = 0;
          for (let at = 0; position < text.length; at++) {
            const chunk = text.slice(position, (position += sizes[at % sizes.length] ?? 1));
            client.write(chunk);
            keepAlive.note(Buffer.from(chunk, 'latin1'));
            keepAlive.ping();
          }
          keepAlive.stop();
          assert.deepEqual(eventsOf(client.text), eventsOf(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('a client that does not keep up gets no ping', () => {
    const client = new Collector();
    const keepAlive = new KeepAlive(client, 'openai', 60_000);
    client.isFull = true;
    keepAlive.ping();
    assert.equal(client.text, '');
    client.isFull = false;
    keepAlive.ping();
    assert.equal(client.text, COMMENT);
    keepAlive.stop();
  });
});
