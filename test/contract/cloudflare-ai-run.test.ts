import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';

/** The unmodified `cloudflare` package: running models. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  before(async () => {
    server = await bootServer(database);
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl, maxRetries: 0 });
  });
  after(() => server.stop());

  const run = (model: string, input: object): Promise<Json> =>
    client.ai.run(model, { account_id: server.accountId, ...input });

  test('a prompt', async () => {
    const result = await run('local/echo', { prompt: 'hello there' });
    assert.equal(result.response, 'hello there');
    assert.equal(result.usage.total_tokens, 4);
  });

  test('messages', async () => {
    const result = await run('local/echo', { messages: [{ role: 'user', content: 'hello' }] });
    assert.equal(result.choices[0].message.content, 'hello');
  });

  test('embeddings', async () => {
    const { shape, data } = await run('local/echo', { text: ['one', 'two'] });
    assert.deepEqual(shape, [2, data[0].length]);
  });

  test('a stream', async () => {
    const params = { account_id: server.accountId, prompt: 'one two', stream: true };
    const response = await client.ai.run('local/echo', params).asResponse();
    const text = await response.text();
    assert.match(text, /^data: {"response":"one"}\n\ndata: {"response":" two"}\n\n/);
  });

  test('errors', async () => {
    await assert.rejects(run('local/echo', { image: [] }), Cloudflare.BadRequestError);
    await assert.rejects(run('local/none', { prompt: 'hello' }), Cloudflare.NotFoundError);
    const stranger = new Cloudflare({
      apiToken: 'none',
      baseURL: server.baseUrl,
      maxRetries: 0,
    });
    const params = { account_id: server.accountId, prompt: 'hello' };
    await assert.rejects(stranger.ai.run('local/echo', params), Cloudflare.AuthenticationError);
  });
});
