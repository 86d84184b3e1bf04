import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { answer } from '../support/scripted-upstream.ts';
import { type Answer, type Json, request } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

/** One way into the gateway. */
interface Way {
  name: string;
  method?: 'GET';
  /** Of the REST API, below the account; else of the gateway host, below the gateway. */
  on: 'rest' | 'host';
  path: string;
  body?: unknown;
  /** The header that carries the credential, and how it is written there. */
  credential?: (token: string) => Record<string, string>;
  refusal: 'openai' | 'anthropic' | 'envelope' | 'gateway-host';
  /** It answers from what the server knows: nothing is called or logged. */
  isSilent?: true;
}

const chat = { model: 'openai/any', messages: MESSAGES };
const message = { model: 'openai/any', max_tokens: 9, messages: MESSAGES };
const embedding = { model: 'openai/any', input: 'hello' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const hostBearer = (token: string) => ({ 'cf-aig-authorization': `Bearer ${token}` });
const apiKey = (token: string) => ({ 'x-api-key': token });
const own = { model: 'any', messages: MESSAGES };
const entry = { provider: 'openai', endpoint: 'chat/completions', query: own };

const WAYS: readonly Way[] = [
  {
    name: 'chat completions',
    on: 'rest',
    path: 'v1/chat/completions',
    body: chat,
    refusal: 'openai',
  },
  { name: 'responses', on: 'rest', path: 'v1/responses', body: embedding, refusal: 'openai' },
  { name: 'embeddings', on: 'rest', path: 'v1/embeddings', body: embedding, refusal: 'openai' },
  { name: 'messages', on: 'rest', path: 'v1/messages', body: message, refusal: 'anthropic' },
  {
    name: 'messages with x-api-key',
    on: 'rest',
    path: 'v1/messages',
    body: message,
    credential: apiKey,
    refusal: 'anthropic',
  },
  {
    name: 'messages with the prefix twice',
    on: 'rest',
    path: 'v1/v1/messages',
    body: message,
    refusal: 'anthropic',
  },
  {
    name: 'run, the model in the path',
    on: 'rest',
    path: 'run/openai/any',
    body: { messages: MESSAGES },
    refusal: 'envelope',
  },
  {
    name: 'run, the model in the body',
    on: 'rest',
    path: 'run',
    body: { model: 'openai/any', input: { messages: MESSAGES } },
    refusal: 'envelope',
  },
  {
    name: 'models',
    method: 'GET',
    on: 'rest',
    path: 'v1/models',
    refusal: 'openai',
    isSilent: true,
  },
  {
    name: 'a provider path',
    on: 'host',
    path: '/openai/chat/completions',
    body: own,
    refusal: 'gateway-host',
  },
  {
    name: 'compat',
    on: 'host',
    path: '/compat/chat/completions',
    body: chat,
    refusal: 'gateway-host',
  },
  { name: 'universal', on: 'host', path: '', body: [entry], refusal: 'gateway-host' },
  {
    name: 'models of the gateway host',
    method: 'GET',
    on: 'host',
    path: '/compat/models',
    refusal: 'gateway-host',
    isSilent: true,
  },
];

const STRANGERS = [
  'no credential',
  'a malformed credential',
  'an unknown token',
  'a token without Run',
  'a token for another gateway',
];

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'any',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

/** The seed's table of section 3.4 on every way in; the WebSocket is in universal-handshake.test.ts. */
describe('ways in', () => {
  let bench: ScriptedBench;
  const tokens: Record<string, string> = {};
  before(async () => {
    bench = await startScripted('sqlite');
    await bench.createGateway('on', { cache_ttl: 60 });
    await bench.createGateway('off', { authentication: false, cache_ttl: 60 });
    await bench.upstream.set('any', answer(200, ANSWER));
    const { server } = bench;
    tokens['a token with Run'] = (await server.createToken(['ai-gateway.run'])).value;
    tokens['an unknown token'] = createSecret('lkat_');
    tokens['a token without Run'] = (await server.createToken(['ai-gateway.read'])).value;
    tokens['a token for another gateway'] = (
      await server.createToken(['ai-gateway.run'], 'off')
    ).value;
    tokens['a malformed credential'] = 'lkat_ and more';
  });
  after(() => bench.stop());

  function ask(way: Way, gateway: string, caller: string): Promise<Answer> {
    const { baseUrl, account, origin, accountId } = bench.server;
    const isRest = way.on === 'rest';
    const url = isRest
      ? `${baseUrl}${account}/ai/${way.path}`
      : `${origin}/v1/${accountId}/${gateway}${way.path}`;
    const present = way.credential ?? (isRest ? bearer : hostBearer);
    const token = tokens[caller];
    return request(way.method ?? 'POST', url, {
      body: way.body,
      headers: {
        ...(isRest ? { 'cf-aig-gateway-id': gateway } : {}),
        ...(token === undefined ? {} : present(token)),
      },
    });
  }

  function assertRefused(way: Way, { status, json, headers }: Answer): void {
    assert.equal(status, 401);
    assert.equal(headers.get('cf-aig-cache-status'), null);
    assert.equal(headers.get('cf-aig-log-id'), null);
    const shapes: Record<Way['refusal'], (body: Json) => unknown> = {
      openai: (body) => [body.error.type, body.error.code, body.errors[0].code],
      anthropic: (body) => [body.type, body.error.type, body.errors[0].code],
      envelope: (body) => [body.success, body.errors[0].code, body.error],
      'gateway-host': (body) => [body.name, body.internalCode, body.error[0].code],
    };
    const expected: Record<Way['refusal'], unknown> = {
      openai: ['authentication_error', '10000', 10_000],
      anthropic: ['error', 'authentication_error', 10_000],
      envelope: [false, 10_000, undefined],
      'gateway-host': ['AiGatewayError', 2009, 2009],
    };
    assert.deepEqual(shapes[way.refusal](json), expected[way.refusal]);
  }

  const seen = async (gateway: string): Promise<[calls: number, rows: number]> => [
    (await bench.upstream.requests('any')).length,
    (await bench.logs(gateway)).length,
  ];

  for (const way of WAYS) {
    test(`${way.name}, authentication on: let in with Run alone`, async () => {
      const [calls, rows] = await seen('on');
      const given = await ask(way, 'on', 'a token with Run');
      assert.equal(given.status, 200, given.text);
      const now = await seen('on');
      if (way.isSilent) assert.deepEqual(now, [calls, rows]);
      else assert.equal(now[1], rows + 1);
      for (const stranger of STRANGERS) assertRefused(way, await ask(way, 'on', stranger));
      assert.deepEqual(await seen('on'), now);
    });

    test(`${way.name}, authentication off: let in whoever asks`, async () => {
      for (const caller of ['a token with Run', ...STRANGERS]) {
        const given = await ask(way, 'off', caller);
        assert.equal(given.status, 200, `${caller}: ${given.text}`);
      }
    });
  }

  test('400/2023: an operation that the provider does not serve', async () => {
    const { server } = bench;
    const { status, code, json } = await server.call('POST', `${server.account}/ai/v1/embeddings`, {
      body: { model: 'groq/any', input: 'hello' },
      headers: { 'cf-aig-gateway-id': 'on' },
    });
    assert.deepEqual([status, code], [400, 2023]);
    assert.equal(json.error.message, 'groq does not serve embeddings');
  });
});
