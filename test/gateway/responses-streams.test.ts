import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import OpenAI from 'openai';
import { responsesToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { responsesToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import { responsesToChat } from '../../src/gateway/translators/responses-to-messages/responses-to-messages.ts';
import type { Translator } from '../../src/gateway/translators/translator.ts';
import { onEachDatabase } from '../support/databases.ts';
import { EVENT_STREAM, answer, event, head } from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { FUNCTION, PATCH, user } from './responses-input.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

describe('thoughts of Claude and their signatures', () => {
  const asked = {
    model: 'claude-haiku-4-5',
    provider: 'anthropic',
    body: { input: 'hello', tools: [FUNCTION], reasoning: { effort: 'low' } },
    nowMs: 0,
  };
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' };
  const encrypted = { type: 'redacted_thinking', data: 'x' };
  const use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [thought, encrypted, use],
    stop_reason: 'tool_use',
    usage: { input_tokens: 11, output_tokens: 7 },
  };

  function returned(output: JsonObject[]): unknown {
    const input = [
      user('Read.'),
      ...output,
      { type: 'function_call_output', call_id: 'toolu_1', output: 'A' },
    ];
    const request = responsesToAnthropic.request({ ...asked, body: { ...asked.body, input } });
    assert.equal((request.thinking as JsonObject).type, 'enabled');
    return (request.messages as JsonObject[])[1]?.content;
  }

  test('return to it', () => {
    const { output } = responsesToAnthropic.response(message, asked) as { output: JsonObject[] };
    assert.deepEqual(
      output.map(({ type }) => type),
      ['reasoning', 'reasoning', 'function_call'],
    );
    assert.deepEqual(returned(output), [thought, encrypted, use]);
  });

  test('return to it from a stream', () => {
    const stream = responsesToAnthropic.stream(asked);
    const block = (index: number, start: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const events = [
      { type: 'message_start', message: { ...message, content: [] } },
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'Hm.' },
        { type: 'signature_delta', signature: 'EqQB' },
      ),
      ...block(1, encrypted),
      ...block(
        2,
        { ...use, input: {} },
        { type: 'input_json_delta', partial_json: '{"path":"a"}' },
      ),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ];
    const sent = events.flatMap((one) => stream.event({ data: JSON.stringify(one) }));
    const last = JSON.parse(sent.at(-1)?.data ?? '{}') as { type: string; response: JsonObject };
    assert.equal(last.type, 'response.completed');
    assert.deepEqual(returned(last.response.output as JsonObject[]), [thought, encrypted, use]);
  });
});

/** The events of a stream. Asserts their order: each item is added, changed and done, one after the other. */
function responseOf(events: JsonObject[]): JsonObject {
  let open: unknown;
  let count = 0;
  const texts: string[] = [];
  for (const [
    index,
    { type, sequence_number: number, item, item_id: id, delta },
  ] of events.entries()) {
    assert.equal(number, index);
    if (type === 'response.output_item.added') {
      assert.equal(open, undefined);
      open = (item as JsonObject).id;
      texts.push('');
    } else if (type === 'response.output_item.done') {
      assert.equal((item as JsonObject).id, open);
      open = undefined;
      count++;
    } else if (id !== undefined) {
      assert.equal(id, open);
      if (typeof delta === 'string') texts.push(String(texts.pop()) + delta);
    }
  }
  assert.equal(open, undefined);
  const { response } = events.at(-1) as { response: JsonObject };
  const output = response.output as JsonObject[];
  assert.equal(output.length, count);
  const whole = output.map((item) => {
    const [part] = (item.content ?? item.summary ?? []) as JsonObject[];
    return item.arguments ?? item.input ?? part?.text ?? '';
  });
  assert.deepEqual(
    texts.map((text, at) => (text === '' && whole[at] === '{}' ? '{}' : text)),
    whole,
  );
  return response;
}

