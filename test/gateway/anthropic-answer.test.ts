import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import type { TranslationInput } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

function inputWith(body: JsonObject = {}): TranslationInput {
  return { model: 'claude-opus-5', body, nowMs: 1_700_000_000_999 };
}

function messageWith(fields: JsonObject): JsonObject {
  const content = [{ type: 'text', text: 'hello' }];
  const usage = { input_tokens: 11, output_tokens: 7 };
  return {
    id: 'msg_1',
    model: 'claude-opus-5-1',
    content,
    stop_reason: 'end_turn',
    usage,
    ...fields,
  };
}

describe('an answer', () => {
  const answerTo = (fields: JsonObject): JsonObject =>
    chatToAnthropic.response(messageWith(fields), inputWith()) ?? {};
  const choiceOf = (fields: JsonObject): JsonObject =>
    (answerTo(fields).choices as JsonObject[])[0] ?? {};

  test('a text', () => {
    assert.deepEqual(answerTo({}), {
      id: 'msg_1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'claude-opus-5-1',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'hello', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 11,
        completion_tokens: 7,
        total_tokens: 18,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      },
    });
  });

  test('calls, with and without a text', () => {
    const call = (id: string, input: unknown): JsonObject => ({
      type: 'tool_use',
      id,
      name: 'f',
      input,
    });
    const content = [call('a', { n: [1, 'ü'] }), call('b', {})];
    const toolCalls = [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":[1,"ü"]}' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
    ];
    const message = { role: 'assistant', content: null, refusal: null, tool_calls: toolCalls };
    const choice = choiceOf({ content, stop_reason: 'tool_use' });
    assert.deepEqual([choice.message, choice.finish_reason], [message, 'tool_calls']);
    const withText = choiceOf({ content: [{ type: 'text', text: 'See:' }, ...content] });
    assert.deepEqual(withText.message, { ...message, content: 'See:' });
  });

  test('thoughts, several texts, and blocks that nobody knows', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'x' },
      { type: 'redacted_thinking', data: 'y' },
      { type: 'text', text: 'a' },
      { type: 'server_tool_use', id: 'z' },
      { type: 'text', text: 'b' },
    ];
    assert.deepEqual(choiceOf({ content }).message, {
      role: 'assistant',
      content: 'ab',
      refusal: null,
      reasoning_content: 'Hm.',
      thinking_blocks: content.slice(0, 2),
    });
  });

  const reasons: [string | null, string][] = [
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['of_the_future', 'stop'],
    [null, 'stop'],
  ];
  for (const [reason, finish] of reasons) {
    test(`${reason} is ${finish}`, () => {
      assert.equal(choiceOf({ stop_reason: reason }).finish_reason, finish);
    });
  }

  test('a refusal, with a reason and without', () => {
    const refusalIn = (fields: JsonObject): unknown =>
      (choiceOf({ content: [], stop_reason: 'refusal', ...fields }).message as JsonObject).refusal;
    assert.equal(refusalIn({ stop_details: { explanation: 'Not that.' } }), 'Not that.');
    assert.equal(refusalIn({ stop_details: null }), 'The model refused to answer.');
  });

  test('usage with a cache and thoughts', () => {
    const usage = {
      input_tokens: 1,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 300,
      output_tokens: 4_000,
      output_tokens_details: { thinking_tokens: 5 },
    };
    assert.deepEqual(answerTo({ usage }).usage, {
      prompt_tokens: 321,
      completion_tokens: 4_000,
      total_tokens: 4_321,
      prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 5 },
    });
  });

  test('an answer of another shape breaks nothing', () => {
    for (const content of [[], [null, 7, { type: 'text' }], [{ type: 'tool', input: 3 }]]) {
      const answer = answerTo({ content, usage: null, id: 7, model: null });
      assert.equal(answer.model, 'claude-opus-5');
      assert.deepEqual((answer.choices as JsonObject[])[0]?.finish_reason, 'stop');
    }
  });
});

describe('an error', () => {
  const cases: [name: string, status: number, text: string, JsonObject][] = [
    [
      'keeps its type',
      529,
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}',
      { message: 'Overloaded', type: 'overloaded_error', code: null },
    ],
    [
      'keeps its code',
      400,
      '{"error":{"type":"invalid_request_error","message":"m","details":{"error_code":"c"}}}',
      { message: 'm', type: 'invalid_request_error', code: 'c' },
    ],
    [
      'of a cloud',
      429,
      '{"message":"Too many tokens"}',
      { message: 'Too many tokens', type: 'rate_limit_error', code: null },
    ],
    [
      'of a proxy',
      502,
      ' <h1>Bad Gateway</h1> ',
      { message: '<h1>Bad Gateway</h1>', type: 'api_error', code: null },
    ],
    [
      'without a word',
      404,
      '',
      {
        message: 'The provider responded with status 404.',
        type: 'not_found_error',
        code: null,
      },
    ],
  ];
  for (const [name, status, text, error] of cases) {
    test(name, () => {
      assert.deepEqual(chatToAnthropic.error(status, text), { error: { ...error, param: null } });
    });
  }

  test('a long page is cut', () => {
    const { error } = chatToAnthropic.error(500, 'x'.repeat(1_001));
    assert.equal(String((error as JsonObject).message).length, 1_000);
  });
});

