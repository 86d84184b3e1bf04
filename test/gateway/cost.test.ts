import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { createPrices, customCostOf } from '../../src/gateway/prices/cost.ts';
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

test('there is no promise once the prices are loaded', async () => {
  const fresh = createPrices((error) => assert.fail(error));
  const first = fresh.costOf('openai', 'gpt-4o-mini', usageOf(1_000, 100), AT_MS);
  assert.ok(first instanceof Promise);
  assert.equal(await first, 210_000);
  assert.equal(fresh.costOf('openai', 'gpt-4o-mini', usageOf(1_000, 100), AT_MS), 210_000);
});

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
          usageOf(tokens, out, read, write),
          timestamp.getTime(),
        );
        if (cost === null) continue;
        const usage = { input_tokens: tokens, output_tokens: out };
        const cache = { cache_read_tokens: read, cache_write_tokens: write };
        const price = calcPrice({ ...usage, ...cache }, id, { providerId, timestamp });
        const expected = (price?.total_price ?? Number.NaN) * 1e9;
        assert.ok(Math.abs(cost - expected) <= 1, `${providerId} ${id}: ${cost}, ${expected}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 2_000, String(compared));
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