test('streams and whole responses say the same, for random responses of each provider', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  const call = fc.record({
    name: fc.constantFrom('read', 'apply_patch'),
    input: fc.record({ input: fc.string(), path: fc.jsonValue() }),
  });
  fc.assert(
    fc.property(
      fc.option(text),
      fc.option(text),
      fc.array(call, { maxLength: 3 }),
      (said, thought, calls) => {
        const toolCalls = calls.map(({ name, input }, index) => ({
          index,
          id: `call_${index}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        }));
        const message = {
          role: 'assistant',
          content: said,
          reasoning_content: thought,
          tool_calls: toolCalls,
        };
        const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
        const body = { input: 'hello', tools: [FUNCTION, PATCH], stream: true };
        const asked = { model: 'm', body, nowMs: 0 };
        const choice = { index: 0, finish_reason: 'stop' };
        const whole =
          responsesToChat.response({ choices: [{ ...choice, message }], usage }, asked) ?? {};
        const stream = responsesToChat.stream(asked);
        const chunks = [
          ...Array.from(thought ?? '').map((part) => ({ reasoning_content: part })),
          ...Array.from(said ?? '').map((part) => ({ content: part })),
          ...toolCalls.map((one) => ({ tool_calls: [one] })),
        ].map((delta) => ({ choices: [{ index: 0, delta }] }));
        const sent = [
          ...chunks,
          { choices: [{ ...choice, delta: {} }] },
          { choices: [], usage },
        ].flatMap((chunk) => stream.event({ data: JSON.stringify(chunk) }));
        const events = [...sent, ...stream.event({ data: '[DONE]' }), ...stream.end()].map(
          ({ data }) => JSON.parse(data) as JsonObject,
        );
        const streamed = responseOf(events);
        const plain = (response: JsonObject): unknown =>
          JSON.parse(JSON.stringify(response).replaceAll(/"(?:resp|msg|rs|fc|ctc)_\w+"/g, '"id"'));
        assert.deepEqual(plain(streamed), plain(whole));
      },
    ),
    { numRuns: 300 },
  );
});

test('the end of a stream: complete, incomplete and failed', () => {
  const asked = { model: 'm', body: { input: 'hello', stream: true }, nowMs: 0 };
  const lastOf = (...chunks: (JsonObject | string)[]): JsonObject => {
    const stream = responsesToChat.stream(asked);
    const sent = chunks.flatMap((one) =>
      stream.event({ data: typeof one === 'string' ? one : JSON.stringify(one) }),
    );
    const last = [...sent, ...stream.end()].at(-1);
    return JSON.parse(last?.data ?? '{}') as JsonObject;
  };
  const chunk = (finish: string | null): JsonObject => ({
    choices: [{ index: 0, delta: { content: 'a' }, finish_reason: finish }],
  });
  assert.equal(lastOf(chunk('stop'), '[DONE]').type, 'response.completed');
  const limited = lastOf(chunk('length'), '[DONE]');
  assert.equal(limited.type, 'response.incomplete');
  assert.deepEqual((limited.response as JsonObject).incomplete_details, {
    reason: 'max_output_tokens',
  });
  const cut = lastOf(chunk(null));
  assert.equal(cut.type, 'response.failed');
  const long = lastOf({ error: { message: 'Too long.', code: 'context_length_exceeded' } });
  const { error, status } = long.response as JsonObject;
  assert.equal(status, 'failed');
  assert.deepEqual(error, {
    code: 'context_length_exceeded',
    message: 'prompt is too long: Too long.',
  });
});

onEachDatabase((database) => {
  describe('an unmodified client of the Responses API', () => {
    let bench: ScriptedBench;
    before(async () => {
      bench = await startScripted(database, {});
    });
    after(() => bench.stop());

    const client = (): OpenAI =>
      new OpenAI({
        apiKey: bench.server.token,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai/v1`,
        maxRetries: 0,
      });
    const tools = [FUNCTION] as unknown as OpenAI.Responses.Tool[];

    const use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } };
    const message = (content: object[], reason: string): object => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content,
      stop_reason: reason,
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7 },
    });
    const streamed = [
      event({ type: 'message_start', message: message([], 'x') }),
      event({ type: 'content_block_start', index: 0, content_block: { ...use, input: {} } }),
      event({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' },
      }),
      event({ type: 'content_block_stop', index: 0 }),
      event({
        type: 'message_delta',
        delta: { stop_reason: 'tool_use' },
        usage: { output_tokens: 7 },
      }),
      event({ type: 'message_stop' }),
    ].join('');

    test('uses tools of Claude in three turns, whole and streamed', async () => {
      await bench.upstream.set(
        'claude-x',
        answer(200, message([use], 'tool_use')),
        [head(200, EVENT_STREAM), streamed],
        answer(200, message([{ type: 'text', text: 'Done.' }], 'end_turn')),
      );
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Read.' }];
      const request = { model: 'anthropic/claude-x', input, tools, store: false };
      const turns = [
        () => client().responses.create(request),
        () => client().responses.stream(request).finalResponse(),
      ];
      for (const turn of turns) {
        const { output, status, usage } = await turn();
        assert.equal(status, 'completed');
        assert.equal(usage?.total_tokens, 18);
        const [made] = output;
        assert.ok(made?.type === 'function_call', JSON.stringify(output));
        assert.deepEqual([made.name, JSON.parse(made.arguments)], ['read', { path: 'a' }]);
        input.push(...(output as OpenAI.Responses.ResponseInput), {
          type: 'function_call_output',
          call_id: made.call_id,
          output: 'A',
        });
      }
      const last = await client().responses.create(request);
      assert.equal(last.output_text, 'Done.');
      const [row] = await bench.logs();
      assert.deepEqual([row.status_code, row.tokens_in, row.tokens_out], [200, 11, 7]);
    });

    test('errors have the form of the OpenAI API', async () => {
      const error = { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' };
      await bench.upstream.set('claude-x', answer(400, { type: 'error', error }));
      await assert.rejects(
        client().responses.create({ model: 'anthropic/claude-x', input: 'hello' }),
        (thrown) =>
          thrown instanceof OpenAI.BadRequestError && thrown.code === 'context_length_exceeded',
      );
      const refused: Answer = await bench.server.call(
        'POST',
        `${bench.server.account}/ai/v1/responses`,
        { body: { model: 'anthropic/claude-x', input: 'a', previous_response_id: 'resp_1' } },
      );
      assert.deepEqual([refused.status, refused.json.error.code], [400, '2024']);
    });
  });
});

test('Gemini is asked, too', () => {
  const translation: Translator = responsesToGemini;
  const request = translation.request({
    model: 'gemini-2.5-flash',
    body: {
      input: 'hello',
      instructions: 'Be brief.',
      tools: [FUNCTION],
      reasoning: { effort: 'low' },
    },
    nowMs: 0,
  });
  assert.deepEqual(request.contents, [{ role: 'user', parts: [{ text: 'hello' }] }]);
  const { thinkingConfig } = request.generationConfig as { thinkingConfig: JsonObject };
  assert.equal(thinkingConfig.thinkingBudget, 1_024);
});
