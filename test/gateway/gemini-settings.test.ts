import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

function translate(fields: JsonObject, model = 'gemini-2.5-flash'): JsonObject {
  const body = { messages: [{ role: 'user', content: 'hello' }], ...fields };
  return chatToGemini.request({ model, body, nowMs: 0 });
}

const json = 'application/json';
for (const [name, body, expected] of [
  ['none', {}, undefined],
  ['null', { temperature: null, stop: null, reasoning_effort: null }, undefined],
  ['max_tokens', { max_tokens: 5 }, { maxOutputTokens: 5 }],
  ['both limits', { max_tokens: 5, max_completion_tokens: 6 }, { maxOutputTokens: 6 }],
  [
    'sampling',
    { temperature: 0, top_p: 0.5, top_k: 3, n: 2, seed: 4 },
    { temperature: 0, topP: 0.5, topK: 3, candidateCount: 2, seed: 4 },
  ],
  [
    'penalties',
    { presence_penalty: 0.1, frequency_penalty: -0.1 },
    { presencePenalty: 0.1, frequencyPenalty: -0.1 },
  ],
  ['penalties of 0', { presence_penalty: 0, frequency_penalty: 0 }, undefined],
  ['one stop', { stop: 'x' }, { stopSequences: ['x'] }],
  ['several stops', { stop: ['x', 'y'] }, { stopSequences: ['x', 'y'] }],
  ['no stop', { stop: [] }, undefined],
  ['logprobs', { logprobs: true }, { responseLogprobs: true }],
  ['top_logprobs', { logprobs: true, top_logprobs: 3 }, { responseLogprobs: true, logprobs: 3 }],
  ['text', { response_format: { type: 'text' } }, undefined],
  ['any JSON', { response_format: { type: 'json_object' } }, { responseMimeType: json }],
  [
    'JSON of a schema',
    {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'x',
          schema: {
            type: 'object',
            properties: { const: { const: 'a' }, list: { items: { anyOf: [{ const: 1 }] } } },
            additionalProperties: false,
          },
        },
      },
    },
    {
      responseMimeType: json,
      responseJsonSchema: {
        type: 'object',
        properties: { const: { enum: ['a'] }, list: { items: { anyOf: [{ enum: [1] }] } } },
        additionalProperties: false,
      },
    },
  ],
  [
    "Google's own thinking settings",
    {
      reasoning_effort: 'low',
      extra_body: { google: { thinking_config: { thinking_budget: 7, include_thoughts: true } } },
    },
    { thinkingConfig: { thinkingBudget: 7, includeThoughts: true } },
  ],
] as const) {
  test(name, () => {
    assert.deepEqual(translate(body).generationConfig, expected);
  });
}

test('cached content', () => {
  const body = { extra_body: { google: { cached_content: 'cachedContents/1' } } };
  assert.equal(translate(body).cachedContent, 'cachedContents/1');
});

for (const [model, effort, expected] of [
  ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
  ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
  ['gemini-2.5-flash', 'minimal', { thinkingBudget: 1_024, includeThoughts: true }],
  ['gemini-2.5-flash', 'low', { thinkingBudget: 1_024, includeThoughts: true }],
  ['gemini-2.5-flash', 'medium', { thinkingBudget: 8_192, includeThoughts: true }],
  ['gemini-2.5-flash', 'high', { thinkingBudget: 24_576, includeThoughts: true }],
  ['gemini-3.5-flash', 'none', { thinkingLevel: 'minimal' }],
  ['gemini-3.5-flash', 'minimal', { thinkingLevel: 'minimal', includeThoughts: true }],
  ['gemini-3.7-flash', 'minimal', { thinkingLevel: 'low', includeThoughts: true }],
  ['gemini-3.5-flash-lite', 'minimal', { thinkingLevel: 'minimal', includeThoughts: true }],
  ['gemini-3.1-pro-preview', 'none', { thinkingLevel: 'low' }],
  ['gemini-3.1-pro-preview', 'medium', { thinkingLevel: 'medium', includeThoughts: true }],
  ['gemini-3.1-pro-preview', 'xhigh', { thinkingLevel: 'high', includeThoughts: true }],
  ['gemini-4-hydrogen', 'xhigh', { thinkingLevel: 'xhigh', includeThoughts: true }],
  ['models/gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
  ['gemini-2.0-flash', 'high', undefined],
  ['gemma-3-27b-it', 'high', undefined],
] as const) {
  test(`reasoning_effort ${effort} of ${model}`, () => {
    const { generationConfig } = translate({ reasoning_effort: effort }, model);
    assert.deepEqual((generationConfig as JsonObject | undefined)?.thinkingConfig, expected);
  });
}
