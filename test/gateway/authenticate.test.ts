import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import {
  type Answer,
  type TestServer,
  allowPolicy,
  bootServer,
  request,
} from '../support/server.ts';
import { type Upstream, headerOf, startUpstream } from '../support/upstream-process.ts';
import { gatewayBody } from './gateway-bodies.ts';

const MESSAGES = [{ role: 'user', content: 'hello' }];

/** The table of the seed's section 3.4: setting × header → outcome, on both ways in. */
onEachDatabase((database) => {
  let server: TestServer;
  let upstream: Upstream;
  const clock = new ManualClock();
  const headers: Record<string, string | undefined> = {};
  before(async () => {
    upstream = await startUpstream();
    server = await bootServer(database, {
      clock,
      settings: {
        PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-stored',
      },
    });
    for (const [id, authentication] of [
      ['on', true],
      ['off', false],
    ] as const) {
      await server.call('POST', `${server.account}/ai-gateway/gateways`, {
        body: gatewayBody(id, { authentication }),
      });
    }
    await prepareTokens();
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  async function prepareTokens(): Promise<void> {
    const run = ['ai-gateway.run'];
    const bearer = (token: string): string => `Bearer ${token}`;
    headers['a token with Run'] = bearer((await server.createToken(run)).value);
    headers['no header'] = undefined;
    headers['a malformed header'] = 'Basic dXNlcjpwYXNz';
    headers['an unknown token'] = bearer(createSecret('lkat_'));
    headers['a token with a wrong checksum'] = `${headers['a token with Run']?.slice(0, -1)}!`;
    headers['a provider key'] = 'Bearer sk-proj-0123456789';
    headers['a token without Run'] = bearer((await server.createToken(['ai-gateway.write'])).value);
    headers['a token for another gateway'] = bearer((await server.createToken(run, 'other')).value);
    headers['a token denied this gateway'] = bearer(await createDenied());
    headers['an expired token'] = bearer(await createExpired());
    headers['a token for another address'] = bearer(await createElsewhere());
  }

  async function create(fields: object): Promise<string> {
    const policies = [allowPolicy(server.accountId, ['ai-gateway.run'])];
    const body = { name: 'test', policies, ...fields };
    return (await server.call('POST', `${server.account}/tokens`, { body })).json.result.value;
  }

  const createDenied = (): Promise<string> =>
    create({
      policies: [
        allowPolicy(server.accountId, ['ai-gateway.run']),
        { ...allowPolicy(server.accountId, ['ai-gateway.run'], 'on'), effect: 'deny' },
      ],
    });

  async function createExpired(): Promise<string> {
    const token = await create({ expires_on: new Date(clock.now() + 60_000).toISOString() });
    clock.advance(60_000);
    return token;
  }

  const createElsewhere = (): Promise<string> =>
    create({ condition: { request_ip: { in: ['192.0.2.0/24'] } } });

  function rest(gateway: string, header: string | undefined): Promise<Answer> {
    return request('POST', `${server.baseUrl}${server.account}/ai/v1/chat/completions`, {
      body: { model: 'openai/plain', messages: MESSAGES },
      headers: {
        'cf-aig-gateway-id': gateway,
        ...(header === undefined ? {} : { authorization: header }),
      },
    });
  }

  function native(gateway: string, header: string | undefined): Promise<Answer> {
    return request(
      'POST',
      `${server.origin}/v1/${server.accountId}/${gateway}/openai/chat/completions`,
      {
        body: { model: 'plain', messages: MESSAGES },
        headers: {
          authorization: 'Bearer sk-callers-own',
          ...(header === undefined ? {} : { 'cf-aig-authorization': header }),
        },
      },
    );
  }

  async function countLogs(gateway: string): Promise<number> {
    const path = `${server.account}/ai-gateway/gateways/${gateway}/logs`;
    return (await server.call('GET', path)).json.result_info.total_count;
  }

  const CASES = [
    'no header',
    'a malformed header',
    'an unknown token',
    'a token with a wrong checksum',
    'a provider key',
    'a token without Run',
    'a token for another gateway',
    'a token denied this gateway',
    'an expired token',
    'a token for another address',
  ];

  describe('authentication on', () => {
    test('a token with Run goes through on both ways in', async () => {
      const header = headers['a token with Run'];
      assert.equal((await rest('on', header)).status, 200);
      assert.equal((await native('on', header)).status, 200);
    });

    for (const name of CASES) {
      test(`${name} is refused: no upstream call, no log row`, async () => {
        const calls = (await upstream.recorded()).length;
        const rows = await countLogs('on');

        const onRest = await rest('on', headers[name]);
        assert.deepEqual([onRest.status, onRest.code], [401, 10_000]);
        assert.deepEqual(onRest.json.error, {
          message: 'Authentication error',
          type: 'authentication_error',
          code: '10000',
          param: null,
        });
        assert.equal(onRest.json.success, false);
        assert.equal(onRest.headers.get('cf-aig-log-id'), null);

        const onNative = await native('on', headers[name]);
        assert.equal(onNative.status, 401);
        assert.deepEqual(onNative.json, {
          success: false,
          result: [],
          messages: [],
          error: [{ code: 2009, message: 'Unauthorized' }],
          name: 'AiGatewayError',
          httpCode: 401,
          internalCode: 2009,
        });

        assert.equal((await upstream.recorded()).length, calls);
        assert.equal(await countLogs('on'), rows);
      });
    }
  });

  describe('OAuth access tokens', () => {
    const CHALLENGE = 'Bearer error="insufficient_scope", scope="ai-gateway.run"';

    async function issue(scopes: string[], roles = ['ai-gateway-run']): Promise<string> {
      const { userId } = await createPerson(server, { accountId: server.accountId, roles });
      const { client_id: clientId } = await createClient(server, { scopes });
      const options = { userId, clientId, scopes, clock };
      return (await issueAccessToken(server, options)).value;
    }

    test('without the scope: 403 with the scope on REST, 401 on the gateway host', async () => {
      const token = await issue(['tags.read']);
      const calls = (await upstream.recorded()).length;
      const rows = await countLogs('on');
      for (const gateway of ['on', 'unknown']) {
        const answer = await rest(gateway, `Bearer ${token}`);
        assert.deepEqual([answer.status, answer.code], [403, 10_000]);
        assert.equal(answer.headers.get('www-authenticate'), CHALLENGE);
        const message = 'Forbidden: requires the permission "AI Gateway Run" (ai-gateway.run)';
        const error = { message, type: 'permission_error', code: '10000', param: null };
        assert.deepEqual(answer.json.error, error);
      }
      const onNative = await native('on', `Bearer ${token}`);
      assert.deepEqual([onNative.status, onNative.json.internalCode], [401, 2009]);
      assert.equal(onNative.headers.get('www-authenticate'), 'Bearer');
      assert.equal((await upstream.recorded()).length, calls);
      assert.equal(await countLogs('on'), rows);
      assert.equal((await rest('off', `Bearer ${token}`)).status, 200);
    });

    test('with the scope, of a user without the permission: 401, as for every such token', async () => {
      const token = await issue(['ai-gateway.run'], ['tag-admin']);
      const answer = await rest('on', `Bearer ${token}`);
      assert.deepEqual([answer.status, answer.code], [401, 10_000]);
    });

    test('with the scope and the permission: accepted', async () => {
      const token = await issue(['ai-gateway.run']);
      assert.equal((await rest('on', `Bearer ${token}`)).status, 200);
    });

    test('an expired or unknown token: 401 with invalid_token, without a token: no error', async () => {
      const challengeOf = async (header?: string): Promise<string | null> => {
        const answer = await rest('on', header);
        assert.equal(answer.status, 401);
        return answer.headers.get('www-authenticate');
      };
      const invalid = 'Bearer error="invalid_token"';
      assert.equal(await challengeOf(`Bearer ${createSecret('lkoat_')}`), invalid);
      assert.equal(await challengeOf(headers['an expired token']), invalid);
      assert.equal(await challengeOf(), 'Bearer');
    });
  });

  describe('authentication off', () => {
    for (const name of ['a token with Run', ...CASES]) {
      test(`${name} goes through`, async () => {
        assert.equal((await rest('off', headers[name])).status, 200);
        assert.equal((await native('off', headers[name])).status, 200);
      });
    }

    test('a stored key is lent to a caller who is known, and to no other', async () => {
      const sentKey = async () => headerOf(await upstream.lastSent(), 'authorization');
      await rest('off', headers['a token with Run']);
      assert.equal(await sentKey(), 'Bearer sk-stored');
      await rest('off', undefined);
      assert.equal(await sentKey(), undefined);
      await rest('off', headers['an expired token']);
      assert.equal(await sentKey(), undefined);
      // Not even a provider key that came in the place of ours is passed on.
      await rest('off', headers['a provider key']);
      assert.equal(await sentKey(), undefined);
    });
  });

  describe('the gateway "default"', () => {
    const exists = async (): Promise<boolean> =>
      (await server.call('GET', `${server.account}/ai-gateway/gateways/default`)).status === 200;

    test('appears at the first authenticated use, not before', async () => {
      assert.equal((await rest('default', undefined)).status, 401);
      assert.equal((await native('default', headers['an expired token'])).status, 401);
      assert.equal(await exists(), false);
      const used = await Promise.all(
        Array.from({ length: 8 }, () => rest('default', headers['a token with Run'])),
      );
      assert.deepEqual(
        used.map(({ status }) => status),
        Array(8).fill(200),
      );
      assert.equal(await exists(), true);
      assert.equal(await countLogs('default'), 8);
    });

    test('404/2001: no other gateway appears by itself, and strangers are not told', async () => {
      const header = headers['a token with Run'];
      const onRest = await rest('nope', header);
      assert.deepEqual([onRest.status, onRest.code], [404, 2001]);
      assert.equal(onRest.json.error.code, '2001');
      const onNative = await native('nope', header);
      assert.deepEqual([onNative.status, onNative.code], [404, 2001]);
      assert.equal((await rest('nope', undefined)).status, 401);
      assert.equal((await native('nope', undefined)).status, 401);
      assert.equal((await rest('../on', header)).status, 404);
    });

    test('another account is refused like an unknown one', async () => {
      const url = `${server.baseUrl}/accounts/${'0'.repeat(32)}/ai/v1/chat/completions`;
      const token = headers['a token with Run']?.slice('Bearer '.length) ?? '';
      assert.equal((await request('POST', url, { token, body: {} })).status, 401);
    });
  });

  test('a caller is refused before its body is read', async () => {
    const { port } = new URL(server.origin);
    const { pathname } = new URL(`${server.baseUrl}${server.account}/ai/v1/chat/completions`);
    const socket = connect(Number(port), '127.0.0.1');
    // The body is announced and never sent.
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1.1 401 /);
    socket.destroy();
  });

  test('names that no gateway can have are refused alike', async () => {
    for (const gateway of ['a'.repeat(65), 'Upper', 'a/b', '%00', 'ü']) {
      const header = encodeURIComponent(gateway);
      assert.equal((await rest(header, headers['no header'])).status, 401, gateway);
      assert.equal((await rest(header, headers['a token with Run'])).code, 2001, gateway);
    }
  });

  test('a deleted token is refused at once', async () => {
    const { id, value } = await server.createToken(['ai-gateway.run']);
    assert.equal((await rest('on', `Bearer ${value}`)).status, 200);
    await server.call('DELETE', `${server.account}/tokens/${id}`);
    assert.equal((await rest('on', `Bearer ${value}`)).status, 401);
  });
});
