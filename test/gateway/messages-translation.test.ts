import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const MODEL = 'llama-4';
const HELLO = [{ role: 'user', content: 'hello' }];

function translate(body: JsonObject, model = MODEL): JsonObject {
  const asked = { max_tokens: 5, messages: HELLO, ...body };
  return messagesToChat.request({ model, body: asked, nowMs: 0 });
}

/** What is said besides the model, the limit and the greeting. */
function fieldsOf(body: JsonObject, model = MODEL): JsonObject {
  const {
    model: _model,
    max_tokens: _limit,
    messages: _messages,
    ...fields
  } = translate(body, model);
  return fields;
}

function messagesOf(...messages: JsonObject[]): unknown {
  return translate({ messages }).messages;
}

const text = (value: string): JsonObject => ({ type: 'text', text: value });

describe('messages', () => {
  test('the least there is', () => {
    assert.deepEqual(translate({}), { model: MODEL, max_tokens: 5, messages: HELLO });
  });

  test('instructions, as a text or in blocks', () => {
    const expected = [{ role: 'system', content: 'Be brief.' }, ...HELLO];
    assert.deepEqual(translate({ system: 'Be brief.' }).messages, expected);
    const blocks = [{ ...text('Be'), cache_control: { type: 'ephemeral' } }, text('brief.')];
    const joined = [{ role: 'system', content: 'Be\n\nbrief.' }, ...HELLO];
    assert.deepEqual(translate({ system: blocks }).messages, joined);
  });

  test('instructions in the middle become a part of the message of the user', () => {
    const late = { role: 'system', content: 'Now.' };
    const reminder = '<system-reminder>\nNow.\n</system-reminder>';
    assert.deepEqual(messagesOf(...HELLO, late), [
      { role: 'user', content: `hello\n\n${reminder}` },
    ]);
    const parts = { role: 'user', content: [text('a'), text('b')] };
    assert.deepEqual(messagesOf(parts, late), [
      { role: 'user', content: [text('a'), text('b'), text(reminder)] },
    ]);
    const answered = { role: 'assistant', content: 'Yes.' };
    assert.deepEqual(messagesOf(...HELLO, answered, late, ...HELLO), [
      ...HELLO,
      answered,
      { role: 'user', content: reminder },
      ...HELLO,
    ]);
    assert.deepEqual(messagesOf(late, ...HELLO), [late, ...HELLO]);
    const body = { messages: [...HELLO, late] };
    const { messages } = messagesToChat.request({ model: 'm', provider: 'openai', body, nowMs: 0 });
    assert.deepEqual(messages, [...HELLO, late]);
  });

  test('the attribution of Claude Code is only for Anthropic', () => {
    const attribution = text('x-anthropic-billing-header: cc_version=2.1.197; cch=3f2a;');
    assert.deepEqual(translate({ system: [attribution, text('Be brief.')] }).messages, [
      { role: 'system', content: 'Be brief.' },
      ...HELLO,
    ]);
    assert.deepEqual(translate({ system: [attribution] }).messages, HELLO);
  });

  test('texts, one or several', () => {
    assert.deepEqual(messagesOf({ role: 'user', content: [text('a')] }), [
      { role: 'user', content: 'a' },
    ]);
    assert.deepEqual(messagesOf({ role: 'user', content: [text('a'), text('b')] }), [
      { role: 'user', content: [text('a'), text('b')] },
    ]);
    assert.deepEqual(messagesOf({ role: 'assistant', content: [text('a'), text('b')] }), [
      { role: 'assistant', content: 'ab' },
    ]);
  });

  test('calls and their results', () => {
    const png = { type: 'base64', media_type: 'image/png', data: 'AA==' };
    const messages = messagesOf(
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'x' },
          { type: 'redacted_thinking', data: 'y' },
          { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
          { type: 'tool_use', id: 'b', name: 'g', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [text('two'), { type: 'image', source: png }, text('three')],
            is_error: true,
          },
          text('And?'),
        ],
      },
    );
    const call = (id: string, name: string, json: string): JsonObject => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    });
    assert.deepEqual(messages, [
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('a', 'f', '{"n":1}'), call('b', 'g', '{}')],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: two\n\nthree' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          text('And?'),
        ],
      },
    ]);
  });

  test('a result without content, and nothing else', () => {
    const messages = messagesOf({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a' }],
    });
    assert.deepEqual(messages, [{ role: 'tool', tool_call_id: 'a', content: '' }]);
  });

  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
  const fileData = 'data:application/pdf;base64,JVBERi0=';
  const plain = { type: 'text', media_type: 'text/plain', data: 'a' };
  const document = (source: JsonObject, fields: JsonObject = {}): JsonObject => ({
    type: 'document',
    source,
    ...fields,
  });
  const blocks: [string, JsonObject, unknown][] = [
    [
      'an image at an address',
      { type: 'image', source: { type: 'url', url: 'https://example.com/a' } },
      [{ type: 'image_url', image_url: { url: 'https://example.com/a' } }],
    ],
    [
      'a document',
      document(pdf),
      [{ type: 'file', file: { filename: 'document.pdf', file_data: fileData } }],
    ],
    [
      'a document with a name',
      document(pdf, { title: 'a.pdf' }),
      [{ type: 'file', file: { filename: 'a.pdf', file_data: fileData } }],
    ],
    ['a document of text', document(plain), 'a'],
    ['a document of text with a name', document(plain, { title: 'A' }), 'A\n\na'],
    ['a document of blocks', document({ type: 'content', content: [text('a')] }), 'a'],
    [
      'something found',
      { type: 'search_result', title: 'A', source: 'https://a', content: [text('a')] },
      'A\nhttps://a\na',
    ],
  ];
  for (const [name, block, content] of blocks) {
    test(name, () => {
      assert.deepEqual(messagesOf({ role: 'user', content: [block] }), [{ role: 'user', content }]);
    });
  }
});

