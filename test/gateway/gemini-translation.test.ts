import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const MODEL = 'gemini-2.5-flash';
const HELLO = [{ role: 'user', content: 'hello' }];

function translate(body: JsonObject, model = MODEL): JsonObject {
  return chatToGemini.request({ model, body: { messages: HELLO, ...body }, nowMs: 0 });
}

function contentsOf(messages: unknown, model = MODEL): unknown {
  return translate({ messages }, model).contents;
}

/** One content of the user with these parts. */
function userContent(...parts: JsonObject[]): unknown {
  return [{ role: 'user', parts }];
}

const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Köln"}' },
};
const SIGNED_CALL = { ...CALL, extra_content: { google: { thought_signature: 'c2ln' } } };
const GEMINI_CALL = { id: 'call_1', name: 'get_weather', args: { city: 'Köln' } };

describe('messages', () => {
  test('instructions get their own place, wherever they stand', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    ];
    assert.deepEqual(translate({ messages }), {
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      contents: userContent({ text: 'hello' }),
    });
  });

  test('instructions go to the first turn of the user where there is no other place', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, ...HELLO];
    const parts = [{ text: 'Be brief.' }, { text: 'hello' }];
    assert.deepEqual(translate({ messages }, 'gemma-3-27b-it'), {
      contents: userContent(...parts),
    });
    assert.deepEqual(contentsOf(messages.slice(0, 1)), userContent({ text: 'Be brief.' }));
    const answered = [messages[0], { role: 'assistant', content: 'hi' }];
    assert.deepEqual(contentsOf(answered, 'gemma-3-27b-it'), [
      { role: 'user', parts: [{ text: 'Be brief.' }] },
      { role: 'model', parts: [{ text: 'hi' }] },
    ]);
  });

  test('turns of one role become one; an empty answer is left out', () => {
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'three' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'four' },
    ];
    assert.deepEqual(contentsOf(messages), [
      { role: 'user', parts: [{ text: 'one' }, { text: 'two' }] },
      { role: 'model', parts: [{ text: 'three' }, { text: 'no' }] },
      { role: 'user', parts: [{ text: 'four' }] },
    ]);
  });

  const parts: [name: string, part: JsonObject, expected: JsonObject][] = [
    [
      'a picture in the request',
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBOR' } },
      { inlineData: { mimeType: 'image/png', data: 'iVBOR' } },
    ],
    [
      'a media type with a parameter',
      { type: 'image_url', image_url: { url: 'DATA:image/png;x=1;BASE64,iVBOR' } },
      { inlineData: { mimeType: 'image/png', data: 'iVBOR' } },
    ],
    [
      'a picture elsewhere',
      { type: 'image_url', image_url: { url: 'https://host/a.PNG?b=c.gif#d' } },
      { fileData: { fileUri: 'https://host/a.PNG?b=c.gif#d', mimeType: 'image/png' } },
    ],
    [
      'a picture without an extension',
      { type: 'image_url', image_url: { url: 'https://host/picture' } },
      { fileData: { fileUri: 'https://host/picture', mimeType: 'image/jpeg' } },
    ],
    [
      'a film',
      { type: 'video_url', video_url: { url: 'gs://bucket/film' } },
      { fileData: { fileUri: 'gs://bucket/film', mimeType: 'video/mp4' } },
    ],
    [
      'a sound',
      { type: 'input_audio', input_audio: { data: 'UklGR', format: 'wav' } },
      { inlineData: { mimeType: 'audio/wav', data: 'UklGR' } },
    ],
    [
      'a file',
      { type: 'file', file: { filename: 'x', file_data: 'data:application/pdf;base64,JVBE' } },
      { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } },
    ],
    [
      'a file whose name shows its type',
      { type: 'file', file: { filename: 'x.pdf', file_data: 'JVBE' } },
      { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } },
    ],
  ];
  for (const [name, part, expected] of parts) {
    test(`parts: ${name}`, () => {
      const content = [{ type: 'text', text: 'look' }, part];
      assert.deepEqual(
        contentsOf([{ role: 'user', content }]),
        userContent({ text: 'look' }, expected),
      );
    });
  }
});

