import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  type LanguageModel,
  Output,
  generateText,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import type { TestServer } from '../support/server.ts';
import type { Upstream } from '../support/upstream-process.ts';
import { type ServerWithProviders, bootWithProviders, limits, prompt } from './ai-sdk-set-up.ts';

let running: ServerWithProviders;
let server: TestServer;
let openai: Upstream;
before(async () => {
  running = await bootWithProviders();
  ({ server, openai } = running);
});
after(() => running.stop());

const rest = (): string => `${server.baseUrl}${server.account}/ai/v1`;
const host = (): string => `${server.origin}/v1/${server.accountId}/default`;

/** The packages of the AI SDK, each as its users set it up. */
const packages: Readonly<Record<string, (token?: string) => (model: string) => LanguageModel>> = {
  '@ai-sdk/openai, responses': (token) =>
    createOpenAI({ baseURL: rest(), apiKey: token ?? server.token }),
  '@ai-sdk/openai, chat': (token) => (model) =>
    createOpenAI({ baseURL: rest(), apiKey: token ?? server.token }).chat(model),
  '@ai-sdk/openai-compatible': (token) =>
    createOpenAICompatible({
      name: 'latchkey',
      baseURL: rest(),
      apiKey: token ?? server.token,
      includeUsage: true,
      supportsStructuredOutputs: true,
    }),
  '@ai-sdk/openai-compatible on the gateway host': (token) =>
    createOpenAICompatible({
      name: 'latchkey',
      baseURL: `${host()}/compat`,
      headers: { 'cf-aig-authorization': `Bearer ${token ?? server.token}` },
      includeUsage: true,
      supportsStructuredOutputs: true,
    }),
  '@ai-sdk/anthropic': (token) =>
    createAnthropic({ baseURL: rest(), apiKey: token ?? server.token }),
  '@ai-sdk/anthropic with a bearer': (token) =>
    createAnthropic({ baseURL: rest(), authToken: token ?? server.token }),
};

const CHAT = /chat|compatible|anthropic/;

interface Faulty {
  status: number;
  model: string;
  message: string;
}

/** The providers, by what they speak, and which of the packages can talk to them. */
const models: readonly { model: string; of: RegExp; faulty: Faulty[] }[] = [
  {
    model: 'openai/gpt-plain',
    of: /./,
    faulty: [
      { status: 404, model: 'gpt-missing', message: 'The model `gpt-missing` does not exist' },
      { status: 429, model: 'gpt-limited', message: 'Rate limit reached for gpt-limited' },
      { status: 503, model: 'gpt-overloaded', message: 'The engine is currently overloaded' },
    ],
  },
  {
    model: 'anthropic/claude-plain',
    of: CHAT,
    faulty: [
      { status: 404, model: 'claude-missing', message: 'model: claude-missing' },
      { status: 429, model: 'claude-rate-limited', message: 'Number of requests has exceeded' },
      { status: 529, model: 'claude-overloaded', message: 'Overloaded' },
    ],
  },
  {
    model: 'google-ai-studio/gemini-2.5-flash',
    of: CHAT,
    faulty: [
      {
        status: 404,
        model: 'missing',
        message: 'models/missing is not found for API version v1beta.',
      },
      { status: 429, model: 'rate-limited', message: 'You exceeded your current quota.' },
    ],
  },
];

