import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import { openAiWays } from '../support/openai-clients.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, headerOf, startUpstream } from '../support/upstream-process.ts';

const messages = [{ role: 'user' as const, content: 'Grüße aus Wien 🌍' }];
const City = z.object({ city: z.string(), population: z.number() });

let server: TestServer;
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream('openai-api-upstream.ts');
  server = await bootServer('sqlite', {
    settings: { PROVIDER_OPENAI_BASE_URL: upstream.baseUrl, PROVIDER_OPENAI_API_KEY: 'sk-stored' },
  });
});
after(async () => {
  await server.stop();
  await upstream.stop();
});

/** The unmodified `openai` package and its chat completions, by every way that it can come in. */
for (const { name, prefix, bringsKey, client: connect } of openAiWays) {
  describe(name, () => {
    let client: OpenAI;
    before(() => {
      client = connect(server);
    });

    const open = (model: string, signal?: AbortSignal) =>
      client.chat.completions.create(
        { model: prefix + model, messages, stream: true },
        signal === undefined ? {} : { signal },
      );

    test('a completion, with what the provider says beside it', async () => {
      const { data, response, request_id } = await client.chat.completions
        .create({ model: `${prefix}gpt-plain`, messages })
        .withResponse();
      assert.equal(data.choices[0]?.message.content, 'Grüße 🌍');
      assert.equal(data.model, 'gpt-plain-2026-01-01');
      assert.equal(data.usage?.prompt_tokens_details?.cached_tokens, 3);
      assert.match(request_id ?? '', /^[\w-]{8,}$/);
      assert.match(response.headers.get('x-upstream-request-id') ?? '', /^req_\d+$/);
      assert.equal(response.headers.get('x-ratelimit-remaining-requests'), '49');
      assert.equal(response.headers.get('cf-aig-provider'), 'openai');
      const sent = await upstream.lastSent();
      assert.equal(sent.url, '/v1/chat/completions');
      const key = bringsKey ? 'Bearer sk-mine' : 'Bearer sk-stored';
      assert.equal(headerOf(sent, 'authorization'), key);
      assert.equal(headerOf(sent, 'cf-aig-authorization'), undefined);
      assert.deepEqual(JSON.parse(sent.body), { model: 'gpt-plain', messages });
    });

    test('a stream with usage, as it comes', async () => {
      const stream = await client.chat.completions.create({
        model: `${prefix}gpt-streams`,
        messages,
        stream: true,
        stream_options: { include_usage: true },
      });
      const pieces: string[] = [];
      let usage;
      for await (const chunk of stream) {
        const content = chunk.choices[0]?.delta.content ?? '';
        // The provider waits for this in the middle of a character.
        if (content !== '' && pieces.push(content) === 1) await upstream.release();
        usage = chunk.usage ?? usage;
      }
      assert.deepEqual(pieces, ['Grüße ', '🌍']);
      assert.equal(usage?.completion_tokens_details?.reasoning_tokens, 2);
    });

    test('the stream helper', async () => {
      const stream = client.chat.completions.stream({ model: `${prefix}gpt-plain`, messages });
      const snapshots: string[] = [];
      stream.on('content', (_delta, snapshot) => snapshots.push(snapshot));
      assert.equal(await stream.finalContent(), 'Grüße 🌍');
      assert.deepEqual(snapshots, ['Grüße ', 'Grüße 🌍']);
    });

    for (const stream of [false, true]) {
      test(`tools run by the client, ${stream ? 'streamed' : 'at once'}`, async () => {
        const asked: unknown[] = [];
        const weather = zodFunction({
          name: 'weather',
          parameters: z.object({ city: z.string() }),
          function: (parameters) => {
            asked.push(parameters);
            return 'rain';
          },
        });
        const now = zodFunction({
          name: 'now',
          parameters: z.object({}),
          function: () => 'noon',
        });
        const body = { model: `${prefix}gpt-plain`, messages, tools: [weather, now] };
        const runner = stream
          ? client.chat.completions.runTools({ ...body, stream })
          : client.chat.completions.runTools(body);
        assert.equal(await runner.finalContent(), 'The tools said rain and noon.');
        assert.deepEqual(asked, [{ city: 'Wien' }]);
      });

      test(`structured output, ${stream ? 'streamed' : 'at once'}`, async () => {
        const body = {
          model: `${prefix}gpt-plain`,
          messages,
          response_format: zodResponseFormat(City, 'city'),
        };
        const { choices } = stream
          ? await client.chat.completions.stream(body).finalChatCompletion()
          : await client.chat.completions.parse(body);
        assert.deepEqual(choices[0]?.message.parsed, { city: 'Wien', population: 2_028_000 });
      });
    }

    test('an abort in mid-stream reaches the provider', async () => {
      const stream = await open('gpt-streams');
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content === 'Grüße ') break;
      }
      await eventually('the provider is left', async () => (await upstream.lastSent()).aborted);
    });

    test('an abort before the answer, and a timeout, reach the provider', async () => {
      const controller = new AbortController();
      const { length: earlier } = await upstream.recorded();
      const sent = async () => (await upstream.recorded()).slice(earlier);
      const waiting = open('gpt-silent', controller.signal);
      const aborting = assert.rejects(waiting, OpenAI.APIUserAbortError);
      await eventually('the request arrives', async () => (await sent()).length === 1);
      controller.abort();
      await aborting;
      const body = { model: `${prefix}gpt-silent`, messages };
      const slow = client.chat.completions.create(body, { timeout: 100 });
      await assert.rejects(slow, OpenAI.APIConnectionTimeoutError);
      await eventually('the provider is left, twice', async () => {
        const silent = await sent();
        return silent.length === 2 && silent.every(({ aborted }) => aborted);
      });
    });

    test("the provider's errors arrive as the classes that the package has for them", async () => {
      const attempt = (model: string) =>
        client.chat.completions.create({ model: prefix + model, messages });
      await assert.rejects(attempt('gpt-forbidden'), OpenAI.PermissionDeniedError);
      await assert.rejects(attempt('gpt-unprocessable'), OpenAI.UnprocessableEntityError);
      await assert.rejects(attempt('gpt-fails'), OpenAI.InternalServerError);
      await assert.rejects(attempt('gpt-missing'), (error: unknown) => {
        assert.ok(error instanceof OpenAI.NotFoundError);
        assert.deepEqual([error.code, error.type], ['model_not_found', 'invalid_request_error']);
        return true;
      });
      await assert.rejects(attempt('gpt-limited'), (error: unknown) => {
        assert.ok(error instanceof OpenAI.RateLimitError);
        assert.equal(error.headers.get('retry-after'), '7');
        assert.match(error.message, /^429 Rate limit reached for gpt-limited/);
        return true;
      });
      const empty = client.chat.completions.create({ model: `${prefix}gpt-plain`, messages: [] });
      await assert.rejects(empty, /400 Invalid 'messages': empty array/);
    });
  });
}

