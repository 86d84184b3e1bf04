import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { jsonSchema, streamText, tool } from 'ai';
import fc from 'fast-check';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { EVENT_STREAM, event, head } from '../support/scripted-upstream.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const BODY = { max_tokens: 5, stream: true, messages: MESSAGES };

const chunk = (delta: JsonObject, finishReason: string | null = null): JsonObject => ({
  id: 'chatcmpl-scripted',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});
const call = (piece: JsonObject): JsonObject => chunk({ tool_calls: [piece] });
const callHead = (index: number, id: string, name: string): JsonObject =>
  call({ index, id, type: 'function', function: { name, arguments: '' } });
const json = (index: number, text: string): JsonObject =>
  call({ index, function: { arguments: text } });

function translate(chunks: readonly JsonObject[]): JsonObject[] {
  const stream = messagesToChat.stream({ model: 'scripted', body: BODY, nowMs: 0 });
  const events = chunks.flatMap((one) => stream.event({ data: JSON.stringify(one) }));
  return [...events, ...stream.event({ data: '[DONE]' }), ...stream.end()].map(
    ({ data }) => JSON.parse(data) as JsonObject,
  );
}

/** The blocks of a stream, each as its kind or tool and its content. Asserts that one is open at a time. */
function blocksIn(events: readonly JsonObject[]): [kind: string, content: string][] {
  const blocks: [string, string][] = [];
  const ids = new Set<unknown>();
  let isOpen = false;
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') {
      const { type: kind, name, id } = block as Record<string, string>;
      assert.deepEqual([isOpen, index], [false, blocks.length], 'opened');
      isOpen = true;
      blocks.push([name ?? String(kind), '']);
      if (id === undefined) continue;
      assert.ok(id !== '' && !ids.has(id), `id ${id}`);
      ids.add(id);
    } else if (type === 'content_block_delta') {
      assert.deepEqual([isOpen, index], [true, blocks.length - 1], 'changed');
      const { text, thinking, partial_json: part } = delta as JsonObject;
      const last = blocks.at(-1);
      if (last !== undefined) last[1] += String(text ?? thinking ?? part);
    } else if (type === 'content_block_stop') {
      assert.deepEqual([isOpen, index], [true, blocks.length - 1], 'closed');
      isOpen = false;
    }
  }
  assert.equal(isOpen, false);
  assert.deepEqual(events.at(-1), { type: 'message_stop' });
  return blocks;
}

const A = '{"path":"a"}';
const B = '{"path":"b"}';
const INTERLEAVED = [
  callHead(0, 'call_a', 'read'),
  callHead(1, 'call_b', 'write'),
  json(0, A.slice(0, 5)),
  json(1, B.slice(0, 5)),
  json(0, A.slice(5)),
  json(1, B.slice(5)),
];

