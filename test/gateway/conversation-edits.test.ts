import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readBodyMembers } from '../../src/gateway/json/body-members.ts';
import { editBody } from '../../src/gateway/routing/model-field.ts';
import { openAiConversationEdits } from '../../src/gateway/providers/conversation-edits.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const EVERY_KEY: ReadonlySet<string> = new Set(['tool_calls', 'reasoning_content']);

async function edited(
  provider: string,
  text: string,
  path = 'v1/chat/completions',
): Promise<string> {
  const body = Buffer.from(text);
  const members = await readBodyMembers(body, 64);
  const keys = typeof members === 'string' ? EVERY_KEY : members.replyKeys;
  return editBody(body, await openAiConversationEdits(provider)(path, body, keys)).toString();
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const RESULT = { role: 'tool', tool_call_id: 'call_1', content: 'a' };
const REPLY = { role: 'assistant', content: 'a', reasoning_content: 'Hm.', refusal: null };

describe('replies of other models in chat completions', () => {
  test('lose the members that the provider refuses', async () => {
    const reply = { ...REPLY, thinking_blocks: [], reasoning: 'Hm.', reasoning_details: [{}] };
    for (const [provider, expected] of [
      ['openai', { role: 'assistant', content: 'a', refusal: null }],
      ['azure-openai', { role: 'assistant', content: 'a', refusal: null }],
      ['mistral', { role: 'assistant', content: 'a' }],
      ['groq', { role: 'assistant', content: 'a', reasoning: 'Hm.' }],
      ['cerebras', { role: 'assistant', content: 'a', reasoning: 'Hm.' }],
      ['fireworks', { role: 'assistant', content: 'a', reasoning_content: 'Hm.' }],
      ['openrouter', reply],
      ['custom-mine', reply],
    ] as const) {
      const { messages } = JSON.parse(
        await edited(provider, JSON.stringify({ messages: [reply] })),
      );
      assert.deepEqual(messages, [expected], provider);
    }
  });

  test('keep everything in messages of other roles and outside the messages', async () => {
    const body = {
      reasoning: { effort: 'low' },
      messages: [
        { ...REPLY, role: 'user' },
        { ...REPLY, role: 'tool', tool_call_id: 'abcdefghi' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: REPLY } }],
      audio: {},
    };
    const text = JSON.stringify(body, undefined, 1);
    assert.equal(await edited('mistral', text), text);
  });

  test('have IDs that Mistral accepts, the same in calls and results', async () => {
    const messages = [{ role: 'assistant', content: null, tool_calls: [CALL, 7] }, RESULT];
    const text = await edited('mistral', JSON.stringify({ messages }));
    const [reply, result] = JSON.parse(text).messages;
    assert.match(reply.tool_calls[0].id, /^[a-zA-Z0-9]{9}$/);
    assert.equal(result.tool_call_id, reply.tool_calls[0].id);
    assert.deepEqual(reply.tool_calls, [{ ...CALL, id: result.tool_call_id }, 7]);
    assert.equal(await edited('mistral', text), text);
    assert.equal(
      await edited('openai', JSON.stringify({ messages })),
      JSON.stringify({ messages }),
    );
  });

  test('lose the signatures of calls', async () => {
    const call = { ...CALL, extra_content: { google: { thought_signature: 'x' } } };
    const messages = [{ role: 'assistant', content: null, tool_calls: [call] }, RESULT];
    const { messages: sent } = JSON.parse(await edited('openai', JSON.stringify({ messages })));
    assert.deepEqual(sent[0].tool_calls, [CALL]);
  });

  test('of any conversation change only as described', async () => {
    const anyMessage = fc.record(
      {
        role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
        content: fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 })),
        tool_calls: fc.oneof(
          fc.jsonValue({ maxDepth: 1 }),
          fc.array(fc.record({ id: fc.string(), extra_content: fc.jsonValue({ maxDepth: 1 }) })),
        ),
        tool_call_id: fc.oneof(fc.string(), fc.constant('abcdefghi')),
        reasoning_content: fc.string(),
        refusal: fc.constant(null),
      },
      { requiredKeys: ['role'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anyMessage, fc.jsonValue({ maxDepth: 1 })), { maxLength: 5 }),
        fc.constantFrom(undefined, 1, '\t\r\n'),
        async (messages, space) => {
          const body = { before: [REPLY], messages, after: { messages: [REPLY] } };
          const found = JSON.parse(await edited('mistral', JSON.stringify(body, undefined, space)));
          assert.deepEqual(
            { ...found, messages: found.messages.map(withoutChanges) },
            { ...JSON.parse(JSON.stringify(body)), messages: messages.map(withoutChanges) },
          );
          const replies = (found.messages as unknown[]).filter(
            (one) => (one as JsonObject | null)?.role === 'assistant',
          );
          assert.equal(JSON.stringify(replies).includes('"extra_content":'), false);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of a broken body pass without an error', async () => {
    const text = JSON.stringify({ messages: [{ ...REPLY, tool_calls: [CALL] }, RESULT] });
    for (let length = 0; length < text.length; length++)
      assert.equal(typeof (await edited('mistral', text.slice(0, length))), 'string');
  });
});

