import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { APICallError, type LanguageModel, generateText, stepCountIs, streamText, tool } from 'ai';
import {
  type AiGatewayAPISettings,
  AiGatewayUnauthorizedError,
  createAiGateway,
} from 'ai-gateway-provider';
import { createAnthropic } from 'ai-gateway-provider/providers/anthropic';
import { createGoogleGenerativeAI } from 'ai-gateway-provider/providers/google';
import { createOpenAI } from 'ai-gateway-provider/providers/openai';
import { createUnified, unified } from 'ai-gateway-provider/providers/unified';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import { redirectFetch } from '../support/redirected-fetch.ts';
import type { TestServer } from '../support/server.ts';
import { type Upstream, headerOf } from '../support/upstream-process.ts';
import { type ServerWithProviders, bootWithProviders, limits, prompt } from './ai-sdk-set-up.ts';

let running: ServerWithProviders;
let server: TestServer;
let openai: Upstream;
let anthropic: Upstream;
let gemini: Upstream;
let restoreFetch: () => void;

before(async () => {
  running = await bootWithProviders();
  ({ server, openai, anthropic, gemini } = running);
  // The package has the address of its gateway built in.
  restoreFetch = redirectFetch('https://gateway.ai.cloudflare.com', server.origin);
});
after(async () => {
  restoreFetch();
  await running.stop();
});

const connect = (settings: Partial<AiGatewayAPISettings> = {}) =>
  createAiGateway({
    accountId: server.accountId,
    gateway: 'default',
    apiKey: server.token,
    ...settings,
  });

const generate = (model: LanguageModel) => generateText({ model, prompt, ...limits });
const stream = (model: LanguageModel) => streamText({ model, prompt, ...limits });

/** The unmodified `ai-gateway-provider` package: universal requests, written by the AI SDK. */
describe('each provider', () => {
  const withUsage = createUnified({ includeUsage: true });
  const models = () => ({
    'the Responses API': createOpenAI({ apiKey: 'sk-mine' })('gpt-plain'),
    'chat completions': createOpenAI({ apiKey: 'sk-mine' }).chat('gpt-plain'),
    Anthropic: createAnthropic({ apiKey: 'sk-ant-mine' })('claude-plain'),
    Gemini: createGoogleGenerativeAI({ apiKey: 'goog-mine' })('gemini-2.5-flash'),
    'the unified API, OpenAI': withUsage('openai/gpt-plain'),
    'the unified API, Anthropic': withUsage('anthropic/claude-plain'),
    'the unified API, Gemini': withUsage('google-ai-studio/gemini-2.5-flash'),
    'the unified API, the model inside the gateway': withUsage('local/echo'),
  });

  for (const name of Object.keys(models()) as (keyof ReturnType<typeof models>)[]) {
    const expected = name.endsWith('the gateway') ? prompt : 'Grüße 🌍';

    test(`${name}: a text`, async () => {
      const { text, usage, response } = await generate(connect()(models()[name]));
      assert.equal(text, expected);
      assert.ok((usage.inputTokens ?? 0) > 0 && (usage.outputTokens ?? 0) > 0);
      assert.equal(response.headers?.['cf-aig-step'], '0');
    });

    test(`${name}: a stream`, async () => {
      const { textStream, usage } = stream(connect()(models()[name]));
      const pieces: string[] = [];
      for await (const piece of textStream) pieces.push(piece);
      assert.equal(pieces.join(''), expected);
      assert.ok(pieces.length > 1);
      assert.ok(((await usage).outputTokens ?? 0) > 0);
    });
  }

  test('the keys of the caller go to the provider, and ours does not', async () => {
    await generate(connect()(models().Anthropic));
    const sent = await anthropic.lastSent();
    assert.equal(headerOf(sent, 'x-api-key'), 'sk-ant-mine');
    assert.equal(headerOf(sent, 'anthropic-version'), '2023-06-01');
    assert.doesNotMatch(JSON.stringify(sent), /lkat_|cf-aig/);
    await generate(connect()(models().Gemini));
    assert.equal(headerOf(await gemini.lastSent(), 'x-goog-api-key'), 'goog-mine');
    await generate(connect()(models()['chat completions']));
    assert.equal(headerOf(await openai.lastSent(), 'authorization'), 'Bearer sk-mine');
  });

  test('without keys, those of this server do', async () => {
    await generate(connect()(createAnthropic()('claude-plain')));
    assert.equal(headerOf(await anthropic.lastSent(), 'x-api-key'), 'sk-ant-stored');
    await generate(connect()(createGoogleGenerativeAI()('gemini-2.5-flash')));
    assert.equal(headerOf(await gemini.lastSent(), 'x-goog-api-key'), 'goog-stored');
    await generate(connect()(createOpenAI()('gpt-plain')));
    assert.equal(headerOf(await openai.lastSent(), 'authorization'), 'Bearer sk-stored');
  });

  test('tools in several steps', async () => {
    for (const model of [
      createOpenAI()('gpt-plain'),
      createOpenAI().chat('gpt-plain'),
      createAnthropic()('claude-plain'),
      unified('anthropic/claude-plain'),
    ]) {
      const weather = tool({
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => `rain in ${city}`,
      });
      const { text, steps } = await generateText({
        model: connect()(model),
        prompt,
        tools: { weather },
        stopWhen: stepCountIs(3),
        ...limits,
      });
      assert.equal(steps.length, 2);
      assert.match(text, /rain in Wien/);
    }
  });
});

