import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const MODEL = 'claude-sonnet-4-6';
const HELLO = [{ role: 'user', content: 'hello' }];

function translate(body: JsonObject, model = MODEL): JsonObject {
  return chatToAnthropic.request({ model, body: { messages: HELLO, ...body }, nowMs: 0 });
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

function blocksOf(...parts: JsonObject[]): unknown {
  const [message] = messagesOf({ role: 'user', content: parts }) as { content: unknown }[];
  return message?.content;
}

function refuses(body: JsonObject, message: RegExp, model = MODEL): void {
  assert.throws(
    () => translate(body, model),
    (error: unknown) => {
      assert.ok(error instanceof UntranslatableError);
      assert.match(error.reason, message);
      return true;
    },
  );
}

const text = (value: string): JsonObject => ({ type: 'text', text: value });
const call = (id: string, name: string, json: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: json },
});

describe('messages', () => {
  test('the least there is', () => {
    assert.deepEqual(translate({}), {
      model: MODEL,
      max_tokens: 128_000,
      messages: [{ role: 'user', content: [text('hello')] }],
    });
  });

  test('instructions have a place of their own, wherever they stood', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      ...HELLO,
      { role: 'developer', content: [text('Be kind.')] },
    ];
    const { system, messages: said } = translate({ messages });
    assert.deepEqual(system, [text('Be brief.'), text('Be kind.')]);
    assert.deepEqual(said, [{ role: 'user', content: [text('hello')] }]);
  });

  test('instructions alone become what the user says', () => {
    const translated = translate({ messages: [{ role: 'system', content: 'Sing.' }] });
    assert.deepEqual(translated.messages, [{ role: 'user', content: [text('Sing.')] }]);
    assert.equal(translated.system, undefined);
  });

  test('neighbours of one role become one message, and blank texts are left out', () => {
    const messages = messagesOf(
      { role: 'user', content: 'one' },
      { role: 'user', content: [text('two'), text(' \n')] },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'three' },
      { role: 'assistant', content: [text('four'), { type: 'refusal', refusal: 'five' }] },
      { role: 'assistant', content: null, refusal: 'six' },
    );
    assert.deepEqual(messages, [
      { role: 'user', content: [text('one'), text('two'), text('three')] },
      { role: 'assistant', content: [text('four'), text('five'), text('six')] },
    ]);
  });

  test('calls and their results', () => {
    const messages = messagesOf(
      ...HELLO,
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          call('call_1', 'weather', '{"city":"Wien"}'),
          call('functions.now:1', 'now', ''),
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      { role: 'tool', tool_call_id: 'functions.now:1', content: [text('noon'), text('sharp')] },
      { role: 'user', content: 'And?' },
    );
    assert.deepEqual(messages, [
      { role: 'user', content: [text('hello')] },
      {
        role: 'assistant',
        content: [
          text('Let me see.'),
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Wien' } },
          { type: 'tool_use', id: 'call64_ZnVuY3Rpb25zLm5vdzox', name: 'now', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [text('rain')] },
          {
            type: 'tool_result',
            tool_use_id: 'call64_ZnVuY3Rpb25zLm5vdzox',
            content: [text('noon'), text('sharp')],
          },
          text('And?'),
        ],
      },
    ]);
  });

  test('a tool that said nothing', () => {
    const said = messagesOf(...HELLO, { role: 'tool', tool_call_id: 'a', content: '' });
    assert.deepEqual(said, [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }, text('hello')] },
    ]);
  });

  test('what cannot be said', () => {
    const message = (fields: JsonObject): JsonObject => ({ messages: [fields] });
    refuses({ messages: 'hello' }, /^messages is not a list/);
    refuses({ messages: ['hello'] }, /^messages\[0\] is not an object/);
    refuses(message({ role: 'function', content: '' }), /^messages\[0\]\.role: .*"function"/);
    refuses(message({ role: 'user', content: 7 }), /^messages\[0\]\.content must be/);
    refuses(message({ role: 'user', content: ['a'] }), /^messages\[0\]\.content\[0\] is not/);
    refuses(message({ role: 'tool', content: 'a' }), /^messages\[0\]\.tool_call_id is missing/);
    const assistant = (one: JsonObject): JsonObject =>
      message({ role: 'assistant', tool_calls: [one] });
    refuses(
      assistant({ id: 'a', type: 'custom', custom: {} }),
      /tool_calls\[0\]\.function is missing/,
    );
    refuses(assistant({ function: { name: 'b' } }), /tool_calls\[0\]\.id is missing/);
    const called = { role: 'assistant', function_call: { name: 'a', arguments: '{}' } };
    refuses(message(called), /^messages\[0\]\.function_call: send tool_calls/);
  });
});

