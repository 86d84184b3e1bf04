import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';
import { type Upstream, headerOf, startUpstream } from '../support/upstream-process.ts';
import { gatewayBody } from './gateway-bodies.ts';
import { newSecret, validKey } from './key-bench.ts';

const OPERATOR_KEY = 'sk-operator-key-0123456789';
const MESSAGES = [{ role: 'user', content: 'hello' }];

onEachDatabase((database) => {
  let upstream: Upstream;
  let server: TestServer;
  let gateways: string;
  before(async () => {
    upstream = await startUpstream();
    server = await bootServer(database, {
      settings: {
        PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
        PROVIDER_OPENAI_API_KEY: OPERATOR_KEY,
        PROVIDER_VLLM_BASE_URL: upstream.baseUrl,
      },
    });
    gateways = `${server.account}/ai-gateway/gateways`;
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  let count = 0;
  async function newGateway(fields: object = {}): Promise<string> {
    const id = `byok-${++count}`;
    const body = gatewayBody(id, { byok_only: true, ...fields });
    const { status, json, text } = await server.call('POST', gateways, { body });
    assert.equal(status, 200, text);
    assert.equal(json.result.byok_only, (body as { byok_only?: boolean }).byok_only);
    return id;
  }

  const rest = (gateway: string, model: string, headers = {}): Promise<Answer> =>
    server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      headers: { 'cf-aig-gateway-id': gateway, ...headers },
      body: { model, messages: MESSAGES },
    });

  const native = (gateway: string, headers: Record<string, string>): Promise<Answer> =>
    request('POST', `${server.origin}/v1/${server.accountId}/${gateway}/openai/chat/completions`, {
      headers,
      body: { model: 'plain', messages: MESSAGES },
    });

  const shown = async () => headerOf(await upstream.lastSent(), 'authorization');
  const callCount = async () => (await upstream.recorded()).length;
  const withToken = () => ({ 'cf-aig-authorization': `Bearer ${server.token}` });

  test("without an own key, rejects with 2042 instead of using the operator's key", async () => {
    const gateway = await newGateway();
    const calls = await callCount();
    const refused = await rest(gateway, 'openai/plain');
    assert.deepEqual([refused.status, refused.code], [400, 2042], refused.text);
    const onHost = await native(gateway, withToken());
    assert.deepEqual([onHost.status, onHost.json.internalCode], [400, 2042], onHost.text);
    assert.equal(await callCount(), calls);
    const body = gatewayBody(gateway, { byok_only: false });
    await server.call('PUT', `${gateways}/${gateway}`, { body });
    assert.equal((await rest(gateway, 'openai/plain')).status, 200);
    assert.equal(await shown(), `Bearer ${OPERATOR_KEY}`);
  });

  test("uses the client's key and the keys of the gateway", async () => {
    const gateway = await newGateway();
    const own = await native(gateway, { ...withToken(), authorization: 'Bearer sk-own' });
    assert.equal(own.status, 200, own.text);
    assert.equal(await shown(), 'Bearer sk-own');
    const [first, second] = [newSecret(), newSecret()];
    const configs = `${gateways}/${gateway}/provider_configs`;
    const named = validKey({ alias: 'named', default_config: false, secret: first });
    await server.call('POST', configs, { body: named });
    assert.equal((await rest(gateway, 'openai/plain')).code, 2042);
    assert.equal(
      (await rest(gateway, 'openai/plain', { 'cf-aig-byok-alias': 'named' })).status,
      200,
    );
    assert.equal(await shown(), `Bearer ${first}`);
    await server.call('POST', configs, { body: validKey({ secret: second }) });
    assert.equal((await rest(gateway, 'openai/plain')).status, 200);
    assert.equal(await shown(), `Bearer ${second}`);
  });

  test('providers that need no key, and local models, work', async () => {
    const gateway = await newGateway();
    assert.equal((await rest(gateway, 'local/echo')).status, 200);
    assert.equal((await rest(gateway, 'vllm/plain')).status, 200);
  });

  test("the list of models leaves out those behind the operator's key", async () => {
    const list = async (gateway: string): Promise<string[]> => {
      const headers = { 'cf-aig-gateway-id': gateway };
      const { json } = await server.call('GET', `${server.account}/ai/v1/models`, { headers });
      return json.data.map(({ id }: { id: string }) => id);
    };
    const isOpenAi = (id: string) => id.startsWith('openai/');
    const gateway = await newGateway();
    assert.ok(!(await list(gateway)).some(isOpenAi));
    assert.ok((await list(await newGateway({ byok_only: false }))).some(isOpenAi));
    await server.call('POST', `${gateways}/${gateway}/provider_configs`, { body: validKey() });
    assert.ok((await list(gateway)).some(isOpenAi));
  });

  test("no combination of credentials sends the operator's key", async () => {
    const open = await newGateway({ authentication: false });
    const lending = await newGateway({
      authentication: false,
      allow_stored_keys_unauthenticated: true,
    });
    const closed = await newGateway();
    const credentials = fc.record(
      {
        authorization: fc.constantFrom('', 'Bearer', 'Bearer ', 'Basic x', 'Bearer sk-own'),
        'x-api-key': fc.constantFrom('', 'sk-own'),
        'cf-aig-byok-alias': fc.constantFrom('', 'none'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(open, lending, closed),
        fc.boolean(),
        credentials,
        async (gateway, isKnown, headers) => {
          const earlier = await callCount();
          await native(gateway, { ...headers, ...(isKnown ? withToken() : {}) });
          const sent = JSON.stringify((await upstream.recorded()).slice(earlier));
          assert.ok(!sent.includes(OPERATOR_KEY), sent);
        },
      ),
      { numRuns: 30 },
    );
  });
});
