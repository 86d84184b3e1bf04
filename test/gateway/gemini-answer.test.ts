import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const NOW_MS = 1_700_000_000_999;

function translate(answer: JsonObject, body: JsonObject = {}): JsonObject {
  return chatToGemini.response(answer, { model: 'gemini-2.5-flash', body, nowMs: NOW_MS }) ?? {};
}

interface Choice {
  index: number;
  message: JsonObject;
  finish_reason: string;
  logprobs: unknown;
}

function choicesOf(answer: JsonObject, body?: JsonObject): Choice[] {
  return translate(answer, body).choices as Choice[];
}

/** The only choice of an answer with these parts. */
function choiceOf(parts: JsonObject[], fields: JsonObject = {}, body?: JsonObject): Choice {
  const candidate = { content: { role: 'model', parts }, finishReason: 'STOP', ...fields };
  const [choice] = choicesOf({ responseId: 'r1', candidates: [candidate] }, body);
  assert.ok(choice);
  return choice;
}

test('a whole answer', () => {
  const answer = {
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'Hel' }, { text: 'lo' }] },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 2,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 7,
      cachedContentTokenCount: 4,
      totalTokenCount: 24,
    },
    modelVersion: 'gemini-2.5-flash-001',
    responseId: 'r1',
  };
  assert.deepEqual(translate(answer), {
    id: 'chatcmpl-r1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gemini-2.5-flash-001',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: 12,
      completion_tokens: 12,
      total_tokens: 24,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 7 },
    },
  });
});

test('what the answer does not say of itself', () => {
  const { id, model, usage } = translate({ candidates: [] });
  assert.match(String(id), /^chatcmpl-[0-9a-f]{32}$/);
  assert.deepEqual([model, usage], ['gemini-2.5-flash', undefined]);
});

test('thoughts are told apart from the answer', () => {
  const { message } = choiceOf([{ text: 'Hm.', thought: true }, { text: 'Yes.' }]);
  assert.deepEqual([message.reasoning_content, message.content], ['Hm.', 'Yes.']);
});

test('several candidates are several choices', () => {
  const candidates = [
    { content: { parts: [{ text: 'a' }] } },
    { index: 1, content: { parts: [{ text: 'b' }] } },
    { content: { parts: [{ text: 'c' }] } },
  ];
  assert.deepEqual(
    choicesOf({ candidates }).map(({ index, message }) => [index, message.content]),
    [
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ],
  );
});

describe('calls', () => {
  const call = { functionCall: { name: 'a', args: { x: 1 } } };

  test('carry the id and the signature that Gemini gives', () => {
    const part = { functionCall: { ...call.functionCall, id: 'g1' }, thoughtSignature: 'c2ln' };
    const { message, finish_reason: reason } = choiceOf([part]);
    assert.deepEqual(
      [message, reason],
      [
        {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [
            {
              id: 'g1',
              type: 'function',
              function: { name: 'a', arguments: '{"x":1}' },
              extra_content: { google: { thought_signature: 'c2ln' } },
            },
          ],
        },
        'tool_calls',
      ],
    );
  });

  test('get an id that is the same whenever the answer is read', () => {
    const { message } = choiceOf([call, { functionCall: { name: 'b' } }]);
    const calls = message.tool_calls as { id: string; function: JsonObject }[];
    assert.deepEqual(
      calls.map(({ id, function: { arguments: written } }) => [id, written]),
      [
        ['call_r1_0_0', '{"x":1}'],
        ['call_r1_0_1', '{}'],
      ],
    );
  });

  test('come one at a time for who wants no parallel ones', () => {
    const { message } = choiceOf([call, call], {}, { parallel_tool_calls: false });
    assert.equal((message.tool_calls as unknown[]).length, 1);
  });

  test('what was asked for is what comes back in the next turn', () => {
    const { message } = choiceOf([
      { text: 'I look.', thoughtSignature: 'dGV4dA==' },
      { functionCall: { id: 'g1', name: 'a', args: { x: 1 } }, thoughtSignature: 'c2ln' },
    ]);
    const body = { messages: [{ role: 'user', content: 'x' }, message] };
    const { contents } = chatToGemini.request({ model: 'gemini-3.8-flash', body, nowMs: 0 });
    assert.deepEqual((contents as unknown[])[1], {
      role: 'model',
      parts: [
        { text: 'I look.', thoughtSignature: 'dGV4dA==' },
        { functionCall: { id: 'g1', name: 'a', args: { x: 1 } }, thoughtSignature: 'c2ln' },
      ],
    });
  });
});

