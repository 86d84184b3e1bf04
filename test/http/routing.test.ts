import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { exchange } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database);
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  async function assertNotFound(method: string, url: string): Promise<void> {
    const answer = await request(method, url, { token: server.token });
    const { pathname } = new URL(url);
    assert.equal(answer.status, 404, answer.text);
    assert.deepEqual(answer.json, {
      success: false,
      errors: [
        {
          code: 7003,
          message: `Could not route to ${pathname}, perhaps your object identifier is invalid?`,
        },
      ],
      messages: [],
      result: null,
    });
  }

  test('an unknown route: 7003 with the path, without the query', async () => {
    await assertNotFound('GET', `${server.baseUrl}/nothing?secret=1`);
    await assertNotFound('GET', `${server.origin}/nothing/at/all`);
    await assertNotFound('POST', `${server.baseUrl}${tokens}/${createId()}/nothing`);
    await assertNotFound('GET', `${server.baseUrl}/accounts//tokens/x/y`);
    await assertNotFound('OPTIONS', `${server.baseUrl}/nothing`);
  });

  test('a path that looks like a replacement pattern is told as it is', async () => {
    await assertNotFound('GET', `${server.baseUrl}/$&/$'/$$`);
  });

  test('the body of a request to an unknown route is not looked at', async () => {
    for (const body of ['{', '\\u0000', 'x'.repeat(2 * 1024 * 1024)]) {
      const answer = await server.call('POST', '/nothing', { body });
      assert.equal(answer.code, 7003, answer.text);
    }
  });

  test('an id that no object has, whatever its form: 7003', async () => {
    for (const id of [
      createId(),
      'x',
      'null',
      '%20',
      "'or'1'='1",
      encodeURIComponent('ünï/cödé'),
    ]) {
      await assertNotFound('GET', `${server.baseUrl}${tokens}/${id}`);
      await assertNotFound('DELETE', `${server.baseUrl}${tokens}/${id}`);
    }
  });

  test('an account id of another form: 7003', async () => {
    for (const id of ['x', server.accountId.toUpperCase(), `${server.accountId}0`, '__proto__']) {
      await assertNotFound('GET', `${server.baseUrl}/accounts/${id}/tokens`);
    }
  });

  test('a broken percent escape: 7003', async () => {
    for (const id of ['%', '%zz', '%e0%a4', '%ff']) {
      await assertNotFound('GET', `${server.baseUrl}${tokens}/${id}`);
      await assertNotFound('GET', `${server.origin}/${id}`);
    }
  });

  test('a part longer than any name: 7003', async () => {
    await assertNotFound('GET', `${server.baseUrl}${tokens}/${'a'.repeat(4_000)}`);
  });

  test('a known path with another method: 405 with Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await server.call(method, tokens);
      assert.equal(answer.status, 405, method);
      assert.equal(answer.code, 7001);
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD', 'POST']);
    }
    const answer = await server.call('POST', `${tokens}/verify`, { body: {} });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  });

  test('methods that nobody serves: 7003 in the envelope', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'QUERY']) {
      const answer = await exchange(
        server.origin,
        `${method} /client/v4${tokens} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      );
      assert.equal(answer.status, 404, answer.text);
      assert.equal(answer.code, 7003);
      assert.ok(answer.headers['x-request-id']);
    }
  });

  test('HEAD answers as GET does, without the body', async () => {
    const answer = await server.call('HEAD', tokens);
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '');
    assert.ok(Number(answer.headers.get('content-length')) > 0);
    assert.equal((await server.call('HEAD', tokens, { token: null })).status, 401);
  });

  test('an encoded path part is decoded once', async () => {
    const encoded = server.accountId.replaceAll('a', '%61');
    assert.equal((await server.call('GET', `/accounts/${encoded}/tokens`)).status, 200);
    const twice = server.accountId.replace(
      /[0-9a-f]/,
      (digit) => `%25${digit.charCodeAt(0).toString(16)}`,
    );
    assert.equal((await server.call('GET', `/accounts/${twice}/tokens`)).status, 404);
  });

  test('a body on GET is ignored, and the connection stays usable', async () => {
    const get = (connection: string, body: string) =>
      `GET /client/v4${tokens} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: ${connection}\r\n\r\n${body}`;
    const answer = await exchange(server.origin, get('keep-alive', '{"x":1}') + get('close', '{'));
    assert.equal(answer.text.match(/"success":true/g)?.length, 2);
  });
});
