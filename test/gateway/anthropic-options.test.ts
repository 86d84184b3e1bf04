import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const HELLO = [{ role: 'user', content: 'hello' }];
const SAMPLED = 'claude-sonnet-4-6';

/** What is said besides the model, the limit and the greeting. */
function fieldsOf(body: JsonObject, model = SAMPLED): JsonObject {
  const asked = { model, body: { messages: HELLO, ...body }, nowMs: 0 };
  const {
    model: _model,
    max_tokens: _limit,
    messages: _messages,
    ...fields
  } = chatToAnthropic.request(asked);
  return fields;
}

function limitOf(body: JsonObject, model: string): unknown {
  return chatToAnthropic.request({ model, body: { messages: HELLO, ...body }, nowMs: 0 })
    .max_tokens;
}

describe('one field', () => {
  const userId = { metadata: { user_id: 'u-1' } };
  const cases: [JsonObject, JsonObject][] = [
    [{ stop: 'END' }, { stop_sequences: ['END'] }],
    [{ stop: ['a', 'b'] }, { stop_sequences: ['a', 'b'] }],
    [{ stop: null }, {}],
    [{ stop: [] }, {}],
    [{ temperature: 0 }, { temperature: 0 }],
    [{ temperature: 1 }, { temperature: 1 }],
    [{ temperature: 1.01 }, { temperature: 1 }],
    [{ temperature: 2, top_p: 0.5 }, { temperature: 1 }],
    [
      { temperature: 0.5, top_p: 0.5, top_k: 7 },
      { temperature: 0.5, top_k: 7 },
    ],
    [{ temperature: 1, top_p: 0.5 }, { top_p: 0.5 }],
    [{ top_p: 0.5 }, { top_p: 0.5 }],
    [{ user: 'u-1' }, userId],
    [{ user: 'u-2', safety_identifier: 'u-1' }, userId],
    [{ stream: true, stream_options: { include_usage: true } }, { stream: true }],
    [{ stream: false }, {}],
    [{ response_format: { type: 'text' } }, {}],
    [{ n: 1, logprobs: false, top_logprobs: 0, logit_bias: {}, modalities: ['text'] }, {}],
    [{ n: null, audio: null, functions: null, tools: null, tool_choice: null }, {}],
    [{ functions: [] }, {}],
    [{ frequency_penalty: 0, presence_penalty: 0, seed: null, unheard_of: null }, {}],
    [{ store: true, metadata: { a: 'b' }, service_tier: 'auto', verbosity: 'low' }, {}],
  ];
  for (const [body, fields] of cases) {
    test(JSON.stringify(body), () => assert.deepEqual(fieldsOf(body), fields));
  }
});

describe('what cannot be said', () => {
  const structured = (schema: JsonObject): JsonObject => ({
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  });
  const cases: [JsonObject, RegExp][] = [
    [{ n: 2 }, /^n: /],
    [{ logprobs: true }, /^logprobs: /],
    [{ top_logprobs: 1 }, /^top_logprobs: /],
    [{ logit_bias: { 50256: -100 } }, /^logit_bias: /],
    [{ audio: { voice: 'alloy', format: 'wav' } }, /^audio: /],
    [{ modalities: ['text', 'audio'] }, /^modalities: /],
    [{ web_search_options: {} }, /^web_search_options: /],
    [{ functions: [{ name: 'f' }] }, /^functions: /],
    [{ function_call: 'auto' }, /^function_call: /],
    [{ stop: ['\n'] }, /^stop: /],
    [{ stop: 7 }, /^stop: /],
    [{ response_format: { type: 'grammar' } }, /^response_format: /],
    [{ response_format: { type: 'json_schema', json_schema: {} } }, /^response_format: /],
    [structured({ type: 'object', additionalProperties: { type: 'string' } }), /^schema: /],
    [structured({ items: { properties: {}, additionalProperties: true } }), /^schema: /],
    [{ reasoning_effort: 'enormous' }, /^reasoning_effort: must be none, minimal, low/],
  ];
  for (const [body, message] of cases) {
    test(JSON.stringify(body), () => {
      assert.throws(
        () => fieldsOf(body),
        (error) => error instanceof UntranslatableError && message.test(error.reason),
      );
    });
  }
});

describe('the limit', () => {
  const cases: [JsonObject, string, number][] = [
    [{ max_tokens: 5 }, SAMPLED, 5],
    [{ max_completion_tokens: 6 }, SAMPLED, 6],
    [{ max_tokens: 5, max_completion_tokens: 6 }, SAMPLED, 6],
    [{}, 'claude-opus-5-5', 128_000],
    [{}, 'claude-haiku-4-5-20251001', 64_000],
    [{}, 'anthropic.claude-opus-4-1-20250805-v1:0', 32_000],
    [{}, 'claude-opus-4@20250514', 32_000],
    [{}, 'claude-sonnet-4-20250514', 64_000],
    [{}, 'claude-3-haiku-20240307', 4_096],
    [{}, 'claude-nova-9', 64_000],
    [{}, 'glm-5', 4_096],
  ];
  for (const [body, model, limit] of cases) {
    test(`${model} ${JSON.stringify(body)}`, () => assert.equal(limitOf(body, model), limit));
  }
});