describe('calls of tools and their results', () => {
  const asked = (calls: JsonObject[], content: unknown = null) => [
    ...HELLO,
    { role: 'assistant', content, tool_calls: calls },
  ];
  const result = (content: unknown, id = 'call_1') => ({
    role: 'tool',
    tool_call_id: id,
    content,
  });
  /** What became of the last message. */
  const last = (messages: JsonObject[], model?: string) =>
    (contentsOf(messages, model) as JsonObject[]).at(-1);

  test('a call keeps its id and its signature', () => {
    assert.deepEqual(last(asked([SIGNED_CALL], 'I look.')), {
      role: 'model',
      parts: [{ text: 'I look.' }, { functionCall: GEMINI_CALL, thoughtSignature: 'c2ln' }],
    });
  });

  test('a text keeps its signature, even an empty one', () => {
    const message = { role: 'assistant', extra_content: SIGNED_CALL.extra_content };
    assert.deepEqual(last([...HELLO, { ...message, content: 'hi' }]), {
      role: 'model',
      parts: [{ text: 'hi', thoughtSignature: 'c2ln' }],
    });
    assert.deepEqual(last([...HELLO, { ...message, content: null }]), {
      role: 'model',
      parts: [{ text: '', thoughtSignature: 'c2ln' }],
    });
  });

  for (const [model, calls, signatures] of [
    ['gemini-3.1-pro-preview', [CALL, CALL], ['skip_thought_signature_validator', undefined]],
    ['gemini-flash-latest', [CALL], ['skip_thought_signature_validator']],
    ['gemini-3.1-pro-preview', [SIGNED_CALL, CALL], ['c2ln', undefined]],
    ['gemini-2.5-pro', [CALL], [undefined]],
  ] as const) {
    test(`signatures that ${model} gets of ${calls.length} calls: ${signatures.join()}`, () => {
      const { parts } = last(asked([...calls]), model) as { parts: JsonObject[] };
      assert.deepEqual(
        parts.map(({ thoughtSignature }) => thoughtSignature),
        signatures,
      );
    });
  }

  test('a call without arguments', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'now', arguments: ' ' } };
    const functionCall = { id: 'call_1', name: 'now', args: {} };
    assert.deepEqual(last(asked([call])), { role: 'model', parts: [{ functionCall }] });
  });

  for (const [content, response] of [
    ['{"celsius":21}', { celsius: 21 }],
    ['sunny', { output: 'sunny' }],
    ['[1]', { output: '[1]' }],
    ['{broken', { output: '{broken' }],
    ['{"id":12345678901234567890}', { output: '{"id":12345678901234567890}' }],
    [[{ type: 'text', text: 'sunny' }], { output: 'sunny' }],
    ['', { output: '' }],
  ] as const) {
    test(`a result: ${JSON.stringify(content)}`, () => {
      assert.deepEqual(last([...asked([CALL]), result(content)]), {
        role: 'user',
        parts: [{ functionResponse: { id: 'call_1', name: 'get_weather', response } }],
      });
    });
  }

  test('results of several calls are one turn, and what the user says next another', () => {
    const second = { ...CALL, id: 'call_2' };
    const messages = [...asked([CALL, second]), result('a'), result('b', 'call_2'), ...HELLO];
    const contents = contentsOf(messages) as { role: string; parts: unknown[] }[];
    assert.deepEqual(
      contents.map(({ role, parts }) => [role, parts.length]),
      [
        ['user', 1],
        ['model', 2],
        ['user', 2],
        ['user', 1],
      ],
    );
  });

  test('a picture in a result goes inside where the model knows that, and beside it elsewhere', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBOR' } };
    const inlineData = { mimeType: 'image/png', data: 'iVBOR' };
    const messages = [...asked([SIGNED_CALL]), result([{ type: 'text', text: 'ok' }, image])];
    const functionResponse = { id: 'call_1', name: 'get_weather', response: { output: 'ok' } };
    assert.deepEqual(last(messages), {
      role: 'user',
      parts: [{ functionResponse }, { inlineData }],
    });
    assert.deepEqual(last(messages, 'gemini-3.1-pro-preview'), {
      role: 'user',
      parts: [{ functionResponse: { ...functionResponse, parts: [{ inlineData }] } }],
    });
  });

  const schema = { type: 'object', properties: { city: { type: 'string' } }, $defs: {} };

  test('tools keep their JSON Schema', () => {
    const tools = [
      { type: 'function', function: { name: 'a', description: 'A.', parameters: schema } },
      { type: 'function', function: { name: 'b' } },
    ];
    assert.deepEqual(translate({ tools }).tools, [
      {
        functionDeclarations: [
          { name: 'a', description: 'A.', parametersJsonSchema: schema },
          { name: 'b' },
        ],
      },
    ]);
    assert.equal('tools' in translate({ tools: [] }), false);
  });

  const chosen = { type: 'function', function: { name: 'a' } };
  for (const [choice, config] of [
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [chosen, { mode: 'ANY', allowedFunctionNames: ['a'] }],
    [
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [chosen] } },
      { mode: 'VALIDATED', allowedFunctionNames: ['a'] },
    ],
    [
      { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [chosen] } },
      { mode: 'ANY', allowedFunctionNames: ['a'] },
    ],
    [undefined, undefined],
    [null, undefined],
  ] as const) {
    test(`tool_choice: ${JSON.stringify(choice)}`, () => {
      const { toolConfig } = translate({ tools: [chosen], tool_choice: choice });
      const expected = config === undefined ? undefined : { functionCallingConfig: config };
      assert.deepEqual(toolConfig, expected);
    });
  }
});

