import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions } from '../../src/iam/permissions.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer, request } from '../support/server.ts';

const PATHS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

onEachDatabase((database) => {
  test('both documents say what the server is', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { origin } = server;
    const answers = await Promise.all(PATHS.map((path) => request('GET', origin + path)));
    for (const { status, headers, json } of answers) {
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'public, max-age=300');
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('access-control-allow-credentials'), null);
      const { scopes_supported: scopes, ...rest } = json;
      assert.deepEqual(
        [...(scopes as string[])].sort(),
        [
          'openid',
          'offline_access',
          'profile',
          'email',
          'groups',
          ...permissions.map(({ slug }) => slug),
        ].sort(),
      );
      assert.deepEqual(rest, {
        issuer: origin,
        authorization_endpoint: `${origin}/oauth2/auth`,
        pushed_authorization_request_endpoint: `${origin}/oauth2/par`,
        token_endpoint: `${origin}/oauth2/token`,
        revocation_endpoint: `${origin}/oauth2/revoke`,
        introspection_endpoint: `${origin}/oauth2/introspect`,
        userinfo_endpoint: `${origin}/oauth2/userinfo`,
        end_session_endpoint: `${origin}/oauth2/logout`,
        jwks_uri: `${origin}/.well-known/jwks.json`,
        service_documentation: `${origin}/docs`,
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'form_post'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'none',
        ],
        revocation_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'none',
        ],
        introspection_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
        ],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256', 'RS256'],
        claim_types_supported: ['normal'],
        claims_supported: [
          'iss',
          'sub',
          'aud',
          'iat',
          'exp',
          'auth_time',
          'nonce',
          'at_hash',
          'sid',
          'name',
          'given_name',
          'family_name',
          'preferred_username',
          'email',
          'email_verified',
          'groups',
        ],
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
        prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
        authorization_response_iss_parameter_supported: true,
        require_pushed_authorization_requests: false,
        claims_parameter_supported: false,
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
      });
    }
  });

  test('every address in it answers', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { json } = await request('GET', `${server.origin}${PATHS[0]}`);
    for (const [name, value] of Object.entries(json as Record<string, unknown>)) {
      if (typeof value !== 'string' || name === 'issuer') continue;
      const { status } = await request('GET', value);
      assert.ok(status < 500 && status !== 404, `${name} ${value} ${status}`);
    }
  });

  test('HEAD and CORS work, and no other method', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    for (const path of [...PATHS, '/.well-known/jwks.json']) {
      const head = await request('HEAD', server.origin + path);
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal(head.headers.get('cache-control'), 'public, max-age=300');
      const preflight = await request('OPTIONS', server.origin + path, {
        headers: {
          origin: 'https://any.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'mcp-protocol-version,x-any',
        },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      const allowed = preflight.headers.get('access-control-allow-headers');
      assert.equal(allowed, 'mcp-protocol-version, x-any');
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const refused = await request(method, server.origin + path);
        assert.equal(refused.status, 405, method);
        assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
        assert.equal(refused.headers.get('cache-control'), 'no-store');
        assert.equal(refused.json.error, 'invalid_request');
      }
    }
  });

  test('behind a proxy it names the public address', async (t) => {
    const server = await bootServer(database, {
      settings: { BASE_URL: 'https://id.example.com/client/v4' },
    });
    t.after(() => server.stop());
    for (const path of PATHS) {
      const { json } = await request('GET', server.origin + path);
      assert.equal(json.issuer, 'https://id.example.com');
      for (const [name, value] of Object.entries(json as Record<string, unknown>)) {
        if (typeof value !== 'string') continue;
        assert.equal(new URL(value).origin, 'https://id.example.com', name);
      }
    }
  });
});
