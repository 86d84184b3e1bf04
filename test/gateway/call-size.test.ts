import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readBodyMembers } from '../../src/gateway/json/body-members.ts';
import { isDeferredCall, isFreeCall } from '../../src/gateway/pricing/free-calls.ts';
import {
  type CallSize,
  DEFAULT_OUTPUT_TOKENS,
  callSizeOf,
} from '../../src/gateway/pricing/call-size.ts';

const PROMPT = [{ role: 'user', content: 'hello' }];

async function sizeOf(path: string, body: string): Promise<CallSize> {
  const bytes = Buffer.from(body);
  const members = await readBodyMembers(bytes, 64);
  assert.ok(typeof members === 'object', body);
  return callSizeOf({ operation: undefined, path, bytes: bytes.length, cost: members.cost });
}

const sizeOfBody = (path: string, body: object) => sizeOf(path, JSON.stringify(body));

const bounded: [path: string, body: object, tokensOut: number][] = [
  ['chat/completions', { max_tokens: 10 }, 10],
  ['v1/chat/completions', { max_completion_tokens: 10 }, 10],
  ['chat/completions', { max_tokens: 10, max_completion_tokens: 20 }, 20],
  ['chat/completions', { max_tokens: 10, n: 3 }, 30],
  ['chat/completions', { max_tokens: 10, n: 0 }, 10],
  ['completions', { max_tokens: 10, best_of: 4 }, 40],
  ['v1/responses', { max_output_tokens: 10 }, 10],
  ['v1/messages', { max_tokens: 10 }, 10],
  ['v1beta/models/g:generateContent', { generationConfig: { maxOutputTokens: 10 } }, 10],
  ['v1beta/models/g:streamGenerateContent', { generation_config: { max_output_tokens: 10 } }, 10],
  ['m:generateContent', { generationConfig: { maxOutputTokens: 10, candidateCount: 2 } }, 20],
  ['model/nova/converse', { inferenceConfig: { maxTokens: 10 } }, 10],
  ['model/nova/converse-stream', { inferenceConfig: { maxTokens: 10 } }, 10],
  ['api/chat', { options: { num_predict: 10 } }, 10],
  ['embeddings', {}, 0],
  ['v2/rerank', {}, 0],
];
for (const [path, body, tokensOut] of bounded) {
  test(`${path} with ${JSON.stringify(body)} is bounded`, async () => {
    const size = await sizeOfBody(path, { messages: PROMPT, ...body });
    assert.deepEqual([size.tokensOut, size.isBounded], [tokensOut, true]);
  });
}

const unbounded: [path: string, body: string][] = [
  ['chat/completions', '{}'],
  ['chat/completions', '{"max_tokens":"10"}'],
  ['chat/completions', '{"max_tokens":null}'],
  ['chat/completions', '{"max_tokens":-1}'],
  ['chat/completions', '{"max_tokens":0}'],
  ['v1/messages', '{"max_tokens":0}'],
  ['chat/completions', '{"max_tokens":10,"max_tokens":1000}'],
  ['chat/completions', String.raw`{"max_tokens":10,"max\u005ftokens":1000}`],
  ['chat/completions', '{"max_output_tokens":10}'],
  ['chat/completions', '{"metadata":{"max_tokens":10}}'],
  ['v1/responses', '{"max_tokens":10}'],
  ['g:generateContent', '{"maxOutputTokens":10}'],
  ['g:generateContent', '{"generationConfig":[{"maxOutputTokens":10}]}'],
  ['g:generateContent', '{"contents":{"generationConfig":{"maxOutputTokens":10}}}'],
  ['api/chat', '{"options":{"num_predict":-1}}'],
  ['audio/speech', '{"max_tokens":10}'],
];
for (const [path, body] of unbounded) {
  test(`${path} with ${body} is not bounded`, async () => {
    const size = await sizeOf(path, body);
    assert.deepEqual([size.tokensOut, size.isBounded], [DEFAULT_OUTPUT_TOKENS, false]);
  });
}

