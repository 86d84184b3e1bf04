import { checkResource } from '../authorize/check-resource.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { redeemCode } from '../tokens/redeem-code.ts';
import { refreshTokens } from '../tokens/refresh-tokens.ts';
import { authenticateClient } from './client-authentication.ts';
import type { Endpoint, EndpointReply, EndpointRequest } from './endpoint.ts';

type Grant = (
  services: OAuthServices,
  client: RegisteredClient,
  request: EndpointRequest,
) => Promise<EndpointReply>;

/** Every other grant type is refused: no token is ever issued without a person's authorization. */
const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', redeemCode],
  ['refresh_token', refreshTokens],
]);

/** `POST /oauth2/token` (RFC 6749 section 3.2). */
export const tokenEndpoint = (services: OAuthServices): Endpoint => ({
  path: '/oauth2/token',
  cors: 'client',
  async post(request) {
    const client = await authenticateClient(services, request);
    const grantType = request.parameters.require('grant_type');
    const grant = GRANTS.get(grantType);
    if (grant === undefined) {
      const supported = [...GRANTS.keys()].join(' and ');
      throw new ProtocolError('unsupported_grant_type', `grant_type must be ${supported}`);
    }
    checkResource(request.parameters, services.resourceServers());
    return grant(services, client, request);
  },
});