/** Only where the client brings a key of its own. */
for (const { name, prefix, client: connect } of openAiWays.filter(({ bringsKey }) => bringsKey)) {
  test(`${name}: a wrong key is the provider's to refuse, a wrong token ours`, async () => {
    const body = { model: `${prefix}gpt-plain`, messages };
    const wrongKey = connect(server, { apiKey: 'sk-wrong' }).chat.completions.create(body);
    await assert.rejects(wrongKey, (error: unknown) => {
      assert.ok(error instanceof OpenAI.AuthenticationError);
      assert.equal(error.code, 'invalid_api_key');
      return true;
    });
    const stranger = connect(server, { defaultHeaders: {} });
    await assert.rejects(stranger.chat.completions.create(body), (error: unknown) => {
      assert.ok(error instanceof OpenAI.AuthenticationError);
      assert.match(error.message, /^401 .*2009.*Unauthorized/);
      return true;
    });
  });

  test(`${name}: without a key of its own, it gets the operator's`, async () => {
    const keyless = connect(server, {
      defaultHeaders: {
        'cf-aig-authorization': `Bearer ${server.token}`,
        // As the documentation of such gateways has it.
        authorization: null,
      },
    });
    await keyless.chat.completions.create({ model: `${prefix}gpt-plain`, messages });
    assert.equal(headerOf(await upstream.lastSent(), 'authorization'), 'Bearer sk-stored');
  });
}

test('the models', async () => {
  const [rest, compat, native] = openAiWays.map(({ client: connect }) => connect(server));
  for (const client of [rest, compat]) {
    const ids: string[] = [];
    for await (const { id, object } of client?.models.list() ?? []) {
      assert.equal(object, 'model');
      ids.push(id);
    }
    assert.ok(ids.includes('local/echo'));
    assert.ok(ids.some((id) => id.startsWith('openai/gpt-')));
  }
  const echo = await rest?.models.retrieve('local/echo');
  assert.deepEqual([echo?.id, echo?.owned_by], ['local/echo', 'local']);
  await assert.rejects(async () => rest?.models.retrieve('local/nobody'), OpenAI.NotFoundError);
  assert.equal((await native?.models.list())?.data[0]?.id, 'gpt-plain');
  assert.equal((await native?.models.retrieve('gpt-plain'))?.owned_by, 'openai');
  const noToken = openAiWays[0]?.client(server, { apiKey: 'none' });
  await assert.rejects(async () => noToken?.models.list(), OpenAI.AuthenticationError);
});