describe('a stream', () => {
  /** What the client reads: parsed chunks, and texts that are none. */
  function translate(events: JsonObject[], body: JsonObject = {}): unknown[] {
    const stream = chatToAnthropic.stream(inputWith(body));
    const sent = events.flatMap((event) =>
      stream.event({ event: String(event.type), data: JSON.stringify(event) }),
    );
    return [...sent, ...stream.end()].map(({ event, data }) => {
      assert.equal(event, undefined);
      return data === '[DONE]' ? data : (JSON.parse(data) as unknown);
    });
  }

  /** The deltas and reasons of the chunks that have them. */
  function changesIn(chunks: unknown[]): unknown[] {
    return (chunks as JsonObject[]).map((chunk) => {
      const [choice] = (chunk.choices ?? []) as JsonObject[];
      if (choice === undefined) return chunk;
      return choice.finish_reason === null ? choice.delta : [choice.delta, choice.finish_reason];
    });
  }

  const usage = { input_tokens: 11, cache_read_input_tokens: 5, output_tokens: 1 };
  const begin = { type: 'message_start', message: { id: 'msg_1', model: 'claude-x', usage } };
  const open = (block: JsonObject): JsonObject => ({
    type: 'content_block_start',
    content_block: block,
  });
  const add = (delta: JsonObject): JsonObject => ({ type: 'content_block_delta', delta });
  const close = { type: 'content_block_stop' };
  const stopFor = (reason: string, fields: JsonObject = {}): JsonObject => ({
    type: 'message_delta',
    delta: { stop_reason: reason, ...fields },
    usage: { output_tokens: 7, input_tokens: null },
  });
  const end = { type: 'message_stop' };
  const text = [
    open({ type: 'text', text: '' }),
    add({ type: 'text_delta', text: 'Grü' }),
    { type: 'ping' },
    add({ type: 'text_delta', text: 'ße' }),
    close,
  ];
  const greeting = [{ role: 'assistant', content: '' }, { content: 'Grü' }, { content: 'ße' }];

  test('a text; the usage only for those who ask', () => {
    const events = [begin, ...text, stopFor('end_turn'), end];
    const chunks = translate(events);
    assert.deepEqual(changesIn(chunks), [...greeting, [{}, 'stop'], '[DONE]']);
    assert.deepEqual(chunks[1], {
      id: 'msg_1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'claude-x',
      choices: [{ index: 0, delta: { content: 'Grü' }, logprobs: null, finish_reason: null }],
    });
    const withUsage = translate(events, { stream_options: { include_usage: true } });
    assert.equal((withUsage[1] as JsonObject).usage, null);
    assert.deepEqual((withUsage.at(-2) as JsonObject).choices, []);
    assert.deepEqual((withUsage.at(-2) as JsonObject).usage, {
      prompt_tokens: 16,
      completion_tokens: 7,
      total_tokens: 23,
      prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 0 },
    });
    assert.equal(withUsage.at(-1), '[DONE]');
  });

  test('several calls, numbered among themselves', () => {
    const toolUse = (id: string, input: JsonObject = {}): JsonObject =>
      open({ type: 'tool_use', id, name: `f-${id}`, input });
    const json = (part: string): JsonObject =>
      add({ type: 'input_json_delta', partial_json: part });
    const chunks = translate([
      begin,
      open({ type: 'thinking', thinking: '', signature: '' }),
      add({ type: 'thinking_delta', thinking: 'Hm.' }),
      add({ type: 'signature_delta', signature: 'x' }),
      close,
      ...text,
      toolUse('a'),
      json(''),
      json('{"n"'),
      json(':1}'),
      close,
      toolUse('b'),
      json(''),
      close,
      toolUse('c', { all: 'at once' }),
      close,
      stopFor('tool_use'),
      end,
    ]);
    const called = (index: number, id: string, json_: string): JsonObject => ({
      tool_calls: [
        { index, id, type: 'function', function: { name: `f-${id}`, arguments: json_ } },
      ],
    });
    const more = (index: number, json_: string): JsonObject => ({
      tool_calls: [{ index, function: { arguments: json_ } }],
    });
    const [role, ...said] = greeting;
    assert.deepEqual(changesIn(chunks), [
      role,
      { reasoning_content: 'Hm.' },
      { thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }] },
      ...said,
      called(0, 'a', ''),
      more(0, '{"n"'),
      more(0, ':1}'),
      called(1, 'b', ''),
      more(1, '{}'),
      called(2, 'c', '{"all":"at once"}'),
      [{}, 'tool_calls'],
      '[DONE]',
    ]);
  });

  test('a refusal', () => {
    const details = { stop_details: { explanation: 'Not that.' } };
    const chunks = translate([begin, stopFor('refusal', details), end]);
    assert.deepEqual(changesIn(chunks).slice(1), [
      [{ refusal: 'Not that.' }, 'content_filter'],
      '[DONE]',
    ]);
  });

  test('an error in the middle is the last that is said', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const chunks = translate([begin, ...text, { type: 'error', error }, stopFor('end_turn'), end]);
    const told = { error: { ...error, param: null, code: null } };
    assert.deepEqual(changesIn(chunks), [...greeting, told]);
  });

  test('an end before the end is an error', () => {
    const [last] = translate([begin, ...text]).slice(-1) as JsonObject[];
    assert.match(JSON.stringify(last), /ended the stream before.*"api_error"/);
    assert.match(JSON.stringify(translate([])), /ended the stream before/);
  });

  test('an end behind the reason to stop is one', () => {
    assert.equal(translate([begin, ...text, stopFor('end_turn')]).at(-1), '[DONE]');
  });

  test('events of another shape break nothing', () => {
    const stream = chatToAnthropic.stream(inputWith());
    for (const data of ['', 'x', '7', 'null', '[]', '{}', '{"type":"content_block_delta"}']) {
      assert.deepEqual(stream.event({ data }), []);
    }
    assert.deepEqual(translate([add({ type: 'input_json_delta', partial_json: '{' })]).length, 1);
  });
});
