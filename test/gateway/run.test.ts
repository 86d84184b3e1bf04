import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import {
  EVENT_STREAM,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import { type Answer, type CallOptions, type Json, request } from '../support/server.ts';
import { headerOf } from '../support/upstream-process.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';

const HELLO = [{ role: 'user', content: 'hello' }];
const ECHO = 'local/echo';

/** The values of a stream's events. */
function eventsOf({ text }: Answer): string[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice('data: '.length));
}

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database);
  });
  after(() => bench.stop());

  const run = (model: string, body: unknown, options: CallOptions = {}): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/run${model && `/${model}`}`, {
      body,
      ...options,
    });

  const lastLog = async (): Promise<Json> => (await bench.logs())[0];

  function assertRefused({ status, json }: Answer, message: string | RegExp, code = 2020): void {
    assert.deepEqual([status, json.success, json.result], [400, false, null]);
    assert.equal(json.errors[0].code, code);
    assert.match(json.errors[0].message, new RegExp(message));
  }

  describe('the input tells the operation', () => {
    test('messages: a chat completion in the envelope', async () => {
      const { status, json, headers } = await run(ECHO, { messages: HELLO });
      assert.equal(status, 200);
      assert.deepEqual([json.success, json.errors, json.messages], [true, [], []]);
      assert.equal(json.result.object, 'chat.completion');
      assert.equal(json.result.choices[0].message.content, 'hello');
      assert.equal(headers.get('cf-aig-provider'), 'local');
      const log = await lastLog();
      assert.deepEqual(
        [log.request_type, log.provider, log.model, log.tokens_in, log.cost],
        ['run', 'local', 'echo', 1, 0],
      );
    });

    test('prompt: as the text models of Workers AI answer', async () => {
      const { json } = await run(ECHO, { prompt: 'three little words', max_tokens: 5 });
      assert.deepEqual(json, {
        success: true,
        errors: [],
        messages: [],
        result: {
          response: 'three little words',
          usage: { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 },
        },
      });
    });

    for (const text of ['one text', ['one text', 'and another']]) {
      test(`text: as the embedding models of Workers AI answer (${typeof text})`, async () => {
        const { json } = await run(ECHO, { text });
        const { shape, data } = json.result;
        assert.equal(data.length, [text].flat().length);
        assert.deepEqual(shape, [data.length, data[0].length]);
        assert.ok(data.flat().every((value: unknown) => typeof value === 'number'));
        assert.equal((await lastLog()).path, 'embeddings');
      });
    }

    test('input: a response', async () => {
      const { json } = await run(ECHO, { input: 'hello' });
      assert.equal(json.result.object, 'response');
      assert.equal(json.result.output[0].content[0].text, 'hello');
    });

    test('400/2020: an input that tells none', async () => {
      for (const input of [{}, { image: [1, 2] }, { prompt: 5 }]) {
        assertRefused(await run(ECHO, input), 'messages, prompt, text or input');
      }
    });

    test('400/2024: a text that is none', async () => {
      for (const text of [5, [], ['one', 2], null]) {
        assertRefused(await run(ECHO, { text }), 'text must be', 2024);
      }
      assertRefused(
        await run(ECHO, { text: 'one', input: 'two' }),
        'text cannot be combined with other input',
        2024,
      );
    });

    test('embeddings come in their order, whatever the order of the answer', async () => {
      const data = [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: [1, 2] },
      ];
      await bench.upstream.set('embeds', answer(200, { data, usage: { prompt_tokens: 9 } }));
      const { json } = await run('openai/embeds', { text: ['a', 'b'], dimensions: 2 });
      assert.deepEqual(json.result, {
        shape: [2, 2],
        data: [
          [1, 2],
          [3, 4],
        ],
        usage: { prompt_tokens: 9 },
      });
      const [sent] = await bench.upstream.requests('embeds');
      assert.equal(sent?.url, '/v1/embeddings');
      assert.deepEqual(JSON.parse(sent.body), {
        model: 'embeds',
        input: ['a', 'b'],
        dimensions: 2,
      });
    });
  });

  describe('the model', () => {
    test('in the path, its slash as it is or escaped; or in the body', async () => {
      await bench.upstream.set('spelled', answer(200, completion('spelled')));
      for (const model of ['openai/spelled', 'openai%2Fspelled']) {
        const { json } = await run(model, { messages: HELLO, temperature: 0 });
        assert.equal(json.result.choices[0].message.content, 'spelled', model);
      }
      const inBody = await run('', {
        model: 'openai/spelled',
        input: { messages: HELLO, temperature: 0 },
      });
      assert.equal(inBody.json.result.choices[0].message.content, 'spelled');
      const sent = await bench.upstream.requests('spelled');
      assert.equal(sent.length, 3);
      for (const { url, headers, body } of sent) {
        assert.equal(url, '/v1/chat/completions');
        assert.equal(headerOf({ headers }, 'authorization'), 'Bearer sk-openai');
        assert.deepEqual(JSON.parse(body), {
          messages: HELLO,
          temperature: 0,
          model: 'spelled',
        });
      }
    });

    test('400: named twice, not at all, or beside something else', async () => {
      const input = { messages: HELLO };
      assertRefused(
        await run(ECHO, { ...input, model: ECHO }),
        'the model must be either in the path or in the body',
      );
      assertRefused(
        await run('', { model: ECHO, input: { ...input, model: ECHO } }),
        'duplicate model',
      );
      const twice = `{"model":"${ECHO}","model":"${ECHO}","input":{}}`;
      assertRefused(await run('', twice), 'duplicate m');
      assertRefused(await run('', { input }), 'provider/model', 2019);
      assertRefused(await run('', { model: 5, input }), 'provider/model', 2019);
      assertRefused(await run('', { model: ECHO }), 'input must be');
      assertRefused(await run('', { model: ECHO, input: 'hello' }), 'input must be');
      assertRefused(await run('', { model: ECHO, input, stream: true }), 'unknown member stream');
      assertRefused(await run('echo', input), 'provider/model', 2019);
      assertRefused(await run('nobody/echo', input), 'Invalid provider', 2008);
    });

    test('400/2020: a body that is no JSON object, or nested too deep', async () => {
      for (const body of ['', '[]', '{"messages":', '"text"']) {
        for (const model of ['', ECHO]) {
          assertRefused(await run(model, body), 'must be a JSON object|provider/model');
        }
      }
      const deep = `{"prompt":${'['.repeat(64)}${']'.repeat(64)}}`;
      assertRefused(await run(ECHO, deep), 'nested too deep');
      assertRefused(await run('', deep), 'nested too deep');
    });

    test('405: only POST', async () => {
      for (const path of ['run', `run/${ECHO}`]) {
        const { status, headers } = await bench.server.call(
          'GET',
          `${bench.server.account}/ai/${path}`,
        );
        assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
      }
    });
  });

  describe('Workers AI', () => {
    const answered = '{ "result": {"response":"hi"},  "success":true, "errors":[],"messages":[]}';

    for (const model of ['@cf/meta/llama', '@cf%2Fmeta%2Fllama', 'workers-ai/@cf/meta/llama']) {
      test(`runs it itself, byte for byte: ${model}`, async () => {
        await bench.upstream.set('llama', answer(200, answered));
        const input = '{ "prompt": "hello",\n "raw": true }';
        const { status, text } = await run(model, input);
        assert.deepEqual([status, text], [200, answered]);
        const sent = (await bench.upstream.requests('llama')).at(-1);
        assert.equal(sent?.url, '/workers-ai/run/@cf/meta/llama');
        assert.equal(sent.body, input);
        assert.equal(headerOf(sent, 'authorization'), 'Bearer sk-workers');
        const log = await lastLog();
        assert.deepEqual([log.provider, log.model], ['workers-ai', '@cf/meta/llama']);
      });
    }

    test('named in the body: gets the input alone', async () => {
      await bench.upstream.set('m2m100', answer(200, answered));
      const input = { text: 'hello', target_lang: 'de' };
      const { text } = await run('', { model: '@cf/meta/m2m100', input });
      assert.equal(text, answered);
      const [sent] = await bench.upstream.requests('m2m100');
      assert.equal(sent?.url, '/workers-ai/run/@cf/meta/m2m100');
      assert.deepEqual(JSON.parse(sent.body), input);
    });

    test('its errors and its streams pass as they are', async () => {
      const failed = '{"success":false,"errors":[{"code":5007,"message":"No such model"}]}';
      await bench.upstream.set('none', answer(400, failed));
      const refused = await run('@cf/meta/none', { prompt: 'hello' });
      assert.deepEqual([refused.status, refused.text], [400, failed]);
      const events = 'data: {"response":"one"}\n\ndata: [DONE]\n\n';
      await bench.upstream.set('flows', [head(200, EVENT_STREAM) + events]);
      const streamed = await run('@cf/meta/flows', { prompt: 'hello', stream: true });
      assert.equal(streamed.text, events);
    });

    test('400/2026: a name that leaves the path', async () => {
      for (const model of ['@cf/..%2F..%2Fother', '@cf%2F%2E%2E%2Fother']) {
        assertRefused(await run(model, {}), 'leave the provider', 2026);
      }
      await bench.upstream.set('q%3Fa%23b%2525', answer(200, answered));
      assert.equal((await run('@cf/q%3Fa%23b%2525', {})).text, answered);
    });
  });

  describe('streams', () => {
    test('messages: the chunks of the provider', async () => {
      await bench.upstream.set('streams', [
        head(200, EVENT_STREAM) + delta('one') + delta('two') + event('[DONE]'),
      ]);
      const streamed = await run('openai/streams', { messages: HELLO, stream: true });
      assert.equal(streamed.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      const events = eventsOf(streamed);
      assert.equal(events.at(-1), '[DONE]');
      assert.deepEqual(
        events.slice(0, -1).map((one) => JSON.parse(one).choices[0].delta.content),
        ['one', 'two'],
      );
    });

    test('prompt: as Workers AI streams, with the usage at the end', async () => {
      const streamed = await run(ECHO, { prompt: 'two words', stream: true });
      const events = eventsOf(streamed);
      assert.equal(events.pop(), '[DONE]');
      assert.deepEqual(
        events.map((one) => JSON.parse(one)),
        [
          { response: 'two' },
          { response: ' words' },
          {
            response: '',
            usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
          },
        ],
      );
    });

    test('translated where the provider speaks otherwise', async () => {
      const events = [
        { type: 'message_start', message: { ...message(), content: [] } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
        { type: 'message_stop' },
      ];
      const stream = events.map((one) => event(one, one.type)).join('');
      await bench.upstream.set('claude', [head(200, EVENT_STREAM) + stream]);
      const streamed = await run('anthropic/claude', { prompt: 'hello', stream: true });
      const [first, last] = eventsOf(streamed).map((one) =>
        one === '[DONE]' ? one : JSON.parse(one),
      );
      assert.deepEqual(first, { response: 'Grüße' });
      assert.equal(last.usage.completion_tokens, 7);
      assert.equal((await lastLog()).tokens_out, 7);
    });
  });

  describe('a whole answer is translated', () => {
    test('from the Anthropic API', async () => {
      await bench.upstream.set('whole', answer(200, message('Grüße')));
      const { json } = await run('anthropic/whole', { prompt: 'hello' });
      assert.equal(json.result.response, 'Grüße');
      assert.equal(json.result.usage.completion_tokens, 7);
    });
  });

  describe('errors of the provider', () => {
    for (const [provider, body, text, status = 404, code = 2005] of [
      ['openai', { error: { message: 'no such thing', type: 'x' } }, 'no such thing'],
      ['anthropic', { type: 'error', error: { type: 'x', message: 'not here' } }, 'not here'],
      ['openai', 'plain words', 'plain words'],
      ['openai', { error: { message: 'incorrect API key' } }, 'incorrect API key', 401, 2009],
    ] as const) {
      test(`come in the envelope, with its status: ${text}`, async () => {
        const name = `fails-${provider}-${text.length}`;
        await bench.upstream.set(name, answer(status, body));
        const found = await run(`${provider}/${name}`, { messages: HELLO });
        assert.equal(found.status, status);
        assert.deepEqual(found.json, {
          success: false,
          errors: [{ code, message: text }],
          messages: [],
          result: null,
        });
      });
    }

    test('local: the same', async () => {
      const { status, json } = await run('local/nope', { messages: HELLO });
      assert.equal(status, 404);
      assert.deepEqual([json.success, json.errors[0].code], [false, 2005]);
    });

    test('502/2005: nobody is there', async () => {
      const { status, json } = await run('mistral/any', { messages: HELLO });
      assert.deepEqual([status, json.success, json.errors[0].code], [502, false, 2005]);
    });
  });

  test('limits, cache and retries are those of any other way in', async () => {
    await bench.createGateway('limited', { rate_limiting_interval: 3600, rate_limiting_limit: 2 });
    const headers = { 'cf-aig-gateway-id': 'limited', 'cf-aig-cache-ttl': '60' };
    await bench.upstream.set('again', answer(500), answer(200, completion('second')));
    const options = {
      headers: { ...headers, 'cf-aig-max-attempts': '2', 'cf-aig-retry-delay': '1' },
    };
    const first = await run('openai/again', { prompt: 'hello' }, options);
    assert.equal(first.json.result.response, 'second');
    const second = await run('openai/again', { prompt: 'hello' }, options);
    assert.equal(second.headers.get('cf-aig-cache-status'), 'HIT');
    assert.deepEqual(second.json, first.json);
    const third = await run('openai/again', { prompt: 'hello' }, options);
    assert.deepEqual([third.status, third.code], [429, 2003]);
    assert.equal((await bench.upstream.requests('again')).length, 2);
  });

  describe('authentication', () => {
    const send = (gateway: string, authorization: string | undefined): Promise<Answer> =>
      request('POST', `${bench.server.baseUrl}${bench.server.account}/ai/run/${ECHO}`, {
        body: { prompt: 'hello' },
        headers: {
          'cf-aig-gateway-id': gateway,
          ...(authorization === undefined ? {} : { authorization }),
        },
      });

    test('on: a token with Run, and no other', async () => {
      await bench.createGateway('closed');
      const { value } = await bench.server.createToken(['ai-gateway.run']);
      const { value: without } = await bench.server.createToken(['ai-gateway.read']);
      assert.equal((await send('closed', `Bearer ${value}`)).status, 200);
      for (const header of [undefined, 'Basic eDp5', `Bearer ${without}`, 'Bearer sk-other']) {
        const { status, json } = await send('closed', header);
        assert.equal(status, 401, String(header));
        assert.deepEqual(json, {
          success: false,
          errors: [{ code: 10_000, message: 'Authentication error' }],
          messages: [],
          result: null,
        });
      }
      assert.equal((await bench.logs('closed')).length, 1);
    });

    test('off: everybody', async () => {
      await bench.createGateway('open', { authentication: false });
      for (const header of [undefined, 'Bearer sk-other']) {
        assert.equal((await send('open', header)).status, 200, String(header));
      }
    });
  });
});
