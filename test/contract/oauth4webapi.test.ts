import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REDIRECT_URI } from '../support/authorizations.ts';
import * as oauth from 'oauth4webapi';
import { createClient } from '../oauth/client-bodies.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { AuthorizingPerson } from './authorizing-person.ts';

// The only thing that is not as in production: the server of the test speaks no https.
const insecure = { [oauth.allowInsecureRequests]: true };

const AFTER = 'https://app.example.com/bye';
const SCOPES = 'openid profile email offline_access tags.read';

const KINDS: { name: string; fields: Json; redirectUri?: string }[] = [
  { name: 'basic', fields: { token_endpoint_auth_method: 'client_secret_basic' } },
  { name: 'post', fields: { token_endpoint_auth_method: 'client_secret_post' } },
  { name: 'none', fields: { token_endpoint_auth_method: 'none' } },
  {
    name: 'none on a loopback address',
    fields: { token_endpoint_auth_method: 'none', redirect_uris: ['http://127.0.0.1/callback'] },
    redirectUri: 'http://127.0.0.1:51004/callback',
  },
  { name: 'basic and RS256', fields: { id_token_signed_response_alg: 'RS256' } },
];

/** One client as the library sees it, and the server that it has discovered. */
interface Setup {
  as: oauth.AuthorizationServer;
  client: oauth.Client;
  auth: oauth.ClientAuth;
  redirectUri: string;
}

/** What a client remembers between sending somebody away and seeing them again. */
interface Attempt {
  verifier: string;
  nonce: string;
  state: string;
  parameters: Record<string, string>;
}

function authenticationOf(registered: Json): oauth.ClientAuth {
  const { token_endpoint_auth_method: method, client_secret: secret } = registered;
  if (method === 'none') return oauth.None();
  return method === 'client_secret_post'
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret);
}

async function begin({ client, redirectUri }: Setup): Promise<Attempt> {
  const verifier = oauth.generateRandomCodeVerifier();
  const nonce = oauth.generateRandomNonce();
  const state = oauth.generateRandomState();
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPES,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    max_age: '3600',
  };
  return { verifier, nonce, state, parameters };
}

function addressOf({ as }: Setup, parameters: Record<string, string>): URL {
  const address = new URL(as.authorization_endpoint ?? '');
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address;
}

/** Redeems the code, with every check that the library has. */
async function redeem(setup: Setup, attempt: Attempt, callback: URL) {
  const { as, client, auth, redirectUri } = setup;
  const checked = oauth.validateAuthResponse(as, client, callback, attempt.state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    auth,
    checked,
    redirectUri,
    attempt.verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: attempt.nonce,
    maxAge: 3_600,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, insecure);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  assert.ok(claims !== undefined);
  return { tokens, claims };
}

