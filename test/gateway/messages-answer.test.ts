import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import type { TranslationInput } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const INPUT: TranslationInput = { model: 'llama-4', body: {}, nowMs: 0 };

const UNUSED = {
  cache_creation: null,
  inference_geo: null,
  service_tier: null,
  speed: null,
  server_tool_use: null,
};

const text = (value: string): JsonObject => ({ type: 'text', text: value, citations: null });
const toolUse = (id: string, input: JsonObject, name: string = 'f'): JsonObject => ({
  type: 'tool_use',
  id,
  caller: { type: 'direct' },
  name,
  input,
});

describe('an answer', () => {
  function answerTo(message: JsonObject, fields: JsonObject = {}, usage: unknown = {}): JsonObject {
    const choices = [{ index: 0, message: { role: 'assistant', ...message }, ...fields }];
    return (
      messagesToChat.response({ id: 'chatcmpl-1', model: 'llama-4.1', choices, usage }, INPUT) ?? {}
    );
  }

  test('a text', () => {
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    assert.deepEqual(answerTo({ content: 'hello' }, { finish_reason: 'stop' }, usage), {
      id: 'chatcmpl-1',
      type: 'message',
      role: 'assistant',
      model: 'llama-4.1',
      content: [text('hello')],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        ...UNUSED,
        input_tokens: 11,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 7,
        output_tokens_details: null,
      },
    });
  });

  test('what was cached counts beside the input', () => {
    const usage = {
      prompt_tokens: 321,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    assert.deepEqual(answerTo({}, {}, usage).usage, {
      ...UNUSED,
      input_tokens: 1,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 20,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 5 },
    });
  });

  const call = (id: string, json: unknown): JsonObject => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: json },
  });
  const thinking = (value: string): JsonObject => ({
    type: 'thinking',
    thinking: value,
    signature: '',
  });
  const mistral = [
    {
      type: 'thinking',
      thinking: [
        { type: 'text', text: 'H' },
        { type: 'text', text: 'm.' },
      ],
    },
    { type: 'text', text: 'hel' },
    { type: 'text', text: 'lo' },
  ];
  const contents: [string, JsonObject, JsonObject[]][] = [
    ['nothing', { content: null }, []],
    ['thoughts', { reasoning_content: 'Hm.', content: 'a' }, [thinking('Hm.'), text('a')]],
    ['thoughts, elsewhere', { reasoning: 'Hm.' }, [thinking('Hm.')]],
    ['thoughts among the content', { content: mistral }, [thinking('Hm.'), text('hello')]],
    ['a refusal', { content: '', refusal: 'No.' }, [text('No.')]],
    [
      'calls',
      { content: 'See:', tool_calls: [call('a', '{"n":1}'), call('b', '')] },
      [text('See:'), toolUse('a', { n: 1 }), toolUse('b', {})],
    ],
    ['a call in JSON', { tool_calls: [call('a', { n: 1 })] }, [toolUse('a', { n: 1 })]],
    [
      'a call that is broken',
      { tool_calls: [call('a', '{"n":')] },
      [toolUse('a', { invalid_arguments: '{"n":' })],
    ],
  ];
  for (const [name, message, content] of contents) {
    test(name, () => assert.deepEqual(answerTo(message).content, content));
  }

  const reasons: [unknown, JsonObject, string][] = [
    ['stop', {}, 'end_turn'],
    ['length', {}, 'max_tokens'],
    ['tool_calls', {}, 'tool_use'],
    ['function_call', {}, 'tool_use'],
    ['content_filter', {}, 'refusal'],
    ['stop', { refusal: 'No.' }, 'refusal'],
    ['stop', { tool_calls: [call('a', '')] }, 'tool_use'],
    ['of_the_future', {}, 'end_turn'],
    [null, {}, 'end_turn'],
  ];
  for (const [reason, message, stopReason] of reasons) {
    test(`${String(reason)} with ${JSON.stringify(message)} is ${stopReason}`, () => {
      assert.equal(answerTo(message, { finish_reason: reason }).stop_reason, stopReason);
    });
  }

  test('an answer of another shape breaks nothing', () => {
    const choices = [{ message: { content: 7, tool_calls: 'a' } }];
    const { id, model, content } = messagesToChat.response({ choices, usage: 7 }, INPUT) ?? {};
    assert.match(String(id), /^msg_/);
    assert.deepEqual([model, content], ['llama-4', []]);
  });
});

