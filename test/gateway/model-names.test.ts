import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { resolveModelName } from '../../src/gateway/providers/model-names.ts';
import { operations } from '../../src/gateway/providers/provider.ts';
import { onEachDatabase } from '../support/databases.ts';
import { answer, completion, message } from '../support/scripted-upstream.ts';
import type { Answer, Json } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const CLAUDE = 'claude-haiku-4-5-20251001';

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database);
  });
  after(() => bench.stop());

  const rest = (operation: string, body: object, gateway = 'default'): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/${operation}`, {
      headers: { 'cf-aig-gateway-id': gateway },
      body,
    });
  const newestLog = async (gateway = 'default'): Promise<Json> => (await bench.logs(gateway))[0];

  describe('bare names', () => {
    test('claude-* on the Messages API is a model of Anthropic', async () => {
      await bench.upstream.set(CLAUDE, answer(200, message()));
      const body = { model: CLAUDE, max_tokens: 5, messages: MESSAGES };
      for (const path of ['messages', 'messages/count_tokens', 'v1/messages']) {
        const { status, text } = await rest(path, body);
        assert.equal(status, 200, text);
      }
      const { provider, model } = await newestLog();
      assert.deepEqual([provider, model], ['anthropic', CLAUDE]);
      const [sent] = await bench.upstream.requests(CLAUDE);
      assert.equal(JSON.parse(sent?.body ?? '').model, CLAUDE);
    });

    test('an Anthropic client needs no prefix', async () => {
      await bench.upstream.set(CLAUDE, answer(200, message('hi')));
      const client = new Anthropic({
        authToken: bench.server.token,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai`,
      });
      const { content } = await client.messages.create({
        model: CLAUDE,
        max_tokens: 5,
        messages: [{ role: 'user', content: 'hello' }],
      });
      assert.deepEqual(content[0], { type: 'text', text: 'hi' });
    });

    test('gpt-* on the operations of the OpenAI API is a model of OpenAI', async () => {
      await bench.upstream.set('gpt-bare', answer(200, completion()));
      for (const operation of ['chat/completions', 'responses', 'embeddings']) {
        const { status, text } = await rest(operation, { model: 'gpt-bare', messages: MESSAGES });
        assert.equal(status, 200, text);
        assert.equal((await newestLog()).provider, 'openai');
      }
    });

    const refused: [operation: string, model: string][] = [
      ['chat/completions', 'claude-opus-4-8'],
      ['responses', 'claude-opus-4-8'],
      ['messages', 'gpt-5'],
      ['messages', 'haiku'],
      ['messages', 'claude-'],
      ['chat/completions', 'gemini-2.5-pro'],
      ['chat/completions', 'gpt'],
      ['chat/completions', 'o3'],
    ];
    for (const [operation, model] of refused) {
      test(`400/2019: ${model} on ${operation}`, async () => {
        const { status, json } = await rest(operation, { model, messages: MESSAGES });
        assert.deepEqual([status, json.errors[0].code], [400, 2019]);
        assert.match(json.errors[0].message, new RegExp(`alias of the gateway: ${model}$`));
      });
    }

    test('400/2008: a slash makes the first part a provider', async () => {
      const { status, json } = await rest('messages', { model: 'claude-x/y', messages: MESSAGES });
      assert.deepEqual([status, json.errors[0].code], [400, 2008]);
    });
  });

  describe('aliases of a gateway', () => {
    const ALIASES = {
      fast: 'groq/llama',
      [CLAUDE]: 'groq/llama',
      'gpt-4o': 'anthropic/claude-x',
      hosted: '@cf/author/model',
    };
    before(async () => {
      await bench.createGateway('aliases', { model_aliases: ALIASES });
      await bench.upstream.set('llama', answer(200, completion('from groq')));
      await bench.upstream.set('claude-x', answer(200, message('from anthropic')));
      await bench.upstream.set('model', answer(200, { result: {}, success: true }));
    });

    test('work on every path that takes a model with its provider', async () => {
      const input = { messages: MESSAGES };
      const { account } = bench.server;
      const headers = { 'cf-aig-gateway-id': 'aliases' };
      const calls: [string, Answer][] = [
        ['REST', await rest('chat/completions', { model: 'fast', ...input }, 'aliases')],
        [
          'compat',
          await bench.callHost('POST', 'aliases/compat/chat/completions', {
            body: { model: 'fast', ...input },
          }),
        ],
        [
          'universal',
          await bench.callHost('POST', 'aliases', { body: [entryOf('compat', 'fast')] }),
        ],
        [
          'run',
          await bench.server.call('POST', `${account}/ai/run/fast`, { headers, body: input }),
        ],
        [
          'run with the model in the body',
          await bench.server.call('POST', `${account}/ai/run`, {
            headers,
            body: { model: 'fast', input },
          }),
        ],
      ];
      for (const [way, { status, text }] of calls) {
        assert.equal(status, 200, `${way}: ${text}`);
        assert.match(text, /from groq/, way);
      }
      const { provider, model } = await newestLog('aliases');
      assert.deepEqual([provider, model], ['groq', 'llama']);
    });

    test('take precedence over bare names, and lead to the other API where it is so', async () => {
      const messages = await rest(
        'messages',
        { model: CLAUDE, max_tokens: 5, messages: MESSAGES },
        'aliases',
      );
      assert.equal(messages.json.content[0].text, 'from groq');
      const chat = await rest(
        'chat/completions',
        { model: 'gpt-4o', max_tokens: 5, messages: MESSAGES },
        'aliases',
      );
      assert.equal(chat.json.choices[0].message.content, 'from anthropic');
    });

    test('reach Workers AI by both forms of run', async () => {
      const { account } = bench.server;
      const headers = { 'cf-aig-gateway-id': 'aliases' };
      const inPath = { headers, body: { prompt: 'hello' } };
      assert.equal(
        (await bench.server.call('POST', `${account}/ai/run/hosted`, inPath)).status,
        200,
      );
      const inBody = { headers, body: { model: 'hosted', input: { prompt: 'hello' } } };
      assert.equal((await bench.server.call('POST', `${account}/ai/run`, inBody)).status, 200);
      const { provider, model } = await newestLog('aliases');
      assert.deepEqual([provider, model], ['workers-ai', '@cf/author/model']);
    });

    test('belong to their gateway only', async () => {
      const { status, json } = await rest('chat/completions', { model: 'fast' });
      assert.deepEqual([status, json.errors[0].code], [400, 2019]);
    });

    test('count against the limits of the provider that answers', async () => {
      const rule = {
        limit: 0.000_001,
        limitType: 'cost',
        window: 3_600,
        provider: { mode: 'filter', values: ['groq'] },
        unpriced: 'refuse',
      };
      await bench.createGateway('limited', {
        model_aliases: { fast: 'groq/llama' },
        spend_limits: { rules: [rule] },
      });
      const { status } = await rest(
        'chat/completions',
        { model: 'fast', messages: MESSAGES },
        'limited',
      );
      assert.notEqual(status, 200);
    });

    test('are listed, and shown one by one', async () => {
      const { account } = bench.server;
      const headers = { 'cf-aig-gateway-id': 'aliases' };
      const list = await bench.server.call('GET', `${account}/ai/v1/models`, { headers });
      const [first] = list.json.data;
      assert.deepEqual(
        [first.id, first.owned_by, first.display_name],
        ['fast', 'groq', 'groq/llama'],
      );
      const one = await bench.server.call('GET', `${account}/ai/v1/models/fast`, { headers });
      assert.deepEqual([one.status, one.json], [200, first]);
      const elsewhere = await bench.server.call('GET', `${account}/ai/v1/models/fast`);
      assert.equal(elsewhere.status, 404);
    });
  });

  describe('the setting', () => {
    const gateways = (): string => `${bench.server.account}/ai-gateway/gateways`;
    const create = (id: string, aliases: unknown): Promise<Answer> =>
      bench.server.call('POST', gateways(), {
        body: gatewayBody(id, { model_aliases: aliases }),
      });

    test('comes back as it was sent, changes at once, and is off by default', async () => {
      const aliases = { opus: 'custom-mine/big', sonnet: 'openai/gpt-5', constructor: 'groq/x' };
      const created = await create('round', aliases);
      assert.deepEqual(created.json.result.model_aliases, aliases);
      const url = `${gateways()}/round`;
      const shown = await bench.server.call('GET', url);
      assert.deepEqual(shown.json.result.model_aliases, aliases);
      const update = gatewayBody('round', { model_aliases: { opus: 'openai/gpt-4o' } });
      delete update.id;
      assert.equal((await bench.server.call('PUT', url, { body: update })).status, 200);
      await bench.upstream.set('gpt-4o', answer(200, completion()));
      const call = await rest('chat/completions', { model: 'opus', messages: MESSAGES }, 'round');
      assert.equal(call.status, 200, call.text);
      delete update.model_aliases;
      const reset = await bench.server.call('PUT', url, { body: update });
      assert.equal(reset.json.result.model_aliases, null);
      assert.equal((await create('none', null)).json.result.model_aliases, null);
    });

    test('100 aliases with 128 characters and targets with 256 are accepted', async () => {
      const names = Array.from({ length: 100 }, (_, i) => String(i).padStart(128, 'a'));
      const target = `openai/${'m'.repeat(249)}`;
      const aliases = Object.fromEntries(names.map((name) => [name, target]));
      const { status, text } = await create('many', aliases);
      assert.equal(status, 200, text);
      const more = await create('more', { ...aliases, another: target });
      assert.deepEqual([more.status, more.code], [400, 5001]);
    });

    const refused: [string, unknown, string][] = [
      ['an unknown provider', { a: 'nowhere/x' }, '/model_aliases/a'],
      ['no provider', { 'a~b': 'gpt-5' }, '/model_aliases/a~0b'],
      ['no model', { a: 'openai/' }, '/model_aliases/a'],
      ['another alias', { a: 'b', b: 'openai/x' }, '/model_aliases/a'],
      ['a slash in an alias', { 'a/b': 'openai/x' }, '/model_aliases/a~1b'],
      ['an empty alias', { '': 'openai/x' }, '/model_aliases/'],
      ['white space in an alias', { 'a b': 'openai/x' }, '/model_aliases/a b'],
      [
        'an alias that is too long',
        { ['a'.repeat(129)]: 'openai/x' },
        `/model_aliases/${'a'.repeat(129)}`,
      ],
      ['a target that is too long', { a: `openai/${'m'.repeat(250)}` }, '/model_aliases/a'],
      ['a target that is no text', { a: 5 }, '/model_aliases/a'],
      ['a list', ['openai/x'], '/model_aliases'],
    ];
    for (const [what, aliases, pointer] of refused) {
      test(`400/5001: ${what}`, async () => {
        const { status, code, json } = await create('refused', aliases);
        assert.deepEqual([status, code], [400, 5001]);
        assert.equal(json.errors[0].source.pointer, pointer);
      });
    }
  });
});

