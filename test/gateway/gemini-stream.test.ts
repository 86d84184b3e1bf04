import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

interface Chunk {
  choices: { index: number; delta: JsonObject; finish_reason: string | null; logprobs: unknown }[];
  usage?: JsonObject | null;
  error?: JsonObject;
}

/** What the client gets of these pieces: the parsed events, and the texts that are none. */
function translate(pieces: (JsonObject | string)[], body: JsonObject = {}) {
  const stream = chatToGemini.stream({ model: 'gemini-2.5-flash', body, nowMs: 1_000 });
  const events = [
    ...pieces.flatMap((piece) =>
      stream.event({ data: typeof piece === 'string' ? piece : JSON.stringify(piece) }),
    ),
    ...stream.end(),
  ];
  const texts = events.map(({ data }) => data);
  const isDone = texts.at(-1) === '[DONE]';
  return {
    isDone,
    chunks: texts.slice(0, isDone ? -1 : undefined).map((text) => JSON.parse(text) as Chunk),
  };
}

/** Index, delta and reason of each choice that was told. */
function told(chunks: Chunk[]) {
  return chunks.flatMap(({ choices }) =>
    choices.map(({ index, delta, finish_reason: reason }) => [index, delta, reason]),
  );
}

function piece(parts: JsonObject[], fields: JsonObject = {}, index?: number): JsonObject {
  const content = { role: 'model', parts };
  const candidate = { content, ...(index === undefined ? {} : { index }), ...fields };
  return { candidates: [candidate], responseId: 'r1', modelVersion: 'gemini-2.5-flash-001' };
}

const STOP = { finishReason: 'STOP' };
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 4, thoughtsTokenCount: 1 };

test('text, piece by piece', () => {
  const { isDone, chunks } = translate([
    piece([{ text: 'Hel' }]),
    { ...piece([{ text: 'lo' }], STOP), usageMetadata },
  ]);
  assert.equal(isDone, true);
  assert.deepEqual(told(chunks), [
    [0, { role: 'assistant', content: 'Hel' }, null],
    [0, { content: 'lo' }, null],
    [0, {}, 'stop'],
  ]);
  assert.deepEqual(chunks[0], {
    id: 'chatcmpl-r1',
    created: 1,
    model: 'gemini-2.5-flash-001',
    object: 'chat.completion.chunk',
    choices: [
      {
        index: 0,
        delta: { role: 'assistant', content: 'Hel' },
        finish_reason: null,
        logprobs: null,
      },
    ],
  });
});

test('the usage, for who asks for it: behind everything else, and null before', () => {
  const pieces = [piece([{ text: 'x' }]), { ...piece([], STOP), usageMetadata }];
  const { chunks } = translate(pieces, { stream_options: { include_usage: true } });
  assert.deepEqual(
    chunks.map(({ choices, usage }) => [choices.length, usage]),
    [
      [1, null],
      [1, null],
      [
        0,
        {
          prompt_tokens: 3,
          completion_tokens: 5,
          total_tokens: 8,
          prompt_tokens_details: { cached_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 1 },
        },
      ],
    ],
  );
});

test('thoughts, and the signature of a text', () => {
  const { chunks } = translate([
    piece([{ text: 'Hm.', thought: true }]),
    piece([{ text: 'Yes.' }]),
    piece([{ text: '', thoughtSignature: 'c2ln' }], STOP),
  ]);
  assert.deepEqual(told(chunks), [
    [0, { role: 'assistant', content: '', reasoning_content: 'Hm.' }, null],
    [0, { content: 'Yes.' }, null],
    [0, { extra_content: { google: { thought_signature: 'c2ln' } } }, null],
    [0, {}, 'stop'],
  ]);
});

const call = (name: string, fields: JsonObject = {}): JsonObject => ({
  functionCall: { name, args: { x: 1 } },
  ...fields,
});
const toldCall = (index: number, name: string, fields: JsonObject = {}): JsonObject => ({
  index,
  id: `call_r1_0_${index}`,
  type: 'function',
  function: { name, arguments: '{"x":1}' },
  ...fields,
});

test('calls are counted over all pieces', () => {
  const { chunks } = translate([
    piece([call('a', { thoughtSignature: 'c2ln' }), call('b')]),
    piece([call('c')]),
    piece([], STOP),
  ]);
  const extra = { extra_content: { google: { thought_signature: 'c2ln' } } };
  assert.deepEqual(told(chunks), [
    [
      0,
      { role: 'assistant', content: '', tool_calls: [toldCall(0, 'a', extra), toldCall(1, 'b')] },
      null,
    ],
    [0, { tool_calls: [toldCall(2, 'c')] }, null],
    [0, {}, 'tool_calls'],
  ]);
});

