import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AnsweringUpstream, chatCompletion } from '../support/answering-upstream.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { createPerson, signInAs } from '../support/people.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
  request,
} from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

const MESSAGES = [{ role: 'user', content: 'hi' }];
const CHAT = { model: 'gpt-4o', messages: MESSAGES };

onEachDatabase((database) => {
  let server: TestServer;
  let upstream: AnsweringUpstream;
  before(async () => {
    upstream = await AnsweringUpstream.start();
    server = await bootServer(database, {
      settings: {
        PROVIDER_ANTHROPIC_BASE_URL: upstream.baseUrl,
        PROVIDER_ANTHROPIC_API_KEY: 'key-of-anthropic',
        PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'key-of-openai',
      },
    });
  });
  after(async () => {
    await server.stop();
    upstream.stop();
  });

  const create = (id: string): Promise<Answer> =>
    server.call('POST', `${server.account}/ai-gateway/gateways`, { body: gatewayBody(id) });

  function onHost(path: string, body: unknown, headers: Record<string, string> = {}) {
    return request('POST', `${server.origin}/v1/${server.accountId}/${path}`, {
      body,
      headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...headers },
    });
  }

  const logsOf = async (gateway: string): Promise<Json[]> =>
    (await server.call('GET', `${server.account}/ai-gateway/gateways/${gateway}/logs`)).json.result;

  test('a response that cannot be translated: 502 with the code, in the form of the endpoint', async () => {
    upstream.answer({ not: 'a completion' });
    const messages = await server.call('POST', `${server.account}/ai/v1/messages`, {
      body: { model: 'openai/gpt-4o', max_tokens: 5, messages: MESSAGES },
    });
    assert.deepEqual([messages.status, messages.code], [502, 2005]);
    assert.equal(messages.json.error.type, 'api_error');
    const compat = await onHost('default/compat/chat/completions', {
      model: 'anthropic/claude-x',
      messages: MESSAGES,
    });
    assert.deepEqual([compat.status, compat.json.internalCode], [502, 2005]);
    assert.equal(compat.json.name, 'AiGatewayError');
  });

  test('an unknown path below /ai/v1: 404 in the format of the OpenAI API, and 405 for another method', async () => {
    for (const [method, path] of [
      ['POST', 'nothing'],
      ['GET', 'chat/nothing'],
      ['DELETE', 'x/y/z?a=b'],
    ] as const) {
      const url = `${server.account}/ai/v1/${path}`;
      const answer = await server.call(method, url, method === 'GET' ? {} : { body: {} });
      assert.deepEqual([answer.status, answer.code], [404, 7003], path);
      const { message, type, code } = answer.json.error;
      assert.deepEqual([type, code], ['invalid_request_error', '7003']);
      assert.equal(message, answer.json.errors[0].message);
    }
    const other = await server.call('GET', `${server.account}/ai/v1/chat/completions`);
    assert.deepEqual([other.status, other.code], [405, 7001]);
  });

  test('unknown usage is absent, and not zero', async () => {
    upstream.answer({
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
    });
    const call = (path: string, body: object): Promise<Answer> =>
      server.call('POST', `${server.account}/ai/v1/${path}`, {
        body: { model: 'anthropic/claude-x', ...body },
      });
    const chat = await call('chat/completions', { messages: MESSAGES });
    assert.equal(chat.json.choices[0].message.content, 'x');
    assert.equal('usage' in chat.json, false);
    const response = await call('responses', { input: 'hi' });
    assert.equal(response.json.usage, null);
  });

  test('metadata in UTF-8 and in Latin-1 is the same', async () => {
    await create('metadata');
    upstream.answer(chatCompletion('x'));
    const metadata = JSON.stringify({ team: 'Müller' });
    for (const encoding of ['utf8', 'latin1'] as const) {
      // fetch writes each character of a header as one byte.
      const value = Buffer.from(metadata, encoding).toString('latin1');
      const answer = await onHost('metadata/openai/chat/completions', CHAT, {
        'cf-aig-metadata': value,
      });
      assert.equal(answer.status, 200, answer.text);
    }
    await eventually('both are logged', async () => (await logsOf('metadata')).length === 2);
    for (const log of await logsOf('metadata')) assert.equal(log.metadata, metadata);
  });

  test('a universal request with a malformed header: 400/2020, no call and no log', async () => {
    await create('universal');
    upstream.received.length = 0;
    const entry = (headers: object): object => ({
      provider: 'openai',
      endpoint: 'chat/completions',
      headers,
      query: CHAT,
    });
    for (const headers of [{ 'a b': 'x' }, { a: 'x\ny' }, { a: '\u{1F600}' }, { '': 'x' }]) {
      const answer = await onHost('universal', [entry({}), entry(headers)]);
      assert.deepEqual([answer.status, answer.json.internalCode], [400, 2020], answer.text);
    }
    assert.equal(upstream.received.length, 0);
    upstream.answer(chatCompletion('x'));
    assert.equal((await onHost('universal', [entry({ 'x-a': 'b\tc é' })])).status, 200);
    await eventually('one is logged', async () => (await logsOf('universal')).length > 0);
    assert.equal((await logsOf('universal')).length, 1);
  });

  describe('the cache', () => {
    const cached = (key: string): Record<string, string> => ({
      'cf-aig-cache-ttl': '60',
      'cf-aig-cache-key': key,
    });
    const statusOf = ({ headers }: Answer): string | null => headers.get('cf-aig-cache-status');

    test('a partial response is not stored', async () => {
      upstream.answer(chatCompletion('x'), 206);
      for (let count = 0; count < 2; count++) {
        const answer = await onHost('default/openai/files/content', CHAT, cached('partial'));
        assert.deepEqual([answer.status, statusOf(answer)], [206, 'MISS']);
      }
    });

    test('inputs of other forms and streams do not share a custom key', async () => {
      upstream.answer(chatCompletion('x'));
      const run = async (input: object) => {
        const answer = await server.call('POST', `${server.account}/ai/run`, {
          body: { model: 'openai/gpt-4o', input },
          headers: cached('shared'),
        });
        return [statusOf(answer), answer.json?.result?.response ?? answer.json?.result?.object];
      };
      assert.deepEqual(await run({ messages: MESSAGES }), ['MISS', 'chat.completion']);
      assert.deepEqual(await run({ messages: MESSAGES }), ['HIT', 'chat.completion']);
      assert.deepEqual(await run({ prompt: 'hi' }), ['MISS', 'x']);
      assert.deepEqual(await run({ prompt: 'hi' }), ['HIT', 'x']);
      const chat = (fields: object): Promise<Answer> =>
        server.call('POST', `${server.account}/ai/v1/chat/completions`, {
          body: { ...CHAT, model: 'openai/gpt-4o', ...fields },
          headers: cached('streams'),
        });
      assert.equal(statusOf(await chat({})), 'MISS');
      const stream = await chat({ stream: true });
      assert.equal(statusOf(stream), 'MISS');
      assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
    });
  });

  test('a 204 has no content-length', async () => {
    upstream.respond = (_request, response) =>
      response.writeHead(204, { 'content-length': '0' }).end();
    const answer = await onHost('default/openai/files/delete', CHAT);
    assert.deepEqual([answer.status, answer.headers.get('content-length')], [204, null]);
  });

  describe('a gateway is deleted', () => {
    const gateways = (): string => `${server.account}/ai-gateway/gateways`;
    const use = async (gateway: string, token: string): Promise<number> => {
      upstream.answer(chatCompletion('x'));
      const headers = { 'cf-aig-authorization': `Bearer ${token}` };
      return (await onHost(`${gateway}/openai/chat/completions`, CHAT, headers)).status;
    };

    test('its tokens do not work with a later gateway of the same id', async () => {
      await create('temporary');
      await create('temporary-2');
      const path = `${gateways()}/temporary/tokens`;
      const token = (await server.call('POST', path, { body: { name: 'one' } })).json.result;
      const other = await server.createToken(['ai-gateway.run'], 'temporary-2');
      const wide = await server.createToken(['ai-gateway.run']);
      assert.equal(await use('temporary', token.value), 200);
      assert.equal((await server.call('DELETE', `${gateways()}/temporary`)).status, 200);
      assert.equal(await use('temporary', token.value), 401);
      await create('temporary');
      assert.equal(await use('temporary', token.value), 401);
      assert.equal((await server.call('GET', `${server.account}/tokens/${token.id}`)).status, 404);
      assert.equal(await use('temporary', wide.value), 200);
      assert.equal(await use('temporary-2', other.value), 200);
      const rows = await readAuditRows(server.app.database, server.accountId);
      assert.deepEqual(
        rows.filter((row) => row.resource_id === token.id).map((row) => row.action_type),
        ['create', 'delete'],
      );
    });

    test('tokens of members and for several gateways no longer allow it', async () => {
      await create('gone');
      await create('kept');
      const { userId } = await createPerson(server, {
        accountId: server.accountId,
        roles: ['super-administrator'],
      });
      const headers = await signInAs(server, userId);
      const on = (...ids: string[]) =>
        ids.map((id) => allowPolicy(server.accountId, ['ai-gateway.run'], id));
      const newToken = async (path: string, policies: object[]) => {
        const options = { token: null, headers, body: { name: 'x', policies } };
        const { json, text } = await server.call('POST', path, options);
        assert.equal(json.success, true, text);
        return json.result as { id: string; value: string; policies: object[] };
      };
      const own = await newToken('/user/tokens', on('gone'));
      const both = await newToken(`${server.account}/tokens`, on('gone', 'kept'));
      const denies = await newToken(`${server.account}/tokens`, [
        allowPolicy(server.accountId, ['ai-gateway.run']),
        { ...on('gone')[0], effect: 'deny' },
      ]);
      assert.equal(await use('gone', own.value), 200);
      assert.equal((await server.call('DELETE', `${gateways()}/gone`)).status, 200);
      await create('gone');
      assert.equal(await use('gone', own.value), 401);
      assert.equal(await use('gone', both.value), 401);
      assert.equal(await use('kept', both.value), 200);
      assert.equal(await use('gone', denies.value), 401);
      const { json } = await server.call('GET', `${server.account}/tokens/${both.id}`);
      assert.deepEqual(json.result.policies, both.policies.slice(1));
    });
  });
});
