import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createGoogleGenerativeAI } from 'ai-gateway-provider/providers/google';
import {
  type EmbeddingModel,
  type JSONValue,
  type LanguageModel,
  embed,
  embedMany,
  generateText,
  streamText,
} from 'ai';
import {
  EVENT_STREAM,
  RESET,
  type ScriptedUpstream,
  answer,
  completion,
  delta,
  head,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';
import type { TestServer } from '../support/server.ts';
import { type Upstream, headerOf } from '../support/upstream-process.ts';
import { type ServerWithProviders, bootWithProviders, limits, prompt } from './ai-sdk-set-up.ts';

let running: ServerWithProviders;
let server: TestServer;
let openai: Upstream;
let anthropic: Upstream;
let gemini: Upstream;
let scripted: ScriptedUpstream;
before(async () => {
  scripted = await startScriptedUpstream();
  running = await bootWithProviders({ PROVIDER_VLLM_BASE_URL: `${scripted.origin}/v1` });
  ({ server, openai, anthropic, gemini } = running);
});
after(async () => {
  await running.stop();
  await scripted.stop();
});

const rest = () => ({
  baseURL: `${server.baseUrl}${server.account}/ai/v1`,
  apiKey: server.token,
});
const native = (path: string, apiKey: string) => ({
  baseURL: `${server.origin}/v1/${server.accountId}/default/${path}`,
  apiKey,
  headers: { 'cf-aig-authorization': `Bearer ${server.token}` },
});
const compatible = (): ((model: string) => LanguageModel) =>
  createOpenAICompatible({ name: 'latchkey', ...rest(), includeUsage: true });

/** The packages of the AI SDK on the gateway host, each at its provider's own API. */
describe('provider-native', () => {
  const ways: Readonly<
    Record<string, { model: () => LanguageModel; sent: () => Upstream; header: [string, string] }>
  > = {
    'openai, responses': {
      model: () => createOpenAI(native('openai', 'sk-mine'))('gpt-plain'),
      sent: () => openai,
      header: ['authorization', 'Bearer sk-mine'],
    },
    'openai, chat': {
      model: () => createOpenAI(native('openai/v1', 'sk-mine')).chat('gpt-plain'),
      sent: () => openai,
      header: ['authorization', 'Bearer sk-mine'],
    },
    anthropic: {
      model: () => createAnthropic(native('anthropic/v1', 'sk-ant-mine'))('claude-plain'),
      sent: () => anthropic,
      header: ['x-api-key', 'sk-ant-mine'],
    },
    'google-ai-studio': {
      model: () =>
        createGoogleGenerativeAI(native('google-ai-studio/v1beta', 'goog-mine'))(
          'gemini-2.5-flash',
        ),
      sent: () => gemini,
      header: ['x-goog-api-key', 'goog-mine'],
    },
  };

  for (const [name, { model, sent, header }] of Object.entries(ways)) {
    test(name, async () => {
      const { text, usage, response } = await generateText({ model: model(), prompt, ...limits });
      assert.equal(text, 'Grüße 🌍');
      assert.ok((usage.outputTokens ?? 0) > 0);
      assert.equal(response.headers?.['cf-aig-provider'], name.split(',')[0]);
      const [field, key] = header;
      assert.equal(headerOf(await sent().lastSent(), field), key);
      assert.doesNotMatch(JSON.stringify(await sent().lastSent()), /lkat_|cf-aig/);
      const streamed = streamText({ model: model(), prompt, ...limits });
      assert.equal(await streamed.text, 'Grüße 🌍');
      assert.ok(((await streamed.usage).outputTokens ?? 0) > 0);
    });
  }
});

describe('embeddings', () => {
  const ways: Readonly<Record<string, () => EmbeddingModel>> = {
    'the REST API': () => createOpenAI(rest()).embedding('openai/text-embedding'),
    'the REST API, compatible': () =>
      createOpenAICompatible({ name: 'latchkey', ...rest() }).embeddingModel(
        'openai/text-embedding',
      ),
    compat: () => createOpenAI(native('compat', 'sk-mine')).embedding('openai/text-embedding'),
    'provider-native': () => createOpenAI(native('openai', 'sk-mine')).embedding('text-embedding'),
  };

  for (const [name, model] of Object.entries(ways)) {
    test(name, async () => {
      const { embedding, usage } = await embed({ model: model(), value: 'one' });
      assert.deepEqual(embedding, [3, -0.5, 0.25]);
      assert.equal(usage.tokens, 11);
      const { embeddings } = await embedMany({ model: model(), values: ['one', 'three'] });
      assert.deepEqual(
        embeddings.map(([first]) => first),
        [3, 5],
      );
      assert.equal((await openai.lastSent()).url, '/v1/embeddings');
    });
  }

  test('the model inside the gateway', async () => {
    const model = createOpenAI(rest()).embedding('local/echo');
    const { embeddings } = await embedMany({ model, values: ['same', 'same', 'other'] });
    assert.deepEqual(embeddings[0], embeddings[1]);
    assert.notDeepEqual(embeddings[0], embeddings[2]);
  });
});

describe('what messages hold', () => {
  const png = Buffer.from('iVBORw0KGgo=', 'base64');

  const look = (model: LanguageModel) =>
    generateText({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'file', data: png, mediaType: 'image/png' },
          ],
        },
      ],
      ...limits,
    });

  test('an image, by chat completions', async () => {
    const model = compatible();
    assert.equal((await look(model('anthropic/claude-plain'))).text, 'An image/png of 8 bytes.');
    assert.equal((await look(model('google/gemini-2.5-flash'))).text, 'I see image/png');
    await look(model('openai/gpt-plain'));
    assert.match((await openai.lastSent()).body, /"url":"data:image\/png;base64,iVBORw0KGgo="/);
  });

  test('an image, by messages', async () => {
    const model = createAnthropic(rest());
    assert.equal((await look(model('anthropic/claude-plain'))).text, 'An image/png of 8 bytes.');
    assert.equal((await look(model('google/gemini-2.5-flash'))).text, 'I see image/png');
    await look(model('openai/gpt-plain'));
    assert.match((await openai.lastSent()).body, /"url":"data:image\/png;base64,iVBORw0KGgo="/);
  });

  test('thoughts of Anthropic, in both forms, at once and streamed', async () => {
    const thinking = { type: 'enabled', budgetTokens: 1_024 };
    const forms = [
      {
        model: createAnthropic(rest())('anthropic/claude-plain'),
        providerOptions: { anthropic: { thinking } },
      },
      {
        model: compatible()('anthropic/claude-plain'),
        providerOptions: { latchkey: { reasoningEffort: 'low' } },
      },
    ];
    for (const form of forms) {
      const { model, providerOptions } = form;
      const asked = {
        model,
        providerOptions: providerOptions as Record<string, Record<string, JSONValue>>,
        prompt,
        ...limits,
      };
      const { reasoningText, text } = await generateText(asked);
      assert.deepEqual([reasoningText, text], ['Hm, 🌍 …', 'Grüße 🌍']);
      const streamed = streamText(asked);
      assert.equal(await streamed.reasoningText, 'Hm, 🌍 …');
      assert.equal(await streamed.text, 'Grüße 🌍');
    }
  });

  test('what was cached of a prompt', async () => {
    const { usage } = await generateText({
      model: createAnthropic(rest())('anthropic/claude-plain'),
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'text',
              text: prompt,
              providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
            },
          ],
        },
      ],
      ...limits,
    });
    assert.equal(usage.inputTokens, 131);
    assert.equal(usage.inputTokenDetails.cacheReadTokens, 100);
    assert.equal(usage.inputTokenDetails.cacheWriteTokens, 20);
  });
});

