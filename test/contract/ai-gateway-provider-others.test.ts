import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { generateText, streamText } from 'ai';
import { createAiGateway } from 'ai-gateway-provider';
import { createAmazonBedrock } from 'ai-gateway-provider/providers/amazon-bedrock';
import { createAzure } from 'ai-gateway-provider/providers/azure';
import { createCerebras } from 'ai-gateway-provider/providers/cerebras';
import { createCohere } from 'ai-gateway-provider/providers/cohere';
import { createDeepSeek } from 'ai-gateway-provider/providers/deepseek';
import { createFireworks } from 'ai-gateway-provider/providers/fireworks';
import { createVertex } from 'ai-gateway-provider/providers/google-vertex';
import { createGroq } from 'ai-gateway-provider/providers/groq';
import { createMistral } from 'ai-gateway-provider/providers/mistral';
import { createOpenRouter } from 'ai-gateway-provider/providers/openrouter';
import { createPerplexity } from 'ai-gateway-provider/providers/perplexity';
import { createXai } from 'ai-gateway-provider/providers/xai';
import {
  answer,
  completion,
  startScriptedUpstream,
  type ScriptedUpstream,
} from '../support/scripted-upstream.ts';
import { redirectFetch } from '../support/redirected-fetch.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, headerOf, headersOf, startUpstream } from '../support/upstream-process.ts';
import { prompt } from './ai-sdk-set-up.ts';

type Model = Parameters<ReturnType<typeof createAiGateway>>[0];

/** As our settings call them, with the model that the package makes of a name. */
const providers: Readonly<Record<string, (apiKey?: string) => Model>> = {
  CEREBRAS: (apiKey) => createCerebras(keyed(apiKey))('gpt-plain'),
  DEEPSEEK: (apiKey) => createDeepSeek(keyed(apiKey))('gpt-plain'),
  FIREWORKS: (apiKey) => createFireworks(keyed(apiKey))('gpt-plain'),
  GROQ: (apiKey) => createGroq(keyed(apiKey))('gpt-plain'),
  MISTRAL: (apiKey) => createMistral(keyed(apiKey))('gpt-plain'),
  // Its types are those of an older version of the SDK, which takes it nevertheless.
  OPENROUTER: (apiKey) => createOpenRouter(keyed(apiKey)).chat('gpt-plain') as unknown as Model,
  PERPLEXITY: (apiKey) => createPerplexity(keyed(apiKey))('gpt-plain'),
  XAI: (apiKey) => createXai(keyed(apiKey)).chat('gpt-plain'),
};

const keyed = (apiKey: string | undefined) => (apiKey === undefined ? {} : { apiKey });

let server: TestServer;
let upstream: Upstream;
let scripted: ScriptedUpstream;
let restoreFetch: () => void;
before(async () => {
  [upstream, scripted] = await Promise.all([
    startUpstream('openai-api-upstream.ts'),
    startScriptedUpstream(),
  ]);
  const settings = Object.keys(providers).flatMap((name) => [
    [`PROVIDER_${name}_BASE_URL`, upstream.baseUrl],
    [`PROVIDER_${name}_API_KEY`, `sk-stored-${name.toLowerCase()}`],
  ]);
  server = await bootServer('sqlite', {
    settings: {
      ...Object.fromEntries(settings),
      PROVIDER_AWS_BEDROCK_BASE_URL: scripted.origin,
      PROVIDER_AWS_BEDROCK_API_KEY: 'bedrock-stored',
      PROVIDER_AZURE_OPENAI_BASE_URL: scripted.origin,
      PROVIDER_AZURE_OPENAI_API_KEY: 'az-stored',
      PROVIDER_COHERE_BASE_URL: scripted.origin,
      PROVIDER_COHERE_API_KEY: 'cohere-stored',
      PROVIDER_GOOGLE_VERTEX_AI_BASE_URL: scripted.origin,
      PROVIDER_GOOGLE_VERTEX_AI_API_KEY: 'goog-stored',
    },
  });
  // The package has the address of its gateway built in.
  restoreFetch = redirectFetch('https://gateway.ai.cloudflare.com', server.origin);
});
after(async () => {
  restoreFetch();
  await server.stop();
  await Promise.all([upstream, scripted].map((one) => one.stop()));
});

const connect = () =>
  createAiGateway({ accountId: server.accountId, gateway: 'default', apiKey: server.token });

