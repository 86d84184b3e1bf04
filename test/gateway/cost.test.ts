import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { createPrices, customCostOf } from '../../src/gateway/pricing/cost.ts';
import type { TokenKinds } from '../../src/gateway/usage/token-kinds.ts';
import type { Usage } from '../../src/gateway/usage/usage.ts';

const AT_MS = Date.UTC(2026, 10, 1, 12);

const prices = createPrices((error) => assert.fail(error));

function usageOf(
  tokensIn: number | null,
  tokensOut: number | null,
  cacheReadTokens: number | null = null,
  cacheWriteTokens: number | null = null,
): Usage {
  return { tokensIn, tokensOut, cacheReadTokens, cacheWriteTokens };
}

const NO_TOKENS = { in: 0, out: 0, cacheRead: 0 };

function withKinds(usage: Usage, kinds: Partial<TokenKinds>): Usage {
  return { ...usage, kinds: { audio: NO_TOKENS, images: NO_TOKENS, ...kinds } };
}

const known: [what: string, provider: string, model: string, usage: Usage, nanoUsd: number][] = [
  ['input and output', 'openai', 'gpt-4o-mini', usageOf(1_000, 100), 210_000],
  ['a dated model', 'openai', 'gpt-4o-mini-2024-07-18', usageOf(1_000, 100), 210_000],
  ['cached input', 'openai', 'gpt-4o-mini', usageOf(1_000, 100, 200), 195_000],
  ['an embedding', 'openai', 'text-embedding-3-small', usageOf(1_000, null), 20_000],
  ['an embedding without output', 'openai', 'text-embedding-3-small', usageOf(1_000, 0), 20_000],
  [
    'a cache read and written',
    'anthropic',
    'claude-sonnet-4-20250514',
    usageOf(1_000, 100, 100, 200),
    4_380_000,
  ],
  [
    'a cache written for an hour',
    'anthropic',
    'claude-sonnet-4-5-20250929',
    { ...usageOf(1_000, 100, 100, 200), cacheWriteHourTokens: 150 },
    4_717_500,
  ],
  [
    'the same where that has no price of its own',
    'aws-bedrock',
    'us.anthropic.claude-sonnet-4-20250514-v1:0',
    { ...usageOf(1_000, 100, 100, 200), cacheWriteHourTokens: 150 },
    4_380_000,
  ],
  [
    'audio that came in',
    'google-ai-studio',
    'gemini-2.5-flash',
    withKinds(usageOf(1_000, 100), { audio: { in: 400, out: 0, cacheRead: 0 } }),
    830_000,
  ],
  [
    'audio of which some was cached',
    'google-ai-studio',
    'gemini-2.5-flash',
    withKinds(usageOf(1_000, 0, 500), { audio: { in: 400, out: 0, cacheRead: 100 } }),
    382_000,
  ],
  [
    'audio in and out',
    'openai',
    'gpt-audio',
    withKinds(usageOf(1_000, 200), { audio: { in: 500, out: 150, cacheRead: 0 } }),
    27_350_000,
  ],
  [
    'an image that was drawn',
    'google-ai-studio',
    'gemini-2.5-flash-image',
    withKinds(usageOf(10, 1_300), { images: { in: 0, out: 1_290, cacheRead: 0 } }),
    38_728_000,
  ],
  [
    'audio that costs as text does',
    'openai',
    'gpt-4o-mini',
    withKinds(usageOf(1_000, 100), { audio: { in: 500, out: 50, cacheRead: 0 } }),
    210_000,
  ],
  ['up to a tier', 'google-ai-studio', 'gemini-2.5-pro', usageOf(200_000, 10), 250_100_000],
  ['above a tier', 'google-ai-studio', 'gemini-2.5-pro', usageOf(200_001, 10), 500_152_500],
  ['a path', 'google-ai-studio', 'models/gemini-2.5-pro', usageOf(1_000, 10), 1_350_000],
  [
    'a publisher',
    'google-vertex-ai',
    'publishers/anthropic/models/claude-sonnet-4@20250514',
    usageOf(1_000, 100),
    4_500_000,
  ],
  [
    'a profile of a region',
    'aws-bedrock',
    'us.anthropic.claude-sonnet-4-20250514-v1:0',
    usageOf(1_000, 100),
    4_500_000,
  ],
  [
    'a profile of all regions',
    'aws-bedrock',
    'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    usageOf(1_000, 100),
    4_500_000,
  ],
  [
    'a profile of one region, which costs more',
    'aws-bedrock',
    'jp.anthropic.claude-sonnet-4-5-20250929-v1:0',
    usageOf(1_000, 100),
    4_950_000,
  ],
  [
    'a profile that is named in full',
    'aws-bedrock',
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-pro-v1:0',
    usageOf(1_000, 100),
    1_120_000,
  ],
  [
    'a context length behind the name',
    'aws-bedrock',
    'anthropic.claude-3-haiku-20240307-v1:0:200k',
    usageOf(1_000, 100),
    375_000,
  ],
  [
    'a version of the place',
    'google-vertex-ai',
    'publishers/google/models/gemini-2.0-flash-001',
    usageOf(1_000, 100),
    140_000,
  ],
  [
    'a deployment named after its model',
    'azure-openai',
    'gpt-35-turbo',
    usageOf(1_000, 100),
    650_000,
  ],
  [
    'a model of an author',
    'openrouter',
    'anthropic/claude-sonnet-4',
    usageOf(1_000, 100),
    4_500_000,
  ],
  [
    'a model that thinks there',
    'openrouter',
    'anthropic/claude-3.7-sonnet:thinking',
    usageOf(1_000, 100),
    4_500_000,
  ],
  [
    'a model that was tuned',
    'openai',
    'ft:gpt-4o-mini-2024-07-18:org::abc',
    usageOf(1_000, 100),
    420_000,
  ],
  [
    'a model on other computers',
    'workers-ai',
    '@cf/meta/llama-3.1-8b-instruct-fp8',
    usageOf(1_000, 100),
    180_700,
  ],
  [
    'a path that belongs to the name',
    'fireworks',
    'accounts/fireworks/models/llama-v3p1-8b-instruct',
    usageOf(1_000, 100),
    220_000,
  ],
  ['a model of another provider', 'azure-openai', 'gpt-4o', usageOf(1_000, 100), 3_500_000],
  ['a request that has a price', 'perplexity', 'sonar', usageOf(1_000, 100), 13_100_000],
  ['another spelling', 'xai', 'grok-3', usageOf(1_000, 100), 4_500_000],
  ['a slash in the name', 'groq', 'openai/gpt-oss-120b', usageOf(1_000, 100), 210_000],
  [
    'a chosen provider',
    'huggingface',
    'meta-llama/Llama-3.3-70B-Instruct:together',
    usageOf(1_000, 100),
    968_000,
  ],
  ['the server itself', 'local', 'echo', usageOf(1_000, 100), 0],
  ['nothing at all', 'openai', 'gpt-4o-mini', usageOf(0, 0), 0],
];

