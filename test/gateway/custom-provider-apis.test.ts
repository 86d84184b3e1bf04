import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { answer, completion, message } from '../support/scripted-upstream.ts';
import type { Answer, Json } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

const GEMINI = {
  candidates: [
    { content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP', index: 0 },
  ],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
};

onEachDatabase((database) => {
  let bench: ScriptedBench;
  let providers: string;
  before(async () => {
    bench = await startScripted(database, { settings: { UPSTREAM_ALLOW: '127.0.0.1' } });
    providers = `${bench.server.account}/ai-gateway/custom-providers`;
    await bench.upstream.set('chat-model', answer(200, completion()));
    await bench.upstream.set('claude', answer(200, message()));
  });
  after(() => bench.stop());

  let count = 0;
  async function create(fields: object): Promise<Answer> {
    const slug = `api${++count}`;
    const body = { name: 'Mine', slug, base_url: `${bench.upstream.origin}/v1`, ...fields };
    return bench.server.call('POST', providers, { body });
  }
  async function created(fields: object): Promise<Json> {
    const { status, json, text } = await create(fields);
    assert.equal(status, 200, text);
    return json.result;
  }
  async function storeKey(slug: string): Promise<void> {
    const path = `${bench.server.account}/ai-gateway/gateways/default/provider_configs`;
    const { status, text } = await bench.server.call('POST', path, {
      body: {
        alias: `key-${slug}`,
        default_config: true,
        provider_slug: `custom-${slug}`,
        secret: 'sk-mine',
      },
    });
    assert.equal(status, 200, text);
  }
  const call = (operation: string, model: string): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/${operation}`, {
      body: { model, max_tokens: 5, messages: MESSAGES },
    });
  async function sent(
    name: string,
  ): Promise<{ url: string; header: (of: string) => string | undefined; body: Json }> {
    const last = (await bench.upstream.requests(name)).at(-1);
    assert.ok(last !== undefined, `${name} was not called`);
    const { url, headers, body } = last;
    return {
      url,
      header: (of) =>
        headers.find((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === of),
      body: JSON.parse(body),
    };
  }

  describe('a query in base_url', () => {
    test('is added to each request, behind the path and its own query', async () => {
      const base = `${bench.upstream.origin}/openai/?api-version=2024-10-21&x=a%20b`;
      const { slug, base_url: shown } = await created({ base_url: base });
      assert.equal(shown, `${bench.upstream.origin}/openai?api-version=2024-10-21&x=a%20b`);
      assert.equal((await call('chat/completions', `custom-${slug}/chat-model`)).status, 200);
      const query = 'api-version=2024-10-21&x=a+b';
      assert.equal((await sent('chat-model')).url, `/openai/chat/completions?${query}`);
      const native = (rest: string): Promise<Answer> =>
        bench.callHost('POST', `default/custom-${slug}/${rest}`, {
          body: { model: 'chat-model', messages: MESSAGES },
        });
      await native('chat/completions?y=1');
      assert.equal((await sent('chat-model')).url, `/openai/chat/completions?y=1&${query}`);
      await native('chat/completions?api-version=2025');
      assert.equal(
        (await sent('chat-model')).url,
        '/openai/chat/completions?api-version=2025&x=a+b',
      );
    });

    test('can change while keys are stored, unlike the address', async () => {
      const { id, slug } = await created({ base_url: `${bench.upstream.origin}/v1?a=1` });
      await storeKey(slug);
      const change = (url: string): Promise<Answer> =>
        bench.server.call('PATCH', `${providers}/${id}`, { body: { base_url: url } });
      const changed = await change(`${bench.upstream.origin}/v1?a=2`);
      assert.equal(changed.json.result.base_url, `${bench.upstream.origin}/v1?a=2`);
      assert.equal((await change(`${bench.upstream.origin}/v2?a=2`)).json.errors[0].code, 5025);
    });

    test('contains no key', async () => {
      for (const query of ['key=a', 'api_key=a', 'API-Key=a', 'x=1&access_token=a', 'sig=a']) {
        const { status, json } = await create({ base_url: `${bench.upstream.origin}/v1?${query}` });
        assert.deepEqual([status, json.errors[0].code], [400, 5022], query);
        assert.match(json.errors[0].message, /must not contain a key/);
        assert.equal(json.errors[0].source.pointer, '/base_url');
      }
    });
  });

  describe('key_header', () => {
    test('contains the key, and replaces what the client sends in it', async () => {
      const { slug, key_header: shown } = await created({
        key_header: 'Ocp-Apim-Subscription-Key',
      });
      assert.equal(shown, 'ocp-apim-subscription-key');
      await storeKey(slug);
      const path = `default/custom-${slug}/chat/completions`;
      const body = { model: 'chat-model', messages: MESSAGES };
      const { status } = await bench.callHost('POST', path, { body });
      assert.equal(status, 200);
      const { header } = await sent('chat-model');
      assert.equal(header('ocp-apim-subscription-key'), 'sk-mine');
      assert.equal(header('authorization'), undefined);
      const own = { 'ocp-apim-subscription-key': 'sk-own' };
      await bench.callHost('POST', path, { body, headers: own });
      assert.equal((await sent('chat-model')).header('ocp-apim-subscription-key'), 'sk-own');
    });

    test('authorization means Bearer, and an empty text the header of the API', async () => {
      const { id, slug } = await created({ key_header: 'authorization' });
      await storeKey(slug);
      await call('chat/completions', `custom-${slug}/chat-model`);
      assert.equal((await sent('chat-model')).header('authorization'), 'Bearer sk-mine');
      const patch = await bench.server.call('PATCH', `${providers}/${id}`, {
        body: { key_header: '' },
      });
      assert.equal('key_header' in patch.json.result, false);
    });

    test('is refused unless it is a header for keys', async () => {
      for (const name of [
        'host',
        'cookie',
        'content-length',
        'transfer-encoding',
        'cf-aig-authorization',
        'proxy-authorization',
        'sec-websocket-key',
        'x key',
        'key:',
        'ключ-key',
        '-key',
      ]) {
        const { status, json } = await create({ key_header: name });
        assert.deepEqual([status, json.errors[0].code], [400, 5001], name);
        assert.equal(json.errors[0].source.pointer, '/key_header');
      }
      assert.equal((await create({ key_header: `k${'e'.repeat(61)}-key` })).status, 400);
      assert.equal((await create({ key_header: `${'e'.repeat(60)}-key` })).status, 200);
    });
  });

  describe('the dialect', () => {
    test('anthropic: messages pass unchanged, chat completions are translated', async () => {
      for (const end of ['', '/', '/v1', '/v1/']) {
        const base = `${bench.upstream.origin}/api/anthropic${end}?tier=a`;
        const { slug, dialect } = await created({ base_url: base, dialect: 'anthropic' });
        assert.equal(dialect, 'anthropic');
        await storeKey(slug);
        const verbatim = await call('messages', `custom-${slug}/claude`);
        assert.deepEqual([verbatim.status, verbatim.json], [200, message()]);
        const { url, header, body } = await sent('claude');
        assert.equal(url, '/api/anthropic/v1/messages?tier=a');
        assert.deepEqual(
          [header('x-api-key'), header('anthropic-version'), header('authorization')],
          ['sk-mine', '2023-06-01', undefined],
        );
        assert.deepEqual(body, { model: 'claude', max_tokens: 5, messages: MESSAGES });
        const chat = await call('chat/completions', `custom-${slug}/claude`);
        assert.equal(chat.json.choices[0].message.content, 'hello');
        const embeddings = await call('embeddings', `custom-${slug}/claude`);
        assert.equal(embeddings.json.error.code, '2023');
      }
    });

    test('gemini: both are translated', async () => {
      const method = 'gemini-x:generateContent';
      await bench.upstream.set(method, answer(200, GEMINI));
      for (const end of ['', '/v1beta']) {
        const base = `${bench.upstream.origin}/google${end}`;
        const { slug } = await created({ base_url: base, dialect: 'gemini' });
        await storeKey(slug);
        const chat = await call('chat/completions', `custom-${slug}/gemini-x`);
        assert.equal(chat.json.choices?.[0].message.content, 'hello', chat.text);
        const { url, header } = await sent(method);
        assert.equal(url, `/google/v1beta/models/${method}`);
        assert.equal(header('x-goog-api-key'), 'sk-mine');
        const messages = await call('messages', `custom-${slug}/gemini-x`);
        assert.equal(messages.json.content[0].text, 'hello');
      }
    });

    test('can be changed, and takes effect at once', async () => {
      const { id, slug, dialect } = await created({ base_url: bench.upstream.origin });
      assert.equal(dialect, 'openai');
      assert.equal((await call('messages', `custom-${slug}/chat-model`)).status, 200);
      await bench.server.call('PATCH', `${providers}/${id}`, { body: { dialect: 'anthropic' } });
      await call('messages', `custom-${slug}/claude`);
      assert.equal((await sent('claude')).url, '/v1/messages');
    });

    test('another one is refused', async () => {
      const { status, json } = await create({ dialect: 'cohere' });
      assert.deepEqual([status, json.errors[0].code], [400, 5001]);
      assert.equal(json.errors[0].source.pointer, '/dialect');
    });
  });

  describe('models', () => {
    test('are kept as they are written', async () => {
      const models = ['claude-x', 'org/model:free', 'Größe'];
      const { id, models: shown } = await created({ models });
      assert.deepEqual(shown, models);
      const path = `${providers}/${id}`;
      assert.deepEqual((await bench.server.call('GET', path)).json.result.models, models);
      const cleared = await bench.server.call('PATCH', path, { body: { models: [] } });
      assert.deepEqual(cleared.json.result.models, []);
    });

    test('have limits', async () => {
      const many = (length: number): string[] => Array.from({ length }, (_, at) => `m${at}`);
      for (const [models, expected] of [
        [many(200), 200],
        [many(201), 400],
        [['x'.repeat(256)], 200],
        [['x'.repeat(257)], 400],
        [[''], 400],
        [['a b'], 400],
        [['a', 'a'], 400],
        ['a', 400],
      ] as const) {
        const { status, text } = await create({ models });
        assert.equal(status, expected, text.slice(0, 200));
      }
    });
  });
});