describe('reasoning', () => {
  const adaptive = { type: 'adaptive', display: 'summarized' };
  const budget = (tokens: number): JsonObject => ({
    thinking: { type: 'enabled', budget_tokens: tokens },
  });
  const effort = (value: string): JsonObject => ({ output_config: { effort: value } });
  const tools = [{ type: 'function', function: { name: 'a' } }];
  const cases: [model: string, body: JsonObject, JsonObject][] = [
    [SAMPLED, { reasoning_effort: null }, {}],
    [SAMPLED, { reasoning_effort: 'minimal' }, { thinking: adaptive, ...effort('low') }],
    [SAMPLED, { reasoning_effort: 'medium' }, { thinking: adaptive, ...effort('medium') }],
    [SAMPLED, { reasoning_effort: 'xhigh' }, { thinking: adaptive, ...effort('high') }],
    [SAMPLED, { reasoning_effort: 'max' }, { thinking: adaptive, ...effort('max') }],
    ['claude-opus-5', { reasoning_effort: 'xhigh' }, { thinking: adaptive, ...effort('xhigh') }],
    ['claude-opus-5', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['claude-opus-5-5', { reasoning_effort: 'none' }, effort('low')],
    ['claude-sonnet-5-5', { reasoning_effort: 'none' }, { thinking: { type: 'between_tools' } }],
    ['claude-haiku-4-5', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['claude-haiku-4-5', { reasoning_effort: 'low' }, budget(4_096)],
    ['claude-haiku-4-5', { reasoning_effort: 'high' }, budget(24_576)],
    ['claude-haiku-4-5', { reasoning_effort: 'high', max_tokens: 4_000 }, budget(2_000)],
    ['claude-haiku-4-5', { reasoning_effort: 'high', max_tokens: 2_048 }, budget(1_024)],
    ['claude-haiku-4-5', { reasoning_effort: 'high', max_tokens: 2_047 }, {}],
    ['claude-3-haiku-20240307', { reasoning_effort: 'high' }, {}],
    // Only hints, and not while the model thinks.
    [
      SAMPLED,
      { reasoning_effort: 'low', temperature: 0 },
      { thinking: adaptive, ...effort('low') },
    ],
    ['claude-haiku-4-5', { reasoning_effort: 'low', top_p: 0.5 }, budget(4_096)],
    [
      'claude-haiku-4-5',
      { thinking: { type: 'disabled' }, top_p: 0.5, reasoning_effort: 'low' },
      {
        thinking: { type: 'disabled' },
        top_p: 0.5,
      },
    ],
    ['claude-opus-4-8', { temperature: 0.5, top_p: 0.5, top_k: 7 }, {}],
    ['claude-3-haiku', { temperature: 0.5, top_p: 0.4 }, { temperature: 0.5, top_p: 0.4 }],
  ];
  for (const [model, body, fields] of cases) {
    test(`${model} ${JSON.stringify(body)}`, () => {
      assert.deepEqual(fieldsOf(body, model), fields);
    });
  }

  test('a call that is forced comes without thinking', () => {
    const forced = { tools, tool_choice: 'required', reasoning_effort: 'low' };
    const { thinking, output_config: config } = fieldsOf(forced, SAMPLED);
    assert.deepEqual([thinking, config], [undefined, { effort: 'low' }]);
    assert.equal(fieldsOf(forced, 'claude-haiku-4-5').thinking, undefined);
  });

  test('between calls, a model that wants its thoughts back does not think', () => {
    const messages = [
      ...HELLO,
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'b', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'c' },
    ];
    const body = { messages, reasoning_effort: 'high' };
    assert.equal(fieldsOf(body, 'claude-haiku-4-5').thinking, undefined);
    assert.deepEqual(fieldsOf(body, SAMPLED).thinking, adaptive);
  });
});

describe('structured output', () => {
  test('a schema, as far as the API can enforce it; the rest is told', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 5, description: 'Short.' },
        mail: { type: 'string', format: 'email' },
        id: { type: 'string', format: 'ulid' },
        tags: { type: 'array', items: { type: 'string', pattern: '^a' }, minItems: 1, maxItems: 3 },
        next: { oneOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
        maxLength: { const: 1 },
      },
      required: ['name'],
      additionalProperties: true,
      $defs: { node: { type: 'object', properties: {} } },
    };
    const { output_config: config } = fieldsOf({
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
    });
    assert.deepEqual(config, {
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Short.\n\n{maxLength: 5}' },
            mail: { type: 'string', format: 'email' },
            id: { type: 'string', description: '{format: "ulid"}' },
            tags: {
              type: 'array',
              items: { type: 'string', description: '{pattern: "^a"}' },
              minItems: 1,
              description: '{maxItems: 3}',
            },
            next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
            maxLength: { const: 1 },
          },
          required: ['name'],
          additionalProperties: false,
          $defs: { node: { type: 'object', properties: {}, additionalProperties: false } },
        },
      },
    });
  });

  test('a schema besides an effort', () => {
    const format = { type: 'json_schema', json_schema: { schema: { type: 'string' } } };
    const { output_config: config } = fieldsOf({
      response_format: format,
      reasoning_effort: 'low',
    });
    const expected = { type: 'json_schema', schema: { type: 'string' } };
    assert.deepEqual(config, { effort: 'low', format: expected });
  });

  test('any object is a matter of asking', () => {
    const { system } = fieldsOf({ response_format: { type: 'json_object' } });
    assert.match(JSON.stringify(system), /single JSON object/);
  });
});