for (const [what, provider, model, usage, nanoUsd] of known) {
  test(`the price of ${what} is known`, async () => {
    assert.equal(await prices.costOf(provider, model, usage, AT_MS), nanoUsd);
  });
}

const unknown: [what: string, provider: string, model: string, usage: Usage][] = [
  ['a model that nobody knows', 'openai', 'gpt-none', usageOf(1_000, 100)],
  ['a cheaper way to the model', 'openrouter', 'openai/gpt-4o:floor', usageOf(1_000, 100)],
  ['a model that chooses a model', 'openrouter', 'openrouter/auto', usageOf(1_000, 100)],
  ['a deployment of any name', 'azure-openai', 'my-deployment', usageOf(1_000, 100)],
  ['a provider that nobody knows', 'nobody', 'gpt-4o', usageOf(1_000, 100)],
  ['a property of every object', 'constructor', 'gpt-4o', usageOf(1_000, 100)],
  ['a custom provider', 'custom-mine', 'gpt-4o', usageOf(1_000, 100)],
  ['a server of the operator', 'ollama', 'llama3.2', usageOf(1_000, 100)],
  ['another one', 'vllm', 'gpt-4o', usageOf(1_000, 100)],
  ['whom the router chose', 'huggingface', 'meta-llama/Llama-3.3-70B', usageOf(1_000, 100)],
  ['unknown input', 'openai', 'gpt-4o-mini', usageOf(null, 100)],
  ['unknown output', 'openai', 'gpt-4o-mini', usageOf(1_000, null)],
  ['output that has no price', 'openai', 'text-embedding-3-small', usageOf(1_000, 1)],
  ['a model that costs by the second', 'openai', 'whisper-1', usageOf(1_000, 100)],
  ['more cached than there was', 'openai', 'gpt-4o-mini', usageOf(100, 1, 101)],
  ['a name without end', 'openai', `gpt-4o-${'x'.repeat(300)}`, usageOf(1_000, 100)],
];

