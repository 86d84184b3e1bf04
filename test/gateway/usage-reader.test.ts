import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createUsageReader } from '../../src/gateway/usage/usage-reader.ts';
import { UNKNOWN_USAGE } from '../../src/gateway/usage/usage.ts';
import { type Expected, UNKNOWN, event, full, read } from './usage-reading.ts';

const answers: [string, object, Expected][] = [
  [
    'OpenAI chat',
    {
      choices: [{ message: { role: 'assistant', content: '{"usage":{"prompt_tokens":1}}' } }],
      usage: {
        prompt_tokens: 2006,
        completion_tokens: 300,
        total_tokens: 2306,
        prompt_tokens_details: { cached_tokens: 1920, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 250 },
      },
    },
    [2006, 300, 1920],
  ],
  ['OpenAI embeddings', { data: [], usage: { prompt_tokens: 8, total_tokens: 8 } }, [8, null]],
  [
    'OpenAI Responses: cached ones are inside',
    {
      usage: {
        input_tokens: 36,
        input_tokens_details: { cached_tokens: 30 },
        output_tokens: 87,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 123,
      },
    },
    [36, 87, 30],
  ],
  [
    'Anthropic: cached ones are beside',
    {
      content: [{ type: 'tool_use', input: { usage: { input_tokens: 1 } } }],
      usage: {
        input_tokens: 21,
        cache_creation_input_tokens: 188,
        cache_read_input_tokens: 1000,
        cache_creation: { ephemeral_5m_input_tokens: 188, ephemeral_1h_input_tokens: 0 },
        output_tokens: 393,
      },
    },
    [1209, 393, 1000, 188],
  ],
  [
    'Gemini with thoughts and tool use',
    {
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 30,
        toolUsePromptTokenCount: 5,
        cachedContentTokenCount: 90,
        totalTokenCount: 155,
      },
    },
    [105, 50, 90],
  ],
  [
    'Bedrock Converse',
    {
      usage: {
        inputTokens: 30,
        outputTokens: 628,
        totalTokens: 668,
        cacheReadInputTokens: 7,
        cacheWriteInputTokens: 3,
      },
      metrics: { latencyMs: 1275 },
    },
    [40, 628, 7, 3],
  ],
  [
    'Meta on Bedrock',
    { generation: 'a', prompt_token_count: 9, generation_token_count: 4 },
    [9, 4],
  ],
  ['Titan embeddings', { embedding: [0.1], inputTextTokenCount: 6 }, [6, null]],
  [
    'Cohere v2',
    {
      usage: {
        billed_units: { input_tokens: 5, output_tokens: 418 },
        tokens: { input_tokens: 71, output_tokens: 420 },
      },
    },
    [5, 418],
  ],
  [
    'Cohere v2, tokens only',
    { usage: { tokens: { input_tokens: 71, output_tokens: 4 } } },
    [71, 4],
  ],
  ['Cohere v1', { meta: { billed_units: { input_tokens: 3, output_tokens: 9 } } }, [3, 9]],
  ['Cohere rerank', { meta: { billed_units: { search_units: 1 } } }, [null, null]],
  ['Ollama', { message: { content: '' }, prompt_eval_count: 26, eval_count: 298 }, [26, 298]],
  [
    'Workers AI',
    { result: { response: 'a', usage: { prompt_tokens: 3, completion_tokens: 4 } }, success: true },
    [3, 4],
  ],
  [
    'Replicate',
    { output: ['a'], metrics: { input_token_count: 13, output_token_count: 512 } },
    [13, 512],
  ],
  [
    'DeepSeek',
    {
      usage: {
        prompt_tokens: 50,
        completion_tokens: 6,
        prompt_cache_hit_tokens: 40,
        prompt_cache_miss_tokens: 10,
      },
    },
    [50, 6, 40],
  ],
  [
    'xAI bills thinking besides',
    {
      usage: {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      },
    },
    [32, 103],
  ],
  [
    'OpenRouter',
    {
      usage: {
        prompt_tokens: 194,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 100 },
      },
    },
    [194, 2, 0, 100],
  ],
  [
    'nothing that is a count',
    { usage: { prompt_tokens: -1, completion_tokens: '5' } },
    [null, null],
  ],
  ['fractions', { usage: { prompt_tokens: 1.5, completion_tokens: 1e300 } }, [null, null]],
  ['no object', { usage: [1], usageMetadata: 'x', metrics: null }, [null, null]],
  [
    'a part larger than the whole',
    {
      usage: {
        prompt_tokens: 5,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 6 },
      },
    },
    [5, 1],
  ],
];
for (const [name, answer, expected] of answers) {
  test(`an answer tells its usage: ${name}`, () => {
    assert.deepEqual(read('application/json', JSON.stringify(answer)), full(expected));
    assert.deepEqual(read('application/json', JSON.stringify(answer, null, 2)), full(expected));
  });
}

