import { RESPONSE_MODES } from '../authorize/check-response-mode.ts';
import { listScopeIds } from '../clients/scopes.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { JWKS_PATH } from './jwks-endpoint.ts';
import { LOGOUT_PATH } from './logout-page.ts';
import { SIGNING_ALGS } from './signing-keys.ts';
import { USER_CLAIMS } from './user-claims.ts';
import { USERINFO_PATH } from './userinfo-endpoint.ts';

const MAX_AGE_SECONDS = 300;

const ID_TOKEN_CLAIMS = ['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'nonce', 'at_hash', 'sid'];

const WITH_SECRET = ['client_secret_basic', 'client_secret_post'];

/**
 * What this server is and can do: the same document for clients of OAuth (RFC 8414 section 3) and for
 * those of OpenID Connect (Discovery section 4).
 */
export const discoveryEndpoints = (services: OAuthServices): Endpoint[] =>
  ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'].map((path) => ({
    path,
    cors: 'everybody',
    get: () =>
      Promise.resolve({
        json: describeServer(services.issuer()),
        headers: { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` },
      }),
  }));

function describeServer(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/auth`,
    pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
    token_endpoint: `${issuer}/oauth2/token`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    userinfo_endpoint: issuer + USERINFO_PATH,
    end_session_endpoint: issuer + LOGOUT_PATH,
    jwks_uri: issuer + JWKS_PATH,
    service_documentation: `${issuer}/docs`,
    scopes_supported: listScopeIds(),
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
    revocation_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
    introspection_endpoint_auth_methods_supported: WITH_SECRET,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: SIGNING_ALGS,
    claim_types_supported: ['normal'],
    claims_supported: [...ID_TOKEN_CLAIMS, ...USER_CLAIMS],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    authorization_response_iss_parameter_supported: true,
    require_pushed_authorization_requests: false,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    // Left out, it would count as true.
    request_uri_parameter_supported: false,
  };
}
