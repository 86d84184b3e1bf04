import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { postForm } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type PersonOptions, createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { obtain, createTokenClient as createClient } from './redemptions.ts';

const PATH = '/oauth2/userinfo';

const ORIGIN = 'https://spa.example.com';
const HOUR_MS = 3_600_000;

/** Asks with the token in the header. */
function ask(server: TestServer, token: string, options: Json = {}): Promise<Answer> {
  const { method = 'GET', headers = {} } = options;
  return request(method, server.origin + PATH, { token, headers });
}

/** The answer must be this error of RFC 6750, in the header and in the body. */
function assertRefused(answer: Answer, status: number, error: string): void {
  assert.deepEqual([answer.status, answer.json?.error], [status, error], answer.text);
  const { error_description: description } = answer.json;
  const scope = error === 'insufficient_scope' ? ', scope="openid"' : '';
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer error="${error}", error_description="${description}"${scope}`,
  );
  assert.equal(answer.headers.get('cache-control'), 'no-store');
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function begin() {
    const client = await createClient(server, {
      scopes: ['profile', 'email', 'tags.read'],
      allowed_cors_origins: [ORIGIN],
    });
    /** The access token of somebody who has just authorized the client. */
    async function tokenOf(scopes: string[], options: PersonOptions = {}) {
      const { userId, email } = await createPerson(server, {
        accountId: server.accountId,
        firstName: 'Ada',
        lastName: 'Lovelace',
        ...options,
      });
      const { access_token: token } = await obtain(server, client, { userId, scopes, clock });
      return { userId, email, token: token as string };
    }
    return { client, tokenOf };
  }

  test('each scope tells what it stands for', async () => {
    const { tokenOf } = await begin();
    const { userId, email, token } = await tokenOf(['openid', 'profile', 'email']);
    const all = await ask(server, token);
    assert.equal(all.status, 200, all.text);
    assert.equal(all.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(all.headers.get('cache-control'), 'no-store');
    assert.deepEqual(all.json, {
      sub: userId,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      preferred_username: email,
      email,
      email_verified: true,
    });
    const bare = await tokenOf(['openid', 'tags.read']);
    assert.deepEqual((await ask(server, bare.token)).json, { sub: bare.userId });
    const profile = await tokenOf(['openid', 'profile'], { lastName: '' });
    assert.deepEqual((await ask(server, profile.token)).json, {
      sub: profile.userId,
      name: 'Ada',
      given_name: 'Ada',
      preferred_username: profile.email,
    });
    const nameless = await tokenOf(['openid', 'profile'], { firstName: '', lastName: '' });
    assert.deepEqual((await ask(server, nameless.token)).json, {
      sub: nameless.userId,
      name: nameless.email,
      preferred_username: nameless.email,
    });
    const unverified = await tokenOf(['openid', 'email'], { isEmailVerified: false });
    assert.deepEqual((await ask(server, unverified.token)).json, {
      sub: unverified.userId,
      email: unverified.email,
      email_verified: false,
    });
  });

  test('by POST, with the token in the header or in the form', async () => {
    const { tokenOf } = await begin();
    const { userId, token } = await tokenOf(['openid']);
    const header = await ask(server, token, { method: 'POST' });
    assert.deepEqual([header.status, header.json], [200, { sub: userId }]);
    const form = await postForm(server, PATH, { access_token: token });
    assert.deepEqual([form.status, form.json], [200, { sub: userId }]);
    const head = await ask(server, token, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  test('no token: the scheme and no error', async () => {
    const { tokenOf } = await begin();
    const { token } = await tokenOf(['openid']);
    const url = server.origin + PATH;
    for (const answer of [
      await request('GET', url),
      await request('POST', url),
      await request('GET', url, { headers: { authorization: 'Basic eDp5' } }),
      await postForm(server, PATH, { access_token: '' }),
      // What stands in the address counts as not given.
      await postForm(server, `${PATH}?access_token=${token}`, {}),
    ]) {
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      assert.equal(answer.text, '');
    }
  });

  test('malformed, twice, or in the address: invalid_request', async () => {
    const { tokenOf } = await begin();
    const { token } = await tokenOf(['openid']);
    const url = server.origin + PATH;
    const authorization = `Bearer ${token}`;
    for (const [what, answer] of Object.entries({
      'an empty header': await request('GET', url, { headers: { authorization: 'Bearer' } }),
      'two words': await request('GET', url, { headers: { authorization: `${authorization} x` } }),
      'in the address': await request('GET', `${url}?access_token=${token}`),
      'header and address': await request('GET', `${url}?access_token=${token}`, { token }),
      'header and form': await postForm(server, PATH, { access_token: token }, { authorization }),
      'twice in the form': await postForm(server, PATH, [
        ['access_token', token],
        ['access_token', token],
      ]),
    })) {
      assert.equal(answer.json?.error, 'invalid_request', what);
      assertRefused(answer, 400, 'invalid_request');
    }
    const json = await request('POST', url, { body: { access_token: token } });
    assert.deepEqual([json.status, json.json.error], [415, 'invalid_request']);
  });

  test('a token that is no good: invalid_token', async () => {
    const { client, tokenOf } = await begin();
    const { userId, token } = await tokenOf(['openid']);
    const again = await obtain(server, client, { userId, clock, scopes: ['openid'] });
    const refreshToken = again.refresh_token as string;
    assert.match(refreshToken, /^lkort_/);
    for (const wrong of [
      createSecret('lkoat_'),
      `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
      token.slice(0, -1),
      `${token}x`,
      refreshToken,
      server.token,
      'x',
    ]) {
      assertRefused(await ask(server, wrong), 401, 'invalid_token');
    }
    clock.advance(HOUR_MS - 1);
    assert.equal((await ask(server, token)).status, 200);
    clock.advance(1);
    assertRefused(await ask(server, token), 401, 'invalid_token');
  });

  test('without openid: insufficient_scope', async () => {
    const { client, tokenOf } = await begin();
    const { token } = await tokenOf(['email', 'tags.read']);
    assertRefused(await ask(server, token), 403, 'insufficient_scope');
    // As soon as the client must not ask for the person's address any more, it is told no longer.
    const { userId, token: other } = await tokenOf(['openid', 'email']);
    const path = `${server.account}/oauth_clients/${client.client_id}`;
    const changed = await server.call('PATCH', path, { body: { scopes: ['profile'] } });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual((await ask(server, other)).json, { sub: userId });
  });

  test('pages of the client may read the answer, and what is wrong', async () => {
    const { tokenOf } = await begin();
    const { token } = await tokenOf(['openid']);
    const { token: poor } = await tokenOf(['email']);
    const allowed = async (presented: string, origin = ORIGIN) => {
      const answer = await ask(server, presented, { headers: { origin } });
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
      assert.match(answer.headers.get('vary') ?? '', /origin/);
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    assert.deepEqual(await allowed(token), [200, ORIGIN]);
    assert.deepEqual(await allowed(token, 'https://other.example.com'), [200, null]);
    assert.deepEqual(await allowed(poor), [403, ORIGIN]);
    assert.deepEqual(await allowed(createSecret('lkoat_')), [401, null]);
    clock.advance(HOUR_MS);
    assert.deepEqual(await allowed(token), [401, ORIGIN]);
    const preflight = await request('OPTIONS', server.origin + PATH, {
      headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /^authorization, /);
  });

  test('an address that tries many wrong tokens has to wait; a good one still passes', async () => {
    const { tokenOf } = await begin();
    const { token } = await tokenOf(['openid']);
    for (let i = 0; i < 100; i++) {
      assert.equal((await ask(server, createSecret('lkoat_'))).status, 401);
    }
    const limited = await ask(server, createSecret('lkoat_'));
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '1']);
    assert.equal(limited.json.error, 'invalid_request');
    assert.equal((await ask(server, token)).status, 200);
    clock.advance(1_000);
    assert.equal((await ask(server, createSecret('lkoat_'))).status, 401);
  });

  test('other methods are refused', async () => {
    await begin();
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await request(method, server.origin + PATH);
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, POST, OPTIONS']);
    }
  });
});