describe('calls in parallel, as the blocks of a message', () => {
  const cases: [name: string, chunks: JsonObject[], expected: [string, string][]][] = [
    [
      'pieces that alternate',
      INTERLEAVED,
      [
        ['read', A],
        ['write', B],
      ],
    ],
    [
      'text and thinking between the pieces of a call',
      [
        callHead(0, 'call_a', 'read'),
        json(0, A.slice(0, 5)),
        chunk({ content: 'I read ' }),
        chunk({ content: 'a file.' }),
        chunk({ reasoning_content: 'Hm.' }),
        json(0, A.slice(5)),
        chunk({ content: 'Done.' }),
      ],
      [
        ['read', A],
        ['text', 'I read a file.'],
        ['thinking', 'Hm.'],
        ['text', 'Done.'],
      ],
    ],
    [
      'a name that comes late, or empty at first',
      [
        call({ index: 0, id: 'call_a', function: { arguments: A.slice(0, 3) } }),
        call({ index: 1, id: 'call_b', function: { name: '', arguments: '' } }),
        call({ index: 1, function: { name: 'write', arguments: B } }),
        call({ index: 0, function: { name: 'read', arguments: A.slice(3) } }),
      ],
      [
        ['read', A],
        ['write', B],
      ],
    ],
    [
      'another id in each piece',
      [
        callHead(0, 'call_1', 'read'),
        call({ index: 0, id: 'call_2', function: { name: null, arguments: A.slice(0, 4) } }),
        call({ index: 0, id: 'call_3', function: { name: '', arguments: A.slice(4) } }),
      ],
      [['read', A]],
    ],
    [
      'the name and another id in each piece',
      [
        call({ index: 0, id: 'call_1', function: { name: 'read', arguments: A.slice(0, 4) } }),
        call({ index: 0, id: 'call_2', function: { name: 'read', arguments: A.slice(4) } }),
      ],
      [['read', A]],
    ],
    [
      'one index and no ids',
      [
        call({ index: 0, function: { name: 'read', arguments: A } }),
        call({ index: 0, function: { name: 'write', arguments: B } }),
      ],
      [
        ['read', A],
        ['write', B],
      ],
    ],
    [
      'arguments that are an object',
      [
        call({ index: 0, id: 'call_a', function: { name: 'read', arguments: { path: 'a' } } }),
        call({ index: 1, id: 'call_b', function: { name: 'write', arguments: { path: 'b' } } }),
      ],
      [
        ['read', A],
        ['write', B],
      ],
    ],
    [
      'a call without arguments before another one',
      [callHead(0, 'call_a', 'now'), callHead(1, 'call_b', 'write'), json(1, B)],
      [
        ['now', ''],
        ['write', B],
      ],
    ],
    [
      'a call that is announced and never made',
      [callHead(0, 'call_a', ''), callHead(1, 'call_b', 'write'), json(1, B)],
      [['write', B]],
    ],
    [
      'arguments that end early',
      [
        callHead(0, 'call_a', 'read'),
        json(0, '{"a":"'),
        callHead(1, 'call_b', 'write'),
        json(1, B),
      ],
      [
        ['read', '{"a":"'],
        ['write', B],
      ],
    ],
  ];
  for (const [name, chunks, expected] of cases) {
    test(name, () => {
      assert.deepEqual(blocksIn(translate([...chunks, chunk({}, 'tool_calls')])), expected);
    });
  }

  test('each chunk is passed on at once, where no call is incomplete', () => {
    const stream = messagesToChat.stream({ model: 'scripted', body: BODY, nowMs: 0 });
    const counts = [
      callHead(0, 'a', 'read'),
      json(0, A),
      callHead(1, 'b', 'write'),
      json(1, B),
    ].map((one) => stream.event({ data: JSON.stringify(one) }).length);
    assert.deepEqual(counts, [2, 1, 2, 1]);
  });

  test('a stream that makes too much wait ends with an error', () => {
    const stream = messagesToChat.stream({ model: 'scripted', body: BODY, nowMs: 0 });
    const send = (one: JsonObject): string =>
      stream
        .event({ data: JSON.stringify(one) })
        .map(({ data }) => data)
        .join('');
    send(callHead(0, 'a', 'read'));
    const part = chunk({ content: 'x'.repeat(1024 * 1024) });
    for (let count = 0; count < 15; count++) assert.equal(send(part), '');
    assert.match(send(part), /"error"/);
    assert.deepEqual(stream.end(), []);
  });

  const calls = fc.array(
    fc.record({
      value: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 3 }),
      cuts: fc.array(fc.nat({ max: 40 }), { maxLength: 4 }),
      isNamedLate: fc.boolean(),
      changesIds: fc.boolean(),
    }),
    { maxLength: 4 },
  );

  test('any interleaving of pieces gives whole blocks, one after the other', () => {
    fc.assert(
      fc.property(calls, fc.array(fc.nat(), { maxLength: 40 }), (made, order) => {
        const queues = made.map(({ value, cuts, isNamedLate, changesIds }, index) => {
          const text = JSON.stringify(value);
          const at = [...new Set([0, ...cuts, text.length])].sort((a, b) => a - b);
          const parts = at.slice(1).map((end, part) => text.slice(at[part], end));
          const pieces = ['', ...parts].map((part, number) =>
            call({
              index,
              ...(number === 0 || changesIds ? { id: `call_${index}_${number}` } : {}),
              function: {
                ...(number === (isNamedLate ? 1 : 0) ? { name: `tool_${index}` } : {}),
                arguments: part,
              },
            }),
          );
          return { name: `tool_${index}`, text, pieces };
        });
        const chunks: JsonObject[] = [];
        let texts = '';
        for (const number of order) {
          const queue = queues[number % (queues.length + 1)];
          const piece = queue?.pieces.shift();
          if (piece !== undefined) chunks.push(piece);
          else {
            texts += `${number} `;
            chunks.push(chunk({ content: `${number} ` }));
          }
        }
        chunks.push(...queues.flatMap(({ pieces }) => pieces), chunk({}, 'tool_calls'));
        const blocks = blocksIn(translate(chunks));
        const found = blocks.filter(([kind]) => kind.startsWith('tool_'));
        assert.deepEqual(
          found.toSorted(([one], [other]) => one.localeCompare(other)),
          queues.map(({ name, text }) => [name, text]),
        );
        const said = blocks.filter(([kind]) => kind === 'text').map(([, text]) => text);
        assert.equal(said.join(''), texts);
      }),
      { numRuns: 500 },
    );
  });
});

describe('unmodified clients get whole arguments', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
    const script = [...INTERLEAVED, chunk({}, 'tool_calls')].map((one) => event(one));
    await bench.upstream.set('parallel', [head(200, EVENT_STREAM), ...script, event('[DONE]')]);
  });
  after(() => bench.stop());
  const baseUrl = (): string => `${bench.server.baseUrl}${bench.server.account}/ai`;

  test('@anthropic-ai/sdk', async () => {
    const client = new Anthropic({
      authToken: bench.server.token,
      apiKey: null,
      baseURL: baseUrl(),
    });
    const { content, stop_reason: reason } = await client.messages
      .stream({
        model: 'openai/parallel',
        max_tokens: 5,
        messages: [{ role: 'user', content: 'hello' }],
      })
      .finalMessage();
    assert.equal(reason, 'tool_use');
    assert.deepEqual(
      content.map((block) => (block.type === 'tool_use' ? [block.name, block.input] : block.type)),
      [
        ['read', { path: 'a' }],
        ['write', { path: 'b' }],
      ],
    );
  });

  test('@ai-sdk/anthropic', async () => {
    const anthropic = createAnthropic({
      apiKey: bench.server.token,
      baseURL: `${baseUrl()}/v1`,
    });
    const schema = jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    });
    const result = streamText({
      model: anthropic('openai/parallel'),
      prompt: 'hello',
      tools: { read: tool({ inputSchema: schema }), write: tool({ inputSchema: schema }) },
    });
    const made = await result.toolCalls;
    assert.deepEqual(
      made.map(({ toolName, input }) => [toolName, input]),
      [
        ['read', { path: 'a' }],
        ['write', { path: 'b' }],
      ],
    );
  });
});
