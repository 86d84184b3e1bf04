import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { ACCESS_TOKEN_MS } from '../../src/oauth/lifetimes.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';

const APP = 'https://app.example.com';
const SECOND = 'http://localhost:3000';
const EXPOSED =
  'www-authenticate, retry-after, etag, idempotency-replayed, x-request-id, ratelimit, ratelimit-policy';

/** What browsers go by. They send no cookies along, and keep none, as long as nothing allows credentials. */
function corsOf({ headers }: Answer) {
  const depends = headers.get('vary')?.split(', ').includes('origin') ?? false;
  return {
    ...Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-'))),
    ...(depends && { vary: 'origin' }),
  };
}

const READABLE = {
  vary: 'origin',
  'access-control-allow-origin': APP,
  'access-control-expose-headers': EXPOSED,
};
const UNREADABLE = { vary: 'origin' };
const UNTOUCHED = {};

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let userId: string;
  let clientId: string;
  let session: SessionHeaders;
  before(async () => {
    server = await bootServer(database, { clock });
    const { accountId } = server;
    ({ userId } = await createPerson(server, { accountId, roles: ['administrator'] }));
    session = await signInAs(server, userId, clock);
    ({ client_id: clientId } = await createClient(server, {
      token_endpoint_auth_method: 'none',
      scopes: ['tags.read', 'tags.write'],
      allowed_cors_origins: [APP, SECOND],
    }));
  });
  after(() => server.stop());

  const issue = async (scopes = ['tags.read']) =>
    (await issueAccessToken(server, { userId, clientId, scopes, clock })).value;
  const keys = () => `${server.account}/tags/keys`;

  /** A request as a browser sends it for a page of that origin. */
  function from(
    origin: string | undefined,
    token: string | null,
    { method = 'GET', path = keys(), headers = {}, body }: Sent = {},
  ): Promise<Answer> {
    const sent = { ...(origin !== undefined && { origin }), ...headers };
    return server.call(method, path, { token, headers: sent, body });
  }

  interface Sent {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: unknown;
  }

  describe('an answer to an access token', () => {
    test('is for pages of the origins of its client, and for no others', async () => {
      const token = await issue();
      for (const [origin, expected] of [
        [APP, READABLE],
        [SECOND, { ...READABLE, 'access-control-allow-origin': SECOND }],
        ['https://other.example.com', UNREADABLE],
        ['https://sub.app.example.com', UNREADABLE],
        ['https://app.example.com.evil.example', UNREADABLE],
        ['https://app.example.com:8443', UNREADABLE],
        ['http://app.example.com', UNREADABLE],
        ['HTTPS://APP.EXAMPLE.COM', UNREADABLE],
        [`${APP}, ${SECOND}`, UNREADABLE],
        ['null', UNREADABLE],
        ['*', UNREADABLE],
        [undefined, UNREADABLE],
      ] as const) {
        const answer = await from(origin, token);
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(corsOf(answer), expected, String(origin));
      }
    });

    test('can be read whatever it is', async () => {
      const token = await issue(['tags.write']);
      const tags = `${server.account}/tags`;
      for (const [status, answer] of [
        [400, from(APP, token, { path: `${tags}/resources?limit=0` })],
        [400, from(APP, token, { method: 'PUT', path: tags, body: '{' })],
        [403, from(APP, token, { path: `${server.account}/members` })],
        [403, from(APP, token, { path: `/accounts/${createId()}/tags/keys` })],
        [403, from(APP, token, { path: '/user/sessions' })],
        [404, from(APP, token, { path: '/accounts/x/tags/keys' })],
        [500, from(APP, token, { path: `${tags}?resource_type=queue&resource_id=x` })],
        [415, from(APP, token, { method: 'PUT', path: tags, body: 'a', headers: XML })],
      ] as const) {
        const got = await answer;
        assert.equal(got.status, status, got.text);
        assert.deepEqual(corsOf(got), READABLE, got.text);
      }
    });

    test('also to HEAD', async () => {
      const answer = await from(APP, await issue(), { method: 'HEAD' });
      assert.deepEqual([answer.status, corsOf(answer)], [200, READABLE]);
    });

    test('says that the token has expired', async () => {
      const token = await issue();
      clock.advance(ACCESS_TOKEN_MS);
      const answer = await from(APP, token);
      assert.deepEqual([answer.status, corsOf(answer)], [401, READABLE]);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
      assert.deepEqual(corsOf(await from('https://other.example.com', token)), UNREADABLE);
      session = await signInAs(server, userId, clock);
    });

    test('says that the token was taken back, to whatever page: nobody knows whose it was', async () => {
      const everybody = {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': EXPOSED,
      };
      const { value, grantId } = await issueAccessToken(server, { userId, clientId, clock });
      assert.deepEqual(corsOf(await from(APP, value)), READABLE);
      const path = `/user/oauth_grants/${grantId}`;
      const ended = await server.call('DELETE', path, { token: null, headers: session });
      assert.equal(ended.status, 200, ended.text);
      for (const token of [value, createSecret('lkoat_')]) {
        const answer = await from(APP, token);
        assert.deepEqual([answer.status, corsOf(answer)], [401, everybody], answer.text);
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
      }
    });

    test('goes by what the client says now', async () => {
      const token = await issue();
      const path = `${server.account}/oauth_clients/${clientId}`;
      const allow = async (origins: string[]) => {
        const { status } = await server.call('PATCH', path, {
          body: { allowed_cors_origins: origins },
        });
        assert.equal(status, 200);
      };
      await allow([SECOND]);
      assert.deepEqual(corsOf(await from(APP, token)), UNREADABLE);
      await allow([APP, SECOND]);
      assert.deepEqual(corsOf(await from(APP, token)), READABLE);
    });

    test('an etag can be read, and sent back', async () => {
      const token = await issue(['tags.write']);
      const path = `${server.account}/tags`;
      const tagged = await from(APP, token, {
        method: 'PUT',
        path,
        body: { resource_type: 'queue', resource_id: 'orders', tags: { team: 'a' } },
      });
      assert.equal(tagged.status, 200, tagged.text);
      assert.ok(tagged.headers.get('etag'));
      const asked = await preflight(path, 'PUT', { 'access-control-request-headers': 'if-match' });
      const allowed = asked.headers.get('access-control-allow-headers')?.split(', ');
      assert.ok(allowed?.includes('if-match'));
    });
  });

  describe('any other answer cannot be read by pages of other origins', () => {
    const unreadable = async (answer: Promise<Answer>, status: number) => {
      const got = await answer;
      assert.deepEqual([got.status, corsOf(got)], [status, UNTOUCHED], got.text);
    };

    test('to an API token', async () => {
      for (const origin of [APP, server.origin, undefined]) {
        await unreadable(from(origin, server.token), 200);
        await unreadable(from(origin, createSecret('lkat_')), 401);
      }
    });

    test('to a session, with its CSRF token and without', async () => {
      const { cookie } = session;
      for (const origin of [APP, 'https://other.example.com', 'null']) {
        await unreadable(from(origin, null, { headers: session }), 200);
        await unreadable(from(origin, null, { headers: { cookie } }), 403);
      }
    });

    test('to nobody, and to half a credential', async () => {
      await unreadable(from(APP, null), 401);
      await unreadable(from(APP, null, { headers: { authorization: 'Basic eA==' } }), 400);
      await unreadable(from(APP, `${createSecret('lkoat_')}0`), 401);
      await unreadable(from(APP, null, { path: '/nothing' }), 404);
    });

    test('of routes for everybody', async () => {
      const body = { email: 'nobody@example.com', password: 'wrong' };
      for (const token of [null, await issue()]) {
        await unreadable(from(APP, token, { method: 'POST', path: '/user/sessions', body }), 401);
      }
    });
  });

  test('beside an access token a cookie counts for nothing', async () => {
    const token = await issue();
    // Only the person may read this, and only with the cookie.
    const answer = await from(APP, token, { path: '/user/sessions', headers: session });
    assert.equal(answer.status, 403);
    const ended = await from(APP, createSecret('lkoat_'), { headers: session });
    assert.equal(ended.status, 401);
  });

  function preflight(
    path: string,
    method: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return request('OPTIONS', server.baseUrl + path, {
      headers: { origin: APP, 'access-control-request-method': method, ...headers },
    });
  }

  describe('a browser that asks before it sends', () => {
    test('may send to what an access token is for, from every origin', async () => {
      for (const origin of [APP, 'https://other.example.com', 'null']) {
        const answer = await preflight(`${server.account}/tags`, 'PUT', { origin });
        assert.deepEqual([answer.status, answer.text], [204, '']);
        const methods = answer.headers.get('access-control-allow-methods');
        assert.deepEqual(methods?.split(', ').sort(), ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']);
        assert.deepEqual(corsOf(answer), {
          vary: 'origin',
          'access-control-allow-methods': methods,
          'access-control-allow-origin': origin,
          'access-control-allow-headers': 'authorization, content-type, if-match, idempotency-key',
          'access-control-max-age': '600',
        });
      }
      for (const [method, path] of [
        ['HEAD', keys()],
        ['GET', '/accounts'],
        ['GET', '/memberships'],
        ['GET', '/user'],
        // Whoever it is: what the account is called is not looked at.
        ['GET', '/accounts/x/tags/keys'],
      ] as const) {
        assert.equal((await preflight(path, method)).status, 204, path);
      }
    });

    test('may not send a cookie, or what makes one count', async () => {
      const { headers } = await preflight(keys(), 'GET', {
        'access-control-request-headers': 'x-csrf-token',
      });
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.doesNotMatch(headers.get('access-control-allow-headers') ?? '', /csrf|cookie|\*/);
    });

    test('may not send to what is for people alone, nor a method that is not there', async () => {
      for (const [method, path] of [
        // Otherwise pages could have their visitors guess passwords.
        ['POST', '/user/sessions'],
        ['GET', '/user/sessions'],
        ['POST', '/user/password_resets'],
        ['POST', '/user/tokens'],
        ['PATCH', '/user'],
        ['PUT', `/memberships/${createId()}`],
        ['POST', `${server.account}/tags`],
        ['POST', keys()],
        ['OPTIONS', keys()],
        ['get', keys()],
        ['', keys()],
      ] as const) {
        const answer = await preflight(path, method);
        assert.deepEqual([answer.status, answer.code], [405, 7001], `${method} ${path}`);
        assert.deepEqual(corsOf(answer), UNTOUCHED);
      }
    });

    test('an unknown path: 404', async () => {
      for (const path of ['/nothing', `${server.account}/nothing`]) {
        const answer = await preflight(path, 'GET');
        assert.deepEqual([answer.status, answer.code], [404, 7003]);
        assert.deepEqual(corsOf(answer), UNTOUCHED);
      }
    });

    test('OPTIONS that is no such question: 405', async () => {
      for (const headers of [
        {},
        { origin: APP },
        { 'access-control-request-method': 'GET' },
        { origin: APP, 'access-control-request-headers': 'authorization' },
      ]) {
        const answer = await server.call('OPTIONS', keys(), { headers });
        assert.deepEqual([answer.status, answer.code], [405, 7001], JSON.stringify(headers));
        assert.equal(answer.headers.get('allow'), 'GET, HEAD');
        assert.deepEqual(corsOf(answer), UNTOUCHED);
      }
    });
  });
});

const XML = { 'content-type': 'application/xml' };
