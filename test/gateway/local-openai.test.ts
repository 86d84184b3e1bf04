import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

/** The unmodified `openai` package and what `local/echo` has beside plain chat completions. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: OpenAI;
  before(async () => {
    server = await bootServer(database);
    client = new OpenAI({
      apiKey: server.token,
      baseURL: `${server.baseUrl}${server.account}/ai/v1`,
      maxRetries: 0,
    });
  });
  after(() => server.stop());

  const model = 'local/echo';
  const TEXT = 'Grüße  aus Wien 🌍';

  const post = (operation: string, fields: object): Promise<Answer> =>
    server.call('POST', `${server.account}/ai/v1/${operation}`, { body: { model, ...fields } });

  const parameters = { type: 'object', properties: { text: { type: 'string' } } };

  test('responses: repeats the last user message', async () => {
    const response = await client.responses.create({
      model,
      instructions: 'two words',
      input: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'answer' },
        { role: 'user', content: [{ type: 'input_text', text: TEXT }] },
      ],
    });
    assert.equal(response.output_text, TEXT);
    assert.deepEqual(
      [response.object, response.status, response.model],
      ['response', 'completed', 'echo'],
    );
    const { input_tokens: tokensIn, output_tokens: tokensOut } = response.usage ?? {};
    assert.deepEqual([tokensIn, tokensOut, response.usage?.total_tokens], [8, 4, 12]);
  });

  test('responses: a stream tells the same in events', async () => {
    const stream = await client.responses.create({ model, input: TEXT, stream: true });
    const types: string[] = [];
    let text = '';
    let completed;
    for await (const event of stream) {
      assert.equal(event.sequence_number, types.length);
      types.push(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type === 'response.completed') completed = event.response;
    }
    assert.equal(text, TEXT);
    assert.deepEqual(
      [...new Set(types)],
      [
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ],
    );
    assert.equal(types.filter((type) => type === 'response.output_text.delta').length, 4);
    assert.equal(completed?.usage?.output_tokens, 4);
    const [item] = completed?.output ?? [];
    assert.equal(item?.type, 'message');
    assert.deepEqual(item.content, [
      { type: 'output_text', text: TEXT, annotations: [], logprobs: [] },
    ]);
  });

  test("responses: the package's own reader of streams understands it", async () => {
    const stream = client.responses.stream({ model, input: TEXT });
    assert.equal((await stream.finalResponse()).output_text, TEXT);
  });

  for (const choice of ['required', { type: 'function', name: 'second' }] as const) {
    const name = choice === 'required' ? 'first' : 'second';
    const request = {
      model,
      input: TEXT,
      tools: ['first', 'second'].map((tool) => ({
        type: 'function' as const,
        name: tool,
        parameters,
        strict: null,
      })),
      tool_choice: choice,
    };
    const args = JSON.stringify({ text: TEXT });

    test(`responses: calls the tool ${name}`, async () => {
      const { output } = await client.responses.create(request);
      const [item] = output;
      assert.equal(output.length, 1);
      assert.equal(item?.type, 'function_call');
      assert.deepEqual([item.name, item.arguments, item.status], [name, args, 'completed']);
    });

    test(`responses: streams the call of ${name}`, async () => {
      let streamed = '';
      for await (const event of await client.responses.create({ ...request, stream: true })) {
        if (event.type === 'response.function_call_arguments.delta') streamed += event.delta;
        if (event.type === 'response.function_call_arguments.done') {
          assert.equal(event.arguments, args);
        }
        if (event.type !== 'response.output_item.done') continue;
        assert.equal(event.item.type, 'function_call');
        assert.deepEqual([event.item.name, event.item.arguments], [name, args]);
      }
      assert.equal(streamed, args);
    });
  }

  for (const named of [undefined, 'second']) {
    const name = named ?? 'first';
    const request = {
      model,
      messages: [{ role: 'user' as const, content: TEXT }],
      tools: ['first', 'second'].map((tool) => ({
        type: 'function' as const,
        function: { name: tool, parameters },
      })),
      tool_choice:
        named === undefined
          ? ('required' as const)
          : { type: 'function' as const, function: { name: named } },
    };
    const args = JSON.stringify({ text: TEXT });

    test(`chat completions: calls the tool ${name}`, async () => {
      const { choices, usage } = await client.chat.completions.create(request);
      const [choice] = choices;
      assert.equal(choice?.finish_reason, 'tool_calls');
      assert.equal(choice.message.content, null);
      const [call] = choice.message.tool_calls ?? [];
      assert.equal(call?.type, 'function');
      assert.deepEqual(call.function, { name, arguments: args });
      assert.equal(usage?.completion_tokens, 4);
    });

    test(`chat completions: streams the call of ${name}`, async () => {
      const stream = client.chat.completions.stream(request);
      const { choices } = await stream.finalChatCompletion();
      const [call] = choices[0]?.message.tool_calls ?? [];
      assert.equal(call?.type, 'function');
      assert.equal(call.function.name, name);
      assert.equal(call.function.arguments, args);
      assert.equal(choices[0]?.finish_reason, 'tool_calls');
    });
  }

  test('tools that need not be called are not', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'first', parameters } }];
    const messages = [{ role: 'user' as const, content: TEXT }];
    for (const choice of ['auto', 'none'] as const) {
      const request = { model, messages, tools, tool_choice: choice };
      const { choices } = await client.chat.completions.create(request);
      assert.equal(choices[0]?.message.content, TEXT);
      assert.equal(choices[0].message.tool_calls, undefined);
    }
  });

  test('embeddings: unit vectors that the text decides, alike in both encodings', async () => {
    const input = ['Der Hund bellt laut', 'der hund bellt', 'quarterly revenue report'];
    // The package asks for base64 and decodes it, unless it is told otherwise.
    const { data, usage } = await client.embeddings.create({ model, input });
    const floats = await client.embeddings.create({ model, input, encoding_format: 'float' });
    const vectors = data.map(({ embedding }) => embedding);
    assert.deepEqual(
      floats.data.map(({ embedding }) => embedding),
      vectors,
    );
    assert.deepEqual(
      data.map(({ index }) => index),
      [0, 1, 2],
    );
    const [loud = [], quiet = [], other = []] = vectors;
    for (const vector of vectors) {
      assert.equal(vector.length, 256);
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-6);
    }
    assert.ok(dot(loud, quiet) > 0.6, String(dot(loud, quiet)));
    assert.ok(Math.abs(dot(loud, other)) < 0.3, String(dot(loud, other)));
    assert.equal(usage.prompt_tokens, 10);
  });

  test('embeddings: one text, and tokens instead of texts', async () => {
    const vectorsOf = async (input: OpenAI.EmbeddingCreateParams['input']) =>
      (await client.embeddings.create({ model, input })).data.map(({ embedding }) => embedding);
    const [one] = await vectorsOf('7 8');
    assert.deepEqual(await vectorsOf([7, 8]), [one]);
    assert.deepEqual(await vectorsOf([[7, 8], [9]]), [one, ...(await vectorsOf(['9']))]);
    // A text that has no words is one.
    const [blank = []] = await vectorsOf(' ');
    assert.ok(Math.abs(dot(blank, blank) - 1) < 1e-6);
  });

  for (const dimensions of [1, 2, 3_072]) {
    test(`embeddings: ${dimensions} dimensions`, async () => {
      const { data } = await client.embeddings.create({ model, input: 'a b c d', dimensions });
      const [{ embedding } = { embedding: [] }] = data;
      assert.equal(embedding.length, dimensions);
      assert.ok(Math.abs(dot(embedding, embedding) - 1) < 1e-6);
    });
  }

  test('embeddings: as many texts as there is room for, and one more', async () => {
    const texts = (count: number) => Array.from({ length: count }, (_none, index) => `${index}`);
    const most = await post('embeddings', { input: texts(64), dimensions: 2_048 });
    assert.equal(most.json.data.length, 64);
    const more = await post('embeddings', { input: texts(65), dimensions: 2_048 });
    assert.deepEqual([more.status, more.json.error.param], [400, 'input']);
    assert.match(more.json.error.message, /more than 64 texts/);
  });

  const tool = { type: 'function', name: 'known', function: { name: 'known' } };
  const bad: [operation: string, what: string, fields: object, param: string | null][] = [
    ['responses', 'no input', {}, null],
    ['responses', 'an input that is none', { input: 5 }, 'input'],
    ['responses', 'an empty input', { input: [] }, 'input'],
    [
      'responses',
      'a kept response',
      { input: 'x', previous_response_id: 'resp_1' },
      'previous_response_id',
    ],
    [
      'responses',
      'an unknown tool',
      { input: 'x', tools: [tool], tool_choice: { type: 'function', name: 'other' } },
      'tool_choice',
    ],
    [
      'responses',
      'any tool, and none there',
      { input: 'x', tool_choice: 'required' },
      'tool_choice',
    ],
    [
      'chat/completions',
      'an unknown tool',
      {
        messages: [{ role: 'user', content: 'x' }],
        tools: [tool],
        tool_choice: { type: 'function', function: { name: 'other' } },
      },
      'tool_choice',
    ],
    ['embeddings', 'no input', {}, null],
    ['embeddings', 'an empty text', { input: '' }, 'input'],
    ['embeddings', 'no texts', { input: [] }, 'input'],
    ['embeddings', 'texts among tokens', { input: [1, 'a'] }, 'input'],
    ['embeddings', 'no dimensions', { input: 'x', dimensions: 0 }, 'dimensions'],
    ['embeddings', 'too many dimensions', { input: 'x', dimensions: 3_073 }, 'dimensions'],
    ['embeddings', 'half a dimension', { input: 'x', dimensions: 1.5 }, 'dimensions'],
    ['embeddings', 'another encoding', { input: 'x', encoding_format: 'hex' }, 'encoding_format'],
  ];
  for (const [operation, what, fields, param] of bad) {
    test(`${operation}: 400 for ${what}`, async () => {
      const { status, json } = await post(operation, fields);
      assert.equal(status, 400, JSON.stringify(json));
      assert.equal(json.error.type, 'invalid_request_error');
      if (param !== null) assert.equal(json.error.param, param);
    });
  }

  for (const operation of ['responses', 'embeddings']) {
    test(`${operation}: 404 for another model`, async () => {
      const { status, json } = await post(operation, { model: 'local/other', input: 'x' });
      assert.deepEqual([status, json.error.param], [404, 'model']);
    });

    test(`${operation}: 413 for more than it can take on the event loop`, async () => {
      const { status } = await post(operation, { input: 'x '.repeat(128 * 1024) });
      assert.equal(status, 413);
    });
  }
});

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, number, index) => sum + number * (other[index] ?? 0), 0);
}
