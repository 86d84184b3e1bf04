import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { chain } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const INPUT = {
  model: 'claude-opus-5',
  body: { max_tokens: 5, stream: true, messages: [{ role: 'user', content: 'hello' }] },
  nowMs: 0,
};

/** A block, as the kind of it and the pieces in which it comes. */
interface Block {
  kind: 'text' | 'thinking' | 'tool_use';
  pieces: string[];
}

const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), {
  minLength: 1,
  maxLength: 3,
});
const json = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
const blocks: fc.Arbitrary<Block[]> = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('text' as const, 'thinking' as const), pieces }),
      fc.tuple(json, fc.nat({ max: 8 })).map(([text, at]) => ({
        kind: 'tool_use' as const,
        pieces: [text.slice(0, at), text.slice(at)],
      })),
    ),
    { maxLength: 6 },
  )
  // Neighbours of one kind become one where an API knows no blocks.
  .map((all) =>
    all.filter(({ kind }, index) => kind === 'tool_use' || kind !== all[index - 1]?.kind),
  );

function eventsOf(content: readonly Block[]): JsonObject[] {
  const usage = { input_tokens: 11, cache_read_input_tokens: 3, output_tokens: 1 };
  const empty = { text: { text: '' }, thinking: { thinking: '' }, tool_use: { input: {} } };
  const delta = (kind: Block['kind'], piece: string): JsonObject =>
    kind === 'tool_use'
      ? { type: 'input_json_delta', partial_json: piece }
      : { type: `${kind}_delta`, [kind]: piece };
  return [
    { type: 'message_start', message: { id: 'msg_1', model: 'claude-opus-5', usage } },
    ...content.flatMap(({ kind, pieces: all }, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: kind, id: `toolu_${index}`, name: 'f', ...empty[kind] },
      },
      ...all.map((piece) => ({ type: 'content_block_delta', index, delta: delta(kind, piece) })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: {
        stop_reason: content.some(({ kind }) => kind === 'tool_use') ? 'tool_use' : 'end_turn',
      },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ];
}

/** The content that a client puts together: one block at a time, each whole before the next. */
function contentIn(events: JsonObject[]): unknown[] {
  const content: [kind: unknown, text: string][] = [];
  let open: number | undefined;
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') {
      assert.deepEqual([open, index], [undefined, content.length]);
      open = content.push([(block as JsonObject).type, '']) - 1;
    } else if (type === 'content_block_delta') {
      assert.equal(index, open);
      const { text, thinking, partial_json: part } = delta as JsonObject;
      const last = content.at(-1);
      if (last !== undefined) last[1] += String(text ?? thinking ?? part);
    } else if (type === 'content_block_stop') {
      assert.equal(index, open);
      open = undefined;
    }
  }
  assert.equal(open, undefined);
  return content;
}

test('a stream that is translated there and back says the same, one block after the other', () => {
  fc.assert(
    fc.property(blocks, (content) => {
      const stream = chain(messagesToChat, chatToAnthropic).stream(INPUT);
      const sent = eventsOf(content).flatMap((event) =>
        stream.event({ event: String(event.type), data: JSON.stringify(event) }),
      );
      const events = [...sent, ...stream.end()].map(({ data }) => JSON.parse(data) as JsonObject);
      const expected = content.map(({ kind, pieces: all }) => [kind, all.join('')]);
      assert.deepEqual(contentIn(events), expected);
      const [stop, end] = events.slice(-2);
      assert.deepEqual(end, { type: 'message_stop' });
      const usage = (stop?.usage ?? {}) as JsonObject;
      assert.deepEqual(
        [usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens],
        [11, 3, 7],
      );
    }),
  );
});
