import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createPrices } from '../../src/gateway/pricing/cost.ts';
import { readOwnPrices } from '../../src/gateway/pricing/own-prices.ts';
import type { Usage } from '../../src/gateway/usage/usage.ts';
import { bootServer } from '../support/server.ts';
import { echo } from './limit-nodes.ts';

const AT_MS = Date.UTC(2026, 10, 1, 12);

let directory = '';
before(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
});
after(() => rm(directory, { recursive: true, force: true }));

async function fileOf(content: unknown): Promise<string> {
  const file = path.join(directory, `${Math.random()}.json`);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

async function pricesOf(content: unknown) {
  return createPrices((error) => assert.fail(error), await readOwnPrices(await fileOf(content)));
}

function usageOf(
  tokensIn: number | null,
  tokensOut: number | null,
  cacheReadTokens: number | null = null,
  cacheWriteTokens: number | null = null,
): Usage {
  return { tokensIn, tokensOut, cacheReadTokens, cacheWriteTokens };
}

test('own prices win over the table, for each kind of token', async () => {
  const price = { input: 10, cached_input: 1, cache_write: 20, output: 100 };
  const prices = await pricesOf({ anthropic: { 'claude-sonnet-4-5': price } });
  const cost = (usage: Usage) => prices.costOf('anthropic', 'claude-sonnet-4-5', usage, AT_MS);
  assert.equal(await cost(usageOf(1_000, 10)), 11_000_000);
  assert.equal(
    await cost(usageOf(1_000, 10, 400, 100)),
    5_000_000 + 400_000 + 2_000_000 + 1_000_000,
  );
  assert.equal(await cost(usageOf(null, 10)), null);
  // All others have the price of the table.
  assert.equal(await prices.costOf('openai', 'gpt-4o-mini', usageOf(1_000, 100), AT_MS), 210_000);
});

test('what is not said: cached tokens cost as others do, and output is not known', async () => {
  const prices = await pricesOf({ vllm: { small: { input: 2 } } });
  const cost = (usage: Usage) => prices.costOf('vllm', 'small', usage, AT_MS);
  assert.equal(await cost(usageOf(1_000, 0, 300, 300)), 2_000_000);
  assert.equal(await cost(usageOf(1_000, null)), 2_000_000);
  assert.equal(await cost(usageOf(1_000, 1)), null);
});

test('a price of 0 is 0', async () => {
  const prices = await pricesOf({ ollama: { '*': { input: 0, output: 0 } } });
  assert.equal(await prices.costOf('ollama', 'llama3.2', usageOf(1_000, 100), AT_MS), 0);
});

test('a name may stand for all that begin so; the most exact one holds', async () => {
  const prices = await pricesOf({
    'custom-mine': {
      '*': { input: 1 },
      'gpt-*': { input: 2 },
      'gpt-4*': { input: 3 },
      'gpt-4o': { input: 4 },
    },
  });
  const cost = (model: string) => prices.costOf('custom-mine', model, usageOf(1_000, 0), AT_MS);
  const models = ['llama', 'gpt-3.5', 'gpt-4-turbo', 'gpt-4o', 'gpt-4o-mini'];
  assert.deepEqual(
    await Promise.all(models.map((model) => cost(model))),
    [1_000_000, 2_000_000, 3_000_000, 4_000_000, 3_000_000],
  );
});

test('models are found without what their provider writes before them, and with it', async () => {
  const prices = await pricesOf({
    'aws-bedrock': { 'my-profile': { input: 1 }, 'arn:aws:x/other': { input: 2 } },
    'workers-ai': { '@cf/a/b': { input: 3 } },
  });
  const cost = (provider: string, model: string) =>
    prices.costOf(provider, model, usageOf(1_000, 0), AT_MS);
  assert.equal(await cost('aws-bedrock', 'arn:aws:x/my-profile'), 1_000_000);
  assert.equal(await cost('aws-bedrock', 'arn:aws:x/other'), 2_000_000);
  assert.equal(await cost('workers-ai', '@cf/a/b'), 3_000_000);
  assert.equal(await cost('workers-ai', 'b'), null);
});

const faults: [what: string, content: unknown, reason: string][] = [
  ['no JSON', '{', 'it is not valid JSON'],
  ['a list', [], 'it must be an object'],
  ['a provider that is a number', { openai: 1 }, 'openai must be an object'],
  ['a model that is null', { openai: { 'gpt-4o': null } }, 'openai, gpt-4o must be an object'],
  [
    'a field that nobody knows',
    { openai: { 'gpt-4o': { input: 1, cached: 2 } } },
    'openai, gpt-4o: unknown member cached; allowed: input, cached_input, cache_write, output',
  ],
  [
    'a property of every object',
    { openai: { 'gpt-4o': { input: 1, constructor: 2 } } },
    'openai, gpt-4o: unknown member constructor; allowed: input, cached_input, cache_write, output',
  ],
  [
    'a price as a text',
    { openai: { 'gpt-4o': { input: '1' } } },
    'openai, gpt-4o: input must be a number from 0 to 1000000',
  ],
  [
    'a price below 0',
    { openai: { 'gpt-4o': { input: 1, output: -0.1 } } },
    'openai, gpt-4o: output must be a number from 0 to 1000000',
  ],
  [
    'a price above the bound',
    { openai: { 'gpt-4o': { input: 1_000_001 } } },
    'openai, gpt-4o: input must be a number from 0 to 1000000',
  ],
  [
    'no price of input',
    { openai: { 'gpt-4o': { output: 1 } } },
    'openai, gpt-4o: input is missing',
  ],
  ['a file without end', ' '.repeat(1024 * 1024 + 1), 'it is larger than 1048576 bytes'],
];

for (const [what, content, reason] of faults) {
  test(`${what} is refused`, async () => {
    await assert.rejects(readOwnPrices(await fileOf(content)), { message: reason });
  });
}

test('the least and the most that a price can be are taken, and a file of just the bound', async () => {
  const text = JSON.stringify({ openai: { 'gpt-4o': { input: 0, output: 1_000_000 } } });
  await readOwnPrices(await fileOf(text.padEnd(1024 * 1024)));
});

test('a server reckons with the prices of its operator', async (t) => {
  const file = await fileOf({ local: { echo: { input: 1_000, output: 3_000 } } });
  const server = await bootServer('sqlite', { settings: { PRICES: file } });
  t.after(() => server.stop());
  assert.equal((await echo(server, 'default')).status, 200);
  const logs = `${server.account}/ai-gateway/gateways/default/logs`;
  const { json } = await server.call('GET', logs);
  assert.deepEqual([json.result[0].tokens_in, json.result[0].tokens_out], [1, 1]);
  assert.equal(json.result[0].cost, 0.004);
});

test('a server does not start with a file that it cannot use, and says why in one line', async () => {
  const bad = await fileOf({ openai: 1 });
  await assert.rejects(bootServer('sqlite', { settings: { PRICES: bad } }), {
    message: `cannot use LATCHKEY_PRICES ${bad}: openai must be an object`,
  });
  const missing = path.join(directory, 'missing.json');
  await assert.rejects(
    bootServer('sqlite', { settings: { PRICES: missing } }),
    ({ message }: Error) =>
      message.startsWith(`cannot use LATCHKEY_PRICES ${missing}: ENOENT`) &&
      !message.includes('\n'),
  );
});