for (const [what, provider, model, usage] of unknown) {
  test(`the cost of ${what} is null, not 0`, async () => {
    assert.equal(await prices.costOf(provider, model, usage, AT_MS), null);
  });
}

test('every model of the table costs what the package calculates, at any time of day', async () => {
  const providers = ['openai', 'anthropic', 'deepseek', 'mistral', 'cohere', 'openrouter', 'groq'];
  let compared = 0;
  for (const providerId of providers) {
    for (const { id } of findProvider({ providerId })?.models ?? []) {
      for (const [hour, tokens] of [
        [3, 1_000],
        [18, 150_000],
        [18, 600_000],
      ] as const) {
        const timestamp = new Date(AT_MS + hour * 3_600_000);
        const [read, write, out] = [tokens / 10, tokens / 5, tokens / 100];
        const cost = await prices.costOf(
          providerId,
          id,
          { ...usageOf(tokens, out, read, write), cacheWriteHourTokens: write / 2 },
          timestamp.getTime(),
        );
        if (cost === null) continue;
        const usage = { input_tokens: tokens, output_tokens: out };
        const cache = {
          cache_read_tokens: read,
          cache_write_tokens: write,
          cache_write_1h_tokens: write / 2,
        };
        const price = calcPrice({ ...usage, ...cache }, id, { providerId, timestamp });
        const expected = (price?.total_price ?? Number.NaN) * 1e9;
        assert.ok(Math.abs(cost - expected) <= 1, `${providerId} ${id}: ${cost}, ${expected}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 2_000, String(compared));
});

test('so does every model that hears, speaks, sees or draws', async () => {
  const tokens = { in: 2_000, out: 50, cacheRead: 500 };
  let compared = 0;
  for (const [provider, providerId] of [
    ['openai', 'openai'],
    ['google-ai-studio', 'google'],
    ['aws-bedrock', 'aws'],
  ] as const) {
    for (const { id } of findProvider({ providerId })?.models ?? []) {
      for (const kind of ['audio', 'image'] as const) {
        const kinds = kind === 'audio' ? { audio: tokens } : { images: tokens };
        const usage = withKinds(usageOf(10_000, 100, 1_000), kinds);
        const cost = await prices.costOf(provider, id, usage, AT_MS);
        if (cost === null) continue;
        const told = {
          input_tokens: 10_000,
          output_tokens: 100,
          cache_read_tokens: 1_000,
          [`input_${kind}_tokens`]: tokens.in,
          [`output_${kind}_tokens`]: tokens.out,
          [`cache_${kind}_read_tokens`]: tokens.cacheRead,
        };
        const price = calcPrice(told, id, { providerId, timestamp: new Date(AT_MS) });
        const expected = (price?.total_price ?? Number.NaN) * 1e9;
        assert.ok(Math.abs(cost - expected) <= 1, `${id}, ${kind}: ${cost}, ${expected}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 300, String(compared));
});

test('a request may name its own prices', () => {
  const cost = { perTokenIn: 0.000_001, perTokenOut: 0.000_002 };
  assert.equal(customCostOf(cost, usageOf(1_000, 100)), 1_200_000);
  assert.equal(customCostOf(cost, usageOf(1_000, 100, 500)), 1_200_000);
  assert.equal(customCostOf(cost, usageOf(null, 100)), null);
  assert.equal(customCostOf(cost, usageOf(1_000, null)), null);
  assert.equal(customCostOf({ ...cost, perTokenOut: 0 }, usageOf(1_000, null)), 1_000_000);
  assert.equal(customCostOf({ perTokenIn: 1e9, perTokenOut: 0 }, usageOf(1_000, 0)), null);
  // Less than a billionth of a dollar is rounded.
  assert.equal(customCostOf({ perTokenIn: 0.000_000_000_6, perTokenOut: 0 }, usageOf(1, 0)), 1);
});
