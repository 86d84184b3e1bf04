import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { editBody } from '../../src/gateway/routing/model-field.ts';
import { messagesEdits } from '../../src/gateway/providers/messages-edits.ts';
import { onEachDatabase } from '../support/databases.ts';
import { answer, message } from '../support/scripted-upstream.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const UNSIGNED = { type: 'thinking', thinking: 'Hm.', signature: '' };
const SIGNED = { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' };
const TEXT = { type: 'text', text: 'a' };

async function edited(text: string): Promise<string> {
  const body = Buffer.from(text);
  return editBody(body, await messagesEdits('messages', body)).toString();
}

const turn = (...content: unknown[]): JsonObject => ({ role: 'assistant', content });
const HELLO = { role: 'user', content: 'hello' };

/** The same, by parsing. */
function expectedOf(messages: readonly JsonObject[]): JsonObject[] {
  const isUnsigned = (block: unknown): boolean => {
    const { type, signature } = block as JsonObject;
    return type === 'thinking' && signature === '';
  };
  return messages
    .filter(
      ({ content }) =>
        !Array.isArray(content) || content.length === 0 || !content.every(isUnsigned),
    )
    .map((one) =>
      Array.isArray(one.content)
        ? { ...one, content: one.content.filter((block) => !isUnsigned(block)) }
        : one,
    );
}

describe('thinking blocks without a signature', () => {
  test('are removed, and nothing else is changed', async () => {
    const before = '{ "model":"x", "messages": [ {"role":"user","content":"hi"} , {"content" : [';
    const rest = '] ,"role":"assistant"}],"max_tokens": 1e2 }';
    const [unsigned, signed, text] = [UNSIGNED, SIGNED, TEXT].map((one) => JSON.stringify(one));
    for (const [blocks, kept] of [
      [`${unsigned}, ${text}`, `${text}`],
      [`${text} ,${unsigned} `, `${text} `],
      [`${text} ,${unsigned}, ${signed}`, `${text} ,${signed}`],
      [`${unsigned},${unsigned},${text},${unsigned},${unsigned}`, `${text}`],
      [`{"signature" : "", "thinking":"\\"", "type":"think\\u0069ng"},${text}`, `${text}`],
    ] as const) {
      assert.equal(await edited(before + blocks + rest), before + kept + rest, blocks);
    }
  });

  test('a message of such blocks only is removed', async () => {
    const body = { messages: [HELLO, turn(UNSIGNED), HELLO, turn(UNSIGNED, UNSIGNED)] };
    assert.deepEqual(JSON.parse(await edited(JSON.stringify(body))), { messages: [HELLO, HELLO] });
  });

  test('similar data stays as it is', async () => {
    for (const body of [
      { messages: [HELLO, turn(SIGNED, TEXT)] },
      { messages: [turn({ type: 'tool_use', id: 'a', name: 'f', input: UNSIGNED })] },
      { messages: [turn({ type: 'tool_use', id: 'a', name: 'f', input: { a: [UNSIGNED] } })] },
      { messages: [turn({ type: 'redacted_thinking', data: 'x', signature: '' })] },
      { messages: [{ role: 'user', content: JSON.stringify(UNSIGNED) }] },
      { messages: [{ role: 'user', content: [{ type: 'tool_result', content: [UNSIGNED] }] }] },
      { system: [UNSIGNED], messages: [HELLO] },
      { messages: [turn(UNSIGNED)] },
      { messages: { content: [UNSIGNED] } },
      [UNSIGNED],
    ]) {
      const text = JSON.stringify(body, undefined, 1);
      assert.equal(await edited(text), text);
    }
  });

  test('of any conversation are removed, and only they', async () => {
    const anyBlock = fc.oneof(
      fc.constantFrom<unknown>(UNSIGNED, SIGNED, TEXT),
      fc.record({ type: fc.constant('tool_use'), input: fc.jsonValue() }),
      fc.record({
        thinking: fc.string(),
        type: fc.constantFrom('thinking', 'x'),
        signature: fc.constantFrom('', 'a', '"'),
      }),
    );
    const anyMessage = fc.oneof(
      fc.record({ role: fc.constant('user'), content: fc.string() }),
      fc.record({ content: fc.array(anyBlock, { maxLength: 5 }), role: fc.constant('assistant') }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyMessage, { maxLength: 5 }),
        fc.constantFrom(undefined, 1, '\t\r\n'),
        async (messages, space) => {
          const body = {
            before: [{ content: [UNSIGNED] }],
            messages: [HELLO, ...messages],
            after: 1,
          };
          const found = JSON.parse(await edited(JSON.stringify(body, undefined, space))) as unknown;
          const all = [HELLO, ...messages] as JsonObject[];
          assert.equal(
            JSON.stringify(found),
            JSON.stringify({ ...body, messages: expectedOf(all) }),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('a broken body passes as it is or with less, and never fails', async () => {
    const text = JSON.stringify({ messages: [HELLO, turn(UNSIGNED, TEXT), turn(UNSIGNED)] });
    for (let length = 0; length < text.length; length++) {
      assert.ok((await edited(text.slice(0, length))).length <= length);
    }
  });
});

describe('thinking between the calls of another model', () => {
  const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }, TEXT] };
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  const redacted = { type: 'redacted_thinking', data: 'x' };
  const cases: [string, JsonObject, JsonObject[], boolean][] = [
    ['no thought', thinking, [HELLO, turn(use), result], true],
    ['an unsigned thought', thinking, [HELLO, turn(UNSIGNED, use), result], true],
    ['a text first', thinking, [HELLO, turn(TEXT, use), result], true],
    ['no thought at first', thinking, [HELLO, turn(use), result, turn(SIGNED, use), result], true],
    ['a signed thought', thinking, [HELLO, turn(SIGNED, use), result], false],
    ['an encrypted thought', thinking, [HELLO, turn(redacted, use), result], false],
    ['a thought at first', thinking, [HELLO, turn(SIGNED, use), result, turn(use), result], false],
    ['an earlier turn', thinking, [HELLO, turn(use), result, turn(TEXT), HELLO], false],
    ['adaptive thinking', { type: 'adaptive' }, [HELLO, turn(use), result], false],
    ['no thinking', { type: 'disabled' }, [HELLO, turn(use), result], false],
  ];
  for (const [name, given, messages, isRemoved] of cases)
    test(`${name}: it is ${isRemoved ? 'removed' : 'kept'}`, async () => {
      for (const body of [
        { thinking: given, messages },
        { messages, thinking: given },
        { max_tokens: 5, thinking: given, metadata: { type: 'enabled' }, messages },
      ])
        for (const space of [undefined, 1]) {
          const found = JSON.parse(await edited(JSON.stringify(body, undefined, space)));
          const { thinking: kept, ...rest } = found;
          const { thinking: _, ...expected } = body;
          assert.deepEqual(kept, isRemoved ? undefined : given);
          assert.deepEqual(rest, { ...expected, messages: expectedOf(messages) });
        }
    });
});

onEachDatabase((database) => {
  describe('a conversation that moves to Claude', () => {
    let bench: ScriptedBench;
    before(async () => {
      bench = await startScripted(database);
      await bench.upstream.set('claude', answer(200, message()));
    });
    after(() => bench.stop());
    const body = { max_tokens: 5, messages: [HELLO, turn(UNSIGNED, TEXT), HELLO] };
    const sent = async (): Promise<JsonObject> => {
      const last = (await bench.upstream.requests('claude')).at(-1);
      return JSON.parse(last?.body ?? '{}') as JsonObject;
    };
    const expected = [HELLO, turn(TEXT), HELLO];

    test('over the Messages API', async () => {
      const { status } = await bench.server.call('POST', `${bench.server.account}/ai/v1/messages`, {
        body: { model: 'anthropic/claude', ...body },
      });
      assert.equal(status, 200);
      assert.deepEqual(await sent(), { model: 'claude', ...body, messages: expected });
    });

    test('over the native path and in a universal request', async () => {
      const query = { model: 'claude', ...body };
      const native = await bench.callHost('POST', 'default/anthropic/v1/messages', { body: query });
      assert.equal(native.status, 200);
      assert.deepEqual((await sent()).messages, expected);
      const universal = await bench.callUniversal([
        {
          provider: 'groq',
          endpoint: 'chat/completions',
          query: { model: 'absent', messages: [] },
        },
        { provider: 'anthropic', endpoint: 'v1/messages', query },
      ]);
      assert.equal(universal.status, 200, universal.text);
      assert.deepEqual((await sent()).messages, expected);
    });
  });
});
