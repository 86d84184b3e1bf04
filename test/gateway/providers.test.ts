import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createProviders } from '../../src/gateway/providers/catalogue.ts';
import {
  type Endpoint,
  type Operation,
  type Provider,
  type UpstreamProvider,
  operations,
  type ProviderSettings,
} from '../../src/gateway/providers/provider.ts';

/** What is known of one provider: addresses, whole, as its own documentation has them. */
interface Expected {
  name: string;
  settings?: ProviderSettings;
  /** By operation; `translated:` stands before those where the API has another shape. */
  operations: Partial<Record<Operation, string>>;
  /** By the path that clients send. */
  native: Record<string, string>;
}

const expectations: Expected[] = [
  {
    name: 'openai',
    operations: {
      'chat/completions': 'https://api.openai.com/v1/chat/completions',
      responses: 'https://api.openai.com/v1/responses',
      embeddings: 'https://api.openai.com/v1/embeddings',
      messages: 'translated:https://api.openai.com/v1/chat/completions',
    },
    native: {
      'chat/completions': 'https://api.openai.com/v1/chat/completions',
      'v1/chat/completions': 'https://api.openai.com/v1/chat/completions',
      'v1/models?limit=2': 'https://api.openai.com/v1/models?limit=2',
      'v10/models': 'https://api.openai.com/v1/v10/models',
    },
  },
  {
    name: 'mistral',
    operations: {
      'chat/completions': 'https://api.mistral.ai/v1/chat/completions',
      embeddings: 'https://api.mistral.ai/v1/embeddings',
      messages: 'translated:https://api.mistral.ai/v1/chat/completions',
      responses: 'translated:https://api.mistral.ai/v1/chat/completions',
    },
    native: {
      'v1/fim/completions': 'https://api.mistral.ai/v1/fim/completions',
      'chat/completions': 'https://api.mistral.ai/v1/chat/completions',
    },
  },
  {
    name: 'groq',
    operations: {
      'chat/completions': 'https://api.groq.com/openai/v1/chat/completions',
      responses: 'https://api.groq.com/openai/v1/responses',
      messages: 'translated:https://api.groq.com/openai/v1/chat/completions',
    },
    native: {
      'chat/completions': 'https://api.groq.com/openai/v1/chat/completions',
      'v1/chat/completions': 'https://api.groq.com/openai/v1/chat/completions',
      // The provider's own package has the whole path in its calls.
      'openai/v1/chat/completions': 'https://api.groq.com/openai/v1/chat/completions',
    },
  },
  {
    name: 'deepseek',
    operations: {
      'chat/completions': 'https://api.deepseek.com/chat/completions',
      responses: 'https://api.deepseek.com/responses',
      messages: 'https://api.deepseek.com/anthropic/v1/messages',
    },
    native: {
      'chat/completions': 'https://api.deepseek.com/chat/completions',
      'v1/chat/completions': 'https://api.deepseek.com/v1/chat/completions',
      'anthropic/v1/messages': 'https://api.deepseek.com/anthropic/v1/messages',
    },
  },
  {
    name: 'deepseek',
    settings: { baseUrl: 'https://api.deepseek.com/v1/' },
    operations: {
      'chat/completions': 'https://api.deepseek.com/chat/completions',
      responses: 'https://api.deepseek.com/responses',
      messages: 'https://api.deepseek.com/anthropic/v1/messages',
    },
    native: { 'v1/chat/completions': 'https://api.deepseek.com/v1/chat/completions' },
  },
  {
    name: 'xai',
    operations: {
      'chat/completions': 'https://api.x.ai/v1/chat/completions',
      responses: 'https://api.x.ai/v1/responses',
      messages: 'translated:https://api.x.ai/v1/chat/completions',
    },
    native: {
      'v1/chat/completions': 'https://api.x.ai/v1/chat/completions',
      'v1/responses': 'https://api.x.ai/v1/responses',
    },
  },
  {
    name: 'cohere',
    operations: {
      'chat/completions': 'https://api.cohere.com/compatibility/v1/chat/completions',
      embeddings: 'https://api.cohere.com/compatibility/v1/embeddings',
      messages: 'translated:https://api.cohere.com/compatibility/v1/chat/completions',
      responses: 'translated:https://api.cohere.com/compatibility/v1/chat/completions',
    },
    native: {
      'v1/chat': 'https://api.cohere.com/v1/chat',
      'v2/chat': 'https://api.cohere.com/v2/chat',
      chat: 'https://api.cohere.com/v1/chat',
      'chat/completions': 'https://api.cohere.com/compatibility/v1/chat/completions',
      'compatibility/v1/embeddings': 'https://api.cohere.com/compatibility/v1/embeddings',
    },
  },
  {
    name: 'openrouter',
    operations: {
      'chat/completions': 'https://openrouter.ai/api/v1/chat/completions',
      responses: 'https://openrouter.ai/api/v1/responses',
      embeddings: 'https://openrouter.ai/api/v1/embeddings',
      messages: 'https://openrouter.ai/api/v1/messages',
    },
    native: {
      'v1/chat/completions': 'https://openrouter.ai/api/v1/chat/completions',
      'chat/completions': 'https://openrouter.ai/api/v1/chat/completions',
      'api/v1/models': 'https://openrouter.ai/api/v1/models',
    },
  },
  {
    name: 'perplexity',
    operations: {
      'chat/completions': 'https://api.perplexity.ai/chat/completions',
      responses: 'https://api.perplexity.ai/v1/responses',
      messages: 'translated:https://api.perplexity.ai/chat/completions',
    },
    native: {
      'chat/completions': 'https://api.perplexity.ai/chat/completions',
      'v1/chat/completions': 'https://api.perplexity.ai/chat/completions',
      'v1/sonar': 'https://api.perplexity.ai/v1/sonar',
      'v1/responses': 'https://api.perplexity.ai/v1/responses',
      responses: 'https://api.perplexity.ai/v1/responses',
    },
  },
  {
    name: 'cerebras',
    operations: {
      'chat/completions': 'https://api.cerebras.ai/v1/chat/completions',
      messages: 'translated:https://api.cerebras.ai/v1/chat/completions',
      responses: 'translated:https://api.cerebras.ai/v1/chat/completions',
    },
    native: {
      'v1/chat/completions': 'https://api.cerebras.ai/v1/chat/completions',
      'chat/completions': 'https://api.cerebras.ai/v1/chat/completions',
    },
  },
  {
    name: 'together',
    operations: {
      'chat/completions': 'https://api.together.ai/v1/chat/completions',
      responses: 'https://api.together.ai/v1/responses',
      embeddings: 'https://api.together.ai/v1/embeddings',
      messages: 'translated:https://api.together.ai/v1/chat/completions',
    },
    native: { 'v1/rerank': 'https://api.together.ai/v1/rerank' },
  },
  {
    name: 'fireworks',
    operations: {
      'chat/completions': 'https://api.fireworks.ai/inference/v1/chat/completions',
      responses: 'https://api.fireworks.ai/inference/v1/responses',
      embeddings: 'https://api.fireworks.ai/inference/v1/embeddings',
      messages: 'https://api.fireworks.ai/inference/v1/messages',
    },
    native: {
      'chat/completions': 'https://api.fireworks.ai/inference/v1/chat/completions',
      'v1/messages': 'https://api.fireworks.ai/inference/v1/messages',
      'inference/v1/completions': 'https://api.fireworks.ai/inference/v1/completions',
    },
  },
  {
    name: 'huggingface',
    operations: {
      'chat/completions': 'https://router.huggingface.co/v1/chat/completions',
      responses: 'https://router.huggingface.co/v1/responses',
      messages: 'translated:https://router.huggingface.co/v1/chat/completions',
    },
    native: {
      'bigcode/starcoder': 'https://router.huggingface.co/hf-inference/models/bigcode/starcoder',
      'models/bigcode/starcoder':
        'https://router.huggingface.co/hf-inference/models/bigcode/starcoder',
      'hf-inference/models/gpt2': 'https://router.huggingface.co/hf-inference/models/gpt2',
      'v1/chat/completions': 'https://router.huggingface.co/v1/chat/completions',
      'chat/completions': 'https://router.huggingface.co/v1/chat/completions',
      models: 'https://router.huggingface.co/v1/models',
    },
  },
  {
    name: 'replicate',
    operations: {},
    native: {
      predictions: 'https://api.replicate.com/v1/predictions',
      'v1/predictions/abc/cancel': 'https://api.replicate.com/v1/predictions/abc/cancel',
      'models/meta/llama/predictions': 'https://api.replicate.com/v1/models/meta/llama/predictions',
    },
  },
  {
    name: 'workers-ai',
    settings: { baseUrl: 'https://api.cloudflare.com/client/v4/accounts/abc/ai' },
    operations: {
      'chat/completions':
        'https://api.cloudflare.com/client/v4/accounts/abc/ai/v1/chat/completions',
      responses: 'https://api.cloudflare.com/client/v4/accounts/abc/ai/v1/responses',
      embeddings: 'https://api.cloudflare.com/client/v4/accounts/abc/ai/v1/embeddings',
      messages:
        'translated:https://api.cloudflare.com/client/v4/accounts/abc/ai/v1/chat/completions',
    },
    native: {
      '@cf/meta/llama-3.1-8b-instruct':
        'https://api.cloudflare.com/client/v4/accounts/abc/ai/run/@cf/meta/llama-3.1-8b-instruct',
      '%40cf/meta/llama':
        'https://api.cloudflare.com/client/v4/accounts/abc/ai/run/%40cf/meta/llama',
      'run/@hf/baai/bge': 'https://api.cloudflare.com/client/v4/accounts/abc/ai/run/@hf/baai/bge',
      'v1/chat/completions':
        'https://api.cloudflare.com/client/v4/accounts/abc/ai/v1/chat/completions',
      embeddings: 'https://api.cloudflare.com/client/v4/accounts/abc/ai/v1/embeddings',
      'models/search': 'https://api.cloudflare.com/client/v4/accounts/abc/ai/models/search',
    },
  },
  {
    name: 'ollama',
    settings: { baseUrl: 'http://127.0.0.1:11434/v1' },
    operations: {
      'chat/completions': 'http://127.0.0.1:11434/v1/chat/completions',
      responses: 'http://127.0.0.1:11434/v1/responses',
      embeddings: 'http://127.0.0.1:11434/v1/embeddings',
      messages: 'http://127.0.0.1:11434/v1/messages',
    },
    native: {
      'api/chat': 'http://127.0.0.1:11434/api/chat',
      'v1/models': 'http://127.0.0.1:11434/v1/models',
      'chat/completions': 'http://127.0.0.1:11434/v1/chat/completions',
    },
  },
  {
    name: 'ollama',
    settings: { baseUrl: 'http://ollama:11434' },
    operations: {
      'chat/completions': 'http://ollama:11434/v1/chat/completions',
      responses: 'http://ollama:11434/v1/responses',
      embeddings: 'http://ollama:11434/v1/embeddings',
      messages: 'http://ollama:11434/v1/messages',
    },
    native: { 'chat/completions': 'http://ollama:11434/v1/chat/completions' },
  },
  {
    name: 'vllm',
    settings: { baseUrl: 'http://10.0.0.5:8000/v1/' },
    operations: {
      'chat/completions': 'http://10.0.0.5:8000/v1/chat/completions',
      responses: 'http://10.0.0.5:8000/v1/responses',
      embeddings: 'http://10.0.0.5:8000/v1/embeddings',
      messages: 'http://10.0.0.5:8000/v1/messages',
      'messages/count_tokens': 'http://10.0.0.5:8000/v1/messages/count_tokens',
    },
    native: {
      'v1/models': 'http://10.0.0.5:8000/v1/models',
      models: 'http://10.0.0.5:8000/v1/models',
    },
  },
];