/** The unmodified `oauth4webapi` package, which checks answers strictly, against the server. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  async function setUp(fields: Json, redirectUri = REDIRECT_URI): Promise<Setup> {
    const registered = await createClient(server, {
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['profile', 'email', 'tags.read'],
      post_logout_redirect_uris: [AFTER],
      ...fields,
    });
    const issuer = new URL(server.origin);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, discovered);
    const client: oauth.Client = {
      client_id: registered.client_id,
      id_token_signed_response_alg: registered.id_token_signed_response_alg,
      require_auth_time: true,
    };
    return { as, client, auth: authenticationOf(registered), redirectUri };
  }

  for (const { name, fields, redirectUri } of KINDS) {
    test(`${name}: authorization, userinfo, refresh, introspection, revocation`, async () => {
      const setup = await setUp(fields, redirectUri);
      const { as, client, auth } = setup;
      const browser = await AuthorizingPerson.create(server);
      const { userId, email } = browser.person;
      const attempt = await begin(setup);
      const callback = await browser.follow(addressOf(setup, attempt.parameters));
      assert.ok(browser.seen.includes('/login') && browser.seen.includes('/oauth2/consent'));
      const { tokens, claims } = await redeem(setup, attempt, callback);
      assert.equal(claims.sub, userId);
      assert.equal(tokens.token_type, 'bearer');
      assert.equal(tokens.expires_in, 3_600);

      const userinfo = await oauth.processUserInfoResponse(
        as,
        client,
        claims.sub,
        await oauth.userInfoRequest(as, client, tokens.access_token, insecure),
      );
      assert.deepEqual(userinfo, {
        sub: userId,
        name: 'Ada Lovelace',
        given_name: 'Ada',
        family_name: 'Lovelace',
        preferred_username: email,
        email,
        email_verified: true,
      });
      assert.deepEqual([claims['name'], claims['email']], ['Ada Lovelace', email]);
      const keys = new URL(`${server.baseUrl}${server.account}/tags/keys`);
      const read = (token: string) =>
        oauth.protectedResourceRequest(token, 'GET', keys, undefined, undefined, insecure);
      assert.equal((await read(tokens.access_token)).status, 200);

      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(
          as,
          client,
          auth,
          tokens.refresh_token ?? '',
          insecure,
        ),
      );
      assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
      const again = oauth.getValidatedIdTokenClaims(refreshed);
      assert.deepEqual(
        [again?.sub, again?.auth_time, again?.nonce],
        [userId, claims.auth_time, undefined],
      );
      assert.equal((await read(refreshed.access_token)).status, 200);

      if (fields.token_endpoint_auth_method !== 'none') {
        const introspected = await oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, auth, refreshed.access_token, insecure),
        );
        assert.deepEqual([introspected.active, introspected.sub], [true, userId]);
      }
      const revoke = async (token: string) =>
        oauth.processRevocationResponse(
          await oauth.revocationRequest(as, client, auth, token, insecure),
        );
      await revoke(refreshed.access_token);
      await assert.rejects(read(refreshed.access_token), oauth.WWWAuthenticateChallengeError);
      await revoke(refreshed.refresh_token ?? '');
      await assert.rejects(
        async () =>
          oauth.processRefreshTokenResponse(
            as,
            client,
            await oauth.refreshTokenGrantRequest(
              as,
              client,
              auth,
              refreshed.refresh_token ?? '',
              insecure,
            ),
          ),
        { code: oauth.RESPONSE_BODY_ERROR, error: 'invalid_grant' },
      );
    });
  }

  test('a pushed request', async () => {
    const setup = await setUp({});
    const { as, client, auth } = setup;
    const browser = await AuthorizingPerson.create(server);
    const attempt = await begin(setup);
    const pushed = await oauth.processPushedAuthorizationResponse(
      as,
      client,
      await oauth.pushedAuthorizationRequest(as, client, auth, attempt.parameters, insecure),
    );
    const callback = await browser.follow(
      addressOf(setup, { client_id: client.client_id, request_uri: pushed.request_uri }),
    );
    const { claims } = await redeem(setup, attempt, callback);
    assert.equal(claims.sub, browser.person.userId);
  });

  test('sign-out, with the ID token as hint', async () => {
    const setup = await setUp({});
    const browser = await AuthorizingPerson.create(server);
    const attempt = await begin(setup);
    const callback = await browser.follow(addressOf(setup, attempt.parameters));
    const { tokens } = await redeem(setup, attempt, callback);
    const address = new URL(setup.as.end_session_endpoint ?? '');
    address.searchParams.set('id_token_hint', tokens.id_token ?? '');
    address.searchParams.set('post_logout_redirect_uri', AFTER);
    address.searchParams.set('state', 'x');
    assert.equal((await browser.follow(address)).href, `${AFTER}?state=x`);
    assert.equal(browser.visitor.cookie('latchkey_session'), undefined);
  });

  test('the answer of another server is noticed: iss is there, and right', async () => {
    const setup = await setUp({});
    const browser = await AuthorizingPerson.create(server);
    const attempt = await begin(setup);
    const callback = await browser.follow(addressOf(setup, attempt.parameters));
    assert.equal(callback.searchParams.get('iss'), server.origin);
    for (const forge of [
      (url: URL) => url.searchParams.set('iss', 'https://other.example.com'),
      (url: URL) => url.searchParams.delete('iss'),
      (url: URL) => url.searchParams.set('state', 'x'),
    ]) {
      const forged = new URL(callback);
      forge(forged);
      assert.throws(() =>
        oauth.validateAuthResponse(setup.as, setup.client, forged, attempt.state),
      );
    }
    await redeem(setup, attempt, callback);
  });

  test('refusals arrive as the errors that the library knows', async () => {
    const setup = await setUp({});
    const { as, client } = setup;
    const browser = await AuthorizingPerson.create(server);
    const denied = await begin(setup);
    const answer = await browser.follow(addressOf(setup, denied.parameters), 'deny');
    assert.throws(() => oauth.validateAuthResponse(as, client, answer, denied.state), {
      code: oauth.AUTHORIZATION_RESPONSE_ERROR,
      error: 'access_denied',
    });
    const silent = await begin(setup);
    const parameters = { ...silent.parameters, prompt: 'none' };
    const needed = await browser.follow(addressOf(setup, parameters));
    assert.throws(() => oauth.validateAuthResponse(as, client, needed, silent.state), {
      error: 'consent_required',
    });

    const attempt = await begin(setup);
    const callback = await browser.follow(addressOf(setup, attempt.parameters));
    const wrong = { ...attempt, verifier: oauth.generateRandomCodeVerifier() };
    await assert.rejects(redeem(setup, wrong, callback), { error: 'invalid_grant' });
    const liar = { ...setup, auth: oauth.ClientSecretBasic('x') };
    await assert.rejects(redeem(liar, attempt, callback), {
      code: oauth.WWW_AUTHENTICATE_CHALLENGE,
    });
    // Neither has burnt the code; using it twice does.
    const { tokens } = await redeem(setup, attempt, callback);
    await assert.rejects(redeem(setup, attempt, callback), { error: 'invalid_grant' });
    await assert.rejects(
      oauth
        .userInfoRequest(as, client, tokens.access_token, insecure)
        .then((response) => oauth.processUserInfoResponse(as, client, 'x', response)),
      { code: oauth.WWW_AUTHENTICATE_CHALLENGE },
    );
  });

  test('both discovery documents satisfy it', async () => {
    const issuer = new URL(server.origin);
    for (const algorithm of ['oauth2', 'oidc'] as const) {
      const response = await oauth.discoveryRequest(issuer, { algorithm, ...insecure });
      const as = await oauth.processDiscoveryResponse(issuer, response);
      assert.equal(as.issuer, server.origin);
    }
  });
});
