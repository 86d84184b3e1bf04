import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { OperationCall } from '../../src/gateway/providers/provider.ts';
import { createGoogleVertexAiProvider } from '../../src/gateway/providers/google-vertex-ai/google-vertex-ai.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';
import {
  type RecordedRequest,
  type Upstream,
  headerOf,
  startUpstream,
} from '../support/upstream-process.ts';

const PLACE = '/v1/projects/project-1/locations/europe-west1';
const REGIONAL = `https://us-central1-aiplatform.googleapis.com${PLACE.replace('europe-west1', 'us-central1')}`;

describe('addresses', () => {
  const nativeOf = (baseUrl: string | undefined, path: string) => {
    const settings = baseUrl === undefined ? {} : { baseUrl };
    const endpoint = createGoogleVertexAiProvider(settings).nativeEndpoint(path);
    return endpoint && endpoint.origin + endpoint.path;
  };
  const path = (location: string) =>
    `v1/projects/p/locations/${location}/publishers/google/models/m:predict?x=1`;

  for (const [name, baseUrl, native, expected] of [
    ['a region', undefined, path('us-central1'), `https://us-central1-aiplatform.googleapis.com/`],
    ['everywhere', undefined, path('global'), 'https://aiplatform.googleapis.com/'],
    ['several regions', undefined, path('eu'), 'https://aiplatform.eu.rep.googleapis.com/'],
    [
      'the express mode',
      REGIONAL,
      'v1/publishers/google/models/m:generateContent?alt=sse',
      'https://aiplatform.googleapis.com/',
    ],
    [
      'another version',
      undefined,
      path('eu').replace('v1', 'v1beta1'),
      'https://aiplatform.eu.rep.googleapis.com/',
    ],
    [
      'another region than the operator names',
      REGIONAL,
      path('global'),
      'https://aiplatform.googleapis.com/',
    ],
    [
      "a server of the operator's own",
      'https://proxy/vertex/',
      path('eu'),
      'https://proxy/vertex/',
    ],
    ['the same, with a place', `https://proxy/vertex${PLACE}`, path('eu'), 'https://proxy/vertex/'],
  ] as const) {
    test(`native: ${name}`, () => {
      assert.equal(nativeOf(baseUrl, native), expected + native);
    });
  }

  for (const native of [
    'v1/models',
    'v1/projects/p/locations/eu',
    'v1/publishers/',
    'projects/p/locations/eu/x',
    path('evil.example%2F'),
    path('evil.example/'),
    path('a@b'),
    path('').replace('projects/p', 'projects/%2e%2e'),
  ]) {
    test(`native: none without a project and a location: ${native}`, () => {
      assert.equal(nativeOf(undefined, native), undefined);
    });
  }

  test('native: the model is in the path, with its publisher', () => {
    const provider = createGoogleVertexAiProvider({});
    assert.equal(provider.nativeModel?.(path('eu')), 'google/m');
    assert.equal(
      provider.nativeModel?.(path('eu').replace('m:predict', 'claude-opus-4@1:x')),
      'google/claude-opus-4@1',
    );
    assert.equal(
      provider.nativeModel?.('v1/projects/p/locations/eu/datasets?x=/publishers/a/models/b:c'),
      undefined,
    );
  });

  const chatOf = (baseUrl: string | undefined, model: string) => {
    const provider = createGoogleVertexAiProvider(baseUrl === undefined ? {} : { baseUrl });
    const chat = provider.operations['chat/completions'];
    const call: OperationCall = { model, isStream: false };
    const endpoint = chat?.endpoint(call);
    return endpoint && [endpoint.origin + endpoint.path, chat?.model?.(call)];
  };

  test('of operations: the place is in the operator’s address, or in the model', () => {
    const rest = 'endpoints/openapi/chat/completions';
    assert.deepEqual(chatOf(REGIONAL, 'google/gemini-2.5-flash'), [
      `${REGIONAL}/${rest}`,
      'google/gemini-2.5-flash',
    ]);
    assert.deepEqual(chatOf(undefined, 'project-1/global/google/gemini-2.5-flash'), [
      `https://aiplatform.googleapis.com/v1/projects/project-1/locations/global/${rest}`,
      'google/gemini-2.5-flash',
    ]);
  });

  for (const model of [
    'google/gemini-2.5-flash',
    'p/eu/model',
    '../eu/google/m',
    'p/a.b/google/m',
  ]) {
    test(`of operations: none without a place: ${model}`, () => {
      assert.throws(() => chatOf(undefined, model), UntranslatableError);
    });
  }
});

