import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assembleList, assembleStream } from '../../dashboard/src/lib/stream/assembled-stream.ts';
import { parseEventStream } from '../../dashboard/src/lib/stream/event-stream.ts';
import type { Json } from '../support/server.ts';
import { startUpstream } from '../support/upstream-process.ts';

/** Asks a provider as its clients do. */
type Ask = (path: string, body: object) => Promise<string>;

async function startProvider(t: TestContext, file: string): Promise<Ask> {
  const upstream = await startUpstream(file);
  t.after(() => upstream.stop());
  const { origin } = new URL(upstream.baseUrl);
  return async (path, body) => {
    const headers = {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      ...(file.startsWith('gemini')
        ? { 'x-goog-api-key': 'AIza' }
        : { authorization: 'Bearer sk' }),
    };
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return text;
  };
}

const MESSAGES = [{ role: 'user', content: 'How is it there?' }];

/** What a stream makes, which must have come to its end. */
function assembled(text: string): Json {
  const { assembled: made, failure, rest } = assembleStream(text);
  assert.ok(made?.isComplete === true, text);
  assert.deepEqual([failure, rest], [undefined, '']);
  return made.answer;
}

test('chunks of a chat completion become what OpenAI answers at once', async (t) => {
  const ask = await startProvider(t, 'openai-api-upstream.ts');
  const tools = ['weather', 'now'].map((name) => ({ type: 'function', function: { name } }));
  for (const more of [{}, { tools }, { response_format: { type: 'json_object' } }]) {
    const body = { model: 'gpt-plain', messages: MESSAGES, ...more };
    const options = { stream: true, stream_options: { include_usage: true } };
    const whole: Json = JSON.parse(await ask('/v1/chat/completions', body));
    const streamed = assembled(await ask('/v1/chat/completions', { ...body, ...options }));
    // A stream numbers the calls, and does not tell that there are no annotations.
    const { message } = streamed.choices[0];
    for (const call of message.tool_calls ?? []) delete call.index;
    message.annotations = [];
    assert.deepEqual(streamed, whole);
  }
});

test('events of a response become that response, also when they break off', async (t) => {
  const ask = await startProvider(t, 'openai-api-upstream.ts');
  const tools = ['weather', 'now'].map((name) => ({ type: 'function', name }));
  for (const more of [{}, { tools }]) {
    const body = { model: 'gpt-plain', input: 'Hello', ...more };
    const whole: Json = JSON.parse(await ask('/v1/responses', body));
    const stream = await ask('/v1/responses', { ...body, stream: true });
    assert.deepEqual(assembled(stream), whole);
    const cut = assembleStream(stream.slice(0, stream.indexOf('event: response.completed')));
    assert.equal(cut.assembled?.isComplete, false);
    assert.deepEqual(cut.assembled.answer['output'], whole.output);
  }
});

test('events of the Anthropic API become its message', async (t) => {
  const ask = await startProvider(t, 'anthropic-upstream.ts');
  const tools = ['weather', 'now'].map((name) => ({ name, input_schema: { type: 'object' } }));
  for (const more of [{}, { tools }, { tools, thinking: { type: 'adaptive' } }]) {
    const body = { model: 'claude-plain', max_tokens: 9, messages: MESSAGES, ...more };
    const whole: Json = JSON.parse(await ask('/v1/messages', body));
    const streamed = assembled(await ask('/v1/messages', { ...body, stream: true }));
    // What is told at the end goes before what was told at the beginning; the rest stays.
    assert.deepEqual(streamed, whole);
  }
  const failing = { model: 'claude-fails', max_tokens: 9, messages: MESSAGES, stream: true };
  const broken = assembleStream(await ask('/v1/messages', failing));
  assert.deepEqual(broken.failure, { type: 'overloaded_error', message: 'Overloaded' });
  assert.equal(broken.assembled?.isComplete, false);
  assert.match(JSON.stringify(broken.assembled.answer), /Grüße 🌍/);
});

test('pieces of Gemini become one answer, whether they come as events or as a list', async (t) => {
  const ask = await startProvider(t, 'gemini-upstream.ts');
  const of = (verb: string) => `/v1beta/models/gemini-2.5-flash:${verb}`;
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  const tools = [{ functionDeclarations: [{ name: 'weather' }] }];
  const generationConfig = { thinkingConfig: { includeThoughts: true } };
  for (const more of [{}, { tools }, { generationConfig }]) {
    const body = { contents, ...more };
    const whole: Json = JSON.parse(await ask(of('generateContent'), body));
    // The pieces of its text are apart there too, and mean one text.
    const [candidate] = whole.candidates;
    const { parts } = candidate.content;
    const said = parts.filter(({ text, thought }: Json) => text && !thought);
    if (said.length > 1) {
      const text = said.map((part: Json) => part.text).join('');
      candidate.content.parts = [...parts.filter((part: Json) => !said.includes(part)), { text }];
    }
    const stream = await ask(of('streamGenerateContent?alt=sse'), body);
    assert.deepEqual(assembled(stream), whole);
    const pieces: Json[] = parseEventStream(stream).events.map(({ data }) => JSON.parse(data));
    assert.deepEqual(assembleList(pieces)?.answer, whole);
  }
});

test('events are found whatever their lines end with, and what is cut off is told apart', () => {
  const [one, two] = ['{"a":1}', '{"b":\ndata: 2}'];
  for (const end of ['\n', '\r\n', '\r']) {
    const text = `\uFEFF: comment${end}event: x${end}data:${one}${end}${end}id: 7${end}data: ${two.replace('\n', end)}${end}${end}`;
    const { events, rest } = parseEventStream(`${text}data: {"c`);
    assert.deepEqual(events, [
      { name: 'x', data: one },
      { name: undefined, data: '{"b":\n2}' },
    ]);
    assert.equal(rest, 'data: {"c');
  }
  // An end without an empty line is one, when it is whole.
  assert.deepEqual(parseEventStream('data: [DONE]').events, [{ name: undefined, data: '[DONE]' }]);
  assert.deepEqual(parseEventStream(''), { events: [], rest: '' });
});

test('of a stream that broke off there is what came, and why', () => {
  const chunk = (content: string) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const error = { message: 'The provider broke off', code: '2005' };
  const text = `${chunk('eins ')}${chunk('zwei')}data: {"id":\n\ndata: ${JSON.stringify({ error })}\n\n`;
  const { api, assembled: made, failure, events } = assembleStream(text);
  assert.equal(api, 'OpenAI chat completions');
  assert.deepEqual(made?.answer['choices'], [{ index: 0, message: { content: 'eins zwei' } }]);
  assert.equal(made.isComplete, false);
  assert.deepEqual(failure, error);
  assert.equal(events.length, 4);
  // What nobody knows is not guessed at.
  assert.equal(assembleStream('data: {"hello":1}\n\n').assembled, undefined);
  assert.equal(assembleStream('<h1>Bad Gateway</h1>').assembled, undefined);
});
