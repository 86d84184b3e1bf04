import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import { parseObject, type JsonObject } from '../../src/gateway/json/json-fields.ts';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { type Translator, UntranslatableError } from '../../src/gateway/translators/translator.ts';
import type { Json } from '../support/server.ts';

const inputWith = (body: JsonObject) => ({ model: 'claude-sonnet-4-6', body, nowMs: 0 });

/** As the request arrives: what it says is written JSON. */
function sent(translation: Translator, body: JsonObject | string): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return JSON.stringify(translation.request(inputWith(parseObject(text) ?? {})));
}

function answered(translation: Translator, answer: string): string {
  return JSON.stringify(translation.response(parseObject(answer) ?? {}, inputWith({})));
}

const calling = (id: string, written: unknown): JsonObject => ({
  messages: [
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: written } }],
    },
    { role: 'tool', tool_call_id: id, content: 'done' },
  ],
});

const completionWith = (call: object): string =>
  JSON.stringify({ choices: [{ message: { tool_calls: [call] } }] });

describe('identifiers of calls', () => {
  const FITTING = /^[a-zA-Z0-9_-]+$/;
  const foreign = ['functions.now:0', 'call:a', 'call.a', 'ä🌍', 'x'.repeat(5_000), 'call64_YQ'];

  test('whatever another provider calls them, Anthropic takes them, and all stay different', () => {
    const ids = foreign.map((id) => {
      const { messages } = JSON.parse(sent(chatToAnthropic, calling(id, '{}')));
      assert.equal(messages[1].content[0].id, messages[2].content[0].tool_use_id);
      assert.match(messages[1].content[0].id, FITTING);
      return messages[1].content[0].id as string;
    });
    assert.equal(new Set(ids).size, foreign.length);
  });

  for (const id of foreign) {
    test(`to a client of the Messages API and back: ${id.slice(0, 20)}`, () => {
      const call = { id, type: 'function', function: { name: 'f', arguments: '{}' } };
      const { content } = JSON.parse(answered(messagesToChat, completionWith(call)));
      assert.match(content[0].id, FITTING);

      const stream = messagesToChat.stream(inputWith({}));
      const chunk = { choices: [{ delta: { tool_calls: [{ index: 0, ...call }] } }] };
      const [, start] = stream.event({ data: JSON.stringify(chunk) });
      assert.equal(JSON.parse(start?.data ?? '').content_block.id, content[0].id);

      const turns = [
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: content[0].id }] },
      ];
      const { messages } = JSON.parse(sent(messagesToChat, { messages: turns }));
      assert.deepEqual([messages[0].tool_calls[0].id, messages[1].tool_call_id], [id, id]);
    });
  }

  test('Anthropic’s own stay as they are', () => {
    assert.match(sent(chatToAnthropic, calling('toolu_01-aB', '{}')), /"id":"toolu_01-aB"/);
  });

  test('a call that has none gets one', () => {
    const call = { id: '', function: { name: 'f' } };
    assert.match(answered(messagesToChat, completionWith(call)), /"id":"toolu_\w+"/);
    const stream = messagesToChat.stream(inputWith({}));
    const chunk = { choices: [{ delta: { tool_calls: [{ index: 0, ...call }] } }] };
    const told = JSON.stringify(stream.event({ data: JSON.stringify(chunk) }));
    assert.match(told, /toolu_\w+/);
  });

  test('an empty one cannot be answered', () => {
    assert.throws(() => sent(chatToAnthropic, calling('', '{}')), UntranslatableError);
  });

  test('one that only looks encoded stays as it is', () => {
    const turns = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call64_!', name: 'f' }] },
    ];
    assert.match(sent(messagesToChat, { messages: turns }), /"id":"call64_!"/);
  });
});