test('pictures are told as other gateways do', () => {
  const { message } = choiceOf([
    { text: 'Here.' },
    { inlineData: { mimeType: 'image/png', data: 'iVBOR' } },
    { inlineData: { mimeType: 'image/png', data: 'sketch' }, thought: true },
  ]);
  assert.deepEqual(message.images, [
    { index: 0, type: 'image_url', image_url: { url: 'data:image/png;base64,iVBOR' } },
  ]);
});

for (const [finishReason, expected, isRefusal] of [
  ['STOP', 'stop', false],
  ['MAX_TOKENS', 'length', false],
  ['CONTINUATION', 'length', false],
  ['SAFETY', 'content_filter', true],
  ['RECITATION', 'content_filter', true],
  ['PROHIBITED_CONTENT', 'content_filter', true],
  ['IMAGE_SAFETY', 'content_filter', true],
  ['MALFORMED_FUNCTION_CALL', 'stop', true],
  [undefined, 'stop', false],
] as const) {
  test(`the reason ${finishReason} is told as ${expected}`, () => {
    const choice = choiceOf([{ text: 'x' }], { finishReason });
    assert.equal(choice.finish_reason, expected);
    assert.equal(choice.message.refusal !== null, isRefusal);
  });
}

test('a reason that Gemini explains', () => {
  const { message } = choiceOf([], { finishReason: 'SAFETY', finishMessage: 'Too hot.' });
  assert.deepEqual([message.content, message.refusal], ['', 'Too hot.']);
});

test('a prompt that was blocked', () => {
  const [choice] = choicesOf({ promptFeedback: { blockReason: 'SAFETY' } });
  assert.equal(choice?.finish_reason, 'content_filter');
  assert.deepEqual(choice.message, {
    role: 'assistant',
    content: null,
    refusal: 'The prompt was blocked: SAFETY',
  });
});

test('logprobs', () => {
  const chosen = { token: 'ä', tokenId: 5, logProbability: -0.5 };
  const { logprobs } = choiceOf([{ text: 'ä' }], {
    logprobsResult: { chosenCandidates: [chosen], topCandidates: [{ candidates: [chosen] }] },
  });
  const one = { token: 'ä', logprob: -0.5, bytes: [195, 164] };
  assert.deepEqual(logprobs, { content: [{ ...one, top_logprobs: [one] }], refusal: null });
});

test('an answer that is not what it should be does not break anything', () => {
  for (const candidates of [undefined, 1, [null], [{ content: { parts: [1, {}] } }]]) {
    assert.equal(choicesOf({ candidates, usageMetadata: {} }).length, 1);
  }
});

describe('errors', () => {
  const google = { error: { code: 400, message: 'Bad key.', status: 'INVALID_ARGUMENT' } };
  for (const [status, text, expected] of [
    [400, JSON.stringify(google), ['Bad key.', 'invalid_request_error', 'INVALID_ARGUMENT']],
    [400, JSON.stringify([google]), ['Bad key.', 'invalid_request_error', 'INVALID_ARGUMENT']],
    [401, '{}', ['{}', 'authentication_error', null]],
    [403, '[]', ['[]', 'permission_error', null]],
    [404, 'null', ['null', 'not_found_error', null]],
    [429, '<html>', ['<html>', 'rate_limit_error', null]],
    [503, ' ', ['The provider responded with status 503.', 'server_error', null]],
  ] as const) {
    test(`${status} ${text}`, () => {
      const { error } = chatToGemini.error(status, text) as { error: JsonObject };
      assert.deepEqual([error.message, error.type, error.code], expected);
      assert.equal(error.param, null);
    });
  }
});