/** The unmodified `ai-gateway-provider` package and the providers that speak the API of OpenAI. */
for (const [name, create] of Object.entries(providers)) {
  describe(name.toLowerCase(), () => {
    const model = (apiKey?: string) => connect()(create(apiKey));

    test('a text, with the key of the caller, and with that of this server', async () => {
      for (const key of ['sk-mine', undefined]) {
        const { text, response } = await generateText({ model: model(key), prompt, maxRetries: 0 });
        assert.equal(text, 'Grüße 🌍');
        assert.equal(response.headers?.['cf-aig-provider'], name.toLowerCase());
        const sent = await upstream.lastSent();
        const atRoot = ['DEEPSEEK', 'PERPLEXITY'].includes(name);
        assert.equal(sent.url, `${atRoot ? '' : '/v1'}/chat/completions`);
        const expected = key ?? `sk-stored-${name.toLowerCase()}`;
        assert.equal(headerOf(sent, 'authorization'), `Bearer ${expected}`);
      }
    });

    test('a stream', async () => {
      const { text } = streamText({ model: model(), prompt, maxRetries: 0 });
      assert.equal(await text, 'Grüße 🌍');
    });
  });
}

/** Those that have an API of their own, or addresses that are made of more than a path. */
describe('others', () => {
  const lastScripted = async (name: string) => {
    const sent = (await scripted.requests(name)).at(-1);
    assert.ok(sent);
    return { url: sent.url, headers: headersOf(sent) };
  };

  test('azure-openai, below a deployment', async () => {
    await scripted.set('gpt-plain', answer(200, completion('from Azure')));
    for (const key of ['az-mine', undefined]) {
      const azure = createAzure({
        resourceName: 'acme',
        useDeploymentBasedUrls: true,
        ...keyed(key),
      });
      const { text } = await generateText({
        model: connect()(azure.chat('gpt-plain')),
        prompt,
        maxRetries: 0,
      });
      assert.equal(text, 'from Azure');
      const { url, headers } = await lastScripted('gpt-plain');
      assert.match(url, /^\/openai\/deployments\/gpt-plain\/chat\/completions\?api-version=/);
      assert.equal(headers.get('api-key'), key ?? 'az-stored');
    }
  });

  test('aws-bedrock, with a key of this server', async () => {
    await scripted.set(
      'converse',
      answer(200, {
        output: { message: { role: 'assistant', content: [{ text: 'from Bedrock' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
      }),
    );
    const bedrock = createAmazonBedrock({ region: 'us-east-1' });
    const { text, usage } = await generateText({
      model: connect()(bedrock('amazon.nova-micro-v1:0')),
      prompt,
      maxRetries: 0,
    });
    assert.equal(text, 'from Bedrock');
    assert.equal(usage.outputTokens, 7);
    const { url, headers } = await lastScripted('converse');
    assert.equal(decodeURIComponent(url), '/model/amazon.nova-micro-v1:0/converse');
    assert.equal(headers.get('authorization'), 'Bearer bedrock-stored');
  });

  test('cohere', async () => {
    await scripted.set(
      'command',
      answer(200, {
        generation_id: 'x',
        message: { role: 'assistant', content: [{ type: 'text', text: 'from Cohere' }] },
        finish_reason: 'COMPLETE',
        usage: {
          billed_units: { input_tokens: 11, output_tokens: 7 },
          tokens: { input_tokens: 11, output_tokens: 7 },
        },
      }),
    );
    const model = connect()(createCohere()('command'));
    assert.equal((await generateText({ model, prompt, maxRetries: 0 })).text, 'from Cohere');
    const { url, headers } = await lastScripted('command');
    assert.equal(url, '/v2/chat');
    assert.equal(headers.get('authorization'), 'Bearer cohere-stored');
  });

  test('google-vertex-ai in its express mode, with a key of this server', async () => {
    await scripted.set(
      'gemini-2.5-flash:generateContent',
      answer(200, {
        candidates: [
          { content: { role: 'model', parts: [{ text: 'from Vertex' }] }, finishReason: 'STOP' },
        ],
      }),
    );
    const google = createVertex({ apiKey: 'goog-mine' });
    const model = connect()(google('gemini-2.5-flash'));
    assert.equal((await generateText({ model, prompt, maxRetries: 0 })).text, 'from Vertex');
    const { url, headers } = await lastScripted('gemini-2.5-flash:generateContent');
    assert.equal(url, '/v1/publishers/google/models/gemini-2.5-flash:generateContent');
    // The package takes the place of what would send the caller's.
    assert.equal(headers.get('x-goog-api-key'), 'goog-stored');
    assert.equal(headers.get('authorization'), undefined);
  });
});
