import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { messagesToChat } from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { restoreToolNames, shortToolName } from '../../src/gateway/translators/tool-names.ts';
import { onEachDatabase } from '../support/databases.ts';
import { EVENT_STREAM, answer, event, head } from '../support/scripted-upstream.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const HELLO = [{ role: 'user', content: 'hello' }];

/** A Messages request as a chat completion, without its messages. */
function translate(
  model: string,
  body: JsonObject,
  provider?: string,
): JsonObject & { messages: JsonObject[] } {
  const asked = { max_tokens: 5, messages: HELLO, ...body };
  return messagesToChat.request({
    model,
    body: asked,
    nowMs: 0,
    ...(provider === undefined ? {} : { provider }),
  }) as JsonObject & { messages: JsonObject[] };
}

describe('the reasoning effort is a hint', () => {
  const effortOf = (model: string, body: JsonObject): unknown =>
    translate(model, body).reasoning_effort;
  const high = { output_config: { effort: 'high' } };
  const budget = { thinking: { type: 'enabled', budget_tokens: 8_192 } };

  for (const model of [
    'gpt-5',
    'gpt-5.1-codex',
    'gpt-6-mini',
    'o1',
    'o3-mini',
    'o4-mini',
    'openai/gpt-oss-120b',
    'openai/gpt-5',
    'gemini-2.5-pro',
    'google/gemini-3-flash',
    'gemini-flash-latest',
    'grok-3-mini',
    'sonar-deep-research',
  ]) {
    test(`${model} gets it`, () => {
      assert.equal(effortOf(model, high), 'high');
      assert.equal(effortOf(model, budget), 'medium');
    });
  }

  for (const model of [
    'llama-3.3-70b-versatile',
    'gpt-4o',
    'gpt-4.1',
    'gpt-5-chat-latest',
    'gpt-5-pro',
    'o1-mini',
    'o1-preview',
    'grok-4',
    'gemini-2.0-flash',
    'mistral-large-latest',
    'kimi-k2',
    'my-deployment',
    'not-o3',
  ]) {
    test(`${model} does not`, () => {
      assert.equal(effortOf(model, high), undefined);
      assert.equal(effortOf(model, budget), undefined);
    });
  }
});

describe('parameters that a model rejects', () => {
  const sampling = { temperature: 0.5, top_p: 0.9, stop_sequences: ['END'] };
  const fieldsOf = (model: string): unknown => {
    const { temperature, top_p: topP, stop } = translate(model, sampling);
    return [temperature, topP, stop];
  };

  test('are omitted: reasoning models of OpenAI take no sampling parameters', () => {
    for (const model of ['gpt-5', 'gpt-5.2', 'o3', 'o4-mini', 'openai/gpt-5-mini']) {
      assert.deepEqual(fieldsOf(model), [undefined, undefined, undefined], model);
    }
  });

  test('are passed to all other models', () => {
    for (const model of ['gpt-4o', 'gpt-5-chat-latest', 'gpt-oss-20b', 'llama-4', 'anything']) {
      assert.deepEqual(fieldsOf(model), [0.5, 0.9, ['END']], model);
    }
  });
});

describe('the limit of the output', () => {
  const cases: [model: string, member: string, asked: number, expected: number][] = [
    ['gpt-4o', 'max_tokens', 16_383, 16_383],
    ['gpt-4o', 'max_tokens', 16_384, 16_384],
    ['gpt-4o', 'max_tokens', 32_000, 16_384],
    ['gpt-4o-mini-2024-07-18', 'max_tokens', 32_000, 16_384],
    ['gpt-4-turbo', 'max_tokens', 32_000, 4_096],
    ['gpt-4', 'max_tokens', 32_000, 8_192],
    ['gpt-4.1-mini', 'max_tokens', 64_000, 32_768],
    ['gpt-5', 'max_completion_tokens', 200_000, 128_000],
    ['gpt-5-chat-latest', 'max_completion_tokens', 32_000, 16_384],
    ['o3', 'max_completion_tokens', 200_000, 100_000],
    ['openai/gpt-12', 'max_completion_tokens', 200_000, 200_000],
    ['chatgpt-latest', 'max_completion_tokens', 5, 5],
    ['llama-4', 'max_tokens', 200_000, 200_000],
  ];
  for (const [model, member, asked, expected] of cases) {
    test(`${asked} of ${model} is ${member} ${expected}`, () => {
      const request = translate(model, { max_tokens: asked });
      assert.equal(request[member], expected);
      const other = member === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
      assert.equal(request[other], undefined);
    });
  }
});

