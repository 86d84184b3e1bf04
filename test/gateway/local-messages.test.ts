import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';

/** The unmodified `@anthropic-ai/sdk` package and `local/echo`, which speaks another API. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Anthropic;
  before(async () => {
    server = await bootServer(database);
    client = new Anthropic({
      apiKey: server.token,
      baseURL: `${server.baseUrl}${server.account}/ai/v1`,
      maxRetries: 0,
    });
  });
  after(() => server.stop());

  const TEXT = 'Grüße  aus Wien 🌍';
  const request = {
    model: 'local/echo',
    max_tokens: 64,
    messages: [{ role: 'user' as const, content: TEXT }],
  };
  const tools = [{ name: 'look_up', input_schema: { type: 'object' as const } }];
  const forced = { ...request, tools, tool_choice: { type: 'tool' as const, name: 'look_up' } };

  test('a message', async () => {
    const message = await client.messages.create(request);
    assert.deepEqual(
      message.content.map((block) => (block.type === 'text' ? block.text : block.type)),
      [TEXT],
    );
    assert.equal(message.stop_reason, 'end_turn');
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [4, 4]);
  });

  test('a stream', async () => {
    const stream = client.messages.stream(request);
    assert.equal(await stream.finalText(), TEXT);
    assert.equal((await stream.finalMessage()).usage.output_tokens, 4);
  });

  test('a call of a tool, whole and as a stream', async () => {
    const whole = await client.messages.create(forced);
    const streamed = await client.messages.stream(forced).finalMessage();
    for (const { content, stop_reason: reason } of [whole, streamed]) {
      const [block] = content;
      assert.equal(block?.type, 'tool_use');
      assert.deepEqual([block.name, block.input], ['look_up', { text: TEXT }]);
      assert.equal(reason, 'tool_use');
    }
  });

  test('404 in the shape of the Anthropic API, for another model', async () => {
    const other = { ...request, model: 'local/other' };
    await assert.rejects(client.messages.create(other), Anthropic.NotFoundError);
  });
});
