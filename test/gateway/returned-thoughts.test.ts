import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { onEachDatabase } from '../support/databases.ts';
import { EVENT_STREAM, answer, event, head } from '../support/scripted-upstream.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' };
const ENCRYPTED = { type: 'redacted_thinking', data: 'x' };
const CALL = { id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const RESULT = { role: 'tool', tool_call_id: 'toolu_1', content: 'a' };
const USE = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
const HELLO = { role: 'user', content: 'hello' };

function requestOf(body: JsonObject, model = 'claude-haiku-4-5'): JsonObject {
  return chatToAnthropic.request({ model, body: { max_tokens: 8_000, ...body }, nowMs: 0 });
}

const contentOf = (turn: JsonObject, model?: string): unknown => {
  const messages = [HELLO, { role: 'assistant', tool_calls: [CALL], ...turn }, RESULT];
  return (requestOf({ messages }, model).messages as JsonObject[])[1]?.content;
};

describe('thoughts that a client returns', () => {
  test('come first, as they were', () => {
    assert.deepEqual(contentOf({ content: 'See:', thinking_blocks: [THOUGHT, ENCRYPTED] }), [
      THOUGHT,
      ENCRYPTED,
      { type: 'text', text: 'See:' },
      USE,
    ]);
  });

  test('may have the form of OpenRouter', () => {
    const details = [
      { type: 'reasoning.text', text: 'Hm.', signature: 'EqQB' },
      { type: 'reasoning.encrypted', data: 'x' },
      { type: 'reasoning.summary', summary: 'Hm.' },
    ];
    assert.deepEqual(contentOf({ reasoning_details: details }), [THOUGHT, ENCRYPTED, USE]);
  });

  test('are omitted without a signature, and for models that do not think', () => {
    for (const blocks of [[{ ...THOUGHT, signature: '' }], [{ type: 'x' }], [7], 'a', null]) {
      assert.deepEqual(contentOf({ thinking_blocks: blocks }), [USE]);
    }
    assert.deepEqual(contentOf({ thinking_blocks: [THOUGHT] }, 'claude-3-haiku-20240307'), [USE]);
  });

  test('keep thinking turned on between calls; without them it is turned off', () => {
    const enabled = { type: 'enabled', budget_tokens: 2_000 };
    const turn = (fields: JsonObject): JsonObject => ({
      messages: [HELLO, { role: 'assistant', tool_calls: [CALL], ...fields }, RESULT],
    });
    const kept = turn({ thinking_blocks: [THOUGHT] });
    assert.deepEqual(requestOf({ ...kept, thinking: enabled }).thinking, enabled);
    assert.equal(
      (requestOf({ ...kept, reasoning_effort: 'low' }).thinking as JsonObject).type,
      'enabled',
    );
    assert.equal(requestOf({ ...turn({}), thinking: enabled }).thinking, undefined);
    assert.equal(requestOf({ ...turn({}), reasoning_effort: 'low' }).thinking, undefined);
    assert.deepEqual(requestOf({ messages: [HELLO], thinking: enabled }).thinking, enabled);
  });
});

test('totals in a stream never decrease', () => {
  const stream = chatToAnthropic.stream({
    model: 'claude-x',
    body: { messages: [HELLO], stream: true, stream_options: { include_usage: true } },
    nowMs: 0,
  });
  const send = (value: JsonObject): string[] =>
    stream.event({ data: JSON.stringify(value) }).map(({ data }) => data);
  send({
    type: 'message_start',
    message: {
      id: 'm',
      usage: { input_tokens: 2_500, cache_read_input_tokens: 1_000, output_tokens: 1 },
    },
  });
  send({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 },
  });
  const [usage] = send({ type: 'message_stop' });
  const { prompt_tokens: prompt, completion_tokens: completion } = (
    JSON.parse(usage ?? '{}') as { usage: JsonObject }
  ).usage;
  assert.deepEqual([prompt, completion], [3_500, 7]);
});

test('a model without structured output is told the schema in words', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const older = requestOf({ messages: [HELLO], response_format: format }, 'claude-sonnet-4-0');
  assert.equal(older.output_config, undefined);
  assert.ok(
    JSON.stringify(older.system).includes(JSON.stringify(JSON.stringify(schema)).slice(1, -1)),
  );
  const newer = requestOf({ messages: [HELLO], response_format: format }, 'claude-opus-5');
  assert.equal(newer.system, undefined);
  assert.equal(((newer.output_config as JsonObject).format as JsonObject).type, 'json_schema');
});

onEachDatabase((database) => {
  describe('an unmodified client of the OpenAI API', () => {
    let bench: ScriptedBench;
    before(async () => {
      bench = await startScripted(database);
    });
    after(() => bench.stop());

    const reply = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [THOUGHT, USE],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7 },
    };
    const block = (index: number, ...changes: JsonObject[]): string[] => [
      ...changes.map((one) =>
        event(
          'content_block' in one
            ? { type: 'content_block_start', index, ...one }
            : { type: 'content_block_delta', index, delta: one },
        ),
      ),
      event({ type: 'content_block_stop', index }),
    ];

    test('returns the thoughts of Claude, in three turns', async () => {
      await bench.upstream.set(
        'claude-haiku-4-5',
        answer(200, reply),
        [
          head(200, EVENT_STREAM),
          event({ type: 'message_start', message: { ...reply, content: [] } }),
          ...block(
            0,
            { content_block: { type: 'thinking', thinking: '', signature: '' } },
            { type: 'thinking_delta', thinking: 'H' },
            { type: 'thinking_delta', thinking: 'm.' },
            { type: 'signature_delta', signature: 'EqQB' },
          ),
          ...block(1, { content_block: USE }),
          event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} }),
          event({ type: 'message_stop' }),
        ],
        answer(200, { ...reply, content: [{ type: 'text', text: 'Done.' }] }),
      );
      const client = new OpenAI({
        apiKey: bench.server.token,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai/v1`,
      });
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }];
      const request = {
        model: 'anthropic/claude-haiku-4-5',
        reasoning_effort: 'low' as const,
        max_completion_tokens: 8_000,
        messages,
        tools: [{ type: 'function' as const, function: { name: 'f', parameters: {} } }],
      };
      const first = await client.chat.completions.create(request);
      const second = client.chat.completions.stream(request);
      for (const completion of [first, await second.finalChatCompletion()]) {
        const [choice] = completion.choices;
        assert.ok(choice !== undefined);
        messages.push(choice.message, { role: 'tool', tool_call_id: 'toolu_1', content: 'a' });
      }
      const last = await client.chat.completions.create(request);
      assert.equal(last.choices[0]?.message.content, 'Done.');
      const sent = (await bench.upstream.requests('claude-haiku-4-5')).map(
        ({ body }) => JSON.parse(body) as { thinking: JsonObject; messages: JsonObject[] },
      );
      for (const { thinking } of sent) assert.equal(thinking.type, 'enabled');
      assert.deepEqual(
        sent.at(-1)?.messages.filter(({ role }) => role === 'assistant'),
        [
          { role: 'assistant', content: [THOUGHT, USE] },
          { role: 'assistant', content: [THOUGHT, USE] },
        ],
      );
    });
  });
});
