import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';
import {
  type RecordedRequest,
  type Upstream,
  headerOf,
  startUpstream,
} from '../support/upstream-process.ts';
import {
  ACCESS_KEY_ID,
  SECRET_ACCESS_KEY,
  SIGNED_AT_MS,
  independentlySigned,
} from './aws-signature.ts';

const MESSAGES = [{ role: 'user', content: 'Grüße 🌍' }];
const AWS_KEY = {
  accessKeyId: ACCESS_KEY_ID,
  secretAccessKey: SECRET_ACCESS_KEY,
  region: 'eu-west-1',
};

/** What arrives at providers whose requests are not just passed on. */
onEachDatabase((database) => {
  let upstream: Upstream;
  let server: TestServer;
  let origin: string;
  before(async () => {
    upstream = await startUpstream();
    ({ origin } = new URL(upstream.baseUrl));
    server = await bootServer(database, {
      clock: new ManualClock(SIGNED_AT_MS),
      settings: {
        PROVIDER_AWS_BEDROCK_BASE_URL: origin,
        PROVIDER_AWS_BEDROCK_API_KEY: JSON.stringify(AWS_KEY),
        PROVIDER_AZURE_OPENAI_BASE_URL: origin,
        PROVIDER_AZURE_OPENAI_API_KEY: 'azure-key',
        PROVIDER_OLLAMA_BASE_URL: `${origin}/v1`,
      },
    });
    // The gateway "default" appears at its first use.
    await complete('local/echo');
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  const complete = (model: string) =>
    server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      body: { model, messages: MESSAGES },
    });
  const callNative = (path: string, headers: Record<string, string> = {}) =>
    request('POST', `${server.origin}/v1/${server.accountId}/default/${path}`, {
      headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...headers },
      body: { messages: MESSAGES },
    });
  /** What the signature has to be for what came over the wire. */
  const signatureOf = (recorded: RecordedRequest): string => {
    const endpoint = { origin: `http://${headerOf(recorded, 'host')}`, path: recorded.url };
    const body = Buffer.from(recorded.body);
    return independentlySigned(
      { method: recorded.method, endpoint, body, nowMs: SIGNED_AT_MS },
      AWS_KEY.region,
    );
  };

  test('aws-bedrock: a native call is signed as it is sent', async () => {
    const path = 'aws-bedrock/bedrock-runtime/eu-west-1/model/x.claude-v2%3A1/invoke?a=b';
    assert.equal((await callNative(path)).status, 200);
    const recorded = await upstream.lastSent();
    assert.equal(recorded.url, '/model/x.claude-v2%3A1/invoke?a=b');
    assert.equal(headerOf(recorded, 'authorization'), signatureOf(recorded));
    assert.equal(headerOf(recorded, 'x-amz-date'), '20150830T123600Z');
  });

  test('aws-bedrock: what the client signed goes through untouched', async () => {
    const signed = {
      authorization: 'AWS4-HMAC-SHA256 Credential=other/scope, Signature=0',
      'x-amz-date': '20261120T000000Z',
      'x-amz-security-token': 'of-the-client',
    };
    await callNative('aws-bedrock/bedrock-runtime/eu-west-1/model/m/invoke', signed);
    const recorded = await upstream.lastSent();
    for (const [name, value] of Object.entries(signed)) {
      assert.equal(headerOf(recorded, name), value);
    }
  });

  test('aws-bedrock: chat completions, signed, with the model behind its region', async () => {
    assert.equal((await complete('aws-bedrock/eu-west-1/plain')).status, 200);
    const recorded = await upstream.lastSent();
    assert.equal(recorded.url, '/openai/v1/chat/completions');
    assert.equal(JSON.parse(recorded.body).model, 'plain');
    assert.equal(headerOf(recorded, 'authorization'), signatureOf(recorded));
  });

  test('azure-openai: the key in its own header, and no other', async () => {
    assert.equal((await complete('azure-openai/plain')).status, 200);
    const chat = await upstream.lastSent();
    assert.equal(chat.url, '/openai/v1/chat/completions');
    assert.equal(JSON.parse(chat.body).model, 'plain');
    assert.equal(headerOf(chat, 'api-key'), 'azure-key');
    assert.equal(headerOf(chat, 'authorization'), undefined);

    await callNative('azure-openai/res/gpt-4o/chat/completions?api-version=1');
    const native = await upstream.lastSent();
    assert.equal(native.url, '/openai/deployments/gpt-4o/chat/completions?api-version=1');
    assert.equal(headerOf(native, 'api-key'), 'azure-key');

    const authorization = 'Bearer of-the-caller';
    await callNative('azure-openai/res/gpt-4o/embeddings?api-version=1', { authorization });
    const own = await upstream.lastSent();
    assert.equal(headerOf(own, 'api-key'), undefined);
    assert.equal(headerOf(own, 'authorization'), authorization);
  });

  test('ollama: no key is needed', async () => {
    assert.equal((await complete('ollama/plain')).status, 200);
    const recorded = await upstream.lastSent();
    assert.equal(recorded.url, '/v1/chat/completions');
    assert.equal(headerOf(recorded, 'authorization'), undefined);
  });

  for (const name of ['workers-ai', 'vllm']) {
    test(`${name}: 400 with a reason while it is nowhere`, async () => {
      const { status, text } = await complete(`${name}/some-model`);
      assert.equal(status, 400);
      assert.match(text, /the operator sets LATCHKEY_PROVIDER_[A-Z_]+_BASE_URL/);
    });
  }
});

/** Without addresses of the operator, the model has to say what they are made of. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  for (const [operation, fields] of [
    ['chat/completions', { messages: MESSAGES }],
    ['responses', { input: 'x' }],
    ['messages', { messages: MESSAGES, max_tokens: 1 }],
  ] as const) {
    for (const [provider, form] of [
      ['azure-openai', '{resource}/{deployment}'],
      ['aws-bedrock', '{region}/{model}'],
    ] as const) {
      test(`${provider}, ${operation}: 400 for a model without them`, async () => {
        const { status, text } = await server.call('POST', `${server.account}/ai/v1/${operation}`, {
          body: { model: `${provider}/some-model`, ...fields },
        });
        assert.equal(status, 400);
        assert.ok(text.includes(form), text);
      });
    }
  }
});