describe('several models', () => {
  test('the first that answers, whatever it speaks', async () => {
    const gateway = connect();
    const { text, response } = await generate(
      gateway([
        createOpenAI()('gpt-fails'),
        createOpenAI().chat('gpt-limited'),
        createAnthropic()('claude-plain'),
      ]),
    );
    assert.equal(text, 'Grüße 🌍');
    assert.equal(response.headers?.['cf-aig-step'], '2');
    assert.equal(response.headers?.['cf-aig-provider'], 'anthropic');
  });

  test('streamed', async () => {
    const model = connect()([
      createAnthropic()('claude-overloaded'),
      createGoogleGenerativeAI()('gemini-2.5-flash'),
    ]);
    const { text, response } = stream(model);
    assert.equal(await text, 'Grüße 🌍');
    assert.equal((await response).headers?.['cf-aig-step'], '1');
  });

  test('when all fail, the error of the last', async () => {
    const model = connect()([
      createAnthropic()('claude-overloaded'),
      createOpenAI().chat('gpt-limited'),
    ]);
    await assert.rejects(generate(model), (error: unknown) => {
      assert.ok(APICallError.isInstance(error));
      assert.deepEqual(
        [error.statusCode, error.message, error.isRetryable],
        [429, 'Rate limit reached for gpt-limited', true],
      );
      assert.equal(error.responseHeaders?.['retry-after'], '7');
      return true;
    });
  });
});

