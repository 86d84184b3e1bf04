import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import {
  type ScriptedUpstream,
  answer,
  completion,
  message,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, headerOf, startUpstream } from '../support/upstream-process.ts';

type Options = ConstructorParameters<typeof Anthropic>[0];

const messages = [{ role: 'user' as const, content: 'Grüße aus Wien 🌍' }];

let server: TestServer;
let anthropic: Upstream;
let openai: Upstream;
let scripted: ScriptedUpstream;
before(async () => {
  [anthropic, openai, scripted] = await Promise.all([
    startUpstream('anthropic-upstream.ts'),
    startUpstream('openai-api-upstream.ts'),
    startScriptedUpstream(),
  ]);
  server = await bootServer('sqlite', {
    settings: {
      PROVIDER_ANTHROPIC_BASE_URL: anthropic.baseUrl,
      PROVIDER_ANTHROPIC_API_KEY: 'sk-ant-stored',
      PROVIDER_OPENAI_BASE_URL: openai.baseUrl,
      PROVIDER_OPENAI_API_KEY: 'sk-stored',
      PROVIDER_VLLM_BASE_URL: `${scripted.origin}/v1`,
      PROVIDER_GROQ_BASE_URL: `${scripted.origin}/v1`,
    },
  });
});
after(async () => {
  await server.stop();
  await Promise.all([anthropic, openai, scripted].map((upstream) => upstream.stop()));
});

const rest = (): string => `${server.baseUrl}${server.account}/ai`;
const host = (): string => `${server.origin}/v1/${server.accountId}/default/anthropic`;
const token = () => ({ 'cf-aig-authorization': `Bearer ${server.token}` });

/** The ways in, and the keys that the provider then sees. */
const ways: readonly { name: string; prefix: string; options: () => Options; key: string }[] = [
  {
    name: 'the REST API, apiKey',
    prefix: 'anthropic/',
    options: () => ({ baseURL: rest(), apiKey: server.token }),
    key: 'sk-ant-stored',
  },
  {
    name: 'the REST API, authToken',
    prefix: 'anthropic/',
    options: () => ({ baseURL: rest(), apiKey: null, authToken: server.token }),
    key: 'sk-ant-stored',
  },
  {
    name: 'the REST API, x-api-key',
    prefix: 'anthropic/',
    options: () => ({
      baseURL: rest(),
      apiKey: null,
      authToken: null,
      defaultHeaders: { 'x-api-key': server.token },
    }),
    key: 'sk-ant-stored',
  },
  {
    name: 'the REST API with the version in the address',
    prefix: 'anthropic/',
    options: () => ({ baseURL: `${rest()}/v1`, apiKey: server.token }),
    key: 'sk-ant-stored',
  },
  {
    name: 'the gateway host, with a key of their own',
    prefix: '',
    options: () => ({ baseURL: host(), apiKey: 'sk-ant-mine', defaultHeaders: token() }),
    key: 'Bearer sk-ant-mine',
  },
  {
    name: 'the gateway host, with the key in its older place',
    prefix: '',
    options: () => ({
      baseURL: host(),
      apiKey: null,
      authToken: null,
      defaultHeaders: { ...token(), 'x-api-key': 'sk-ant-mine' },
    }),
    key: 'sk-ant-mine',
  },
];

