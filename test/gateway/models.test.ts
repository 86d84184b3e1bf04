import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, {
      settings: {
        PROVIDER_OPENAI_API_KEY: 'sk-operator',
        PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'key',
        PROVIDER_AZURE_OPENAI_API_KEY: 'key',
        PROVIDER_VLLM_BASE_URL: 'http://127.0.0.1:1',
        PROVIDER_VLLM_API_KEY: 'key',
      },
    });
    await createGateway('keys');
    await createGateway('open', { authentication: false });
    for (const [alias, slug] of [
      ['default', 'mistral'],
      ['spare', 'anthropic'],
    ]) {
      const body = {
        alias,
        default_config: alias === 'default',
        provider_slug: slug,
        secret: 'sk-stored',
      };
      const path = `${server.account}/ai-gateway/gateways/keys/provider_configs`;
      const { status, text } = await server.call('POST', path, { body });
      assert.equal(status, 200, text);
    }
  });
  after(() => server.stop());

  async function createGateway(id: string, fields: object = {}): Promise<void> {
    const path = `${server.account}/ai-gateway/gateways`;
    const body = gatewayBody(id, fields);
    assert.equal((await server.call('POST', path, { body })).status, 200);
  }

  const list = (gateway = 'default', headers: Record<string, string> = {}): Promise<Answer> =>
    server.call('GET', `${server.account}/ai/v1/models`, {
      headers: { 'cf-aig-gateway-id': gateway, ...headers },
    });

  const get = (model: string, gateway = 'default'): Promise<Answer> =>
    server.call('GET', `${server.account}/ai/v1/models/${model}`, {
      headers: { 'cf-aig-gateway-id': gateway },
    });

  const host = (gateway: string, token: string | null): Promise<Answer> =>
    request('GET', `${server.origin}/v1/${server.accountId}/${gateway}/compat/models`, {
      headers: token === null ? {} : { 'cf-aig-authorization': `Bearer ${token}` },
    });

  const idsOf = ({ json }: Answer): string[] => json.data.map(({ id }: Json) => id);
  const ownersOf = ({ json }: Answer): string[] => [
    ...new Set<string>(json.data.map((model: Json) => model.owned_by)),
  ];

  describe('the list', () => {
    test('has the known models of providers that the operator has a key for', async () => {
      const listed = await list();
      assert.equal(listed.status, 200);
      assert.deepEqual(ownersOf(listed), ['local', 'openai', 'google-ai-studio']);
      const ids = idsOf(listed);
      for (const id of ['local/echo', 'openai/gpt-4o-mini', 'google-ai-studio/gemini-2.5-flash']) {
        assert.ok(ids.includes(id), id);
      }
      // Its prices are known, but the API of that provider does not have it.
      assert.ok(!ids.some((id) => id.startsWith('google-ai-studio/claude')));
      assert.equal(new Set(ids).size, ids.length);
    });

    test('has those of providers that the gateway keeps a key for, whatever its alias', async () => {
      const listed = await list('keys');
      assert.deepEqual(ownersOf(listed), [
        'local',
        'openai',
        'anthropic',
        'google-ai-studio',
        'mistral',
      ]);
      const ids = idsOf(listed);
      assert.ok(ids.includes('mistral/codestral'));
      // Deprecated.
      assert.ok(!ids.includes('mistral/mistral-tiny'));
      assert.ok(!ids.some((id) => id.endsWith(':free')));
    });

    test('tells each as both APIs do', async () => {
      const { json } = await list();
      assert.deepEqual(json.data[0], {
        id: 'local/echo',
        object: 'model',
        type: 'model',
        created: 0,
        created_at: '1970-01-01T00:00:00.000Z',
        owned_by: 'local',
        display_name: 'echo',
      });
      const { data, ...rest } = json;
      assert.deepEqual(rest, {
        object: 'list',
        has_more: false,
        first_id: 'local/echo',
        last_id: data.at(-1).id,
      });
    });

    test('is the same under /v1/v1 and on the gateway host', async () => {
      const ids = idsOf(await list('keys'));
      const doubled = await server.call('GET', `${server.account}/ai/v1/v1/models`, {
        headers: { 'cf-aig-gateway-id': 'keys' },
      });
      assert.deepEqual(idsOf(doubled), ids);
      assert.deepEqual(idsOf(await host('keys', server.token)), ids);
    });

    test('leaves no log row', async () => {
      const path = `${server.account}/ai-gateway/gateways/keys/logs`;
      assert.equal((await server.call('GET', path)).json.result_info.total_count, 0);
    });
  });

  describe('one model', () => {
    test('by its name, the slash as it is or escaped', async () => {
      for (const model of ['openai/gpt-4o-mini', 'openai%2Fgpt-4o-mini']) {
        const { status, json } = await get(model);
        assert.deepEqual([status, json.id, json.object], [200, 'openai/gpt-4o-mini', 'model']);
      }
    });

    test('404/2025: there is none, or no key for it', async () => {
      for (const model of ['openai/none', 'mistral/codestral', 'echo', '/echo', '']) {
        const { status, json, code } = await get(model);
        assert.deepEqual([status, code], [404, 2025], model);
        assert.deepEqual(json.error, {
          message: `No such model: ${model}`,
          type: 'invalid_request_error',
          code: '2025',
          param: null,
        });
      }
      assert.equal((await get('mistral/codestral', 'keys')).status, 200);
    });
  });

  describe('clients', () => {
    const baseURL = (): string => `${server.baseUrl}${server.account}/ai`;

    test('the openai package', async () => {
      const client = new OpenAI({
        apiKey: server.token,
        baseURL: `${baseURL()}/v1`,
        maxRetries: 0,
      });
      const ids = [];
      for await (const { id } of client.models.list()) ids.push(id);
      assert.deepEqual(ids, idsOf(await list()));
      assert.equal((await client.models.retrieve('local/echo')).owned_by, 'local');
      await assert.rejects(client.models.retrieve('local/none'), OpenAI.NotFoundError);
    });

    test('the @anthropic-ai/sdk package', async () => {
      const client = new Anthropic({ apiKey: server.token, baseURL: baseURL(), maxRetries: 0 });
      const ids = [];
      for await (const { id } of client.models.list()) ids.push(id);
      assert.deepEqual(ids, idsOf(await list()));
      assert.equal((await client.models.retrieve('local/echo')).display_name, 'echo');
      await assert.rejects(client.models.retrieve('local/none'), Anthropic.NotFoundError);
    });
  });

  describe('authentication', () => {
    const models = (gateway: string, headers: Record<string, string>): Promise<Answer> =>
      request('GET', `${server.baseUrl}${server.account}/ai/v1/models`, {
        headers: { 'cf-aig-gateway-id': gateway, ...headers },
      });

    test('on: a token with Run, in either header', async () => {
      const { value } = await server.createToken(['ai-gateway.run'], 'keys');
      assert.equal((await models('keys', { authorization: `Bearer ${value}` })).status, 200);
      assert.equal((await models('keys', { 'x-api-key': value })).status, 200);
      assert.equal((await host('keys', value)).status, 200);
    });

    test('on: anybody else is refused', async () => {
      const { value } = await server.createToken(['ai-gateway.read']);
      for (const headers of [
        {},
        { authorization: 'Basic eDp5' },
        { authorization: `Bearer ${value}` },
        { 'x-api-key': 'sk-other' },
      ]) {
        const { status, json } = await models('keys', headers);
        assert.deepEqual([status, json.error.type], [401, 'authentication_error']);
      }
      for (const token of [null, value, 'sk-other']) {
        const { status, json } = await host('keys', token);
        assert.deepEqual([status, json.internalCode, json.name], [401, 2009, 'AiGatewayError']);
      }
    });

    test('off: a stranger is told what needs no key of others', async () => {
      const listed = await models('open', {});
      assert.deepEqual([listed.status, idsOf(listed)], [200, ['local/echo']]);
      assert.deepEqual(idsOf(await host('open', null)), ['local/echo']);
      assert.ok(idsOf(await host('open', server.token)).includes('openai/gpt-4o-mini'));
    });
  });

  test('405: only GET', async () => {
    for (const path of ['ai/v1/models', 'ai/v1/models/local/echo']) {
      const { status, headers } = await server.call('POST', `${server.account}/${path}`);
      assert.deepEqual([status, headers.get('allow')], [405, 'GET']);
    }
  });
});