describe('options', () => {
  test('the cache', async () => {
    const cached = connect({ options: { cacheTtl: 60, cacheKey: 'of-this-test' } });
    const statuses: unknown[] = [];
    for (const gateway of [
      cached,
      cached,
      connect({ options: { cacheTtl: 60, cacheKey: 'of-this-test', skipCache: true } }),
    ]) {
      const { text, response } = await generate(gateway(createOpenAI()('gpt-plain')));
      assert.equal(text, 'Grüße 🌍');
      statuses.push(response.headers?.['cf-aig-cache-status']);
    }
    assert.deepEqual(statuses, ['MISS', 'HIT', undefined]);
    // A stream is another answer: its key, though, is what the caller says it is.
    const streaming = connect({ options: { cacheTtl: 60, cacheKey: 'of-this-stream' } });
    for (const status of ['MISS', 'HIT']) {
      const { text, response } = stream(streaming(createOpenAI()('gpt-plain')));
      assert.equal(await text, 'Grüße 🌍');
      assert.equal((await response).headers?.['cf-aig-cache-status'], status);
    }
  });

  test('metadata and the event in the log', async () => {
    const gateway = connect({
      options: {
        metadata: { team: 'a', size: 7, isTest: true },
        eventId: 'event-of-this-test',
        // For billing that this server does not do: taken, and passed over.
        zdr: true,
      },
    });
    const { response } = await generate(gateway(createOpenAI()('gpt-plain')));
    assert.equal(response.headers?.['cf-aig-event-id'], 'event-of-this-test');
    const id = response.headers?.['cf-aig-log-id'];
    const logs = `${server.account}/ai-gateway/gateways/default/logs`;
    await eventually('the row is written', async () => {
      const { json } = await server.call('GET', `${logs}?per_page=50`);
      const row = json.result.find((one: { id: string }) => one.id === id);
      if (row === undefined) return false;
      assert.deepEqual(JSON.parse(row.metadata), { team: 'a', size: 7, isTest: true });
      return true;
    });
    const silent = connect({ options: { collectLog: false } });
    const unlogged = await generate(silent(createOpenAI()('gpt-plain')));
    assert.equal(unlogged.response.headers?.['cf-aig-log-id'], undefined);
  });

  test('retries in the gateway', async () => {
    const { length: earlier } = await openai.recorded();
    const gateway = connect({
      options: { retries: { maxAttempts: 3, retryDelayMs: 1, backoff: 'linear' } },
    });
    const failing = generate(gateway(createOpenAI().chat('gpt-overloaded')));
    await assert.rejects(failing, APICallError);
    assert.equal((await openai.recorded()).length, earlier + 3);
  });

  test('a time limit for the first byte', async () => {
    const model = connect({ options: { requestTimeoutMs: 100 } })([
      createOpenAI().chat('gpt-silent'),
      createAnthropic()('claude-plain'),
    ]);
    const { response } = await generate(model);
    assert.equal(response.headers?.['cf-aig-step'], '1');
  });

  test('a stored key by its alias', async () => {
    const configs = `${server.account}/ai-gateway/gateways/default/provider_configs`;
    const body = { alias: 'mine', default_config: false, provider_slug: 'openai' };
    const { status } = await server.call('POST', configs, {
      body: { ...body, secret: 'sk-by-its-alias' },
    });
    assert.equal(status, 200);
    await generate(connect({ options: { byokAlias: 'mine' } })(createOpenAI()('gpt-plain')));
    assert.equal(headerOf(await openai.lastSent(), 'authorization'), 'Bearer sk-by-its-alias');
    const unknown = connect({ options: { byokAlias: 'nobody' } })(createOpenAI()('gpt-plain'));
    await assert.rejects(generate(unknown), statusOf(400, 'Bad Request'));
  });
});

/** Our own refusals on the gateway host are none that the models' packages know. */
const statusOf = (status: number, line: string) => (error: unknown) => {
  assert.ok(APICallError.isInstance(error));
  assert.deepEqual([error.statusCode, error.message], [status, line]);
  assert.match(error.responseBody ?? '', /"name":"AiGatewayError"/);
  return true;
};

describe('refusals', () => {
  test('a token that is wrong, or none', async () => {
    for (const settings of [{ apiKey: 'wrong' }, { apiKey: undefined as unknown as string }]) {
      const refused = generate(connect(settings)(createOpenAI()('gpt-plain')));
      await assert.rejects(refused, AiGatewayUnauthorizedError);
    }
  });

  test('a gateway that does not exist', async () => {
    const refused = generate(connect({ gateway: 'nowhere' })(createOpenAI()('gpt-plain')));
    await assert.rejects(refused, statusOf(404, 'Not Found'));
  });

  test('a model of the unified API that has no provider', async () => {
    await assert.rejects(generate(connect()(unified('plain'))), statusOf(400, 'Bad Request'));
  });

  test('an abort in mid-stream reaches the provider', async () => {
    const controller = new AbortController();
    const { textStream } = streamText({
      model: connect()(createOpenAI()('gpt-streams')),
      prompt,
      abortSignal: controller.signal,
    });
    for await (const piece of textStream) if (piece === 'Grüße ') controller.abort();
    await eventually('the provider is left', async () => (await openai.lastSent()).aborted);
  });
});