describe('one field', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const strict = { ...schema, required: ['a'], additionalProperties: false };
  const format = (of: JsonObject): JsonObject => ({ type: 'json_schema', schema: of });
  const answer = (of: JsonObject, isStrict: boolean): JsonObject => ({
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: of, strict: isStrict },
    },
  });
  const cases: [JsonObject, JsonObject][] = [
    [
      { temperature: 1, top_p: 0.5, top_k: 0 },
      { temperature: 1, top_p: 0.5 },
    ],
    [{ stop_sequences: ['a', 'b'] }, { stop: ['a', 'b'] }],
    [{ stop_sequences: [] }, {}],
    [{ stream: true }, { stream: true, stream_options: { include_usage: true } }],
    [{ stream: false }, {}],
    [{ metadata: { user_id: 'u' }, service_tier: 'auto', mcp_servers: [] }, {}],
    [{ output_config: { format: format(strict) } }, answer(strict, true)],
    [{ output_config: { format: format(schema) } }, answer(schema, false)],
    [{ output_format: format(strict) }, answer(strict, true)],
    [{ thinking: { type: 'enabled', budget_tokens: 8_191 } }, { reasoning_effort: 'low' }],
    [{ thinking: { type: 'enabled', budget_tokens: 8_192 } }, { reasoning_effort: 'medium' }],
    [{ thinking: { type: 'enabled', budget_tokens: 16_384 } }, { reasoning_effort: 'high' }],
    [{ thinking: { type: 'adaptive' } }, {}],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
      { reasoning_effort: 'high' },
    ],
    [{ output_config: { effort: 'medium' } }, { reasoning_effort: 'medium' }],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'low' } }, {}],
  ];
  for (const [body, fields] of cases) {
    // A model that takes every parameter.
    test(JSON.stringify(body), () => assert.deepEqual(fieldsOf(body, 'gpt-oss-120b'), fields));
  }
});

