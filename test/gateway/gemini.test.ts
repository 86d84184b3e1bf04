import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources';
import { createGoogleAiStudioProvider } from '../../src/gateway/providers/google-ai-studio.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { type Upstream, headersOf, startUpstream } from '../support/upstream-process.ts';

const FLASH = 'google-ai-studio/gemini-2.5-flash';
const HELLO: ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }];
const TOOLS: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  },
];

let upstream: Upstream;
let server: TestServer;
let client: OpenAI;
before(async () => {
  upstream = await startUpstream('gemini-upstream.ts');
  server = await bootServer('sqlite', {
    settings: {
      PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: `${new URL(upstream.baseUrl).origin}/v1beta/`,
      PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'AIza-stored',
    },
  });
  const baseURL = `${server.baseUrl}${server.account}/ai/v1`;
  client = new OpenAI({ baseURL, apiKey: server.token, maxRetries: 0 });
});
after(async () => {
  await server.stop();
  await upstream.stop();
});

/** What the provider was sent last: its path, its headers by lower-case name, and its body. */
async function lastSent(): Promise<{ url: string; headers: Map<string, string>; body: Json }> {
  const last = await upstream.lastSent();
  const body = last.body === '' ? undefined : JSON.parse(last.body);
  return { url: last.url, headers: headersOf(last), body };
}

async function lastLog(): Promise<Json> {
  const path = `${server.account}/ai-gateway/gateways/default/logs?per_page=1`;
  return (await server.call('GET', path)).json.result[0];
}

