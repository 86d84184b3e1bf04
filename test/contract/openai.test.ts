import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';

/** The unmodified `openai` package against the gateway. */
onEachDatabase((database) => {
  let server: TestServer;
  let upstream: Upstream;
  let client: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    server = await bootServer(database, {
      settings: { PROVIDER_OPENAI_BASE_URL: upstream.baseUrl, PROVIDER_OPENAI_API_KEY: 'sk-x' },
    });
    client = clientWith(server.token);
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  const clientWith = (apiKey: string): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${server.baseUrl}${server.account}/ai/v1`, maxRetries: 0 });

  const messages = [{ role: 'user' as const, content: 'Grüße aus Wien 🌍' }];

  test('local/echo: a completion', async () => {
    const completion = await client.chat.completions.create({ model: 'local/echo', messages });
    assert.equal(completion.choices[0]?.message.content, 'Grüße aus Wien 🌍');
    assert.equal(completion.usage?.total_tokens, 8);
  });

  test('local/echo: a stream', async () => {
    const stream = await client.chat.completions.create({
      model: 'local/echo',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let usage;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    assert.equal(text, 'Grüße aus Wien 🌍');
    assert.equal(usage?.completion_tokens, 4);
  });

  test('a second process as the provider: a completion', async () => {
    const completion = await client.chat.completions.create({ model: 'openai/plain', messages });
    assert.equal(completion.choices[0]?.message.content, 'Grüße 🌍');
    assert.equal(completion.usage?.prompt_tokens, 11);
  });

  test('a second process as the provider: a stream, as it comes', async () => {
    const stream = await client.chat.completions.create({
      model: 'openai/streams',
      messages,
      stream: true,
    });
    const pieces: string[] = [];
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? '');
      // The provider waits for this in the middle of the second event.
      if (pieces.length === 1) await upstream.release();
    }
    assert.equal(pieces.join(''), 'eins zwei 🌍');
  });

  test('a stream that breaks off raises an error, between events with our reason', async () => {
    const readAll = async (model: string): Promise<void> => {
      const stream = await client.chat.completions.create({ model, messages, stream: true });
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content === 'eins ') await upstream.release();
      }
    };
    await assert.rejects(readAll('openai/breaks-off'), /Failed to get response from provider/);
    await assert.rejects(readAll('openai/breaks-off-in-event'));
  });

  test('errors arrive as the classes that the package has for them', async () => {
    const attempt = (model: string, key = server.token) =>
      clientWith(key).chat.completions.create({ model, messages });
    await assert.rejects(attempt('local/echo', createSecret('lkat_')), (error: unknown) => {
      assert.ok(error instanceof OpenAI.AuthenticationError);
      assert.deepEqual([error.code, error.type], ['10000', 'authentication_error']);
      return true;
    });
    await assert.rejects(attempt('no-prefix'), OpenAI.BadRequestError);
    await assert.rejects(attempt('openai/rate-limited'), OpenAI.RateLimitError);
    await assert.rejects(attempt('openai/hangs-up'), OpenAI.InternalServerError);
  });
});
