import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import {
  type Action,
  EVENT_STREAM,
  type ScriptedUpstream,
  answer,
  completion,
  delta,
  event,
  head,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer, Json } from '../support/server.ts';
import { MESSAGES, entryOf, startScripted } from './scripted.ts';

type Bench = Awaited<ReturnType<typeof startScripted>>;

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const USAGE_CHUNK = event({ id: 'chatcmpl-scripted', choices: [], usage });
const events = [delta('eins 🌍'), delta('zwei'), event({ choices: [], usage: null })];
/** What a client gets that asks for usage, and one that does not. */
const WITH_USAGE = `${events.join('')}${USAGE_CHUNK}${event('[DONE]')}`;
const WITHOUT_USAGE = `${events.join('')}${event('[DONE]')}`;
const STREAM = { stream: true };
const ASKING = { stream: true, stream_options: { include_usage: true } };

describe('usage of streams', () => {
  let bench: Bench;
  let cohere: ScriptedUpstream;
  before(async () => {
    cohere = await startScriptedUpstream();
    bench = await startScripted('sqlite', {
      settings: { UPSTREAM_ALLOW: '127.0.0.1', PROVIDER_COHERE_BASE_URL: cohere.origin },
    });
    await bench.upstream.set('model', [head(200, EVENT_STREAM), WITH_USAGE]);
  });
  after(async () => {
    await bench.stop();
    await cohere.stop();
  });

  const completions = () => `${bench.server.account}/ai/v1/chat/completions`;
  const post = (path: string, body: unknown, headers = {}) =>
    bench.server.call('POST', path, { body, headers });

  async function lastSent(name = 'model'): Promise<string> {
    return (await bench.upstream.requests(name)).at(-1)?.body ?? '';
  }

  async function tokensOf({ headers }: { headers: Headers }): Promise<unknown[]> {
    const id = headers.get('cf-aig-log-id');
    let row: Json;
    // That of a compressed answer comes a moment later.
    await eventually('it has a row', async () => {
      row = (await bench.logs()).find((one) => one.id === id);
      return row !== undefined;
    });
    return [row.tokens_in, row.tokens_out];
  }

  const ways: [string, (extra: object) => Promise<Answer>][] = [
    ['REST', (extra) => bench.complete('model', {}, extra)],
    [
      'compat',
      (extra) =>
        bench.callHost('POST', 'default/compat/chat/completions', {
          body: { model: 'openai/model', messages: MESSAGES, ...extra },
        }),
    ],
    [
      'native',
      (extra) =>
        bench.callHost('POST', 'default/openai/chat/completions', {
          body: { model: 'model', messages: MESSAGES, ...extra },
        }),
    ],
    [
      'universal',
      (extra) => {
        const entry = entryOf('openai', 'model');
        return bench.callUniversal([{ ...entry, query: { ...(entry.query as object), ...extra } }]);
      },
    ],
    [
      'run',
      (extra) =>
        post(`${bench.server.account}/ai/run/openai/model`, { messages: MESSAGES, ...extra }),
    ],
  ];
  for (const [way, call] of ways) {
    test(`is asked for, logged, and not shown to who did not ask: ${way}`, async () => {
      const answered = await call(STREAM);
      assert.equal(answered.text, WITHOUT_USAGE);
      assert.deepEqual(JSON.parse(await lastSent()), {
        model: 'model',
        messages: MESSAGES,
        ...ASKING,
      });
      assert.deepEqual(await tokensOf(answered), [11, 7]);
    });

    test(`is shown to who asked: ${way}`, async () => {
      const answered = await call(ASKING);
      assert.equal(answered.text, WITH_USAGE);
      assert.deepEqual(JSON.parse(await lastSent()), {
        model: 'model',
        messages: MESSAGES,
        ...ASKING,
      });
      assert.deepEqual(await tokensOf(answered), [11, 7]);
    });
  }

  test('is asked for, logged, and not shown in completions of the older kind', async () => {
    const body = { model: 'model', prompt: 'hello', ...STREAM };
    const answered = await bench.callHost('POST', 'default/openai/completions', { body });
    assert.equal(answered.text, WITHOUT_USAGE);
    assert.deepEqual(JSON.parse(await lastSent()), { ...body, ...ASKING });
    assert.deepEqual(await tokensOf(answered), [11, 7]);
  });

  test('all other bytes of a request stay', async () => {
    const text = '{ "model": "openai/model", "seed":12345678901234567890,"n":1.0, "stream" :true}';
    await post(completions(), text);
    const expected = text
      .replace('openai/', '')
      .replace('{', '{"stream_options":{"include_usage":true},');
    assert.equal(await lastSent(), expected);
  });

  test('the messages of the Anthropic API have it, as ever', async () => {
    const answered = await post(`${bench.server.account}/ai/v1/messages`, {
      model: 'openai/model',
      messages: MESSAGES,
      max_tokens: 5,
      stream: true,
    });
    assert.match(answered.text, /"output_tokens":7/);
  });

  test('an answer from the cache shows it to nobody who did not ask', async () => {
    const headers = { 'cf-aig-cache-ttl': '60', 'cf-aig-cache-key': 'one for both' };
    const seen: unknown[] = [];
    for (const extra of [STREAM, ASKING, STREAM, ASKING]) {
      const answered = await bench.complete('model', headers, extra);
      seen.push([answered.headers.get('cf-aig-cache-status'), answered.text]);
    }
    assert.deepEqual(seen, [
      ['MISS', WITHOUT_USAGE],
      ['MISS', WITH_USAGE],
      ['HIT', WITHOUT_USAGE],
      ['HIT', WITH_USAGE],
    ]);
  });

  test('a stream in small pieces', async () => {
    const bytes = Buffer.from(WITH_USAGE);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_none, i): Action[] => [
      { base64: bytes.subarray(7 * i, 7 * i + 7).toString('base64') },
      { waitMs: 0 },
    ]);
    await bench.upstream.set('bytes', [head(200, EVENT_STREAM), ...pieces.flat()]);
    const answered = await bench.complete('bytes', {}, STREAM);
    assert.equal(answered.text, WITHOUT_USAGE);
    assert.deepEqual(await tokensOf(answered), [11, 7]);
  });

  test('a compressed stream is decoded, and its usage read and removed', async () => {
    await bench.upstream.set('gzip', [
      head(200, { ...EVENT_STREAM, 'content-encoding': 'gzip' }),
      { base64: gzipSync(WITH_USAGE).toString('base64') },
    ]);
    const answered = await bench.complete('gzip', {}, STREAM);
    assert.equal(answered.headers.get('content-encoding'), null);
    assert.equal(answered.text, WITHOUT_USAGE);
    assert.deepEqual(await tokensOf(answered), [11, 7]);
  });

  test('an answer that is no stream after all passes as it is', async () => {
    const text = `{"choices":[],"usage":${JSON.stringify(usage)}}`;
    await bench.upstream.set('whole', [head(200, { 'content-type': 'application/json' }), text]);
    assert.equal((await bench.complete('whole', {}, STREAM)).text, text);
  });

  const left: [string, () => Promise<Answer>, object][] = [
    ['no stream is asked for', () => bench.complete('model'), {}],
    ['the provider tells it anyway', () => bench.complete('groq/model', {}, STREAM), STREAM],
    [
      'another path of the provider',
      () =>
        bench.callHost('POST', 'default/openai/responses', {
          body: { model: 'model', messages: MESSAGES, ...STREAM },
        }),
      STREAM,
    ],
    [
      'nobody keeps logs or limits',
      () => bench.complete('model', { 'cf-aig-collect-log': 'false' }, STREAM),
      STREAM,
    ],
  ];
  for (const [when, call, extra] of left) {
    test(`is not asked for when ${when}`, async () => {
      await call();
      assert.deepEqual(JSON.parse(await lastSent()), {
        model: 'model',
        messages: MESSAGES,
        ...extra,
      });
    });
  }

  test('is not asked of providers that an account has named itself', async () => {
    const body = {
      name: 'Own',
      slug: 'own',
      base_url: `${bench.upstream.origin}/v1`,
      enable: true,
    };
    const created = await post(`${bench.server.account}/ai-gateway/custom-providers`, body);
    assert.equal(created.status, 200, created.text);
    const answered = await bench.callHost('POST', 'default/custom-own/chat/completions', {
      body: { model: 'model', messages: MESSAGES, ...STREAM },
    });
    assert.equal(answered.text, WITH_USAGE);
    assert.deepEqual(JSON.parse(await lastSent()), {
      model: 'model',
      messages: MESSAGES,
      ...STREAM,
    });
  });

  test('is asked for where only a spend limit needs it', async () => {
    const rule = { limit: 1, limitType: 'cost', window: 3_600 };
    const limits = { spend_limits: { enabled: true, rules: [rule] } };
    await bench.createGateway('limited', { collect_logs: false, ...limits });
    const answered = await bench.complete('model', { 'cf-aig-gateway-id': 'limited' }, STREAM);
    assert.equal(answered.status, 200, answered.text);
    assert.equal(answered.text, WITHOUT_USAGE);
  });

  test('is not asked for in translations for a provider that refuses the question', async () => {
    await cohere.set('model', [head(200, EVENT_STREAM), WITH_USAGE]);
    await post(`${bench.server.account}/ai/v1/messages`, {
      model: 'cohere/model',
      messages: MESSAGES,
      max_tokens: 5,
      stream: true,
    });
    const [sent = { body: '' }] = await cohere.requests('model');
    const { stream, stream_options: options } = JSON.parse(sent.body);
    assert.deepEqual([stream, options], [true, undefined]);
  });

  test('what headers tell of an answer that tells nothing', async () => {
    const headers = {
      'x-amzn-bedrock-input-token-count': '5',
      'x-amzn-bedrock-output-token-count': '0',
    };
    await bench.upstream.set('embeds', answer(200, { embeddings: [] }, headers));
    assert.deepEqual(await tokensOf(await bench.complete('embeds')), [5, 0]);
    await bench.upstream.set('tells', answer(200, completion(), headers));
    assert.deepEqual(await tokensOf(await bench.complete('tells')), [11, 7]);
  });

  test('the unmodified client of OpenAI sees a stream as it always was', async () => {
    const client = new OpenAI({
      apiKey: bench.server.token,
      baseURL: `${bench.server.baseUrl}${bench.server.account}/ai/v1`,
      maxRetries: 0,
    });
    const asks = async (extra: object) => {
      const stream = await client.chat.completions.create({
        model: 'openai/model',
        messages: [{ role: 'user', content: 'hello' }],
        stream: true,
        ...extra,
      });
      let text = '';
      const told: unknown[] = [];
      for await (const { choices, usage: one } of stream) {
        text += choices[0]?.delta.content ?? '';
        if (one !== undefined && one !== null) told.push(one);
      }
      return [text, told];
    };
    assert.deepEqual(await asks({}), ['eins 🌍zwei', []]);
    assert.deepEqual(await asks({ stream_options: { include_usage: true } }), [
      'eins 🌍zwei',
      [usage],
    ]);
  });
});
