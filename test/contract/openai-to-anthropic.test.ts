import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';

const messages = [{ role: 'user' as const, content: 'Grüße aus Wien 🌍' }];
const PNG = 'iVBORw0KGgo=';

const tool = (name: string): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } } } },
});

/** The unmodified `openai` package against a provider that speaks the Messages API. */
onEachDatabase((database) => {
  let server: TestServer;
  let upstream: Upstream;
  let client: OpenAI;
  before(async () => {
    upstream = await startUpstream('anthropic-upstream.ts');
    server = await bootServer(database, {
      settings: {
        PROVIDER_ANTHROPIC_BASE_URL: upstream.baseUrl,
        PROVIDER_ANTHROPIC_API_KEY: 'sk-ant-stored',
      },
    });
    client = new OpenAI({
      apiKey: server.token,
      baseURL: `${server.baseUrl}${server.account}/ai/v1`,
      maxRetries: 0,
    });
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  type Fields = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

  const complete = (model: string, fields: Fields = {}) =>
    client.chat.completions.create({ model: `anthropic/${model}`, messages, ...fields });

  const open = (model: string, fields: Fields = {}) =>
    client.chat.completions.stream({
      model: `anthropic/${model}`,
      messages,
      stream_options: { include_usage: true },
      ...(fields as object),
    });

  test('a completion', async () => {
    const { data, response } = await complete('claude-plain', {
      temperature: 2,
      user: 'u-1',
    }).withResponse();
    const [choice] = data.choices;
    assert.deepEqual([choice?.message.content, choice?.finish_reason], ['Grüße 🌍', 'stop']);
    assert.equal(data.usage?.total_tokens, 18);
    assert.equal(response.headers.get('content-type'), 'application/json');
    const sent = await upstream.lastSent();
    assert.equal(sent.url, '/v1/messages');
    assert.deepEqual(JSON.parse(sent.body), {
      model: 'claude-plain',
      max_tokens: 64_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Grüße aus Wien 🌍' }] }],
      metadata: { user_id: 'u-1' },
    });
  });

  test('a temperature, for models that take one', async () => {
    await complete('claude-sonnet-4-6', { temperature: 2 });
    const sent = JSON.parse((await upstream.lastSent()).body) as object;
    assert.equal('temperature' in sent && sent.temperature, 1);
  });

  test('a stream, as it comes, with usage', async () => {
    const stream = await client.chat.completions.create({
      model: 'anthropic/claude-streams',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let usage;
    for await (const chunk of stream) {
      const content = chunk.choices[0]?.delta.content;
      // The provider waits for this in the middle of a character.
      if (content && pieces.push(content) === 1) await upstream.release();
      usage = chunk.usage ?? usage;
    }
    assert.deepEqual(pieces, ['Grü', 'ße 🌍']);
    assert.equal(usage?.total_tokens, 18);
  });

  const tools = [tool('weather'), tool('now')];
  const expectedCalls = [
    ['toolu_0', 'weather', '{"city":"Wien","days":1}'],
    ['toolu_1', 'now', '{}'],
  ];
  const callsIn = (completion: OpenAI.ChatCompletion): unknown[] =>
    (completion.choices[0]?.message.tool_calls ?? []).map((call) =>
      call.type === 'function' ? [call.id, call.function.name, call.function.arguments] : [],
    );

  test('calls and their results', async () => {
    const called = await complete('claude-plain', { tools });
    assert.deepEqual(callsIn(called), expectedCalls);
    assert.equal(called.choices[0]?.finish_reason, 'tool_calls');
    const [choice] = called.choices;
    assert.ok(choice);
    const answered = await complete('claude-plain', {
      tools,
      messages: [
        ...messages,
        choice.message,
        { role: 'tool', tool_call_id: 'toolu_0', content: 'rain' },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'noon' },
      ],
    });
    assert.match(answered.choices[0]?.message.content ?? '', /The tool said .*rain/);
  });

  test('calls in a stream, behind thoughts', async () => {
    const stream = open('claude-plain', { tools, reasoning_effort: 'low' });
    let thoughts = '';
    stream.on('chunk', ({ choices }) => {
      const delta = choices[0]?.delta as { reasoning_content?: string } | undefined;
      thoughts += delta?.reasoning_content ?? '';
    });
    const completion = await stream.finalChatCompletion();
    assert.equal(thoughts, 'Hm, 🌍 …');
    assert.deepEqual(callsIn(completion), expectedCalls);
    assert.equal(completion.usage?.completion_tokens_details?.reasoning_tokens, 3);
  });

  test('structured output', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, population: { type: 'integer', minimum: 0 } },
      required: ['city', 'population'],
      additionalProperties: false,
    };
    const completion = await client.chat.completions.parse({
      model: 'anthropic/claude-plain',
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema } },
    });
    assert.deepEqual(completion.choices[0]?.message.parsed, {
      city: 'Wien',
      population: 2_028_000,
    });
  });

  test('images', async () => {
    const shown = async (url: string): Promise<string | null | undefined> => {
      const content = [{ type: 'image_url' as const, image_url: { url, detail: 'low' as const } }];
      const asked = { messages: [{ role: 'user' as const, content }] };
      return (await complete('claude-plain', asked)).choices[0]?.message.content;
    };
    assert.equal(await shown(`data:image/png;base64,${PNG}`), 'An image/png of 8 bytes.');
    assert.equal(
      await shown('https://example.com/a.png'),
      'The image at https://example.com/a.png.',
    );
    await assert.rejects(shown('data:image/tiff;base64,AAAA'), OpenAI.BadRequestError);
  });

  test('what is cached is part of the prompt', async () => {
    const part = { type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' } };
    const { usage } = await complete('claude-plain', {
      messages: [{ role: 'system', content: [part] }, ...messages],
    });
    assert.equal(usage?.prompt_tokens, 131);
    assert.equal(usage?.prompt_tokens_details?.cached_tokens, 100);
  });

  test('a refusal', async () => {
    for (const completion of [
      await complete('claude-refuses'),
      await open('claude-refuses').finalChatCompletion(),
    ]) {
      const [choice] = completion.choices;
      assert.deepEqual(
        [choice?.message.refusal, choice?.finish_reason],
        ['Not that.', 'content_filter'],
      );
    }
  });

  test('errors arrive as the classes that the package has for them', async () => {
    await assert.rejects(complete('claude-rate-limited'), (error: unknown) => {
      assert.ok(error instanceof OpenAI.RateLimitError);
      assert.equal(error.type, 'rate_limit_error');
      assert.match(error.message, /Number of requests has exceeded/);
      assert.equal(error.headers.get('retry-after'), '7');
      return true;
    });
    await assert.rejects(complete('claude-overloaded'), (error: unknown) => {
      assert.ok(error instanceof OpenAI.InternalServerError);
      assert.deepEqual([error.status, error.type], [529, 'overloaded_error']);
      return true;
    });
    await assert.rejects(complete('claude-missing'), OpenAI.NotFoundError);
    await assert.rejects(complete('claude-behind-proxy'), /502 <h1>Bad Gateway<\/h1>/);
    await assert.rejects(complete('claude-plain', { n: 2 }), (error: unknown) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.match(error.message, /n: the API of the provider does not have this parameter/);
      return true;
    });
  });

  test('a stream that fails, or ends early, raises an error', async () => {
    const readAll = async (model: string): Promise<void> => {
      const stream = await client.chat.completions.create({
        model: `anthropic/${model}`,
        messages,
        stream: true,
      });
      for await (const _chunk of stream);
    };
    await assert.rejects(readAll('claude-fails'), /Overloaded/);
    await assert.rejects(readAll('claude-ends-early'), /ended the stream before/);
  });
});