test('a name resolves to the target of its alias, its own provider, or nothing', () => {
  const name = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc
      .constantFrom('claude-', 'gpt-', '@cf/', '/', '__proto__')
      .chain((part) => fc.string({ maxLength: 6 }).map((rest) => part + rest)),
  );
  const target = fc.tuple(fc.constantFrom('openai', 'groq'), fc.stringMatching(/^[!-~]{1,8}$/));
  fc.assert(
    fc.property(
      name,
      fc.constantFrom(...operations),
      fc.array(fc.tuple(name, target), { maxLength: 3 }),
      (model, operation, entries) => {
        const aliases = new Map(entries.map(([key, [provider, id]]) => [key, `${provider}/${id}`]));
        const found = resolveModelName(model, operation, aliases);
        const aliased = aliases.get(model);
        if (aliased !== undefined) {
          assert.equal(`${found?.provider}/${found?.model}`, aliased);
        } else if (model.includes('/') && found !== undefined) {
          const isWorkersAi = /^@(?:cf|hf)\//.test(model);
          const whole = isWorkersAi ? found.model : `${found.provider}/${found.model}`;
          assert.equal(whole, model);
        } else if (found !== undefined) {
          const prefix = operation.startsWith('messages') ? 'claude-' : 'gpt-';
          assert.ok(model.startsWith(prefix));
          assert.equal(found.model, model);
        }
      },
    ),
  );
});