describe('chat completions', () => {
  test('plain', async () => {
    const completion = await client.chat.completions.create({
      model: FLASH,
      messages: [{ role: 'system', content: 'Be brief.' }, ...HELLO],
      max_completion_tokens: 50,
    });
    assert.equal(completion.choices[0]?.message.content, 'Grüße 🌍');
    assert.equal(completion.choices[0].finish_reason, 'stop');
    assert.deepEqual(completion.usage, {
      prompt_tokens: 8,
      completion_tokens: 12,
      total_tokens: 20,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 7 },
    });
    const { url, headers, body } = await lastSent();
    assert.equal(url, '/v1beta/models/gemini-2.5-flash:generateContent');
    assert.equal(headers.get('x-goog-api-key'), 'AIza-stored');
    assert.equal(headers.has('authorization'), false);
    assert.deepEqual(body, {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      generationConfig: { maxOutputTokens: 50 },
    });
    const log = await lastLog();
    assert.deepEqual([log.tokens_in, log.tokens_out, log.success], [8, 12, true]);
    assert.equal(log.model, 'gemini-2.5-flash');
  });

  test('as a stream, with its usage', async () => {
    const stream = await client.chat.completions.create({
      model: FLASH,
      messages: HELLO,
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: 'low',
    });
    let content = '';
    let reasoning = '';
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as Json;
      content += delta?.content ?? '';
      reasoning += delta?.reasoning_content ?? '';
      usage = chunk.usage;
    }
    assert.deepEqual([content, reasoning], ['Grüße 🌍', 'They greet me.']);
    assert.equal(usage?.total_tokens, 20);
    const { url } = await lastSent();
    assert.equal(url, '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
    const log = await lastLog();
    assert.deepEqual([log.tokens_in, log.tokens_out], [8, 12]);
  });

  for (const model of ['gemini-2.5-flash', 'gemini-3.8-flash']) {
    for (const isStream of [false, true]) {
      test(`a round of tools with ${model}, ${isStream ? 'as a stream' : 'plain'}`, async () => {
        const asked = { model: `google-ai-studio/${model}`, messages: HELLO, tools: TOOLS };
        const message = isStream
          ? await client.chat.completions.stream(asked).finalMessage()
          : (await client.chat.completions.create(asked)).choices[0]?.message;
        const calls = message?.tool_calls ?? [];
        const results = calls.map(({ id }, index): ChatCompletionMessageParam => ({
          role: 'tool',
          tool_call_id: id,
          content: `{"celsius":${index + 20}}`,
        }));
        assert.equal(results.length, 2);
        assert.ok(message);
        const { choices } = await client.chat.completions.create({
          ...asked,
          messages: [...HELLO, message, ...results],
        });
        assert.equal(choices[0]?.message.content, 'Köln: 21');
        const [called] = (await lastSent()).body.contents[1].parts;
        const signature = model === 'gemini-3.8-flash' ? 'c2lnbmF0dXJl' : undefined;
        assert.equal(called.thoughtSignature, signature);
      });
    }
  }

  test('structured output', async () => {
    const schema = { type: 'object', properties: { answer: { type: 'integer' } } };
    const completion = await client.chat.completions.parse({
      model: FLASH,
      messages: HELLO,
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
    });
    assert.deepEqual(completion.choices[0]?.message.parsed, { answer: 42 });
    assert.deepEqual((await lastSent()).body.generationConfig, {
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  test('a picture', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const { choices } = await client.chat.completions.create({
      model: FLASH,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });
    assert.equal(choices[0]?.message.content, 'I see image/png');
  });

  test('a prompt that is blocked', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'google-ai-studio/blocked',
      messages: HELLO,
    });
    assert.equal(choices[0]?.finish_reason, 'content_filter');
    assert.equal(choices[0].message.refusal, 'The prompt was blocked: PROHIBITED_CONTENT');
  });

  for (const [model, status, code, message] of [
    ['rate-limited', 429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.'],
    // What a model is called never leads out of the path of models.
    ['..%2F..', 404, 'NOT_FOUND', 'models/..%2F.. is not found for API version v1beta.'],
    ['a/../../b', 404, 'NOT_FOUND', 'models/a/../../b is not found for API version v1beta.'],
  ] as const) {
    test(`an error keeps its status: ${status} ${model}`, async () => {
      const failed = client.chat.completions.create({
        model: `google-ai-studio/${model}`,
        messages: HELLO,
      });
      await assert.rejects(failed, (error) => {
        assert.ok(error instanceof OpenAI.APIError);
        assert.deepEqual([error.status, error.code], [status, code]);
        assert.ok(error.message.includes(message), error.message);
        return true;
      });
    });
  }

  test('an error in the middle of a stream reaches the client', async () => {
    const stream = await client.chat.completions.create({
      model: 'google-ai-studio/overloaded-later',
      messages: HELLO,
      stream: true,
    });
    await assert.rejects(async () => {
      for await (const chunk of stream) assert.ok(chunk.choices);
    }, /The model is overloaded/);
  });

  test('what Gemini has no words for is refused before it is sent', async () => {
    const before = (await upstream.recorded()).length;
    const refused = client.chat.completions.create({
      model: FLASH,
      messages: HELLO,
      logit_bias: { 5: 1 },
    });
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.match(error.message, /logit_bias/);
      return true;
    });
    assert.equal((await upstream.recorded()).length, before);
  });
});

describe('messages, through two translations', () => {
  const anthropic = () =>
    new Anthropic({
      baseURL: `${server.baseUrl}${server.account}/ai`,
      apiKey: server.token,
      maxRetries: 0,
    });
  const asked = {
    model: FLASH,
    max_tokens: 50,
    messages: [{ role: 'user' as const, content: 'hi' }],
  };

  test('plain', async () => {
    const message = await anthropic().messages.create(asked);
    const [block] = message.content;
    assert.equal(block?.type === 'text' && block.text, 'Grüße 🌍');
    assert.equal(message.stop_reason, 'end_turn');
    assert.equal(message.usage.output_tokens, 12);
  });

  test('a round of tools, though nobody keeps the signature', async () => {
    const tool = { name: 'get_weather', input_schema: { type: 'object' as const } };
    const withTool = { ...asked, model: 'google-ai-studio/gemini-3.8-flash', tools: [tool] };
    const { content, stop_reason: reason } = await anthropic().messages.create(withTool);
    assert.equal(reason, 'tool_use');
    const results = content
      .filter((block) => block.type === 'tool_use')
      .map(({ id }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: '{"celsius":20}',
      }));
    assert.equal(results.length, 2);
    const message = await anthropic().messages.create({
      ...withTool,
      messages: [
        ...asked.messages,
        { role: 'assistant', content },
        { role: 'user', content: results },
      ],
    });
    const [block] = message.content;
    assert.equal(block?.type === 'text' && block.text, 'Köln: 20');
  });

  test('as a stream', async () => {
    const message = await anthropic().messages.stream(asked).finalMessage();
    assert.equal(message.content.at(-1)?.type, 'text');
    assert.equal(await anthropic().messages.stream(asked).finalText(), 'Grüße 🌍');
  });
});