describe('arguments', () => {
  for (const [name, translation, field] of [
    ['Anthropic', chatToAnthropic, 'input'],
    ['Gemini', chatToGemini, 'args'],
  ] as const) {
    for (const [what, written, expected] of [
      ['a text', '{"a":1}', '{"a":1}'],
      ['an object, as some clients write it', { a: 1 }, '{"a":1}'],
      ['null', null, '{}'],
      ['blank', ' \n', '{}'],
      ['a key that means something elsewhere', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ] as const) {
      test(`for ${name}: ${what}`, () => {
        const request = sent(translation, calling('a', written));
        assert.ok(request.includes(`"${field}":${expected}`), request);
      });
    }

    for (const written of [
      '[1]',
      '{',
      '{"path":"a","text":"unfinis',
      'null',
      '7',
      7,
      ['a'],
      `{"a":${'['.repeat(300)}${']'.repeat(300)}}`,
    ]) {
      test(`for ${name}: ${JSON.stringify(written).slice(0, 20)} stays readable`, () => {
        const request = sent(translation, calling('a', written));
        const expected = JSON.stringify({ [field]: { invalid_arguments: written } }).slice(1, -1);
        assert.ok(request.includes(expected), request);
      });
    }
  }
});

describe('numbers that no double holds', () => {
  const LARGE = '{"id":12345678901234567890,"other":-9007199254740993,"most":1e999,"near":1.50}';
  const SAME = '{"id":12345678901234567890,"other":-9007199254740993,"most":1e999,"near":1.5}';
  const ESCAPED = JSON.stringify(SAME);

  test('from a chat to Anthropic and Gemini', () => {
    assert.ok(sent(chatToAnthropic, calling('a', LARGE)).includes(`"input":${SAME}`));
    assert.ok(sent(chatToGemini, calling('a', LARGE)).includes(`"args":${SAME}`));
  });

  test('from messages to a chat', () => {
    const body = `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":${LARGE}}]}]}`;
    const request = sent(messagesToChat, body);
    assert.ok(request.includes(`"arguments":${ESCAPED}`), request);
  });

  test('from Anthropic and Gemini to a chat', () => {
    const call = `{"type":"tool_use","id":"a","name":"f","input":${LARGE}}`;
    const answer = answered(chatToAnthropic, `{"content":[${call}]}`);
    assert.ok(answer.includes(`"arguments":${ESCAPED}`), answer);
    const part = `{"functionCall":{"name":"f","args":${LARGE}}}`;
    const candidates = `{"candidates":[{"content":{"parts":[${part}]}}]}`;
    assert.ok(answered(chatToGemini, candidates).includes(`"arguments":${ESCAPED}`));
    const [event] = chatToGemini.stream(inputWith({})).event({ data: candidates });
    assert.ok(event?.data.includes(`"arguments":${ESCAPED}`));
  });

  test('from a chat to messages', () => {
    const call = { id: 'a', function: { name: 'f', arguments: LARGE } };
    assert.ok(answered(messagesToChat, completionWith(call)).includes(`"input":${SAME}`));
  });

  test('do not change the other fields', () => {
    const body = `{"messages":[{"role":"user","content":"hello"}],"temperature":1.0,"max_tokens":1e2,"seed":12345678901234567890}`;
    // Anthropic has no seed.
    const { temperature, max_tokens: limit } = JSON.parse(
      sent(chatToAnthropic, body.replace(/,"seed":\d+/, '')),
    );
    assert.deepEqual([temperature, limit], [1, 100]);
    assert.match(sent(chatToGemini, body), /"seed":12345678901234567890/);
  });

  test('in a text of very many values, or a very deep one, are read as any other', () => {
    const many = `{"id":12345678901234567890,"a":[${'1,'.repeat(100_000)}1]}`;
    assert.equal(parseObject(many)?.id, 12_345_678_901_234_567_000);
    const deep = `{"id":12345678901234567890,"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`;
    assert.equal(parseObject(deep)?.id, 12_345_678_901_234_567_000);
  });
});

describe('results of calls', () => {
  test('come before everything else that is said to Anthropic, in their order', () => {
    const { messages } = calling('a', '{}') as { messages: JsonObject[] };
    const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: id });
    const said = [...messages, { role: 'user', content: 'And?' }, result('b'), result('c')];
    const { messages: turns } = JSON.parse(sent(chatToAnthropic, { messages: said }));
    assert.deepEqual(
      turns[2].content.map((block: Json) => block.tool_use_id ?? block.text),
      ['a', 'b', 'c', 'And?'],
    );
  });

  test('may be null', () => {
    const content = [{ type: 'tool_result', tool_use_id: 'a', content: null }];
    const request = sent(messagesToChat, { messages: [{ role: 'user', content }] });
    assert.match(request, /\{"role":"tool","content":"","tool_call_id":"a"\}/);
  });
});