/** The unmodified `@anthropic-ai/sdk` package, by every way that it can come in. */
for (const { name, prefix, options, key } of ways) {
  describe(name, () => {
    let client: Anthropic;
    before(() => {
      client = new Anthropic({ maxRetries: 0, ...options() });
    });
    const model = `${prefix}claude-plain`;

    test('a message, a count, and whose key it was', async () => {
      const { content } = await client.messages.create({ model, max_tokens: 100, messages });
      assert.ok(content[0]?.type === 'text');
      assert.equal(content[0].text, 'Grüße 🌍');
      const sent = await anthropic.lastSent();
      assert.equal(headerOf(sent, 'x-api-key') ?? headerOf(sent, 'authorization'), key);
      assert.doesNotMatch(JSON.stringify(sent), /lkat_|cf-aig/);
      assert.equal((await client.messages.countTokens({ model, messages })).input_tokens, 14);
      assert.equal((await anthropic.lastSent()).url, '/v1/messages/count_tokens');
    });

    test('a stream: the helper, and what it can be asked', async () => {
      const stream = client.messages.stream({ model, max_tokens: 100, messages });
      const types: string[] = [];
      stream.on('streamEvent', ({ type }) => {
        if (types.at(-1) !== type) types.push(type);
      });
      assert.equal(await stream.finalText(), 'Grüße 🌍');
      assert.deepEqual(types, [
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]);
      const { usage, stop_reason: reason } = await stream.finalMessage();
      assert.deepEqual([usage.input_tokens, usage.output_tokens, reason], [11, 7, 'end_turn']);
      assert.equal((await stream.withResponse()).response.headers.get('cf-aig-step'), '0');
    });

    test('an abort in mid-stream reaches the provider', async () => {
      const stream = client.messages.stream({
        model: `${prefix}claude-streams`,
        max_tokens: 100,
        messages,
      });
      stream.on('text', () => stream.abort());
      await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError);
      await eventually('the provider is left', async () => (await anthropic.lastSent()).aborted);
    });

    test('errors arrive as the classes that the package has for them', async () => {
      const attempt = (to: string) =>
        client.messages.create({ model: prefix + to, max_tokens: 100, messages });
      await assert.rejects(attempt('claude-overloaded'), Anthropic.OverloadedError);
      await assert.rejects(attempt('claude-rate-limited'), Anthropic.RateLimitError);
      await assert.rejects(attempt('claude-missing'), Anthropic.NotFoundError);
      await assert.rejects(attempt('claude-behind-proxy'), Anthropic.InternalServerError);
    });
  });
}

describe('who is refused', () => {
  test('a token that is wrong, at each of its places', async () => {
    for (const options of [
      { baseURL: rest(), apiKey: 'wrong' },
      { baseURL: rest(), apiKey: null, authToken: 'wrong' },
      {
        baseURL: rest(),
        apiKey: null,
        authToken: null,
        defaultHeaders: { 'x-api-key': 'wrong' },
      },
    ]) {
      const client = new Anthropic({ maxRetries: 0, ...options });
      const asked = { model: 'anthropic/claude-plain', max_tokens: 1, messages };
      for (const ask of [
        async () => client.messages.create(asked),
        async () => client.messages.countTokens({ model: asked.model, messages }),
        async () => client.models.list(),
      ]) {
        await assert.rejects(ask, Anthropic.AuthenticationError);
      }
    }
    const stranger = new Anthropic({ baseURL: host(), apiKey: 'sk-ant-mine', maxRetries: 0 });
    const refused = stranger.messages.create({ model: 'claude-plain', max_tokens: 1, messages });
    await assert.rejects(refused, Anthropic.AuthenticationError);
  });

  test('a token without Run has the type of an authentication error', async () => {
    const { value } = await server.createToken(['ai-gateway.read']);
    const client = new Anthropic({ baseURL: rest(), apiKey: value, maxRetries: 0 });
    const refused = client.messages.create({ model: 'local/echo', max_tokens: 1, messages });
    await assert.rejects(refused, (error: unknown) => {
      assert.ok(error instanceof Anthropic.AuthenticationError);
      assert.equal(error.type, 'authentication_error');
      return true;
    });
  });
});