test('the content type may be written in any way', () => {
  const text = '{"usage":{"prompt_tokens":3}}';
  const types = [
    'application/json',
    'Application/JSON ; charset=utf-8',
    'application/problem+json',
    'application/vnd.api+json',
  ];
  for (const type of types) assert.deepEqual(read(type, text), full([3, null]), type);
  assert.deepEqual(read('TEXT/EVENT-STREAM;charset=UTF-8', `data: ${text}\n\n`), full([3, null]));
  for (const type of [undefined, '', 'text/plain', 'application/jsonp', 'audio/mpeg']) {
    assert.deepEqual(read(type, text), UNKNOWN, String(type));
  }
  assert.deepEqual(createUsageReader(undefined).read(), UNKNOWN_USAGE);
});

test('it may be asked at any time, and again', () => {
  const reader = createUsageReader('application/json');
  const text = Buffer.from('{"usage":{"prompt_tokens":3}}');
  reader.feed(text.subarray(0, 5));
  assert.deepEqual(reader.read(), { ...UNKNOWN_USAGE, textBytes: 0 });
  reader.feed(text.subarray(5));
  assert.equal(reader.read().tokensIn, 3);
  assert.equal(reader.read().tokensIn, 3);
});

test('a byte order mark is no obstacle', () => {
  assert.deepEqual(
    read('application/json', '\uFEFF{"usage":{"prompt_tokens":3}}'),
    full([3, null]),
  );
});

const EVENTS = 'text/event-stream';
const messageDelta = (outputTokens: number) => ({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: outputTokens },
});

const MIB = 1024 * 1024;
const FALSE_USAGE = JSON.stringify('{"usage":{"prompt_tokens":1}} \\ "usage":{"prompt_tokens":2}}');
const numbers = `[${'0.12345,'.repeat(200_000)}0]`;
const large: [string, string, Expected][] = [
  ['usage last', `{"data":${numbers},"x":${FALSE_USAGE},"usage":{"prompt_tokens":3}}`, [3, null]],
  ['usage first', `{"usage":{"prompt_tokens":3},"data":${numbers},"x":${FALSE_USAGE}}`, [3, null]],
  [
    'in the middle of the end',
    `{"data":${numbers},"usage" : { "prompt_tokens" : 3 , "a":{"b":["}",2]}} , "z":[{"usage":{"prompt_tokens":9}}]} \n`,
    [3, null],
  ],
  ['none', `{"data":${numbers},"x":${FALSE_USAGE}}`, [null, null]],
  ['only in a text', `{"x":"${'y'.repeat(2 * MIB)}","z":${FALSE_USAGE}}`, [null, null]],
  [
    'broken off in a text',
    `{"x":"${'y'.repeat(2 * MIB)}${FALSE_USAGE.slice(1, -1)}}`,
    [null, null],
  ],
  [
    'broken off in a text behind something deep',
    `{"data":${numbers},"a":{"b":{"usage":{"prompt_tokens":9}},"c":"\\" fast`,
    [null, null],
  ],
  ['in an envelope', `{"result":{"data":${numbers},"usage":{"prompt_tokens":3}},"a":1}`, [3, null]],
  ['deeper', `{"a":[{"x":${numbers},"b":{"usage":{"prompt_tokens":3}}}]}`, [null, null]],
  [
    'a list of events',
    `[{"usageMetadata":{"promptTokenCount":4}},{"x":${numbers}},{"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":7}}]`,
    [4, 7],
  ],
  ['counts at the top', `{"embeddings":${numbers},"prompt_eval_count":8}`, [8, null]],
  ['counts in a text', `{"embeddings":${numbers},"x":"\\"prompt_eval_count\\":8"}`, [null, null]],
];
for (const [name, text, expected] of large) {
  test(`of a large answer, begin and end are enough: ${name}`, () => {
    const bytes = Buffer.from(text);
    for (const size of [bytes.length, 65_536, 65_535, 16_381, 100]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      assert.deepEqual(read('application/json', ...chunks), full(expected), `by ${size}`);
    }
  });
}

test('a large event hides neither its own usage nor that of later events', () => {
  const padding = 'y'.repeat(2 * MIB);
  const completed = {
    type: 'response.completed',
    response: { output: [padding], usage: { input_tokens: 3, output_tokens: 4 } },
  };
  assert.deepEqual(read(EVENTS, event(completed)), full([3, 4]));
  assert.deepEqual(read(EVENTS, event({ padding }), event(messageDelta(4))), full([null, 4]));
});

