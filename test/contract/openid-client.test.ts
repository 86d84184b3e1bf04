import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REDIRECT_URI } from '../support/authorizations.ts';
import * as client from 'openid-client';
import { createClient } from '../oauth/client-bodies.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { AuthorizingPerson } from './authorizing-person.ts';

const AFTER = 'https://app.example.com/bye';
const SCOPES = 'openid profile email offline_access tags.read';

const KINDS: { name: string; fields: Json }[] = [
  { name: 'basic', fields: { token_endpoint_auth_method: 'client_secret_basic' } },
  { name: 'post', fields: { token_endpoint_auth_method: 'client_secret_post' } },
  { name: 'none', fields: { token_endpoint_auth_method: 'none' } },
  { name: 'basic and RS256', fields: { id_token_signed_response_alg: 'RS256' } },
];

function authenticationOf(registered: Json): client.ClientAuth {
  const { token_endpoint_auth_method: method, client_secret: secret } = registered;
  if (method === 'none') return client.None();
  return method === 'client_secret_post'
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret);
}

/** A request, and what its answer must fit. */
async function begin() {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const expectedState = client.randomState();
  const parameters = {
    redirect_uri: REDIRECT_URI,
    scope: SCOPES,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    max_age: '3600',
  };
  const checks = {
    pkceCodeVerifier,
    expectedNonce,
    expectedState,
    maxAge: 3_600,
    idTokenExpected: true,
  };
  return { parameters, checks };
}

/** The unmodified `openid-client` package against the server. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** What the library knows after discovery, with all of its checks on. */
  async function discover(fields: Json): Promise<client.Configuration> {
    const registered = await createClient(server, {
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['profile', 'email', 'tags.read'],
      post_logout_redirect_uris: [AFTER],
      ...fields,
    });
    const { client_id: clientId, id_token_signed_response_alg: alg } = registered;
    return client.discovery(
      new URL(server.origin),
      clientId,
      { id_token_signed_response_alg: alg, require_auth_time: true },
      authenticationOf(registered),
      // The server of the test speaks no https.
      { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
    );
  }

  for (const { name, fields } of KINDS) {
    test(`${name}: authorization, userinfo, refresh, introspection, revocation, sign-out`, async () => {
      const config = await discover(fields);
      const browser = await AuthorizingPerson.create(server);
      const { userId, email } = browser.person;
      const { parameters, checks } = await begin();
      const callback = await browser.follow(client.buildAuthorizationUrl(config, parameters));
      const tokens = await client.authorizationCodeGrant(config, callback, checks);
      const claims = tokens.claims();
      assert.equal(claims?.sub, userId);
      assert.equal(tokens.expires_in, 3_600);
      const userinfo = await client.fetchUserInfo(config, tokens.access_token, userId);
      assert.deepEqual([userinfo.email, userinfo.name], [email, 'Ada Lovelace']);

      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      assert.equal(refreshed.claims()?.sub, userId);
      const url = new URL(`${server.baseUrl}${server.account}/tags/keys`);
      const answer = await client.fetchProtectedResource(
        config,
        refreshed.access_token,
        url,
        'GET',
      );
      assert.equal(answer.status, 200);
      if (fields.token_endpoint_auth_method !== 'none') {
        const active = await client.tokenIntrospection(config, refreshed.access_token);
        assert.deepEqual([active.active, active.sub], [true, userId]);
      }
      await client.tokenRevocation(config, refreshed.refresh_token ?? '');
      await assert.rejects(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''), {
        error: 'invalid_grant',
      });
      await assert.rejects(client.fetchUserInfo(config, refreshed.access_token, userId));

      const signOut = client.buildEndSessionUrl(config, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: AFTER,
        state: 'x',
      });
      assert.equal((await browser.follow(signOut)).href, `${AFTER}?state=x`);
      assert.equal(browser.visitor.cookie('latchkey_session'), undefined);
    });
  }

  test('a pushed request, and a second visit without questions', async () => {
    const config = await discover({});
    const browser = await AuthorizingPerson.create(server);
    for (const asked of [true, false]) {
      const { parameters, checks } = await begin();
      const address = await client.buildAuthorizationUrlWithPAR(config, parameters);
      assert.deepEqual([...address.searchParams.keys()].sort(), ['client_id', 'request_uri']);
      browser.seen.length = 0;
      const callback = await browser.follow(address);
      assert.equal(browser.seen.includes('/oauth2/consent'), asked);
      const tokens = await client.authorizationCodeGrant(config, callback, checks);
      assert.equal(tokens.claims()?.sub, browser.person.userId);
    }
    const { parameters, checks } = await begin();
    const silent = { ...parameters, prompt: 'none' };
    const callback = await browser.follow(client.buildAuthorizationUrl(config, silent));
    await client.authorizationCodeGrant(config, callback, checks);
  });

  test('refusals arrive as the errors that the library knows', async () => {
    const config = await discover({});
    const browser = await AuthorizingPerson.create(server);
    const { parameters, checks } = await begin();
    const address = client.buildAuthorizationUrl(config, parameters);
    const denied = await browser.follow(address, 'deny');
    await assert.rejects(client.authorizationCodeGrant(config, denied, checks), {
      error: 'access_denied',
    });
    const recent = { ...parameters, prompt: 'none', max_age: '0' };
    const needed = await browser.follow(client.buildAuthorizationUrl(config, recent));
    await assert.rejects(client.authorizationCodeGrant(config, needed, checks), {
      error: 'login_required',
    });
    const callback = await browser.follow(address);
    const forged = new URL(callback);
    forged.searchParams.set('iss', 'https://other.example.com');
    await assert.rejects(client.authorizationCodeGrant(config, forged, checks));
    const wrong = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await assert.rejects(client.authorizationCodeGrant(config, callback, wrong), {
      error: 'invalid_grant',
    });
    await client.authorizationCodeGrant(config, callback, checks);
  });
});