describe('beyond messages', () => {
  const connect = (): Anthropic =>
    new Anthropic({ baseURL: rest(), apiKey: server.token, maxRetries: 0 });

  test('the models', async () => {
    const ids: string[] = [];
    for await (const { id, type, display_name: shown } of connect().models.list()) {
      assert.equal(type, 'model');
      assert.notEqual(shown, '');
      ids.push(id);
    }
    assert.ok(ids.includes('local/echo'));
    assert.ok(ids.some((id) => id.startsWith('anthropic/claude-')));
    const [first = ''] = ids;
    assert.equal((await connect().models.retrieve(first)).id, first);
    await assert.rejects(async () => connect().models.retrieve('none'), Anthropic.NotFoundError);
  });

  test('structured output, from either kind of provider', async () => {
    const City = z.object({ city: z.string(), population: z.number() });
    for (const model of ['anthropic/claude-plain', 'openai/gpt-plain']) {
      const parsed = await connect().messages.parse({
        model,
        max_tokens: 100,
        messages,
        output_config: { format: zodOutputFormat(City) },
      });
      assert.deepEqual(parsed.parsed_output, { city: 'Wien', population: 2_028_000 });
    }
  });

  test('tools that the package runs, from either kind of provider', async () => {
    for (const model of ['anthropic/claude-plain', 'openai/gpt-plain']) {
      for (const stream of [false, true]) {
        const asked: string[] = [];
        const weather = betaZodTool({
          name: 'weather',
          description: 'The weather in a city.',
          inputSchema: z.object({ city: z.string() }),
          run: ({ city }) => {
            asked.push(city);
            return 'rain';
          },
        });
        const runner = connect().beta.messages.toolRunner({
          model,
          max_tokens: 100,
          messages,
          tools: [weather],
          stream,
          // The provider of these tests keeps no conversations.
          ...(model.startsWith('anthropic/') ? { thread: false } : {}),
        });
        const { content } = await runner.runUntilDone();
        assert.match(JSON.stringify(content), /said .*rain/);
        assert.deepEqual(asked, ['Wien']);
      }
    }
  });

  test('a conversation that Anthropic keeps', async () => {
    const thread = connect().beta.messages.thread({
      model: 'anthropic/claude-plain',
      max_tokens: 100,
    });
    await thread.send({ role: 'user', content: 'Hello!' });
    const begun = await anthropic.lastSent();
    assert.deepEqual(JSON.parse(begun.body).thread, { type: 'create' });
    assert.ok(headerOf(begun, 'anthropic-beta')?.includes('thread'));
    await thread.send({ role: 'user', content: 'More!' });
    const { thread: continued, messages: sent } = JSON.parse((await anthropic.lastSent()).body);
    assert.deepEqual(continued, { type: 'continue', previous_message_id: 'msg_upstream' });
    assert.equal(sent.length, 1);
  });

  test('what only Anthropic counts', async () => {
    const counting = connect().messages.countTokens({ model: 'openai/gpt-plain', messages });
    await assert.rejects(counting, /openai does not serve messages\/count_tokens/);
  });
});

describe('retries of the package', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

  test('at a provider that is translated', async () => {
    await scripted.set(
      'busy',
      answer(429, { error: { message: 'not now' } }, { 'retry-after-ms': '1' }),
      answer(529, error, { 'retry-after-ms': '1' }),
      answer(200, completion('at last')),
    );
    const client = new Anthropic({ baseURL: rest(), apiKey: server.token, maxRetries: 2 });
    const { content } = await client.messages.create({
      model: 'groq/busy',
      max_tokens: 100,
      messages,
    });
    assert.ok(content[0]?.type === 'text');
    assert.equal(content[0].text, 'at last');
    assert.equal((await scripted.requests('busy')).length, 3);
  });

  test('and not when the provider says that it is of no use', async () => {
    await scripted.set('never', answer(500, error, { 'x-should-retry': 'false' }));
    const client = new Anthropic({ baseURL: rest(), apiKey: server.token, maxRetries: 2 });
    const asked = client.messages.create({ model: 'groq/never', max_tokens: 100, messages });
    await assert.rejects(asked, Anthropic.InternalServerError);
    assert.equal((await scripted.requests('never')).length, 1);
  });

  test('on the gateway host, byte for byte', async () => {
    await scripted.set(
      'native',
      answer(503, error, { 'retry-after-ms': '1' }),
      answer(200, message('at last')),
    );
    const client = new Anthropic({
      baseURL: `${server.origin}/v1/${server.accountId}/default/vllm`,
      apiKey: 'sk-mine',
      defaultHeaders: token(),
      maxRetries: 2,
    });
    const asked = { model: 'native', max_tokens: 100, messages };
    assert.deepEqual((await client.messages.create(asked)).content, [
      { type: 'text', text: 'at last' },
    ]);
  });
});
