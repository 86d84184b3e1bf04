import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { awsMessage } from './aws-message.ts';
import { type Expected, UNKNOWN, event, full, read } from './usage-reading.ts';

const lines = (...values: unknown[]) => values.map((one) => `${JSON.stringify(one)}\n`).join('');

const messageStart = {
  type: 'message_start',
  message: {
    usage: {
      input_tokens: 25,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 5,
      output_tokens: 1,
    },
  },
};
const messageDelta = (outputTokens: number) => ({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: outputTokens },
});
const delta = { choices: [{ delta: { content: 'Grüße 🌍 "usage":{"prompt_tokens":1}' } }] };

const wrapped = (inner: object) => ({
  bytes: Buffer.from(JSON.stringify(inner)).toString('base64'),
  p: 'abcdefghij',
});

const EVENTS = 'text/event-stream';
const AWS = 'application/vnd.amazon.eventstream';
const streams: [string, string, Buffer | string, Expected][] = [
  [
    'OpenAI chat',
    EVENTS,
    event(delta) +
      event({ ...delta, usage: null }) +
      event({
        choices: [],
        usage: {
          prompt_tokens: 11,
          completion_tokens: 7,
          prompt_tokens_details: { cached_tokens: 4 },
        },
      }) +
      'data: [DONE]\n\n',
    [11, 7, 4],
  ],
  [
    'OpenAI Responses',
    `${EVENTS}; charset=utf-8`,
    event({ type: 'response.created', response: { usage: null } }, 'response.created') +
      event(
        {
          type: 'response.completed',
          response: {
            usage: {
              input_tokens: 37,
              output_tokens: 11,
              input_tokens_details: { cached_tokens: 30 },
            },
          },
        },
        'response.completed',
      ),
    [37, 11, 30],
  ],
  [
    'Anthropic',
    EVENTS,
    event(messageStart, 'message_start') + event(messageDelta(9)) + event(messageDelta(15)),
    [40, 15, 10, 5],
  ],
  [
    'Anthropic, broken off',
    EVENTS,
    event(messageStart, 'message_start') + 'event: message_delta\ndata: {"type":"mess',
    [40, 1, 10, 5],
  ],
  [
    'Gemini',
    EVENTS,
    event({ usageMetadata: { promptTokenCount: 4 } }) +
      event({ usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 12 } }),
    [4, 12],
  ],
  [
    'Gemini as a list',
    'application/json',
    '[{"usageMetadata":{"promptTokenCount":4}}\n,\n{"candidates":[{"content":"ü"}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":12}}]',
    [4, 12],
  ],
  [
    'Gemini as a list, broken off',
    'application/json',
    '[{"usageMetadata":{"promptTokenCount":4}}\n,\n{"candidates":[{"content":"\\"usage',
    [4, null],
  ],
  [
    'Cohere v2',
    EVENTS,
    event(
      { delta: { usage: { billed_units: { input_tokens: 3, output_tokens: 9 } } } },
      'message-end',
    ),
    [3, 9],
  ],
  [
    'Cohere v1',
    'application/stream+json',
    lines(
      { event_type: 'text-generation', text: 'a' },
      { response: { meta: { billed_units: { input_tokens: 3, output_tokens: 9 } } } },
    ),
    [3, 9],
  ],
  [
    'Ollama',
    'application/x-ndjson',
    lines({ response: 'ü' }, { done: true, prompt_eval_count: 26, eval_count: 298 }),
    [26, 298],
  ],
  [
    'Groq',
    EVENTS,
    event({ x_groq: { id: 'a', usage: { prompt_tokens: 3, completion_tokens: 4 } } }),
    [3, 4],
  ],
  [
    'an event over several lines',
    EVENTS,
    'data: {"usage":\ndata: {"prompt_tokens":3}}\n\n',
    [3, null],
  ],
  [
    'other fields and comments',
    EVENTS,
    ': {"usage":{"prompt_tokens":1}}\ndatas: {"usage":{"prompt_tokens":2}}\nid: 7\n\n' +
      event({ usage: { prompt_tokens: 3 } }),
    [3, null],
  ],
  ['no end at the end', EVENTS, 'data: {"usage":{"prompt_tokens":3}}', [3, null]],
  [
    'Bedrock Converse',
    AWS,
    Buffer.concat([
      awsMessage({ delta: { text: 'ü' }, p: 'abc' }),
      awsMessage({ usage: { inputTokens: 5, outputTokens: 8 }, metrics: { latencyMs: 1 } }),
    ]),
    [5, 8],
  ],
  [
    'Anthropic on Bedrock',
    AWS,
    Buffer.concat([
      awsMessage(wrapped(messageStart)),
      awsMessage(wrapped(messageDelta(15))),
      awsMessage(
        wrapped({
          type: 'message_stop',
          'amazon-bedrock-invocationMetrics': { inputTokenCount: 25, outputTokenCount: 15 },
        }),
      ),
    ]),
    [40, 15, 10, 5],
  ],
];
for (const [name, type, content, expected] of streams) {
  test(`a stream tells its usage wherever it is cut: ${name}`, () => {
    const bytes = Buffer.from(content);
    assert.deepEqual(read(type, bytes), full(expected));
    assert.deepEqual(read(type, ...[...bytes].map((byte) => Buffer.from([byte]))), full(expected));
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.deepEqual(read(type, bytes.subarray(0, cut), bytes.subarray(cut)), full(expected));
    }
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length })), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        assert.deepEqual(read(type, ...chunks), full(expected));
      }),
    );
  });

  if (type.startsWith(EVENTS)) {
    test(`a stream tells its usage with other line ends and without spaces: ${name}`, () => {
      const text = content.toString();
      for (const lineEnd of ['\r\n', '\r']) {
        const bytes = Buffer.from(text.replaceAll('\n', lineEnd));
        assert.deepEqual(read(type, bytes), full(expected));
        for (let cut = 0; cut <= bytes.length; cut++) {
          assert.deepEqual(read(type, bytes.subarray(0, cut), bytes.subarray(cut)), full(expected));
        }
      }
      assert.deepEqual(read(type, text.replaceAll('data: ', 'data:')), full(expected));
    });
  }
}

test('what is no such stream is left alone', () => {
  const garbage = Buffer.alloc(1_000, 0xff);
  const good = awsMessage({ usage: { inputTokens: 5, outputTokens: 8 } });
  assert.deepEqual(read(AWS, garbage, good), UNKNOWN);
  assert.deepEqual(read(AWS, Buffer.alloc(100), good), UNKNOWN);
  assert.deepEqual(read(AWS, good, garbage), full([5, 8]));
});