describe('images and documents', () => {
  const image = (url: unknown): JsonObject => ({ type: 'image_url', image_url: url });
  const file = (fields: JsonObject): JsonObject => ({ type: 'file', file: fields });
  const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' };
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
  const plain = { type: 'text', media_type: 'text/plain', data: 'a;b\nü' };
  const csv = Buffer.from('a;b\nü').toString('base64');
  const cases: [string, JsonObject, JsonObject][] = [
    [
      'a data: URL, whose detail is ignored',
      image({ url: 'data:image/png;base64,iVBORw0=', detail: 'high' }),
      { type: 'image', source: png },
    ],
    [
      'an address',
      image({ url: 'https://example.com/a.png' }),
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    ],
    [
      'a bare address',
      image('http://example.com/a.png'),
      { type: 'image', source: { type: 'url', url: 'http://example.com/a.png' } },
    ],
    [
      'a document as an image',
      image({ url: 'data:Application/PDF;base64,JVBERi0=' }),
      { type: 'document', source: pdf },
    ],
    [
      'a file',
      file({ filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }),
      { type: 'document', source: pdf, title: 'a.pdf' },
    ],
    ['a file without a head', file({ file_data: 'JVBERi0=' }), { type: 'document', source: pdf }],
    [
      'a text',
      file({ filename: 'a.CSV', file_data: csv }),
      { type: 'document', source: plain, title: 'a.CSV' },
    ],
    [
      'a text with a head',
      file({ file_data: `data:text/csv;charset=utf-8;base64,${csv}` }),
      { type: 'document', source: plain },
    ],
    [
      'an image as a file',
      file({ filename: 'a.png', file_data: 'iVBORw0=' }),
      { type: 'image', source: png },
    ],
    [
      'a document at an address',
      file({ file_data: 'https://example.com/a.pdf' }),
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ],
  ];
  for (const [name, part, block] of cases) {
    test(name, () => assert.deepEqual(blocksOf(part), [block]));
  }

  test('what cannot be shown', () => {
    const content = (part: JsonObject): JsonObject => ({
      messages: [{ role: 'user', content: [part] }],
    });
    refuses(content(image({})), /content\[0\]\.image_url\.url is missing/);
    refuses(content(image('ftp://example.com/a')), /must be an http URL or a base64/);
    refuses(content(image('data:image/svg+xml,<svg/>')), /must be an http URL or a base64/);
    refuses(content(image('data:video/mp4;base64,AA==')), /not "video\/mp4"/);
    refuses(content(file({ file_id: 'file-1' })), /content\[0\]\.file\.file_data is missing/);
    refuses(content({ type: 'input_audio' }), /content\[0\]\.type: .*"input_audio"/);
  });
});