describe('tools', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const closed = { ...schema, additionalProperties: false };
  const tools = [{ name: 'f', description: 'Does f.', input_schema: schema }];
  const fn = (fields: JsonObject): JsonObject => ({
    type: 'function',
    function: { name: 'f', ...fields },
  });

  test('their schemas; strict only as OpenAI understands it', () => {
    assert.deepEqual(fieldsOf({ tools }), {
      tools: [fn({ description: 'Does f.', parameters: schema })],
    });
    const strict = (input: JsonObject): JsonObject => ({
      tools: [{ type: 'custom', name: 'f', input_schema: input, strict: true }],
    });
    assert.deepEqual(fieldsOf(strict(closed)), {
      tools: [fn({ parameters: closed, strict: true })],
    });
    for (const open of [
      schema,
      { ...closed, required: [] },
      { type: 'object' },
      { ...closed, properties: { a: { type: 'array', items: schema } } },
      { ...closed, $defs: { b: schema } },
      { anyOf: [closed, schema] },
    ]) {
      assert.deepEqual(fieldsOf(strict(open)), { tools: [fn({ parameters: open })] });
    }
  });

  const choices: [JsonObject, JsonObject][] = [
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [
      { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      { tool_choice: fn({}), parallel_tool_calls: false },
    ],
  ];
  for (const [choice, fields] of choices) {
    test(`the choice: ${JSON.stringify(choice)}`, () => {
      const { tools: _tools, ...rest } = fieldsOf({ tools, tool_choice: choice });
      assert.deepEqual(rest, fields);
    });
  }
});

describe('what cannot be said', () => {
  const content = (block: unknown, role = 'user'): JsonObject => ({
    messages: [{ role, content: [block] }],
  });
  const cases: [JsonObject, RegExp][] = [
    [{ messages: 'hello' }, /^messages is not a list/],
    [{ messages: [7] }, /^messages\[0\] is not an object/],
    [{ messages: [{ role: 'user', content: 7 }] }, /^messages\[0\]\.content must be/],
    [{ messages: [{ role: 'tool', content: '' }] }, /^messages\[0\]\.role must be/],
    [content(7), /^messages\[0\]\.content must be/],
    [{ tools: [{ type: 'web_search_20250305', name: 'w' }] }, /^tools\[0\]\.type: .*"web_search/],
    [{ tools: [{ name: 'f' }], tool_choice: { type: 'all' } }, /^tool_choice\.type/],
    [{ mcp_servers: [{ name: 'a' }] }, /^mcp_servers: /],
    [{ container: 'c' }, /^container: /],
    [{ thread: { type: 'continue' } }, /^thread: /],
    [{ output_config: { format: { type: 'xml' } } }, /^output_config\.format/],
  ];
  for (const [body, message] of cases) {
    test(JSON.stringify(body), () => {
      assert.throws(
        () => translate(body),
        (error) => error instanceof UntranslatableError && message.test(error.reason),
      );
    });
  }
});

describe('there and back again', () => {
  const texts = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .filter((value) => value.trim() !== '');
  const calls = fc
    .uniqueArray(fc.stringMatching(/^[\w-]{1,12}$/), { minLength: 1, maxLength: 3 })
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) =>
          fc.record({
            id: fc.constant(id),
            name: texts,
            input: fc.dictionary(texts, fc.jsonValue()),
          }),
        ),
      ),
    );

  /** Turns as both APIs can tell them: no two of a role in a row, every call answered. */
  const turns = fc.array(
    fc.record({ said: texts, answered: texts, calls: fc.option(calls), result: texts }),
    { minLength: 1, maxLength: 4 },
  );

  test('a chat keeps its roles, texts and calls', () => {
    fc.assert(
      fc.property(fc.option(texts), turns, (system, conversation) => {
        const messages: JsonObject[] = [
          ...(system === null ? [] : [{ role: 'system', content: system }]),
          ...conversation.flatMap(({ said, answered, calls: called, result }) => [
            { role: 'user', content: said },
            ...(called === null ? [] : callAndResults(called, answered, result)),
            { role: 'assistant', content: answered },
          ]),
        ];
        const asked = { model: 'm', nowMs: 0 };
        const there = chatToAnthropic.request({ ...asked, body: { messages } });
        const back = messagesToChat.request({ ...asked, body: there });
        assert.deepEqual(back.messages, messages);
      }),
    );
  });

  function callAndResults(
    called: { id: string; name: string; input: unknown }[],
    answered: string,
    result: string,
  ): JsonObject[] {
    const toolCalls = called.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    return [
      { role: 'assistant', content: answered, tool_calls: toolCalls },
      ...called.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: result })),
    ];
  }
});