test('one call only for who wants no parallel ones, over all pieces', () => {
  const pieces = [piece([call('a'), call('b')]), piece([call('c')], STOP)];
  const { chunks } = translate(pieces, { parallel_tool_calls: false });
  assert.deepEqual(told(chunks), [
    [0, { role: 'assistant', content: '', tool_calls: [toldCall(0, 'a')] }, null],
    [0, {}, 'tool_calls'],
  ]);
});

test('several choices, each with its role and its end', () => {
  const { chunks } = translate([
    piece([{ text: 'a' }], {}, 0),
    piece([{ text: 'b' }], { finishReason: 'MAX_TOKENS' }, 1),
    piece([{ text: 'c' }], STOP, 0),
  ]);
  assert.deepEqual(told(chunks), [
    [0, { role: 'assistant', content: 'a' }, null],
    [1, { role: 'assistant', content: 'b' }, null],
    [0, { content: 'c' }, null],
    [0, {}, 'stop'],
    [1, {}, 'length'],
  ]);
});

test('a reason in every piece ends the choice only once', () => {
  const { chunks } = translate([piece([{ text: 'a' }], STOP), piece([{ text: 'b' }], STOP)]);
  assert.deepEqual(
    told(chunks).map(([, , reason]) => reason),
    [null, null, 'stop'],
  );
});

test('a reason holds, though a later piece names none', () => {
  const { isDone, chunks } = translate([piece([{ text: 'a' }], STOP), piece([{ text: 'b' }])]);
  assert.equal(isDone, true);
  assert.deepEqual(told(chunks).at(-1), [0, {}, 'stop']);
});

test('an answer that was filtered', () => {
  const { chunks } = translate([
    piece([{ text: 'a' }]),
    { candidates: [{ finishReason: 'SAFETY' }] },
  ]);
  assert.deepEqual(told(chunks).slice(1), [
    [0, { refusal: 'The response ended early: SAFETY' }, null],
    [0, {}, 'content_filter'],
  ]);
});

test('a prompt that was blocked', () => {
  const { isDone, chunks } = translate([
    { promptFeedback: { blockReason: 'OTHER' }, usageMetadata },
  ]);
  assert.equal(isDone, true);
  assert.deepEqual(told(chunks), [
    [0, { role: 'assistant', content: '', refusal: 'The prompt was blocked: OTHER' }, null],
    [0, {}, 'content_filter'],
  ]);
});

test('pictures and logprobs', () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'iVBOR' } };
  const logprobsResult = { chosenCandidates: [{ token: 'a', logProbability: -1 }] };
  const { chunks } = translate([piece([{ text: 'a' }], { logprobsResult }), piece([image], STOP)]);
  assert.deepEqual(chunks[0]?.choices[0]?.logprobs, {
    content: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }],
    refusal: null,
  });
  const url = 'data:image/png;base64,iVBOR';
  assert.deepEqual(chunks[1]?.choices[0]?.delta, {
    images: [{ index: 0, type: 'image_url', image_url: { url } }],
  });
});

for (const [name, pieces, message] of [
  [
    'an error in the middle',
    [
      piece([{ text: 'a' }]),
      { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } },
    ],
    'Overloaded.',
  ],
  [
    'an event that is not JSON',
    [piece([{ text: 'a' }]), '{'],
    'the provider sent an event that is not JSON',
  ],
  [
    'an end before the end',
    [piece([{ text: 'a' }])],
    'The provider ended the stream before the response was complete.',
  ],
  ['nothing at all', [], 'The provider ended the stream before the response was complete.'],
] as const) {
  test(`${name} is told as an error, and nothing after it`, () => {
    const { isDone, chunks } = translate([
      ...pieces,
      ...(pieces.length > 1 ? [piece([], STOP)] : []),
    ]);
    assert.equal(isDone, false);
    assert.equal(chunks.at(-1)?.error?.message, message);
    assert.equal(chunks.at(-1)?.error?.type, 'server_error');
  });
}

test('the last word of OpenAI, which some servers say, is none of Gemini', () => {
  const { isDone, chunks } = translate([piece([{ text: 'a' }]), piece([], STOP), '[DONE]']);
  assert.equal(isDone, true);
  assert.equal(chunks.at(-1)?.error, undefined);
});