test('embeddings, on the compatible API of Google with its own way of presenting a key', async () => {
  const { data } = await client.embeddings.create({
    model: 'google-ai-studio/gemini-embedding-001',
    input: 'hello',
    encoding_format: 'float',
  });
  assert.deepEqual(data[0]?.embedding, [0.5, -0.5]);
  const { url, headers, body } = await lastSent();
  assert.equal(url, '/v1beta/openai/embeddings');
  assert.equal(headers.get('authorization'), 'Bearer AIza-stored');
  assert.equal(headers.has('x-goog-api-key'), false);
  assert.equal(body.model, 'gemini-embedding-001');
});

describe('native paths', () => {
  for (const [path, expected] of [
    ['v1beta/models/gemini-2.5-flash:generateContent', 'gemini-2.5-flash'],
    ['v1/tunedModels/mine-1:generateContent?key=x', 'tunedModels/mine-1'],
    ['v1beta/models?x=models/a:b', undefined],
    ['v1beta/models/a%2Fb:generateContent', undefined],
  ] as const) {
    test(`the model of ${path}`, () => {
      assert.equal(createGoogleAiStudioProvider({}).nativeModel?.(path), expected);
    });
  }

  const native = (method: string, path: string, headers: Record<string, string> = {}) =>
    request(method, `${server.origin}/v1/${server.accountId}/default/google-ai-studio/${path}`, {
      headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...headers },
      ...(method === 'POST' ? { body: { contents: [{ parts: [{ text: 'hi' }] }] } } : {}),
    });

  for (const version of ['v1beta', 'v1']) {
    test(`bytes pass as they are: ${version}`, async () => {
      const path = `${version}/models/gemini-2.5-flash:streamGenerateContent?alt=sse`;
      const { status, text } = await native('POST', path);
      assert.equal(status, 200);
      assert.ok(text.endsWith('\r\n\r\n'));
      const { url, headers } = await lastSent();
      assert.equal(url, `/${path}`);
      assert.equal(headers.get('x-goog-api-key'), 'AIza-stored');
      const log = await lastLog();
      assert.deepEqual([log.tokens_in, log.tokens_out], [8, 12]);
    });
  }

  for (const [name, headers] of [
    ['x-goog-api-key', { 'x-goog-api-key': 'AIza-own' }],
    ['authorization', { authorization: 'Bearer ya29.own' }],
  ] as const) {
    test(`the caller's own key instead of ours: ${name}`, async () => {
      const { status } = await native('GET', 'v1beta/models', headers);
      assert.equal(status, 200);
      assert.equal((await lastSent()).headers.get(name), Object.values(headers)[0]);
    });
  }

  test("the caller's own key instead of ours: in the query", async () => {
    const { status } = await native('GET', 'v1beta/models?key=AIza-own&pageSize=5');
    assert.equal(status, 200);
    const { url, headers } = await lastSent();
    assert.equal(url, '/v1beta/models?key=AIza-own&pageSize=5');
    assert.equal(headers.has('x-goog-api-key'), false);
    assert.equal(JSON.stringify(await lastLog()).includes('AIza-own'), false);
  });
});