describe('through the gateway', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  let upstream: Upstream;
  let server: TestServer;
  before(async () => {
    upstream = await startUpstream('gemini-upstream.ts');
    const { origin } = new URL(upstream.baseUrl);
    const key = {
      type: 'service_account',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: 'a@project-1.iam.gserviceaccount.com',
      token_uri: `${origin}/token`,
    };
    server = await bootServer('sqlite', {
      settings: {
        PROVIDER_GOOGLE_VERTEX_AI_BASE_URL: origin + PLACE,
        PROVIDER_GOOGLE_VERTEX_AI_API_KEY: JSON.stringify(key),
      },
    });
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  async function lastSent(): Promise<RecordedRequest & { authorization: string | undefined }> {
    const last = await upstream.lastSent();
    return { ...last, authorization: headerOf(last, 'authorization') };
  }

  const model = 'google-vertex-ai/google/gemini-2.5-flash';

  test('chat completions, with a token for the key', async () => {
    const client = new OpenAI({
      baseURL: `${server.baseUrl}${server.account}/ai/v1`,
      apiKey: server.token,
      maxRetries: 0,
    });
    const { choices } = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'hello' }],
    });
    assert.equal(choices[0]?.message.content, 'Grüße 🌍');
    const { url, body, authorization } = await lastSent();
    assert.equal(url, `${PLACE}/endpoints/openapi/chat/completions`);
    assert.equal(JSON.parse(body).model, 'google/gemini-2.5-flash');
    assert.match(authorization ?? '', /^Bearer ya29\.\d+$/);
  });

  test('messages, translated', async () => {
    const client = new Anthropic({
      baseURL: `${server.baseUrl}${server.account}/ai`,
      apiKey: server.token,
      maxRetries: 0,
    });
    const message = await client.messages.create({
      model,
      max_tokens: 50,
      messages: [{ role: 'user', content: 'hello' }],
    });
    const [block] = message.content;
    assert.equal(block?.type === 'text' && block.text, 'Grüße 🌍');
    assert.equal(JSON.parse((await lastSent()).body).model, 'google/gemini-2.5-flash');
  });

  const native = (path: string, headers: Record<string, string> = {}) =>
    request('POST', `${server.origin}/v1/${server.accountId}/default/google-vertex-ai/${path}`, {
      headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...headers },
      body: { contents: [] },
    });
  const generate = `${PLACE.slice(1)}/publishers/google/models/gemini-2.5-flash:generateContent`;

  test('native paths, with the same token', async () => {
    const { status, json } = await native(generate);
    assert.equal(status, 200);
    assert.equal(json.candidates[0].content.parts[0].text, 'Grüße 🌍');
    const { url, authorization } = await lastSent();
    assert.equal(url, `/${generate}`);
    assert.match(authorization ?? '', /^Bearer ya29\.\d+$/);
    const exchanges = (await upstream.recorded()).filter(({ url: sent }) => sent === '/token');
    assert.equal(exchanges.length, 1);
  });

  test("native paths, with the caller's own token", async () => {
    const { status } = await native(generate, { authorization: 'Bearer ya29.own' });
    assert.equal(status, 200);
    assert.equal((await lastSent()).authorization, 'Bearer ya29.own');
  });

  test('a path that names no place is refused', async () => {
    const before = (await upstream.recorded()).length;
    assert.equal((await native('v1/models')).status, 400);
    assert.equal((await upstream.recorded()).length, before);
  });
});

test('a key that is not exchanged is told as a failure of the provider', async (t) => {
  const server = await bootServer('sqlite', {
    settings: { PROVIDER_GOOGLE_VERTEX_AI_API_KEY: '{"type":"service_account"}' },
  });
  t.after(() => server.stop());
  const { status, json } = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    body: { model: 'google-vertex-ai/p/eu/google/gemini-2.5-flash', messages: [] },
  });
  assert.deepEqual([status, json.error.code], [502, '2005']);
});

test('an access token is presented as it is', async () => {
  const provider = createGoogleVertexAiProvider({});
  const endpoint = { origin: 'https://x', path: '/' };
  const outgoing = { method: 'POST', endpoint, body: Buffer.alloc(0), nowMs: 0 };
  assert.deepEqual(await provider.authorize('ya29.x', outgoing), [
    'authorization',
    'Bearer ya29.x',
  ]);
});
