import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

function messagesOf(...messages: JsonObject[]): unknown {
  return messagesToChat.request({ model: 'm', body: { max_tokens: 5, messages }, nowMs: 0 })
    .messages;
}

const text = (value: string): JsonObject => ({ type: 'text', text: value });

describe('content that chat completions do not have is a text', () => {
  const found = { type: 'web_search_result', title: 'A', url: 'https://a', encrypted_content: 'x' };
  const cases: [JsonObject, string][] = [
    [{ type: 'tool_reference', tool_name: 'find' }, 'Tool available: find'],
    [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'a' } },
      'Tool call: web_search {"query":"a"}',
    ],
    [
      { type: 'web_search_tool_result', tool_use_id: 's', content: [found, found] },
      'web search tool result: A\nhttps://a\nA\nhttps://a',
    ],
    [
      {
        type: 'web_search_tool_result',
        content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
      },
      'web search tool result: max_uses_exceeded',
    ],
    [
      {
        type: 'code_execution_tool_result',
        content: { stdout: 'a', stderr: 'b', return_code: 0, content: [] },
      },
      'code execution tool result: a\nb',
    ],
    [{ type: 'mcp_tool_use', name: 'read', server_name: 'x', input: {} }, 'Tool call: read {}'],
    [{ type: 'mcp_tool_result', content: [text('a'), text('b')] }, 'mcp tool result: a\nb'],
    [{ type: 'compaction', content: 'We read a file.' }, 'We read a file.'],
    [{ type: 'container_upload', file_id: 'file_1' }, 'File: file_1'],
    [
      { type: 'document', title: 'A', source: { type: 'url', url: 'https://a.pdf' } },
      'Document: A https://a.pdf',
    ],
    [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }, 'Document: file_1'],
    [{ type: 'image', source: { type: 'file', file_id: 'file_1' } }, 'Image: file_1'],
    [{ type: 'newer_than_this', text: 'a' }, 'newer than this: a'],
    [{}, 'content: '],
  ];
  for (const [block, expected] of cases) {
    test(JSON.stringify(block), () => {
      assert.deepEqual(messagesOf({ role: 'user', content: [block] }), [
        { role: 'user', content: expected },
      ]);
      const said = messagesOf({ role: 'assistant', content: [text('1'), block, text('2')] });
      assert.deepEqual(said, [{ role: 'assistant', content: `1\n${expected}\n2` }]);
      const result = { type: 'tool_result', tool_use_id: 'a', content: [block] };
      assert.deepEqual(messagesOf({ role: 'user', content: [result] }), [
        { role: 'tool', tool_call_id: 'a', content: expected },
      ]);
    });
  }

  test('any block translates, to a bounded text', () => {
    fc.assert(
      fc.property(
        fc.letrec<{ block: JsonObject; value: unknown }>((tie) => ({
          block: fc.dictionary(
            fc.constantFrom('type', 'name', 'content', 'source', 'text', 'input', 'title', 'a'),
            tie('value'),
          ),
          value: fc.oneof(
            { depthSize: 'small' },
            fc.constantFrom(null, 7, 'thinking', 'text', 'image', 'document', 'tool_use', 'x'),
            fc.array(tie('block'), { maxLength: 3 }),
            tie('block'),
          ),
        })).block,
        fc.constantFrom('user', 'assistant'),
        (block, role) => {
          // Its content is checked like that of a message.
          if (block.type === 'tool_result' || block.type === 'document') return;
          assert.equal(Array.isArray(messagesOf({ role, content: [block] })), true);
        },
      ),
    );
    const deep = JSON.parse(`${'{"content":'.repeat(5_000)}"a"${'}'.repeat(5_000)}`) as JsonObject;
    assert.equal(JSON.stringify(messagesOf({ role: 'user', content: [deep] })).includes('a'), true);
    const long = { type: 'x_tool_result', content: Array(200).fill(text('a'.repeat(10_000))) };
    assert.ok(JSON.stringify(messagesOf({ role: 'user', content: [long] })).length < 120_000);
  });
});