test('an answer of exactly the largest size, and one byte more', () => {
  const text = '{"x":"","usage":{"prompt_tokens":3}}';
  for (const bytes of [MIB - 1, MIB, MIB + 1]) {
    const padded = text.replace('""', `"${'y'.repeat(bytes - text.length)}"`);
    assert.equal(padded.length, bytes);
    assert.deepEqual(read('application/json', padded), full([3, null]));
    assert.deepEqual(
      read('application/json', padded.slice(0, MIB - 10), padded.slice(MIB - 10)),
      full([3, null]),
    );
  }
});

test('a text is never taken for usage, wherever a large answer ends', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('"usage":{"prompt_tokens":1}', '{"usage":{"prompt_tokens":1}}', '\\', '"}'),
  );
  const head = Buffer.from(`{"padding":"${'y'.repeat(MIB)}",`);
  fc.assert(
    fc.property(fc.array(texts), fc.nat(), (list, cut) => {
      const tail = `"list":${JSON.stringify(list)},"z":${JSON.stringify(list.join(''))}}`;
      assert.deepEqual(read('application/json', head, tail.slice(0, cut % tail.length)), UNKNOWN);
      assert.deepEqual(read('application/json', head, tail), UNKNOWN);
    }),
    { numRuns: 300 },
  );
});

test('Anthropic tells which of the written ones are kept for an hour', () => {
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 188 };
  const hourOf = (hour: unknown): number | undefined => {
    const reader = createUsageReader('application/json');
    const told = { ...usage, cache_creation: { ephemeral_1h_input_tokens: hour } };
    reader.feed(Buffer.from(JSON.stringify({ usage: told })));
    return reader.read().cacheWriteHourTokens;
  };
  assert.equal(hourOf(100), 100);
  assert.equal(hourOf(188), 188);
  // More than all that were written, none, and what is no count.
  for (const hour of [189, 0, '100', null]) assert.equal(hourOf(hour), undefined);
  const stream = createUsageReader('text/event-stream');
  const begin = { ...usage, cache_creation: { ephemeral_1h_input_tokens: 100 } };
  stream.feed(Buffer.from(event({ type: 'message_start', message: { usage: begin } })));
  stream.feed(Buffer.from(event({ type: 'message_delta', usage: { ...usage, output_tokens: 9 } })));
  const { tokensOut, cacheWriteHourTokens } = stream.read();
  assert.deepEqual([tokensOut, cacheWriteHourTokens], [9, 100]);
});

const NO_TOKENS = { in: 0, out: 0, cacheRead: 0 };

const kinds: [what: string, answer: object, expected: object | undefined][] = [
  [
    'OpenAI: audio',
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 80 },
        completion_tokens_details: { audio_tokens: 40 },
      },
    },
    { audio: { in: 80, out: 40, cacheRead: 0 }, images: NO_TOKENS },
  ],
  [
    'OpenAI: images',
    {
      usage: {
        input_tokens: 100,
        output_tokens: 50,
        input_tokens_details: { text_tokens: 10, image_tokens: 90 },
        output_tokens_details: { image_tokens: 50 },
      },
    },
    { audio: NO_TOKENS, images: { in: 90, out: 50, cacheRead: 0 } },
  ],
  [
    'Gemini: both, one of them in parts, and some of it cached',
    {
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 50,
        cachedContentTokenCount: 30,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 10 },
          { modality: 'AUDIO', tokenCount: 30 },
          { modality: 'AUDIO', tokenCount: 40 },
          { modality: 'IMAGE', tokenCount: 20 },
        ],
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 50 }],
        cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
      },
    },
    { audio: { in: 70, out: 0, cacheRead: 30 }, images: { in: 20, out: 50, cacheRead: 0 } },
  ],
  [
    'text alone',
    { usageMetadata: { promptTokenCount: 9, promptTokensDetails: [{ modality: 'TEXT' }, null] } },
    undefined,
  ],
  [
    'more than there is',
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: { audio_tokens: 101 },
      },
    },
    undefined,
  ],
  [
    'what is no count',
    {
      usage: { prompt_tokens: 100, prompt_tokens_details: { audio_tokens: '1', image_tokens: -1 } },
    },
    undefined,
  ],
];

for (const [what, answer, expected] of kinds) {
  test(`tokens that are no text are told apart. ${what}`, () => {
    const reader = createUsageReader('application/json');
    reader.feed(Buffer.from(JSON.stringify(answer)));
    assert.deepEqual(reader.read().kinds, expected);
  });
}
