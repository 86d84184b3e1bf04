import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Conversation, Part } from '../../dashboard/src/lib/conversation/conversation.ts';
import { readAnswer } from '../../dashboard/src/lib/conversation/read-answer.ts';
import { readRequest } from '../../dashboard/src/lib/conversation/read-request.ts';
import { type JsonLayout, layOutJson } from '../../dashboard/src/lib/json-lines.ts';
import { timingBars } from '../../dashboard/src/lib/timing-bars.ts';

/** What is said, one line for each part. */
function told(conversation: Conversation | undefined): string[] | undefined {
  return conversation?.messages.flatMap(({ role, parts }) =>
    parts.map((part) => `${role} ${part.kind}: ${words(part)}`),
  );
}

function words(part: Part): string {
  switch (part.kind) {
    case 'call':
      return `${part.name} ${JSON.stringify(JSON.parse(part.input))}`;
    case 'result':
      return `${part.name} ${part.isError ? 'failed ' : ''}${part.parts.map(words).join(' ')}`;
    case 'media':
      return `${part.what} ${part.type} ${part.size} ${part.url}`;
    case 'other':
      return part.type;
    case 'text':
    case 'thinking':
    case 'refusal':
      return part.text;
  }
}

const PNG = 'data:image/png;base64,AAAA';

test('a request reads alike in whichever API it was made', () => {
  const chat = readRequest({
    model: 'gpt',
    temperature: 1,
    tools: [{ type: 'function', function: { name: 'weather' } }],
    messages: [
      { role: 'system', content: 'Brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: PNG } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
    ],
  });
  const anthropic = readRequest({
    temperature: 1,
    tools: [{ name: 'weather', input_schema: {} }],
    system: [{ type: 'text', text: 'Brief' }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c', name: 'weather', input: { a: 1 } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'sunny' }] },
    ],
  });
  const responses = readRequest({
    temperature: 1,
    tools: [{ type: 'function', name: 'weather' }],
    instructions: 'Brief',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi' },
          { type: 'input_image', image_url: PNG },
        ],
      },
      { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c', output: 'sunny' },
    ],
  });
  const gemini = readRequest({
    generationConfig: { temperature: 1 },
    tools: [{ functionDeclarations: [{ name: 'weather' }] }],
    systemInstruction: { parts: [{ text: 'Brief' }] },
    contents: [
      {
        role: 'user',
        parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
      },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { a: 1 } } }] },
      {
        role: 'tool',
        parts: [{ functionResponse: { name: 'weather', response: { output: 'sunny' } } }],
      },
    ],
  });
  const expected = [
    'system text: Brief',
    'user text: Hi',
    'user media: Image image/png 3 undefined',
    'assistant call: weather {"a":1}',
    'tool result: weather sunny',
  ];
  for (const one of [chat, responses]) assert.deepEqual(told(one), expected);
  // Who says it goes by another name there.
  const renamed = (one: Conversation | undefined, from: string, to: string) =>
    told(one)?.map((line) => line.replace(from, to));
  assert.deepEqual(renamed(anthropic, 'user result', 'tool result'), expected);
  assert.deepEqual(renamed(gemini, 'model', 'assistant'), expected);
  for (const one of [chat, anthropic, responses, gemini]) {
    assert.deepEqual([one?.settings, one?.tools], [[['temperature', '1']], ['weather']]);
  }
  assert.deepEqual(told(readRequest({ input: ['one', 'two'] })), [
    'user text: one',
    'user text: two',
  ]);
  assert.deepEqual(told(readRequest({ model: 'm', input: { prompt: 'Hi' } })), ['user text: Hi']);
  for (const strange of [undefined, null, 7, [], {}, { query: 'x' }]) {
    assert.equal(readRequest(strange), undefined);
  }
});

