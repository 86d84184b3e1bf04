import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { methodsBesides } from '../../src/http/methods.ts';
import { exchange } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

const ANY_NAME = 'some-name';

describe('a method that a path does not have', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite');
  });
  after(() => server.stop());

  /** Asks the path with every method besides these. */
  async function assertRefused(url: string, methods: readonly string[]) {
    for (const method of methodsBesides(methods)) {
      const answer = await request(method, url, { token: server.token });
      const got = [answer.status, answer.headers.get('allow')];
      assert.deepEqual(got, [405, methods.join(', ')], `${method} ${url}`);
    }
  }

  test('405 on every path of the management API', async () => {
    const groups = Map.groupBy(server.app.routes, ({ path }) => path);
    for (const [path, routes] of groups) {
      const methods: string[] = routes.map(({ method }) => method);
      if (methods.includes('GET')) methods.push('HEAD');
      const name = path.replaceAll(/:\w+/g, ANY_NAME);
      await assertRefused(`${server.baseUrl}${name}`, methods);
    }
  });

  test('405 where a broader path has the method', async () => {
    const { account, baseUrl } = server;
    for (const [path, method] of [
      [`${account}/tokens/verify`, 'DELETE'],
      ['/user/tokens/verify', 'PUT'],
    ] as const) {
      const sibling = path.replace('verify', ANY_NAME);
      assert.notEqual((await server.call(method, sibling, { body: {} })).status, 405);
      await assertRefused(`${baseUrl}${path}`, ['GET', 'HEAD']);
    }
  });

  test('405 on the pages, told by a page under its own policy', async () => {
    for (const [path, ...methods] of [
      ['/login', 'GET', 'HEAD', 'POST'],
      ['/logout', 'GET', 'HEAD', 'POST'],
      ['/forgot-password', 'GET', 'HEAD', 'POST'],
      ['/reset-password', 'GET', 'HEAD', 'POST'],
    ] as const) {
      await assertRefused(`${server.origin}${path}`, methods);
      const { headers, text } = await request('PUT', `${server.origin}${path}`, {});
      assert.match(headers.get('content-type') ?? '', /^text\/html/);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'self'/);
      assert.match(text, /Method not allowed/);
    }
  });

  test('405 on the ways into the gateway, in their shape', async () => {
    const { account, baseUrl, origin, accountId } = server;
    const rest = `${baseUrl}${account}/ai`;
    const host = `${origin}/v1/${accountId}/default`;
    const posts = ['chat/completions', 'responses', 'embeddings', 'messages'];
    for (const url of [
      ...posts.flatMap((operation) => [
        `${rest}/v1/${operation}`,
        `${rest}/v1/v1/${operation}`,
        `${host}/compat/${operation}`,
      ]),
      `${rest}/run`,
      `${rest}/run/`,
      `${rest}/run/@cf/meta/llama`,
    ]) {
      await assertRefused(url, ['POST']);
    }
    for (const base of [`${rest}/v1`, `${rest}/v1/v1`]) {
      await assertRefused(`${base}/models`, ['GET']);
      await assertRefused(`${base}/models/a/b`, ['GET']);
    }
    await assertRefused(`${host}/compat/models`, ['GET']);
    await assertRefused(host, ['POST']);
    const { json } = await request('PUT', `${rest}/run`, { token: server.token });
    assert.deepEqual(json.errors, [{ code: 7001, message: 'Method not allowed' }]);
    assert.equal(json.error.code, '7001');
  });

  test('405 however the path is written', async () => {
    const tokens = `/client/v4${server.account}/tokens`;
    for (const target of [
      `${tokens}?a=/b`,
      `${tokens}#a`,
      tokens.replace('tokens', '%74okens'),
      `http://a${tokens}`,
      `HTTPS://a:1${tokens}?b`,
      `/client/v4/accounts/:account_id/tokens`,
      `/client/v4/accounts/*/tokens`,
      `/client/v4/accounts/a%2Fb/tokens`,
      `/client/v4/accounts//tokens`,
      `/client/v4/accounts/${'a'.repeat(3_072)}/tokens`,
    ]) {
      const answer = await ask('PATCH', target);
      assert.deepEqual([answer.status, answer.code], [405, 7001], target);
    }
  });

  test('404 where there is no path', async () => {
    const tokens = `/client/v4${server.account}/tokens`;
    for (const target of [
      '/nowhere',
      '/client/v4',
      '/client/v4/',
      tokens.replace('tokens', 'Tokens'),
      tokens.replace('/tokens', '/x%2Ftokens'),
      tokens.replace('tokens', '%2574okens'),
      tokens.replace('tokens', ':token_id/x/y'),
      tokens.replace('/client', '//client'),
      `${tokens}%`,
      `${tokens}%3Fa`,
      '/client/v4/:a/:b/:c',
      '/client/v4/*',
      '*',
      `/client/v4/accounts/${'a'.repeat(3_073)}/tokens`,
      '/user/tokens',
      'http://a',
      'http://a?b',
    ]) {
      const answer = await ask('PATCH', target);
      assert.deepEqual([answer.status, answer.code], [404, 7003], target);
    }
  });

  test('404 for a method that no path has', async () => {
    assert.equal((await ask('TRACE', `/client/v4${server.account}/tokens`)).status, 404);
  });

  test('400 comes first: a request that is malformed', async () => {
    const target = `/client/v4${server.account}/tokens`;
    const nul = await ask('PATCH', `${target}?a=%00`);
    const hostless = await ask('PATCH', target, '');
    const twice = await ask('PATCH', target, 'host: a\r\nauthorization: a\r\nauthorization: b\r\n');
    assert.deepEqual([nul.status, hostless.status, twice.status], [400, 400, 400]);
    const unknown = await ask('PATCH', '/none?a=%00', '');
    assert.equal(unknown.status, 404);
  });

  const ask = (method: string, target: string, headers = 'host: a\r\n') =>
    exchange(server.origin, `${method} ${target} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`);
});
