import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type LanguageModel, generateText, streamText } from 'ai';
import { createAiGateway } from 'ai-gateway-provider';
import { createCerebras } from 'ai-gateway-provider/providers/cerebras';
import { createDeepSeek } from 'ai-gateway-provider/providers/deepseek';
import { createFireworks } from 'ai-gateway-provider/providers/fireworks';
import { createGroq } from 'ai-gateway-provider/providers/groq';
import { createMistral } from 'ai-gateway-provider/providers/mistral';
import { createOpenRouter } from 'ai-gateway-provider/providers/openrouter';
import { createPerplexity } from 'ai-gateway-provider/providers/perplexity';
import { createXai } from 'ai-gateway-provider/providers/xai';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, headerOf, startUpstream } from '../support/upstream-process.ts';

const HOST = 'https://gateway.ai.cloudflare.com';
const prompt = 'Grüße aus Wien 🌍';

/** As our settings call them, with the model that the package makes of a name. */
const providers: Readonly<Record<string, (apiKey?: string) => LanguageModel>> = {
  CEREBRAS: (apiKey) => createCerebras(keyed(apiKey))('gpt-plain'),
  DEEPSEEK: (apiKey) => createDeepSeek(keyed(apiKey))('gpt-plain'),
  FIREWORKS: (apiKey) => createFireworks(keyed(apiKey))('gpt-plain'),
  GROQ: (apiKey) => createGroq(keyed(apiKey))('gpt-plain'),
  MISTRAL: (apiKey) => createMistral(keyed(apiKey))('gpt-plain'),
  OPENROUTER: (apiKey) => createOpenRouter(keyed(apiKey)).chat('gpt-plain'),
  PERPLEXITY: (apiKey) => createPerplexity(keyed(apiKey))('gpt-plain'),
  XAI: (apiKey) => createXai(keyed(apiKey)).chat('gpt-plain'),
};

const keyed = (apiKey: string | undefined) => (apiKey === undefined ? {} : { apiKey });

let server: TestServer;
let upstream: Upstream;
const { fetch: realFetch } = globalThis;
before(async () => {
  upstream = await startUpstream('openai-api-upstream.ts');
  const settings = Object.keys(providers).flatMap((name) => [
    [`PROVIDER_${name}_BASE_URL`, upstream.baseUrl],
    [`PROVIDER_${name}_API_KEY`, `sk-stored-${name.toLowerCase()}`],
  ]);
  server = await bootServer('sqlite', { settings: Object.fromEntries(settings) });
  // The package has the address of its gateway built in: what goes there comes here.
  globalThis.fetch = (target, init) => {
    const url = target instanceof Request ? target.url : String(target);
    return url.startsWith(`${HOST}/`)
      ? realFetch(server.origin + url.slice(HOST.length), init)
      : realFetch(target, init);
  };
});
after(async () => {
  globalThis.fetch = realFetch;
  await server.stop();
  await upstream.stop();
});

/** The unmodified `ai-gateway-provider` package and the providers that speak the API of OpenAI. */
for (const [name, create] of Object.entries(providers)) {
  describe(name.toLowerCase(), () => {
    const model = (apiKey?: string) =>
      createAiGateway({
        accountId: server.accountId,
        gateway: 'default',
        apiKey: server.token,
      })(create(apiKey));

    test('a text, with the key of the caller, and with that of this server', async () => {
      for (const key of ['sk-mine', undefined]) {
        const { text, response } = await generateText({ model: model(key), prompt, maxRetries: 0 });
        assert.equal(text, 'Grüße 🌍');
        assert.equal(response.headers?.['cf-aig-provider'], name.toLowerCase());
        const sent = (await upstream.recorded()).at(-1);
        assert.ok(sent);
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