for (const [name, create] of Object.entries(packages)) {
  for (const { model: id, of, faulty } of models) {
    if (!of.test(name)) continue;
    describe(`${name}, ${id}`, () => {
      let model: LanguageModel;
      before(() => {
        model = create()(id);
      });

      test('a text, and what it took', async () => {
        const { text, usage, finishReason, response } = await generateText({
          model,
          prompt,
          system: 'Be brief.',
          ...limits,
        });
        assert.equal(text, 'Grüße 🌍');
        assert.equal(finishReason, 'stop');
        assert.ok((usage.inputTokens ?? 0) >= 8 && (usage.outputTokens ?? 0) >= 5);
        assert.equal(usage.totalTokens, (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
        assert.match(response.headers?.['cf-aig-log-id'] ?? '', /^[\da-f-]{36}$/);
      });

      test('a stream, and what it took', async () => {
        const streamed = streamText({ model, prompt, ...limits });
        const pieces: string[] = [];
        for await (const piece of streamed.textStream) pieces.push(piece);
        assert.equal(pieces.join(''), 'Grüße 🌍');
        assert.ok(pieces.length > 1);
        assert.equal(await streamed.finishReason, 'stop');
        const { inputTokens = 0, outputTokens = 0 } = await streamed.usage;
        assert.ok(inputTokens >= 8 && outputTokens >= 5);
      });

      for (const isStream of [false, true]) {
        test(`tools in several steps, ${isStream ? 'streamed' : 'at once'}`, async () => {
          const cities: string[] = [];
          const weather = tool({
            description: 'The weather in a city.',
            inputSchema: z.object({ city: z.string() }),
            execute: ({ city }) => {
              cities.push(city);
              return { celsius: 7 };
            },
          });
          const asked = {
            model,
            prompt,
            tools: { weather },
            stopWhen: stepCountIs(3),
            ...limits,
          };
          const { text, steps } = isStream ? streamText(asked) : await generateText(asked);
          assert.match(await text, /7/);
          assert.equal((await steps).length, 2);
          assert.ok(cities.includes('Wien') || cities.includes('Köln'), cities.join(', '));
        });
      }

      test('structured output', async () => {
        const [provider] = id.split('/');
        const city = provider === 'google-ai-studio' ? 'Köln' : 'Wien';
        const [schema, expected] =
          name.startsWith('@ai-sdk/anthropic') && provider !== 'anthropic'
            ? // Of models that it does not know, the package asks it with a tool.
              [z.object({ city: z.string() }), { city }]
            : provider === 'google-ai-studio'
              ? [z.object({ answer: z.number() }), { answer: 42 }]
              : [
                  z.object({ city: z.string(), population: z.number() }),
                  { city, population: 2_028_000 },
                ];
        const asked = {
          model,
          prompt,
          output: Output.object({ schema: schema as z.ZodType<object> }),
          ...limits,
        };
        assert.deepEqual((await generateText(asked)).output, expected);
        assert.deepEqual(await streamText(asked).output, expected);
      });

      test('errors, and which of them are worth a retry', async () => {
        const [provider] = id.split('/');
        for (const { status, model: failing, message } of faulty) {
          const asked = { model: create()(`${provider}/${failing}`), prompt, ...limits };
          await assert.rejects(generateText(asked), (error: unknown) => {
            assert.ok(APICallError.isInstance(error), String(error));
            assert.deepEqual(
              [error.statusCode, error.message, error.isRetryable],
              [status, message, status !== 404],
            );
            return true;
          });
        }
      });
    });
  }

  test(`${name}: a token that is wrong, and a model without a provider`, async () => {
    const stranger = generateText({ model: create('wrong')('local/echo'), prompt, ...limits });
    await assert.rejects(stranger, (error: unknown) => {
      assert.ok(APICallError.isInstance(error));
      assert.deepEqual([error.statusCode, error.isRetryable], [401, false]);
      return true;
    });
    const unnamed = generateText({ model: create()('plain'), prompt, ...limits });
    await assert.rejects(unnamed, (error: unknown) => {
      assert.ok(APICallError.isInstance(error));
      assert.equal(error.statusCode, 400);
      assert.match(error.responseBody ?? '', /provider\/model/);
      return true;
    });
  });

  test(`${name}: the model inside the gateway`, async () => {
    const model = create()('local/echo');
    assert.equal((await generateText({ model, prompt, ...limits })).text, prompt);
    assert.equal(await streamText({ model, prompt, ...limits }).text, prompt);
  });

  test(`${name}: an abort in mid-stream reaches the provider`, async () => {
    const controller = new AbortController();
    const { textStream } = streamText({
      model: create()('openai/gpt-streams'),
      prompt,
      abortSignal: controller.signal,
      ...limits,
    });
    for await (const piece of textStream) if (piece === 'Grüße ') controller.abort();
    await eventually('the provider is left', async () => (await openai.lastSent()).aborted);
  });
}