describe('thoughts return to the model that had them', () => {
  const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const turn = (...content: JsonObject[]): JsonObject => ({
    messages: [...HELLO, { role: 'assistant', content }],
  });
  const thinking = (text: string, signature = ''): JsonObject => ({
    type: 'thinking',
    thinking: text,
    signature,
  });
  const lastOf = (body: JsonObject, provider: string, model = 'kimi-k2-thinking'): JsonObject =>
    translate(model, body, provider).messages.at(-1) ?? {};

  for (const [provider, member] of [
    ['custom-moonshot', 'reasoning_content'],
    ['together', 'reasoning_content'],
    ['huggingface', 'reasoning_content'],
    ['vllm', 'reasoning_content'],
    ['groq', 'reasoning'],
    ['cerebras', 'reasoning'],
  ] as const) {
    test(`${provider} gets them as ${member}`, () => {
      const {
        content,
        tool_calls: calls,
        ...rest
      } = lastOf(turn(thinking('Hm'), thinking('m.'), use), provider);
      assert.equal(content, null);
      assert.equal((calls as unknown[]).length, 1);
      assert.deepEqual(rest, { role: 'assistant', [member]: 'Hmm.' });
    });
  }

  test('not to providers that reject the member, nor to models of Groq that do not think', () => {
    for (const [provider, model] of [
      ['openai', 'gpt-5'],
      ['azure-openai', 'mine'],
      ['mistral', 'magistral-medium'],
      ['cohere', 'command-a-reasoning'],
      ['groq', 'llama-3.3-70b-versatile'],
    ] as const) {
      const found = lastOf(turn(thinking('Hmm.'), use), provider, model);
      assert.deepEqual(Object.keys(found), ['role', 'content', 'tool_calls'], provider);
    }
  });

  test('with calls of tools only; encrypted thoughts never', () => {
    const answered = lastOf(turn(thinking('Hmm.'), { type: 'text', text: 'Yes.' }), 'custom-a');
    assert.deepEqual(answered, { role: 'assistant', content: 'Yes.' });
    const encrypted = lastOf(turn({ type: 'redacted_thinking', data: 'x' }, use), 'custom-a');
    assert.deepEqual(Object.keys(encrypted), ['role', 'content', 'tool_calls']);
  });

  test('thoughts of another model are better than none', () => {
    const found = lastOf(turn(thinking('Hmm.', 'signed'), use), 'custom-a');
    assert.equal(found.reasoning_content, 'Hmm.');
  });
});

describe('names of tools', () => {
  test('up to 64 characters pass; longer names are cut to 64 and restored', () => {
    for (const length of [1, 63, 64]) {
      assert.equal(shortToolName('f'.repeat(length)), 'f'.repeat(length));
    }
    for (const length of [65, 128, 1_000]) {
      const name = 'f'.repeat(length);
      const short = shortToolName(name);
      assert.match(String(short), /^f{53}_[\da-f]{10}$/);
      assert.equal(restoreToolNames([{ name }])(String(short)), name);
    }
    assert.equal(restoreToolNames([{ name: 'f' }])('g'), 'g');
    assert.equal(restoreToolNames(undefined)('g'), 'g');
  });

  test('different tools keep different names, and each name comes back', () => {
    const name = fc
      .stringMatching(/^[\w-]{1,20}$/)
      .chain((end) =>
        fc.constantFrom('', 'mcp__server__'.repeat(5), 'x'.repeat(64)).map((start) => start + end),
      );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
        const short = names.map((one) => String(shortToolName(one)));
        assert.equal(new Set(short).size, names.length);
        assert.ok(short.every((one) => one.length <= 64));
        const restore = restoreToolNames(names.map((one) => ({ name: one })));
        assert.deepEqual(short.map(restore), names);
      }),
    );
  });
});

onEachDatabase((database) => {
  describe('an unmodified client', () => {
    let bench: ScriptedBench;
    before(async () => {
      bench = await startScripted(database);
    });
    after(() => bench.stop());

    const NAME = `mcp__${'a-long-server-name__'.repeat(4)}read`;
    const call = (name: string): JsonObject => ({
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name, arguments: '{}' },
    });

    test('uses a tool whose name is longer than the provider allows, in three turns', async () => {
      const client = new Anthropic({
        authToken: bench.server.token,
        apiKey: null,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai`,
      });
      const short = String(shortToolName(NAME));
      const choice = { index: 0, finish_reason: 'tool_calls' };
      const whole = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
      const message = { role: 'assistant', content: null, tool_calls: [call(short)] };
      const streamed = { ...choice, delta: { role: 'assistant', tool_calls: [call(short)] } };
      await bench.upstream.set(
        'named',
        answer(200, { ...whole, choices: [{ ...choice, message }] }),
        [head(200, EVENT_STREAM), event({ ...whole, choices: [streamed] }), event('[DONE]')],
        answer(200, {
          ...whole,
          choices: [
            { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } },
          ],
        }),
      );
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read.' }];
      const request = {
        model: 'openai/named',
        max_tokens: 5,
        messages,
        tools: [{ name: NAME, input_schema: { type: 'object' as const } }],
        tool_choice: { type: 'tool' as const, name: NAME },
      };
      const turns = [
        () => client.messages.create(request),
        () => client.messages.stream(request).finalMessage(),
      ];
      for (const turn of turns) {
        const { content, stop_reason: reason } = await turn();
        const [use] = content;
        assert.equal(reason, 'tool_use');
        assert.ok(use?.type === 'tool_use' && use.name === NAME, JSON.stringify(content));
        messages.push(
          { role: 'assistant', content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'a' }] },
        );
      }
      const last = await client.messages.create(request);
      assert.deepEqual(
        last.content.map((block) => block.type === 'text' && block.text),
        ['Done.'],
      );
      const sent = (await bench.upstream.requests('named')).at(-1);
      const body = JSON.parse(sent?.body ?? '') as {
        tools: { function: { name: string } }[];
        tool_choice: { function: { name: string } };
        messages: { tool_calls?: { function: { name: string } }[] }[];
      };
      const { tools, tool_choice: forced, messages: history } = body;
      const used = history.flatMap(({ tool_calls: calls = [] }) =>
        calls.map(({ function: { name } }) => name),
      );
      assert.deepEqual(
        [tools[0]?.function.name, forced.function.name, ...used],
        [short, short, short, short],
      );
    });
  });
});