test('marks for the cache stay where they were', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const parameters = { type: 'object' };
  const translated = translate({
    ...mark,
    messages: [
      { role: 'system', content: 'Be brief.', ...mark },
      { role: 'user', content: [{ ...text('a'), ...mark }, text('b')] },
      { role: 'assistant', tool_calls: [call('c', 'd', '')] },
      { role: 'tool', tool_call_id: 'c', content: 'e', ...mark },
    ],
    tools: [{ type: 'function', function: { name: 'd', parameters }, ...mark }],
  });
  assert.deepEqual(translated.cache_control, mark.cache_control);
  assert.deepEqual(translated.system, [{ ...text('Be brief.'), ...mark }]);
  assert.deepEqual(translated.tools, [{ name: 'd', input_schema: parameters, ...mark }]);
  const [first, , last] = translated.messages as { content: JsonObject[] }[];
  assert.deepEqual(first?.content, [{ ...text('a'), ...mark }, text('b')]);
  const result = { type: 'tool_result', tool_use_id: 'c', content: [text('e')], ...mark };
  assert.deepEqual(last?.content, [result]);
});

describe('tools', () => {
  const parameters = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1, description: 'How many.' } },
    required: ['n'],
  };
  const tool = (name: string, fields: JsonObject = {}): JsonObject => ({
    type: 'function',
    function: { name, ...fields },
  });

  test('their schemas; strict ones only as far as the API can be strict', () => {
    const tools = [
      tool('a', { description: 'Does a.', parameters }),
      tool('b'),
      tool('c', { parameters, strict: true }),
    ];
    const strict = {
      type: 'object',
      properties: { n: { type: 'integer', description: 'How many.\n\n{minimum: 1}' } },
      required: ['n'],
      additionalProperties: false,
    };
    const lenient = [
      { name: 'a', description: 'Does a.', input_schema: parameters },
      { name: 'b', input_schema: { type: 'object', properties: {} } },
    ];
    assert.deepEqual(fieldsOf({ tools }), {
      tools: [...lenient, { name: 'c', input_schema: strict, strict: true }],
    });
    assert.deepEqual(fieldsOf({ tools }, 'claude-3-haiku-20240307'), {
      tools: [...lenient, { name: 'c', input_schema: parameters }],
    });
  });

  const tools = [tool('a'), tool('b')];
  const named = { type: 'function', function: { name: 'a' } };
  const cases: [string, JsonObject, unknown][] = [
    ['left out', {}, undefined],
    ['null', { tool_choice: null }, undefined],
    ['auto', { tool_choice: 'auto' }, { type: 'auto' }],
    ['none', { tool_choice: 'none', parallel_tool_calls: false }, { type: 'none' }],
    ['required', { tool_choice: 'required' }, { type: 'any' }],
    ['named', { tool_choice: named }, { type: 'tool', name: 'a' }],
    [
      'one at a time',
      { parallel_tool_calls: false },
      { type: 'auto', disable_parallel_tool_use: true },
    ],
    [
      'exactly one',
      { tool_choice: 'required', parallel_tool_calls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    ['several', { tool_choice: 'auto', parallel_tool_calls: true }, { type: 'auto' }],
  ];
  for (const [name, body, choice] of cases) {
    test(`the choice: ${name}`, () => {
      assert.deepEqual(fieldsOf({ tools, ...body }).tool_choice, choice);
    });
  }

  test('the choice among some of them leaves the others out', () => {
    const allowed = { mode: 'required', tools: [named] };
    const choice = { type: 'allowed_tools', allowed_tools: allowed };
    assert.deepEqual(fieldsOf({ tools, tool_choice: choice }), {
      tools: [{ name: 'a', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'any' },
    });
  });

  test('no tools, no choice', () => {
    const body = { tools: [], tool_choice: 'auto', parallel_tool_calls: false };
    assert.deepEqual(fieldsOf(body), {});
  });

  test('what cannot be said', () => {
    refuses({ tools: 7 }, /^tools: must be a list of objects/);
    refuses(
      { tools: [{ type: 'custom', custom: { name: 'a' } }] },
      /^tools\[0\]: .*only tools of the type function/,
    );
    refuses({ tools, tool_choice: 'always' }, /^tool_choice: /);
    refuses({ tools, tool_choice: { type: 'custom', custom: {} } }, /^tool_choice: /);
  });
});