test('an answer reads alike in whichever API it was given, and failures are told', () => {
  const said = [
    { choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] },
    { choices: [{ text: 'Hi' }] },
    {
      object: 'response',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
      ],
    },
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
    { success: true, result: { response: 'Hi' } },
  ];
  for (const body of said) assert.deepEqual(told(readAnswer(body)), ['assistant text: Hi']);
  const candidates = [
    { content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' },
  ];
  assert.deepEqual(told(readAnswer({ candidates })), ['model text: Hi']);
  assert.deepEqual(told(readAnswer([{ candidates }])), ['model text: Hi']);
  const data = [{ embedding: [0.5, 1] }];
  assert.deepEqual(told(readAnswer({ data })), ['assistant text: One embedding of 2 numbers.']);
  assert.equal(
    readAnswer({ promptFeedback: { blockReason: 'SAFETY' } })?.messages[0]?.end,
    'SAFETY',
  );
  const failures = [
    { error: { message: 'No', type: 'bad' } },
    { type: 'error', error: { message: 'No', type: 'bad' } },
    { error: [{ message: 'No', code: 'bad' }], success: false },
    { errors: [{ message: 'No', code: 'bad' }], success: false },
  ];
  for (const body of failures) assert.deepEqual(readAnswer(body)?.failures, ['No (bad)']);
  for (const strange of [undefined, null, 'x', [], {}])
    assert.equal(readAnswer(strange), undefined);
});

function written({ lines }: JsonLayout): string {
  return lines
    .map(({ depth, tokens }) => '  '.repeat(depth) + tokens.map(({ text }) => text).join(''))
    .join('\n');
}

test('JSON is laid out as JSON.stringify does, and says the same', () => {
  const everything = Number.MAX_SAFE_INTEGER;
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (json) => {
      const layout = written(layOutJson(json, everything));
      assert.deepEqual(JSON.parse(layout), JSON.parse(json));
      // Lists of numbers stay on one line.
      if (!/\[[\d\s,.eE+-]+\]/.test(json) && !/-0\b|[eE]/.test(json)) {
        assert.equal(layout, JSON.stringify(JSON.parse(json), null, 2));
      }
    }),
  );
});

const SIGNS = Array.from('{}[]",:\\ 1ae\n');

test('numbers stay as they were written, and what is broken is laid out as far as it goes', () => {
  const big = '{"id":12345678901234567890,"list":[1.0,2.50],"twice":1,"twice":2}';
  const lines =
    '{\n  "id": 12345678901234567890,\n  "list": [1.0, 2.50],\n  "twice": 1,\n  "twice": 2\n}';
  assert.equal(written(layOutJson(big, 99)), lines);
  assert.equal(
    written(layOutJson('{"a":[{"b":"cut of', 99)),
    '{\n  "a": [\n    {\n      "b": "cut of',
  );
  assert.equal(written(layOutJson('}}]x,:"', 99)), '}\n}\n]\nx,\n: "');
  assert.deepEqual(layOutJson('', 9), { lines: [], isAll: true });
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...SIGNS) }), (text) => {
      const kept = written(layOutJson(text, Number.MAX_SAFE_INTEGER)).replaceAll(/[\s,]/g, '');
      assert.equal(kept, text.replaceAll(/[\s,]/g, ''));
    }),
  );
  // Of something huge only the beginning is looked at.
  const huge = `[${'{"a":"b"},'.repeat(200_000)}1]`;
  const start = performance.now();
  assert.equal(layOutJson(huge, 100).lines.length, 100);
  assert.ok(performance.now() - start < 100);
});

test('each call begins where the one before was given up', () => {
  const logs = [
    { id: 'a', step: 0, duration: 300, ttft: null },
    { id: 'b', step: 1, duration: 900, ttft: 500 },
  ];
  assert.deepEqual(
    timingBars(logs).map(({ startMs, firstByteMs, endMs }) => [startMs, firstByteMs, endMs]),
    [
      [0, undefined, 300],
      [300, 500, 900],
    ],
  );
});