describe('an error', () => {
  const cases: [status: number, text: string, type: string, message: string][] = [
    [400, '{"error":{"message":"bad","type":"x"}}', 'invalid_request_error', 'bad'],
    [401, '{"error":"no key"}', 'authentication_error', 'no key'],
    [402, '{"message":"pay"}', 'billing_error', 'pay'],
    [403, '{"detail":"not you"}', 'permission_error', 'not you'],
    [404, '[{"error":{"message":"gone"}}]', 'not_found_error', 'gone'],
    [408, 'late', 'timeout_error', 'late'],
    [413, 'long', 'request_too_large', 'long'],
    [422, '{"detail":[{"loc":["a"]}]}', 'invalid_request_error', '{"detail":[{"loc":["a"]}]}'],
    [429, '{"error":{"message":"slow down"}}', 'rate_limit_error', 'slow down'],
    [500, '', 'api_error', 'The provider responded with status 500.'],
    [504, 'x', 'timeout_error', 'x'],
    [529, 'x', 'overloaded_error', 'x'],
  ];
  for (const [status, body, type, message] of cases) {
    test(`${status} ${body}`, () => {
      const expected = { type: 'error', error: { type, message } };
      assert.deepEqual(messagesToChat.error(status, body), expected);
    });
  }
});

describe('a stream', () => {
  /** The client's events; every one is named as its type. */
  function translate(chunks: (JsonObject | string)[]): JsonObject[] {
    const stream = messagesToChat.stream(INPUT);
    const sent = chunks.flatMap((chunk) =>
      stream.event({ data: typeof chunk === 'string' ? chunk : JSON.stringify(chunk) }),
    );
    return [...sent, ...stream.end()].map(({ event, data }) => {
      const parsed = JSON.parse(data) as JsonObject;
      assert.equal(event, parsed.type);
      return parsed;
    });
  }

  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    id: 'chatcmpl-1',
    model: 'llama-4.1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } };
  const opened = (index: number, block: JsonObject): JsonObject => ({
    type: 'content_block_start',
    index,
    content_block: block,
  });
  const added = (index: number, delta: JsonObject): JsonObject => ({
    type: 'content_block_delta',
    index,
    delta,
  });
  const closed = (index: number): JsonObject => ({ type: 'content_block_stop', index });
  const textAdded = (index: number, value: string): JsonObject =>
    added(index, { type: 'text_delta', text: value });
  const jsonAdded = (index: number, value: string): JsonObject =>
    added(index, { type: 'input_json_delta', partial_json: value });
  const stopReasonIn = (events: JsonObject[]): unknown =>
    ((events.at(-2)?.delta ?? {}) as JsonObject).stop_reason;
  const typesIn = (events: JsonObject[]): unknown[] => events.map(({ type }) => type);

  test('a text, from the first event to the last', () => {
    const events = translate([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Grü' }),
      chunk({ content: 'ße' }),
      chunk({}, 'stop'),
      usage,
      '[DONE]',
    ]);
    const [first, ...rest] = events;
    const { content, stop_reason: reason, id, model } = (first?.message ?? {}) as JsonObject;
    assert.deepEqual([content, reason, id, model], [[], null, 'chatcmpl-1', 'llama-4.1']);
    assert.deepEqual(rest, [
      opened(0, text('')),
      textAdded(0, 'Grü'),
      textAdded(0, 'ße'),
      closed(0),
      {
        type: 'message_delta',
        delta: {
          container: null,
          stop_details: null,
          stop_reason: 'end_turn',
          stop_sequence: null,
        },
        usage: {
          input_tokens: 11,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 7,
          output_tokens_details: null,
          server_tool_use: null,
        },
      },
      { type: 'message_stop' },
    ]);
  });

  test('thoughts, a text and calls each have a block, one after the other', () => {
    const call = (index: number, fields: JsonObject): JsonObject =>
      chunk({ tool_calls: [{ index, ...fields }] });
    const json = (value: string): JsonObject => ({ function: { arguments: value } });
    const events = translate([
      chunk({ role: 'assistant', reasoning_content: 'H' }),
      chunk({ reasoning_content: 'm.' }),
      chunk({ content: 'See:' }),
      call(0, { id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      call(0, json('{"n"')),
      call(0, json(':1}')),
      call(1, { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ]);
    assert.deepEqual(events.slice(1, -2), [
      opened(0, { type: 'thinking', thinking: '', signature: '' }),
      added(0, { type: 'thinking_delta', thinking: 'H' }),
      added(0, { type: 'thinking_delta', thinking: 'm.' }),
      closed(0),
      opened(1, text('')),
      textAdded(1, 'See:'),
      closed(1),
      opened(2, toolUse('a', {})),
      jsonAdded(2, '{"n"'),
      jsonAdded(2, ':1}'),
      closed(2),
      opened(3, toolUse('b', {}, 'g')),
      jsonAdded(3, '{}'),
      closed(3),
    ]);
    assert.equal(stopReasonIn(events), 'tool_use');
  });

  for (const [name, first, second] of [
    ['the same index', { index: 0 }, { index: 0 }],
    ['no index', {}, {}],
  ] as const) {
    test(`calls that a server gives ${name}`, () => {
      const named = (id: string): JsonObject => ({
        id,
        function: { name: 'f', arguments: '{}' },
      });
      const both = [
        { ...first, ...named('a') },
        { ...second, ...named('b') },
      ];
      const events = translate([chunk({ tool_calls: both }, 'stop'), '[DONE]']);
      assert.deepEqual(events.slice(1, -2), [
        opened(0, toolUse('a', {})),
        jsonAdded(0, '{}'),
        closed(0),
        opened(1, toolUse('b', {})),
        jsonAdded(1, '{}'),
        closed(1),
      ]);
      assert.equal(stopReasonIn(events), 'tool_use');
    });
  }

  test('begins with the input tokens of the provider, or with an estimate', () => {
    const inputOf = (first: JsonObject, body: JsonObject): unknown => {
      const stream = messagesToChat.stream({ ...INPUT, body });
      const [start] = stream.event({ data: JSON.stringify(first) });
      const { message } = JSON.parse(start?.data ?? '{}') as { message: { usage: JsonObject } };
      return message.usage.input_tokens;
    };
    const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(9_000) } };
    const body = {
      system: 'x'.repeat(300),
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(2_700) }, image] }],
      metadata: { user_id: 'x'.repeat(3_000) },
    };
    const estimate = Number(inputOf(chunk({ content: 'a' }), body));
    assert.ok(estimate >= 1_000 && estimate < 1_030, String(estimate));
    const told = { ...chunk({ content: 'a' }), usage: { prompt_tokens: 11 } };
    assert.equal(inputOf(told, body), 11);
  });

  test('an empty id and model, as in the first chunk of Azure, are replaced', () => {
    const [start] = translate([
      { id: '', model: '', choices: [] },
      chunk({ content: 'a' }, 'stop'),
    ]);
    const { id, model } = (start?.message ?? {}) as JsonObject;
    assert.match(String(id), /^msg_\w+$/);
    assert.equal(model, INPUT.model);
  });

  test('a refusal', () => {
    const events = translate([chunk({ refusal: 'No.' }), chunk({}, 'stop'), '[DONE]']);
    assert.deepEqual(events.slice(1, 4), [opened(0, text('')), textAdded(0, 'No.'), closed(0)]);
    assert.equal(stopReasonIn(events), 'refusal');
  });

  test('an error in the middle is the last that is said', () => {
    const error = { message: 'Overloaded', code: 529 };
    const events = translate([chunk({ content: 'a' }), { error }, chunk({}, 'stop'), '[DONE]']);
    assert.deepEqual(events.slice(3), [
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]);
    const [untyped] = translate([{ error: { message: 'm', code: 'c' } }]);
    assert.deepEqual(untyped?.error, { type: 'api_error', message: 'm' });
  });

  test('an end before the end is an error; behind the reason it is one', () => {
    const cut = translate([chunk({ content: 'a' })]);
    assert.match(JSON.stringify(cut.at(-1)), /"api_error".*ended the stream before/);
    const whole = translate([chunk({ content: 'a' }, 'length')]);
    assert.deepEqual(typesIn(whole).slice(-3), [
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    assert.equal(stopReasonIn(whole), 'max_tokens');
  });

  test('an answer without a word is a message all the same', () => {
    assert.deepEqual(typesIn(translate(['[DONE]'])), [
      'message_start',
      'message_delta',
      'message_stop',
    ]);
  });

  test('chunks of another shape break nothing', () => {
    assert.deepEqual(typesIn(translate(['', 'x', '7', 'null', '[]', '[DONE]'])).length, 3);
    const odd = translate([{}, { choices: [{ delta: 7 }] }, { choices: 'a' }, '[DONE]']);
    assert.deepEqual(typesIn(odd), ['message_start', 'message_delta', 'message_stop']);
  });
});
