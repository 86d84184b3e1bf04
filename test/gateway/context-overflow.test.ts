import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import type { Translator } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const INPUT = { model: 'm', body: { messages: [], stream: true }, nowMs: 0 };

function errorOf(translation: Translator, status: number, error: unknown): JsonObject {
  const translated = translation.error(status, JSON.stringify({ error }));
  return translated.error as JsonObject;
}

describe('a context overflow', () => {
  for (const [status, error] of [
    [400, { message: 'Too long.', code: 'context_length_exceeded' }],
    [400, { message: "This model's maximum context length is 8192 tokens. You sent 9000." }],
    [400, { message: 'the request exceeds the available context size' }],
    [413, { message: 'Prompt contains 300000 tokens: input too long' }],
    [422, { message: 'Too many tokens' }],
  ] as const) {
    test(`of ${JSON.stringify(error)} is recognized by Messages clients`, () => {
      const { type, message } = errorOf(messagesToChat, status, error);
      assert.equal(type, 'invalid_request_error');
      assert.equal(message, `prompt is too long: ${error.message}`);
    });
  }

  test('of Anthropic and Gemini is recognized by OpenAI clients', () => {
    const long = { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens' };
    assert.deepEqual(errorOf(chatToAnthropic, 400, long), {
      ...long,
      param: null,
      code: 'context_length_exceeded',
    });
    const gemini = {
      code: 400,
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed.',
      status: 'INVALID_ARGUMENT',
    };
    assert.equal(errorOf(chatToGemini, 400, gemini).code, 'context_length_exceeded');
  });

  test('in a stream is recognized, too', () => {
    const error = { message: 'Too long.', code: 'context_length_exceeded' };
    const [toMessages] = messagesToChat.stream(INPUT).event({ data: JSON.stringify({ error }) });
    assert.match(toMessages?.data ?? '', /"prompt is too long: Too long\."/);
    const long = { type: 'error', error: { type: 'x', message: 'prompt is too long' } };
    const [toChat] = chatToAnthropic.stream(INPUT).event({ data: JSON.stringify(long) });
    assert.match(toChat?.data ?? '', /"code":"context_length_exceeded"/);
  });

  test('is not seen in other errors', () => {
    for (const [status, error] of [
      [400, { message: 'max_tokens is too large', code: 'invalid_value' }],
      [401, { message: 'No context window for you' }],
      [429, { message: 'Too many tokens per minute', code: 'rate_limit_exceeded' }],
    ] as const) {
      assert.equal(errorOf(messagesToChat, status, error).message, error.message);
      assert.notEqual(errorOf(chatToAnthropic, status, error).code, 'context_length_exceeded');
      assert.notEqual(errorOf(chatToGemini, status, error).code, 'context_length_exceeded');
    }
  });
});