test('the input is a third of the bytes; media count less, and are not bounded', async () => {
  const text = await sizeOfBody('v1/messages', { max_tokens: 1, text: 'word '.repeat(3_000) });
  assert.ok(text.isBounded && text.tokensIn > 5_000 && text.tokensIn < 5_100);
  const image = 'iVBORw0KGgo'.repeat(30_000);
  for (const data of [image, `data:image/png;base64,${image}`]) {
    const size = await sizeOfBody('v1/messages', { max_tokens: 1, data });
    assert.equal(size.isBounded, false);
    assert.ok(size.tokensIn > 6_000 && size.tokensIn < 6_500, String(size.tokensIn));
  }
  // A short one is text.
  const short = await sizeOfBody('v1/messages', { max_tokens: 1, data: image.slice(0, 2_000) });
  assert.ok(short.isBounded && short.tokensIn > 600);
  const upload = { operation: undefined, path: 'audio/transcriptions', cost: undefined };
  assert.equal(callSizeOf({ ...upload, bytes: 1_000_000 }).tokensIn, 13_000);
});

test('a tier that costs more raises the price, and one that may do so, too', async () => {
  for (const [member, factor] of [
    ['"service_tier":"default"', 1],
    ['"service_tier":"flex"', 1],
    ['"service_tier":"priority"', 2],
    ['"service_tier":"auto"', 2],
    ['"service_tier":"a-new-one"', 2],
    ['"service_tier":"flex","service_tier":"priority"', 2],
    [String.raw`"service_tier":"pri\u006frity"`, 2],
    ['"serviceTier":{"type":"priority"}', 2],
    ['"speed":"fast"', 6],
    ['"inference_geo":"us"', 1.1],
  ] as const) {
    const { priceFactor, namedFactor } = await sizeOf('v1/messages', `{${member}}`);
    assert.equal(priceFactor, factor, member);
    assert.equal(namedFactor, member.includes('auto') ? 1 : factor, member);
  }
});

test('no body has a smaller bound than the largest limit that a provider may read in it', async () => {
  const member = fc.tuple(
    fc.constantFrom('max_tokens', 'max_completion_tokens', String.raw`max\u005ftokens`),
    fc.nat(100_000),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(member, { maxLength: 4 }), async (members) => {
      const body = `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
      const { tokensOut, isBounded } = await sizeOf('chat/completions', body);
      const parsed = JSON.parse(body) as Record<string, number>;
      const read = Math.max(...Object.values(parsed));
      assert.ok(!isBounded || tokensOut >= read, `${body}: ${tokensOut}`);
    }),
  );
});

test('only what providers do not bill is free', () => {
  for (const path of ['v1/files', 'v1/messages/count_tokens', 'openai/v1/uploads/u_1/complete']) {
    assert.equal(isFreeCall('POST', path), true, path);
  }
  for (const path of [
    'v1/complete',
    'v1/completions',
    'v1/vector_stores/vs_1/search',
    'v1/moderations',
    'v1/batches',
    'v1/messages/batches',
    'chat/completions/files/x',
    'v1/chat/completions%2Ffiles',
    'files/../v1/responses',
  ]) {
    assert.equal(isFreeCall('POST', path), false, path);
  }
  assert.equal(isFreeCall('GET', 'v1/responses/resp_1'), true);
  assert.equal(isFreeCall('PUT', 'v1/responses/resp_1'), false);
});

test('what is billed after its answer is known by its path', () => {
  for (const path of [
    'v1/batches',
    'v1/batches/',
    'v1/b%61tches',
    'v1%2Fbatches',
    `v1/${'x/'.repeat(300)}batches`,
    'v1/messages/batches',
    'v1/fine_tuning/jobs',
    'v1/threads/runs',
    'v1/threads/t_1/runs',
    'v1/realtime/client_secrets',
    'v1/videos',
    'v1beta/models/gemini-2.5-flash:batchGenerateContent',
    'model-invocation-job',
    'v1/batch/jobs',
  ]) {
    assert.equal(isDeferredCall('POST', path), true, path);
    assert.equal(isDeferredCall('GET', path), false, path);
  }
  for (const path of ['v1/responses', 'v1/batches/b_1/cancel', 'chat/completions']) {
    assert.equal(isDeferredCall('POST', path), false, path);
  }
});
