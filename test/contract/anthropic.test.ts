import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, headersOf, startUpstream } from '../support/upstream-process.ts';

const messages = [{ role: 'user' as const, content: 'Grüße aus Wien 🌍' }];
const PNG = 'iVBORw0KGgo=';

const weather: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const now: Anthropic.Tool = { name: 'now', input_schema: { type: 'object' } };

/** The unmodified `@anthropic-ai/sdk` package against the gateway. */
onEachDatabase((database) => {
  let server: TestServer;
  let upstream: Upstream;
  let openai: Upstream;
  let client: Anthropic;
  before(async () => {
    [upstream, openai] = await Promise.all([
      startUpstream('anthropic-upstream.ts'),
      startUpstream(),
    ]);
    server = await bootServer(database, {
      settings: {
        PROVIDER_ANTHROPIC_BASE_URL: upstream.baseUrl,
        PROVIDER_ANTHROPIC_API_KEY: 'sk-ant-stored',
        PROVIDER_OPENAI_BASE_URL: openai.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-stored',
      },
    });
    client = clientWith({ apiKey: server.token });
  });
  after(async () => {
    await server.stop();
    await Promise.all([upstream.stop(), openai.stop()]);
  });

  const clientWith = (options: ConstructorParameters<typeof Anthropic>[0]): Anthropic =>
    new Anthropic({ baseURL: `${server.baseUrl}${server.account}/ai`, maxRetries: 0, ...options });

  const create = (fields: Partial<Anthropic.MessageCreateParamsNonStreaming> & { model: string }) =>
    client.messages.create({ max_tokens: 100, messages, ...fields });

  const open = (fields: Partial<Anthropic.MessageCreateParamsNonStreaming> & { model: string }) =>
    client.messages.stream({ max_tokens: 100, messages, ...fields });

  const lastHeaders = async (of: Upstream) => headersOf(await of.lastSent());

  const textOf = ({ content }: Anthropic.Message): string =>
    content.map((block) => (block.type === 'text' ? block.text : '')).join('');

  const callsIn = ({ content }: Anthropic.Message): unknown[] =>
    content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input]] : []));

  describe('to Anthropic', () => {
    test('a message; the key is ours on the one side and theirs on the other', async () => {
      const { data, response } = await create({ model: 'anthropic/claude-plain' }).withResponse();
      assert.equal(textOf(data), 'Grüße 🌍');
      assert.deepEqual([data.model, data.stop_reason], ['claude-plain', 'end_turn']);
      assert.equal(data.usage.input_tokens, 11);
      assert.match(response.headers.get('request-id') ?? '', /^req_\d+$/);
      assert.equal(response.headers.get('anthropic-ratelimit-requests-remaining'), '49');
      const sent = await lastHeaders(upstream);
      assert.equal(sent.get('x-api-key'), 'sk-ant-stored');
      assert.equal(sent.get('authorization'), undefined);
    });

    test('a base address with the version, and the key where older clients have it', async () => {
      const asked = { model: 'anthropic/claude-plain', max_tokens: 100, messages };
      const baseURL = `${server.baseUrl}${server.account}/ai/v1`;
      const versioned = clientWith({ apiKey: server.token, baseURL });
      assert.equal(textOf(await versioned.messages.create(asked)), 'Grüße 🌍');
      const older = clientWith({
        apiKey: null,
        authToken: null,
        defaultHeaders: { 'x-api-key': server.token, 'anthropic-version': '2023-06-01' },
      });
      assert.equal(textOf(await older.messages.create(asked)), 'Grüße 🌍');
      assert.equal((await lastHeaders(upstream)).get('x-api-key'), 'sk-ant-stored');
    });

    test('a request that names no version gets one', async () => {
      const { status } = await server.call('POST', `${server.account}/ai/v1/messages`, {
        body: { model: 'anthropic/claude-plain', max_tokens: 100, messages },
      });
      assert.equal(status, 200);
      assert.equal((await lastHeaders(upstream)).get('anthropic-version'), '2023-06-01');
    });

    test('a stream, as it comes', async () => {
      const stream = open({ model: 'anthropic/claude-streams' });
      const pieces: string[] = [];
      stream.on('text', (piece) => {
        // The provider waits for this in the middle of a character.
        if (pieces.push(piece) === 1) void upstream.release();
      });
      const message = await stream.finalMessage();
      assert.deepEqual(pieces, ['Grü', 'ße 🌍']);
      assert.equal(message.usage.output_tokens, 7);
    });

    test('thoughts with their signatures, and calls, in a stream', async () => {
      const message = await open({
        model: 'anthropic/claude-plain',
        thinking: { type: 'adaptive' },
        tools: [weather, now],
      }).finalMessage();
      assert.deepEqual(message.content[0], {
        type: 'thinking',
        thinking: 'Hm, 🌍 …',
        signature: 'c2lnbmVk',
      });
      assert.deepEqual(callsIn(message), [
        ['weather', { city: 'Wien', days: 1 }],
        ['now', {}],
      ]);
      assert.equal(message.stop_reason, 'tool_use');
    });

    test('tokens are counted', async () => {
      const count = await client.messages.countTokens({
        model: 'anthropic/claude-plain',
        messages,
      });
      assert.equal(count.input_tokens, 14);
    });

    test('errors arrive as the classes that the package has for them', async () => {
      const overloaded = create({ model: 'anthropic/claude-overloaded' });
      await assert.rejects(overloaded, (error: unknown) => {
        assert.ok(error instanceof Anthropic.APIError);
        assert.deepEqual([error.status, error.type], [529, 'overloaded_error']);
        assert.match(error.requestID ?? '', /^req_\d+$/);
        return true;
      });
      const limited = create({ model: 'anthropic/claude-rate-limited' });
      await assert.rejects(limited, (error: unknown) => {
        assert.ok(error instanceof Anthropic.RateLimitError);
        assert.equal(error.headers.get('retry-after'), '7');
        return true;
      });
      await assert.rejects(create({ model: 'anthropic/claude-missing' }), Anthropic.NotFoundError);
      const empty = create({ model: 'anthropic/claude-plain', messages: [] });
      await assert.rejects(empty, Anthropic.BadRequestError);
      const failing = open({ model: 'anthropic/claude-fails' }).finalMessage();
      await assert.rejects(failing, /Overloaded/);
    });

    test('our own errors, too', async () => {
      const stranger = clientWith({ apiKey: createSecret('lkat_') });
      const refused = stranger.messages.create({ model: 'local/echo', max_tokens: 1, messages });
      await assert.rejects(refused, Anthropic.AuthenticationError);
      await assert.rejects(create({ model: 'no-prefix' }), Anthropic.BadRequestError);
    });

    test('on the gateway host, with a key of their own', async () => {
      const native = (key: string): Anthropic =>
        clientWith({
          apiKey: key,
          baseURL: `${server.origin}/v1/${server.accountId}/default/anthropic`,
          defaultHeaders: { 'cf-aig-authorization': `Bearer ${server.token}` },
        });
      const asked = { model: 'claude-plain', max_tokens: 100, messages };
      assert.equal(textOf(await native('sk-ant-mine').messages.create(asked)), 'Grüße 🌍');
      const sent = await lastHeaders(upstream);
      assert.equal(sent.get('authorization'), 'Bearer sk-ant-mine');
      assert.equal(sent.get('x-api-key'), undefined);
      const wrong = native('sk-ant-wrong').messages.create(asked);
      await assert.rejects(wrong, Anthropic.AuthenticationError);
    });
  });

  describe('to a provider of chat completions', () => {
    test('a message', async () => {
      const message = await create({
        model: 'openai/plain',
        system: [{ type: 'text', text: 'Be brief.' }],
        stop_sequences: ['END'],
      });
      assert.equal(textOf(message), 'Grüße 🌍');
      const { stop_reason: reason, usage } = message;
      assert.deepEqual([reason, usage.input_tokens, usage.output_tokens], ['end_turn', 11, 7]);
      const sent = await openai.lastSent();
      assert.equal(sent.url, '/v1/chat/completions');
      assert.deepEqual(JSON.parse(sent.body), {
        model: 'plain',
        max_tokens: 100,
        messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
        stop: ['END'],
      });
      assert.equal((await lastHeaders(openai)).get('authorization'), 'Bearer sk-stored');
    });

    test('a stream, as it comes, with usage', async () => {
      const stream = open({ model: 'openai/streams' });
      const pieces: string[] = [];
      stream.on('text', (piece) => {
        if (pieces.push(piece) === 1) void openai.release();
      });
      const message = await stream.finalMessage();
      assert.deepEqual(pieces, ['eins ', 'zwei 🌍']);
      assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [11, 7]);
      const sent = JSON.parse((await openai.lastSent()).body) as object;
      assert.deepEqual('stream_options' in sent && sent.stream_options, { include_usage: true });
    });

    for (const isStream of [false, true]) {
      test(`calls and their results, ${isStream ? 'in a stream' : 'at once'}`, async () => {
        const model = isStream ? 'openai/streams-calls' : 'openai/calls';
        const tools = [weather, now];
        const called = isStream
          ? await open({ model, tools }).finalMessage()
          : await create({ model, tools });
        assert.deepEqual(callsIn(called), [
          ['weather', { city: 'Wien' }],
          ['now', {}],
        ]);
        assert.equal(called.stop_reason, 'tool_use');
        const results = called.content.flatMap((block) =>
          block.type === 'tool_use'
            ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'done' }]
            : [],
        );
        await create({
          model: 'openai/plain',
          tools,
          messages: [
            ...messages,
            { role: 'assistant', content: called.content },
            { role: 'user', content: results },
          ],
        });
        const { messages: sent } = JSON.parse((await openai.lastSent()).body);
        assert.deepEqual(sent.slice(2), [
          { role: 'tool', tool_call_id: 'call_0', content: 'done' },
          { role: 'tool', tool_call_id: 'call_1', content: 'done' },
        ]);
      });
    }

    test('an image', async () => {
      const source = { type: 'base64' as const, media_type: 'image/png' as const, data: PNG };
      const content = [{ type: 'image' as const, source }];
      await create({ model: 'openai/plain', messages: [{ role: 'user', content }] });
      const sent = (await openai.lastSent()).body;
      assert.match(sent, new RegExp(`"image_url":\\{"url":"data:image/png;base64,${PNG}"`));
    });

    test('errors arrive as the classes that the package has for them', async () => {
      const limited = create({ model: 'openai/rate-limited' });
      await assert.rejects(limited, (error: unknown) => {
        assert.ok(error instanceof Anthropic.RateLimitError);
        assert.deepEqual([error.type, error.apiMessage], ['rate_limit_error', 'slow down']);
        return true;
      });
      await assert.rejects(create({ model: 'openai/hangs-up' }), Anthropic.InternalServerError);
      const untranslatable = create({
        model: 'openai/plain',
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      });
      await assert.rejects(untranslatable, (error: unknown) => {
        assert.ok(error instanceof Anthropic.BadRequestError);
        assert.match(error.message, /tools\[0\]\.type/);
        return true;
      });
      const broken = open({ model: 'openai/breaks-off' });
      broken.on('text', () => void openai.release());
      await assert.rejects(broken.finalMessage(), Anthropic.APIError);
    });

    test('to the model inside the gateway', async () => {
      assert.equal(textOf(await create({ model: 'local/echo' })), 'Grüße aus Wien 🌍');
      const streamed = await open({ model: 'local/echo' }).finalMessage();
      assert.equal(textOf(streamed), 'Grüße aus Wien 🌍');
      assert.equal(streamed.usage.output_tokens, 4);
    });
  });
});