/** The base address of an operator: with a path, a port, and a slash at its end. */
const ELSEWHERE = 'http://127.0.0.1:9/proxy/';

describe('providers', () => {
  for (const { name, settings, ...expected } of expectations) {
    describe(`${name}${settings === undefined ? '' : ` at ${settings.baseUrl}`}`, () => {
      const provider = upstream(name, settings);

      test('operations', () => {
        const found = operations.flatMap((operation) => {
          const support = provider.operations[operation];
          if (support === undefined) return [];
          const url = urlOf(support.endpoint({ model: 'some-model', isStream: false }));
          assert.ok(!('model' in support));
          return [[operation, support.translator === undefined ? url : `translated:${url}`]];
        });
        assert.deepEqual(Object.fromEntries(found), expected.operations);
      });

      for (const [path, url] of Object.entries(expected.native)) {
        test(`native ${path}`, () => assert.equal(urlOf(provider.nativeEndpoint(path)), url));
      }
    });

    test(`${name}: its key is a bearer token, and the operator's is lent`, async () => {
      const provider = upstream(name, { ...settings, apiKey: 'sk-1' });
      assert.equal(provider.apiKey, 'sk-1');
      assert.equal(provider.isTrusted, true);
      assert.ok(provider.credentialHeaders.includes('authorization'));
      assert.deepEqual(await provider.authorize('sk-2', outgoing('https://host.example', '/')), [
        'authorization',
        'Bearer sk-2',
      ]);
      // Whoever speaks the Anthropic API to it brings the key where that API has it.
      const isAnthropic = provider.operations.messages?.translator === undefined;
      const hasMessages = provider.operations.messages !== undefined;
      assert.equal(provider.credentialHeaders.includes('x-api-key'), hasMessages && isAnthropic);
    });
  }

  test('the address that the operator names is where all of them are', () => {
    for (const { name } of expectations) {
      const provider = upstream(name, { baseUrl: ELSEWHERE });
      for (const support of Object.values(provider.operations)) {
        const url = urlOf(support.endpoint({ model: 'some-model', isStream: true }));
        assert.ok(url.startsWith(ELSEWHERE), url);
        assert.ok(!url.slice(ELSEWHERE.length).includes('//'), url);
      }
      assert.ok(urlOf(provider.nativeEndpoint('v1/x')).startsWith(ELSEWHERE));
    }
  });

  for (const name of ['workers-ai', 'ollama', 'vllm']) {
    test(`${name} is nowhere until the operator names its address`, () => {
      const provider = createProviders(new Map([[name, { apiKey: 'sk-1' }]])).get(name);
      assert.equal(provider?.kind, 'unconfigured');
      const setting = `LATCHKEY_PROVIDER_${name.toUpperCase().replace('-', '_')}_BASE_URL`;
      assert.ok(provider.reason.includes(setting), provider.reason);
    });
  }

  test('every provider stands under its own name, and under those that public clients send', () => {
    const providers = createProviders(new Map());
    const names = `local openai anthropic google-ai-studio google-vertex-ai azure-openai aws-bedrock
      mistral groq deepseek xai cohere openrouter perplexity cerebras together fireworks huggingface
      replicate workers-ai ollama vllm`.split(/\s+/);
    const aliases = { grok: 'xai', 'perplexity-ai': 'perplexity', google: 'google-ai-studio' };
    assert.deepEqual([...providers.keys()].sort(), [...names, ...Object.keys(aliases)].sort());
    for (const name of names) assert.equal(providers.get(name)?.name, name);
    for (const [alias, name] of Object.entries(aliases)) {
      assert.equal(providers.get(alias), providers.get(name));
    }
  });

  test('settings by an alias count where the name has none', () => {
    const settings = new Map<string, ProviderSettings>([
      ['grok', { apiKey: 'of-grok', baseUrl: ELSEWHERE }],
      ['xai', { apiKey: 'of-xai' }],
    ]);
    const xai = asUpstream(createProviders(settings).get('xai'));
    assert.equal(xai.apiKey, 'of-xai');
    assert.equal(urlOf(xai.nativeEndpoint('models')), `${ELSEWHERE}models`);
  });
});

function asUpstream(provider: Provider | undefined): UpstreamProvider {
  assert.equal(provider?.kind, 'upstream');
  return provider;
}

function upstream(name: string, settings: ProviderSettings = {}): UpstreamProvider {
  return asUpstream(createProviders(new Map([[name, settings]])).get(name));
}

function urlOf(endpoint: Endpoint | undefined): string {
  assert.ok(endpoint);
  return endpoint.origin + endpoint.path;
}

function outgoing(origin: string, path: string) {
  return { method: 'POST', endpoint: { origin, path }, body: Buffer.from('{}'), nowMs: 0 };
}
