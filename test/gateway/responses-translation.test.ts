import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { responsesToChat } from '../../src/gateway/translators/responses-to-messages/responses-to-messages.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';
import { FUNCTION, PATCH, user } from './responses-input.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

function chatOf(body: JsonObject, model = 'llama-4', provider = 'groq'): JsonObject {
  return responsesToChat.request({ model, provider, body: { input: 'hello', ...body }, nowMs: 0 });
}
const messagesOf = (body: JsonObject, provider?: string): unknown =>
  chatOf(body, 'llama-4', provider).messages;

describe('a request, as a chat completion', () => {
  test('the least there is', () => {
    assert.deepEqual(chatOf({}), {
      model: 'llama-4',
      messages: [{ role: 'user', content: 'hello' }],
    });
  });

  test('instructions and the first developer messages are one system message', () => {
    const input = [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be safe.' }] },
      { role: 'system', content: 'In German.' },
      user('hello'),
      { role: 'developer', content: 'Now stop.' },
    ];
    assert.deepEqual(messagesOf({ instructions: 'Be brief.', input }), [
      { role: 'system', content: 'Be brief.\n\nBe safe.\n\nIn German.' },
      {
        role: 'user',
        content: 'hello\n\n<system-reminder>\nNow stop.\n</system-reminder>',
      },
    ]);
  });

  test('calls, results and thoughts', () => {
    const input = [
      user('Read.'),
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: null,
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I read.' }] },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"a"}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '*** Begin' },
      { type: 'web_search_call', id: 'ws', status: 'completed' },
      { type: 'function_call_output', call_id: 'a', output: 'A' },
      {
        type: 'custom_tool_call_output',
        call_id: 'b',
        output: [{ type: 'input_text', text: 'Done.' }],
      },
      user('And?'),
    ];
    assert.deepEqual(messagesOf({ input }, 'custom-kimi'), [
      { role: 'user', content: 'Read.' },
      {
        role: 'assistant',
        content: 'I read.',
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          {
            id: 'b',
            type: 'function',
            function: { name: 'apply_patch', arguments: '{"input":"*** Begin"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'Done.' },
      { role: 'user', content: 'And?' },
    ]);
  });

  test('images and files', () => {
    const content = [
      { type: 'input_text', text: 'See:' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
      { type: 'input_image', image_url: 'https://example.com/a.png' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
      { type: 'input_file', file_url: 'https://example.com/b.pdf' },
    ];
    assert.deepEqual(messagesOf({ input: [{ role: 'user', content }] }), [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
          },
          { type: 'text', text: 'Document: https://example.com/b.pdf' },
        ],
      },
    ]);
  });

  test('tools: functions, custom tools, namespaces', () => {
    const tools = [
      FUNCTION,
      PATCH,
      { type: 'web_search', external_web_access: false },
      { type: 'namespace', name: 'mcp', tools: [{ ...FUNCTION, name: 'find' }] },
    ];
    const chat = chatOf({ tools, parallel_tool_calls: false, tool_choice: 'required' });
    const names = (chat.tools as { function: { name: string } }[]).map(
      ({ function: { name } }) => name,
    );
    assert.deepEqual(names, ['read', 'apply_patch', 'mcp__find']);
    assert.deepEqual([chat.tool_choice, chat.parallel_tool_calls], ['required', false]);
    const [, patch] = chat.tools as { function: { description: string; parameters: JsonObject } }[];
    assert.match(patch?.function.description ?? '', /^Edits files\.\n\nThe input follows .*lark/);
    assert.deepEqual(patch?.function.parameters.required, ['input']);
  });

  const choices: [choice: unknown, expected: unknown][] = [
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [
      { type: 'function', name: 'read' },
      { type: 'function', function: { name: 'read' } },
    ],
    [
      { type: 'custom', name: 'apply_patch' },
      { type: 'function', function: { name: 'apply_patch' } },
    ],
    [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'read' }] }, 'auto'],
    [{ type: 'allowed_tools', mode: 'required', tools: [{ name: 'read' }] }, 'required'],
  ];
  for (const [choice, expected] of choices) {
    test(`the choice ${JSON.stringify(choice)}`, () => {
      const chat = chatOf({ tools: [FUNCTION, PATCH], tool_choice: choice });
      assert.deepEqual(chat.tool_choice, expected);
      const isLimited = JSON.stringify(choice).includes('allowed_tools');
      assert.equal((chat.tools as unknown[]).length, isLimited ? 1 : 2);
    });
  }

  test('parameters', () => {
    const format = { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true };
    const body = {
      max_output_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'minimal', summary: 'auto' },
      text: { format, verbosity: 'low' },
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'k',
      metadata: { a: 'b' },
    };
    const {
      response_format: responseFormat,
      messages: _messages,
      ...rest
    } = chatOf(body, 'gpt-oss');
    assert.deepEqual(rest, {
      model: 'gpt-oss',
      max_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      reasoning_effort: 'low',
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.equal((responseFormat as JsonObject).type, 'json_schema');
    const object = { text: { format: { type: 'json_object' } } };
    assert.match(JSON.stringify(messagesOf(object)), /single JSON object/);
  });

  const refusals: [body: JsonObject, message: RegExp][] = [
    [{ previous_response_id: 'resp_1' }, /^previous_response_id: .*whole conversation/],
    [{ conversation: 'conv_1' }, /^conversation: /],
    [{ background: true }, /^background: /],
    [{ prompt: { id: 'x' } }, /^prompt: /],
    [{ top_logprobs: 3 }, /^top_logprobs: /],
    [{ unheard_of: 1 }, /^unheard_of: /],
    [{ input: [7] }, /^input: must be/],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, /^input\[0\]: .*does not store items/],
    [{ input: [{ role: 'tool', content: '' }] }, /^input\[0\]\.role/],
    [{ input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, /^input\[0\]\.call_id/],
    [
      { tools: [{ type: 'file_search', vector_store_ids: [] }] },
      /^tools\[0\]\.type: .*file_search/,
    ],
    [{ tools: [{ type: 'code_interpreter' }] }, /^tools\[0\]\.type/],
    [{ tools: [{ type: 'web_search' }], tool_choice: 'required' }, /^tool_choice: /],
    [{ tools: [FUNCTION], tool_choice: { type: 'mcp' } }, /^tool_choice must be/],
    [{ text: { format: { type: 'grammar' } } }, /^text\.format\.type/],
  ];
  for (const [body, message] of refusals) {
    test(`${JSON.stringify(body)} is refused`, () => {
      assert.throws(
        () => chatOf(body),
        (error) => error instanceof UntranslatableError && message.test(error.reason),
      );
    });
  }
});