/** A message without the parts that may change. */
function withoutChanges(message: unknown): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(message));
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return plain;
  const { role, tool_call_id: id, ...rest } = plain as JsonObject;
  if (role === 'tool') return { role, ...rest, hasId: id !== undefined };
  if (role !== 'assistant') return plain;
  const { reasoning_content: _, refusal: __, tool_calls: calls, ...own } = rest;
  if (!Array.isArray(calls)) return { ...own, id, calls };
  return { ...own, id, calls: calls.length };
}

describe('thoughts that the gateway has encoded', () => {
  const thought = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [],
    encrypted_content: 'latchkey-1.e30',
  };
  const foreign = { ...thought, encrypted_content: 'gAAA' };
  const message = { role: 'user', content: 'latchkey-1.' };

  test('do not reach a provider of the Responses API', async () => {
    for (const provider of ['openai', 'azure-openai', 'xai', 'aws-bedrock', 'custom-mine'])
      for (const [input, expected] of [
        [[thought, message], [message]],
        [[message, thought], [message]],
        [
          [thought, foreign, thought, message, thought, thought],
          [foreign, message],
        ],
      ]) {
        const text = await edited(
          provider,
          JSON.stringify({ input, a: [thought] }),
          'v1/responses',
        );
        assert.deepEqual(JSON.parse(text), { input: expected, a: [thought] });
      }
  });

  test('take nothing with them between two lists, such as a limit of the cost', async () => {
    const [one, other] = [JSON.stringify(thought), JSON.stringify(message)];
    for (const member of ['"max_output_tokens":1', '"model":"a","stream":true', '"x":[{"y":[]}]']) {
      for (const [first, second] of [
        [`[${one}]`, `[${other}]`],
        [`[${other},${one}]`, `[${other}]`],
        [`[${one},${other}]`, `[${one},${one},${other}]`],
      ] as const) {
        const body = `{"input":${first},${member},"input":${second}}`;
        const text = await edited('openai', body, 'v1/responses');
        assert.ok(text.includes(`],${member},"input":[`), text);
        assert.equal(JSON.parse(text).input.length, 1);
      }
    }
  });

  test('stay in other requests and members', async () => {
    for (const body of [
      { input: [message] },
      { input: '"latchkey-1.' },
      { x: [thought] },
      [thought],
    ]) {
      const text = JSON.stringify(body);
      assert.equal(await edited('openai', text, 'v1/responses'), text);
    }
    const text = JSON.stringify({ input: [thought, message] });
    assert.equal(await edited('openai', text, 'v1/embeddings'), text);
  });
});
