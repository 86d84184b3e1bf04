import { describeEndpoints } from '../openapi-operations.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { logoEndpoint } from '../logos/logo-endpoint.ts';
import { discoveryEndpoints } from '../oidc/discovery-endpoints.ts';
import { jwksEndpoint } from '../oidc/jwks-endpoint.ts';
import { userinfoEndpoint } from '../oidc/userinfo-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { introspectEndpoint } from './introspect.ts';
import { pushedAuthorizationEndpoint } from './pushed-authorization.ts';
import { revokeEndpoint } from './revoke.ts';
import { tokenEndpoint } from './token.ts';

/** Every endpoint that programs use. */
export function oauthEndpoints(services: OAuthServices): Endpoint[] {
  return describeEndpoints([
    pushedAuthorizationEndpoint(services),
    tokenEndpoint(services),
    revokeEndpoint(services),
    introspectEndpoint(services),
    logoEndpoint(services),
    ...discoveryEndpoints(services),
    jwksEndpoint(services),
    userinfoEndpoint(services),
  ]);
}