describe('retries of the package', () => {
  const busy = { error: { message: 'not now', type: 'server_error', param: null, code: null } };

  test('after the wait that the provider asks for', async () => {
    await scripted.set(
      'busy',
      answer(429, busy, { 'retry-after-ms': '1' }),
      answer(503, busy, { 'retry-after-ms': '1' }),
      answer(200, completion('at last')),
    );
    const { text } = await generateText({
      model: compatible()('vllm/busy'),
      prompt,
      maxRetries: 2,
    });
    assert.equal(text, 'at last');
    assert.equal((await scripted.requests('busy')).length, 3);
  });

  test('none of what was asked wrongly', async () => {
    await scripted.set('wrong', answer(400, busy));
    const asked = generateText({ model: compatible()('vllm/wrong'), prompt, maxRetries: 2 });
    await assert.rejects(asked, /not now/);
    assert.equal((await scripted.requests('wrong')).length, 1);
  });

  test('the provider that breaks off in mid-stream is an error of the stream', async () => {
    await scripted.set('breaks', [
      head(200, { ...EVENT_STREAM, 'content-length': '10000' }),
      delta('one '),
      RESET,
    ]);
    const errors: unknown[] = [];
    const { textStream } = streamText({
      model: compatible()('vllm/breaks'),
      prompt,
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    const pieces: string[] = [];
    for await (const piece of textStream) pieces.push(piece);
    assert.deepEqual(pieces, ['one ']);
    assert.match(JSON.stringify(errors), /Failed to get response from provider/);
  });
});