describe('what has no words there is refused, and the field is named', () => {
  const user = (part: JsonObject) => ({ messages: [{ role: 'user', content: [part] }] });
  for (const [field, body] of [
    ['messages', { messages: 'hello' }],
    ['messages[0]', { messages: [null] }],
    ['messages[0].role', { messages: [{ role: 'function', content: '' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 1 }] }],
    ['messages[0].content[0].type', user({ type: 'hologram' })],
    ['messages[0].content[0].image_url.url', user({ type: 'image_url' })],
    [
      'messages[0].content[0].image_url.url',
      user({ type: 'image_url', image_url: { url: 'ftp://x' } }),
    ],
    [
      'messages[0].content[0].image_url.url',
      user({ type: 'image_url', image_url: { url: 'data:image/png,x' } }),
    ],
    ['messages[0].content[0].input_audio', user({ type: 'input_audio', input_audio: {} })],
    ['messages[0].content[0].file', user({ type: 'file', file: { file_id: 'file-1' } })],
    ['messages[0].content[0].file', user({ type: 'file', file: { file_data: 'x' } })],
    ['messages[0].function_call', { messages: [{ role: 'assistant', function_call: {} }] }],
    [
      'messages[0].tool_calls[0]',
      { messages: [{ role: 'assistant', tool_calls: [{ type: 'custom' }] }] },
    ],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }],
    ['tools[0].type', { tools: [{ type: 'custom' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    ['tool_choice', { tools: [{ type: 'function', function: { name: 'a' } }], tool_choice: 'x' }],
    ['response_format.type', { response_format: { type: 'grammar' } }],
    ['reasoning_effort', { reasoning_effort: 'extreme' }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: 'alloy' } }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['function_call', { function_call: 'auto' }],
    ['logit_bias', { logit_bias: { 5: 1 } }],
    ['web_search_options', { web_search_options: { search_context_size: 'low' } }],
  ] as const) {
    test(`${field}: ${JSON.stringify(body)}`, () => {
      assert.throws(
        () => translate(body),
        (error) => error instanceof UntranslatableError && error.reason.startsWith(`${field}:`),
      );
    });
  }

  test('what changes nothing is left out', () => {
    const body = { logit_bias: {}, modalities: ['text'], user: 'u', functions: [], audio: null };
    assert.deepEqual(translate(body), { contents: userContent({ text: 'hello' }) });
  });
});
