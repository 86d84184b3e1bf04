import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import { openAiWays } from '../support/openai-clients.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';

const input = 'Grüße aus Wien 🌍';
const City = z.object({ city: z.string(), population: z.number() });
const weather = zodResponsesFunction({
  name: 'weather',
  parameters: z.object({ city: z.string() }),
});

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

/** The unmodified `openai` package: responses and embeddings, by every way that they can come in. */
for (const { name, prefix, client: connect } of openAiWays) {
  describe(name, () => {
    let client: OpenAI;
    before(() => {
      client = connect(server);
    });
    const model = `${prefix}gpt-plain`;

    test('a response', async () => {
      const response = await client.responses.create({ model, input, instructions: 'Be brief.' });
      assert.equal(response.output_text, 'Grüße 🌍');
      assert.equal(response.usage?.input_tokens_details.cached_tokens, 3);
      const sent = await upstream.lastSent();
      assert.equal(sent.url, '/v1/responses');
      const body = { model: 'gpt-plain', input, instructions: 'Be brief.' };
      assert.deepEqual(JSON.parse(sent.body), body);
    });

    test('a stream of events, as it comes', async () => {
      const stream = await client.responses.create({
        model: `${prefix}gpt-streams`,
        input,
        stream: true,
      });
      const types: string[] = [];
      const pieces: string[] = [];
      for await (const event of stream) {
        if (types.at(-1) !== event.type) types.push(event.type);
        if (event.type !== 'response.output_text.delta') continue;
        // The provider waits for this in the middle of a character.
        if (pieces.push(event.delta) === 1) await upstream.release();
      }
      assert.deepEqual(pieces, ['Grüße ', '🌍']);
      assert.deepEqual(types, [
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ]);
    });

    test('a stream that is left', async () => {
      const stream = await client.responses.create({
        model: `${prefix}gpt-streams`,
        input,
        stream: true,
      });
      for await (const event of stream) {
        if (event.type === 'response.output_text.delta') break;
      }
      await eventually('the provider is left', async () => (await upstream.lastSent()).aborted);
    });

    test('calls of functions and their results, with the whole conversation', async () => {
      const called = await client.responses.parse({ model, input, tools: [weather] });
      const [call] = called.output;
      assert.ok(call?.type === 'function_call');
      assert.deepEqual(call.parsed_arguments, { city: 'Wien' });
      const answered = await client.responses.create({
        model,
        tools: [weather],
        input: [
          { role: 'user', content: input },
          { type: 'function_call', call_id: call.call_id, name: 'weather', arguments: '{}' },
          { type: 'function_call_output', call_id: call.call_id, output: 'rain' },
        ],
      });
      assert.equal(answered.output_text, 'The tools said rain.');
    });

    test('calls of functions in a stream, answered with the id of the response', async () => {
      const stream = client.responses.stream({ model, input, tools: [weather] });
      let json = '';
      stream.on('response.function_call_arguments.delta', ({ delta }) => {
        json += delta;
      });
      const { id, output } = await stream.finalResponse();
      assert.equal(json, '{"city":"Wien"}');
      assert.ok(output[0]?.type === 'function_call');
      const answered = await client.responses.create({
        model,
        tools: [weather],
        previous_response_id: id,
        input: [{ type: 'function_call_output', call_id: output[0].call_id, output: 'rain' }],
      });
      assert.equal(answered.output_text, 'The tools said rain.');
    });

    test('structured output, at once and streamed', async () => {
      const body = { model, input, text: { format: zodTextFormat(City, 'city') } };
      const parsed = await client.responses.parse(body);
      assert.deepEqual(parsed.output_parsed, { city: 'Wien', population: 2_028_000 });
      const streamed = await client.responses.stream(body).finalResponse();
      assert.deepEqual(streamed.output_parsed, parsed.output_parsed);
    });

    test('errors', async () => {
      const attempt = (to: string) => client.responses.create({ model: prefix + to, input });
      await assert.rejects(attempt('gpt-missing'), OpenAI.NotFoundError);
      await assert.rejects(attempt('gpt-limited'), OpenAI.RateLimitError);
      await assert.rejects(attempt('gpt-overloaded'), OpenAI.InternalServerError);
      const output = [{ type: 'function_call_output' as const, call_id: 'call_9', output: 'rain' }];
      const unmatched = client.responses.create({ model, input: output });
      await assert.rejects(unmatched, /400 No tool call found/);
    });

    test('embeddings: base64, which the package asks for by itself, and numbers', async () => {
      const texts = { model: `${prefix}text-embedding`, input: ['one', 'three'] };
      const vectors = [
        [3, -0.5, 0.25],
        [5, -0.5, 0.25],
      ];
      for (const [format, sent] of [[undefined, 'base64'] as const, ['float', 'float'] as const]) {
        const { data, usage } = await client.embeddings.create({
          ...texts,
          ...(format === undefined ? {} : { encoding_format: format }),
        });
        assert.deepEqual(
          data.map(({ embedding }) => [...embedding]),
          vectors,
        );
        assert.equal(usage.prompt_tokens, 11);
        const { body } = await upstream.lastSent();
        assert.equal(JSON.parse(body).encoding_format, sent);
        assert.equal(JSON.parse(body).model, 'text-embedding');
      }
    });
  });
}

describe('the model inside the gateway', () => {
  for (const { name, client: connect } of openAiWays.slice(0, 2)) {
    test(name, async () => {
      const client = connect(server);
      const { output_text: text } = await client.responses.create({ model: 'local/echo', input });
      assert.equal(text, input);
      const stream = client.responses.stream({ model: 'local/echo', input });
      assert.equal((await stream.finalResponse()).output_text, input);
      const called = await client.responses.parse({
        model: 'local/echo',
        input,
        tools: [zodResponsesFunction({ name: 'say', parameters: z.object({ text: z.string() }) })],
        tool_choice: 'required',
      });
      const [call] = called.output;
      assert.ok(call?.type === 'function_call');
      assert.deepEqual(call.parsed_arguments, { text: input });
      const lengths: number[] = [];
      for (const format of ['base64', 'float'] as const) {
        const { data } = await client.embeddings.create({
          model: 'local/echo',
          input,
          dimensions: 8,
          encoding_format: format,
        });
        lengths.push(data[0]?.embedding.length ?? 0);
      }
      // What is asked for as base64 stays as it comes; only by itself does the package decode it.
      assert.deepEqual(lengths, [44, 8]);
      const [vector] = (
        await client.embeddings.create({ model: 'local/echo', input, dimensions: 8 })
      ).data;
      assert.equal(vector?.embedding.length, 8);
    });
  }
});
