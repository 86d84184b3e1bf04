import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';

const APP = 'https://app.example.com';
const STAINLESS = 'authorization, content-type, x-stainless-lang, x-stainless-os, openai-beta';
const MESSAGES = [{ role: 'user', content: 'hello' }];

onEachDatabase((database) => {
  let server: TestServer;
  let token: string;
  before(async () => {
    server = await bootServer(database);
    const { accountId } = server;
    const { userId } = await createPerson(server, { accountId, roles: ['administrator'] });
    const { client_id: clientId } = await createClient(server, {
      token_endpoint_auth_method: 'none',
      scopes: ['ai-gateway.run', 'tags.read'],
      allowed_cors_origins: [APP],
    });
    const scopes = ['ai-gateway.run', 'tags.read'];
    token = (await issueAccessToken(server, { userId, clientId, scopes })).value;
  });
  after(() => server.stop());

  const preflight = (path: string, method: string, wanted?: string): Promise<Answer> =>
    request('OPTIONS', path, {
      headers: {
        origin: APP,
        'access-control-request-method': method,
        ...(wanted !== undefined && { 'access-control-request-headers': wanted }),
      },
    });
  const originIn = ({ headers }: Answer) => headers.get('access-control-allow-origin');

  test('a preflight allows the headers that it asks for', async () => {
    const account = server.baseUrl + server.account;
    for (const [method, path] of [
      ['POST', `${account}/ai/v1/chat/completions`],
      ['POST', `${account}/ai/v1/messages`],
      ['POST', `${account}/ai/run/@cf/meta/llama`],
      ['GET', `${account}/ai/v1/models`],
      ['GET', `${account}/tags/keys`],
      ['POST', `${server.origin}/oauth2/token`],
      ['POST', `${server.origin}/oauth2/revoke`],
      ['GET', `${server.origin}/oauth2/userinfo`],
    ] as const) {
      const answer = await preflight(path, method, STAINLESS);
      assert.equal(answer.status, 204, path);
      assert.equal(answer.headers.get('access-control-allow-headers'), STAINLESS, path);
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    }
    for (const odd of ['a b', 'a, ,b', 'x'.repeat(4_097), 'ä']) {
      const answer = await preflight(`${account}/tags/keys`, 'GET', encodeURI(odd));
      assert.equal(answer.status, 204);
    }
    const plain = await preflight(`${account}/tags/keys`, 'GET', 'a b');
    assert.equal(
      plain.headers.get('access-control-allow-headers'),
      'authorization, content-type, if-match, idempotency-key',
    );
  });

  test('the gateway host and other methods have no preflight', async () => {
    const host = `${server.origin}/v1/${server.accountId}/default`;
    for (const [path, method] of [
      [`${host}/compat/chat/completions`, 'POST'],
      [host, 'POST'],
      [`${server.baseUrl}${server.account}/ai/v1/chat/completions`, 'DELETE'],
    ] as const) {
      const answer = await preflight(path, method);
      assert.notEqual(answer.status, 204, path);
      assert.equal(originIn(answer), null, path);
    }
  });

  test('a page of the client reads completions, streams and errors', async () => {
    const complete = (origin: string, body: object, bearer: string = token): Promise<Answer> =>
      server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        token: bearer,
        headers: { origin },
        body,
      });
    const body = { model: 'local/echo', messages: MESSAGES };
    for (const [sent, status] of [
      [body, 200],
      [{ ...body, stream: true }, 200],
      [{ ...body, model: 'nowhere/x' }, 400],
    ] as const) {
      const own = await complete(APP, sent);
      assert.equal(own.status, status, own.text);
      assert.equal(originIn(own), APP);
      assert.match(own.headers.get('vary') ?? '', /origin/);
      const other = await complete('https://other.example.com', sent);
      assert.equal(other.status, status);
      assert.equal(originIn(other), null);
    }
    for (const path of ['run/local/echo', 'run/local/none']) {
      const ran = await server.call('POST', `${server.account}/ai/${path}`, {
        token,
        headers: { origin: APP },
        body: { messages: MESSAGES },
      });
      assert.equal(ran.status, path.endsWith('none') ? 404 : 200, ran.text);
      assert.equal(originIn(ran), APP, path);
    }
    const models = await server.call('GET', `${server.account}/ai/v1/models`, {
      token,
      headers: { origin: APP },
    });
    assert.deepEqual([models.status, originIn(models)], [200, APP]);
    const expired = await complete(APP, body, createSecret('lkoat_'));
    assert.deepEqual([expired.status, originIn(expired)], [401, '*']);
    const ofAccount = await complete(APP, body, server.token);
    assert.deepEqual([ofAccount.status, originIn(ofAccount)], [200, null]);
  });
});
